// SPDX-License-Identifier: Apache-2.0
// A store of its own for each test, and what it takes to compare caches with the whole map.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../../store/cached_world.h"
#include "../../store/store_setup.h"
#include "map_model.h"
#include "postgres_server.h"

namespace fractalray::store_fixture {

// Mapblocks of small tests.
inline constexpr ChunkCoord kHere{1, 2, 3};
inline constexpr ChunkCoord kThere{1, 2, 4};

class StoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string why = PostgresServer::whyNot();
    if (!why.empty()) GTEST_SKIP() << why;
    static int databases = 0;
    url_ = theServer().create("world" + std::to_string(++databases));
    writer_ = std::make_unique<Sql>(url_);
  }

  // Makes the tables and triggers.
  StoreReport init() {
    absl::StatusOr<StoreReport> report = initStore({.url = url_});
    EXPECT_TRUE(report.ok()) << report.status();
    return report.ok() ? *std::move(report) : StoreReport();
  }

  CachedWorldOptions options() const { return {.url = url_}; }
  static std::unique_ptr<CachedWorld> open(const CachedWorldOptions& options) {
    absl::StatusOr<std::unique_ptr<CachedWorld>> cache = CachedWorld::open(options);
    EXPECT_TRUE(cache.ok()) << cache.status();
    return cache.ok() ? *std::move(cache) : nullptr;
  }
  std::unique_ptr<CachedWorld> open() const { return open(options()); }

  // Returns the answers of one process that has opened the whole map. Nodes fill their cubes,
  // unless the options say otherwise.
  static ClosestBatch expected(const OpenedWorld& whole, const std::vector<BatchQuery>& queries,
                               const QueryOptions& options) {
    const EntityIndex entities(whole.world.frame());
    absl::StatusOr<ClosestBatch> batch =
        RayQueryService(whole.world, entities).closestHit(queries, options);
    EXPECT_TRUE(batch.ok()) << batch.status();
    return *std::move(batch);
  }

  // Expects that a cache answers as the whole map does; returns the version.
  static StoreVersion expectSame(CachedWorld& cache, const OpenedWorld& whole,
                                 const std::vector<BatchQuery>& queries,
                                 const CachedQuery& options = {.query = {.report_unknown = true}}) {
    ClosestBatch got;
    const absl::StatusOr<StoreVersion> version = cache.closestHits(queries, options, got);
    EXPECT_TRUE(version.ok()) << version.status();
    if (!version.ok()) return {};
    EXPECT_EQ(countDifferent(expected(whole, queries, options.query), whole.world.blockTypes(), got,
                             cache.world().blockTypes()),
              0U);
    return *version;
  }

  // Returns the name of a node of a mapblock, "" for air and if it is absent; or the error.
  static std::string nodeAt(CachedWorld& cache, const ChunkCoord& at,
                            const CachedQuery& options = {}) {
    const Vec3d corner{16.0 * static_cast<double>(at[0]) + 0.5,
                       16.0 * static_cast<double>(at[1]) + 15.5,
                       16.0 * static_cast<double>(at[2]) + 0.5};
    const std::vector<BatchQuery> queries = {
        {.line = Segment{.from = corner, .to = corner}, .levels = {3}}};
    ClosestBatch batch;
    const absl::StatusOr<StoreVersion> version = cache.closestHits(queries, options, batch);
    if (!version.ok()) return version.status().ToString();
    if (batch.answers[0].kind == Hit::Kind::kNone) return "";
    return cache.world().blockTypes().name(batch.answers[0].type);
  }

  std::string url_;
  std::unique_ptr<Sql> writer_;
};

}  // namespace fractalray::store_fixture
