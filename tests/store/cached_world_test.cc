// SPDX-License-Identifier: Apache-2.0
// Compares caches with a process that has opened the whole map, line by line.
#include "../../store/cached_world.h"

#include <limits>

#include "gmock/gmock.h"

#include "../../core/thread_executor.h"
#include "../oracle/long_run.h"
#include "store_fixture.h"

namespace fractalray::store_fixture {
namespace {

using ::testing::HasSubstr;

// Around the middle of the map, where chunks of all levels border on each other.
constexpr ChunkBox kBox{{-5, -3, -6}, {6, 2, 4}};

class CachedWorldTest : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    if (IsSkipped()) return;
    init();
    map_.fill(rng_, kBox, writer_.get());
  }

  static std::size_t count() { return oracle::isLongRun() ? 20'000 : 1'500; }

  oracle::Rng rng_{"CachedWorldTest"};
  MapModel map_;
};

TEST_F(CachedWorldTest, ColdAndWarmAnswersAreThoseOfTheWholeMap) {
  const OpenedWorld whole = map_.whole();
  ASSERT_GT(whole.report.damaged, 0U);
  ASSERT_GT(whole.report.unsupported, 0U);
  ASSERT_GT(whole.report.not_generated, 0U);
  for (const LevelMask mask : allMasks()) {
    SCOPED_TRACE(formatLevelMask(mask & LevelMask{0, 1, 2, 3}));
    const auto queries = randomQueries(rng_, kBox, count() / 3, {mask});
    const auto cache = open();
    const StoreVersion cold = expectSame(*cache, whole, queries);
    const std::uint64_t loaded = cache->stats().loaded;
    EXPECT_EQ(expectSame(*cache, whole, queries), cold);
    EXPECT_EQ(cache->stats().loaded, loaded) << "warm answers load nothing";
    EXPECT_EQ(cache->stats().restarts, 0U);
  }
}

TEST_F(CachedWorldTest, MasksMayBeMixedInOneBatchAndOneCache) {
  const OpenedWorld whole = map_.whole();
  for (const int load_ahead : {1, 8, 1000}) {
    CachedWorldOptions all = options();
    all.load_ahead = load_ahead;
    all.fill_chunks = load_ahead == 1 ? 3 : 256;
    const auto cache = open(all);
    for (int batch = 0; batch < 5; ++batch)
      expectSame(*cache, whole, randomQueries(rng_, kBox, count() / 5, allMasks()));
  }
}

TEST_F(CachedWorldTest, WhatFirstHitsNeedIsLoadedForOtherReaders) {
  const OpenedWorld whole = map_.whole();
  std::uint64_t loaded_to_hits = 0;
  std::uint64_t loaded_to_ends = 0;
  for (const LevelMask mask : allMasks()) {
    SCOPED_TRACE(formatLevelMask(mask & LevelMask{0, 1, 2, 3}));
    CachedWorldOptions small = options();
    small.memory_bytes = 1;
    small.load_ahead = 1;
    const auto cache = open(small);
    const auto queries = randomQueries(rng_, kBox, 200, {mask});
    const CachedQuery asked{.query = {.report_unknown = true}};
    EXPECT_FALSE(cache->hasAllTo(queries, std::vector<double>(queries.size(), 1)));
    const auto version = cache->loadToHits(queries, asked);
    ASSERT_TRUE(version.ok()) << version.status();
    EXPECT_EQ(*version, cache->version());
    const auto snapshot = cache->snapshot();
    const EntityIndex entities(snapshot->frame());
    const absl::StatusOr<ClosestBatch> got =
        RayQueryService(*snapshot, entities).closestHit(queries, asked.query);
    ASSERT_TRUE(got.ok()) << got.status();
    EXPECT_EQ(countDifferent(expected(whole, queries, asked.query), whole.world.blockTypes(), *got,
                             snapshot->blockTypes()),
              0U);
    std::vector<double> until;
    for (const Hit& hit : got->answers) {
      const bool is_hit = hit.kind != Hit::Kind::kNone;
      until.push_back(is_hit ? hit.t : std::numeric_limits<double>::infinity());
    }
    EXPECT_TRUE(cache->hasAllTo(queries, until));
    loaded_to_hits += cache->stats().loaded;
    const auto other = open();
    ASSERT_TRUE(other->load(queries).ok());
    loaded_to_ends += other->stats().loaded;
  }
  EXPECT_LT(loaded_to_hits, loaded_to_ends) << "what is farther than a hit is not loaded";
}

TEST_F(CachedWorldTest, FollowTakesOverWhatTheStoreReports) {
  const auto cache = open();
  ASSERT_EQ(nodeAt(*cache, {40, 0, 0}), "");
  map_.put({40, 0, 0}, mapblockOf("default:stone"), writer_.get());
  const absl::StatusOr<StoreVersion> newest = StoreVersion::parse(
      cache->version().world + "@" + writer_->run("SELECT pg_current_snapshot()"));
  ASSERT_TRUE(newest.ok()) << newest.status();
  const auto version = cache->follow({.at_least = *newest});
  ASSERT_TRUE(version.ok()) << version.status();
  EXPECT_TRUE(version->blocks.includes(newest->blocks));
  EXPECT_EQ(nodeAt(*cache, {40, 0, 0}), "default:stone");
  const std::uint64_t changed = cache->stats().changed;
  ASSERT_TRUE(cache->follow({}).ok());
  EXPECT_EQ(cache->stats().changed, changed);
}

TEST_F(CachedWorldTest, ATenthOfTheMapInMemoryIsEnough) {
  const OpenedWorld whole = map_.whole();
  const auto large = open();
  ASSERT_TRUE(large->load(3, kBox).ok());
  CachedWorldOptions small = options();
  small.memory_bytes = large->stats().memory_bytes / 10;
  const auto cache = open(small);
  for (int batch = 0; batch < 5; ++batch) {
    expectSame(*cache, whole, randomQueries(rng_, kBox, count() / 5, {LevelMask{3}, {2, 3}}));
    EXPECT_LE(cache->stats().memory_bytes, small.memory_bytes);
  }
  EXPECT_GT(cache->stats().dropped, 100U);
}

// All that queries of coarse levels leave counts as memory, and is gone with what it was for.
TEST_F(CachedWorldTest, OutlinesAndSummariesAreCountedAndFreed) {
  const auto cache = open();
  ASSERT_TRUE(cache->load(0, {{-1, -1, -1}, {0, 0, 0}}).ok());
  std::size_t chunks = 0;
  for (int level = 0; level < 4; ++level) {
    cache->world().forEachLoaded(
        level, [&](const ChunkCoord& /*at*/, const Chunk& chunk) { chunks += chunk.bytes(); });
  }
  constexpr std::size_t kSummary = kBlocksPerChunk * sizeof(BlockTypeId);
  EXPECT_GE(cache->stats().memory_bytes, chunks + 16 * kSummary)
      << "those of 8 chunks of level 0, and of one of level 1 in each";
  writer_->run("TRUNCATE blocks");
  ASSERT_TRUE(cache->refresh().ok());
  EXPECT_EQ(cache->stats().memory_bytes, 0U);
}

TEST_F(CachedWorldTest, EditsBetweenCallsAreTakenOver) {
  const auto cache = open();
  const auto queries = randomQueries(rng_, kBox, 300, allMasks());
  expectSame(*cache, map_.whole(), queries);
  for (int round = 0; round < (oracle::isLongRun() ? 200 : 25); ++round) {
    for (int edit = 0; edit < 4; ++edit) {
      const ChunkCoord at{rng_.in(kBox.min.x() - 1, kBox.max.x() + 1),
                          rng_.in(kBox.min.y() - 1, kBox.max.y() + 1),
                          rng_.in(kBox.min.z() - 1, kBox.max.z() + 1)};
      if (rng_.oneIn(3)) {
        map_.erase(at, writer_.get());
      } else {
        map_.put(at, rng_.oneIn(5) ? Bytes{29, 1} : randomMapblock(rng_), writer_.get());
      }
    }
    const absl::StatusOr<StoreVersion> version = cache->refresh();
    ASSERT_TRUE(version.ok()) << version.status();
    EXPECT_TRUE(expectSame(*cache, map_.whole(), queries).blocks.includes(version->blocks));
  }
  EXPECT_GT(cache->stats().changed, 0U);
  EXPECT_EQ(cache->stats().restarts, 0U);
}

TEST_F(CachedWorldTest, AMapThatIsEmptiedAndFilledAgainIsFollowed) {
  const auto cache = open();
  const auto queries = randomQueries(rng_, kBox, 200, allMasks());
  expectSame(*cache, map_.whole(), queries);
  while (!map_.rows().empty())
    map_.erase(map_.rows().begin()->first, writer_.get());
  ASSERT_TRUE(cache->refresh().ok());
  expectSame(*cache, map_.whole(), queries);
  map_.put({0, 0, 0}, mapblockOf("default:stone"), writer_.get());
  ASSERT_TRUE(cache->refresh().ok());
  expectSame(*cache, map_.whole(), queries);
}

TEST_F(CachedWorldTest, ThreadsAndOptionsAreThoseOfTheService) {
  const OpenedWorld whole = map_.whole();
  const auto cache = open();
  ThreadExecutor threads(3);
  const auto queries = randomQueries(rng_, kBox, count(), allMasks());
  std::vector<QueryOptions> all(4);
  all[0].stop_at_unknown = true;
  all[1].filter.solid_only = true;
  all[2].corner = CornerPolicy::kStaircase;
  all[3].max_steps = 40;
  for (const QueryOptions& each : all) {
    ClosestBatch got;
    const auto version = cache->closestHits(queries, {.query = each}, got, threads);
    ASSERT_TRUE(version.ok()) << version.status();
    const ClosestBatch wanted = expected(whole, queries, each);
    EXPECT_EQ(got.completed, queries.size());
    // The cache takes other steps, since less is loaded: answers may differ.
    if (&each == &all.back()) {
      EXPECT_GT(got.errors.size(), 0U);
      continue;
    }
    EXPECT_EQ(got.errors.size(), wanted.errors.size());
    EXPECT_EQ(countDifferent(wanted, whole.world.blockTypes(), got, cache->world().blockTypes()),
              0U);
  }
}

TEST_F(CachedWorldTest, WrongQueriesHaveTheErrorsOfTheService) {
  const auto cache = open();
  std::vector<BatchQuery> queries = randomQueries(rng_, kBox, 3, {LevelMask{3}});
  queries[1].line =
      Segment{.from = {0, 0, 0}, .to = {0, std::numeric_limits<double>::infinity(), 0}};
  ClosestBatch batch;
  ASSERT_TRUE(cache->closestHits(queries, {}, batch).ok());
  ASSERT_EQ(batch.errors.size(), 1U);
  EXPECT_EQ(batch.errors[0].query, 1U);
  const absl::Status status =
      cache->closestHits(queries, {.query = {.filter = {.channel = ChannelId{99}}}}, batch)
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(batch.answers.empty());
}

TEST_F(CachedWorldTest, EntitiesAreHitAndEndTheLoading) {
  const auto cache = open();
  ASSERT_TRUE(cache->entities()
                  .add({.id = 7, .level = 3, .shape = Sphere{0.5}, .position = {200, 200, 200}})
                  .ok());
  const std::vector<BatchQuery> queries = {
      {.line = Segment{.from = {200.2, 200, 200}, .to = {-1000, 0, 0}}, .levels = {3}}};
  ClosestBatch batch;
  ASSERT_TRUE(cache->closestHits(queries, {}, batch).ok());
  EXPECT_EQ(batch.answers[0].id, 7U);
  const CachedWorldStats stats = cache->stats();
  EXPECT_LE(stats.loaded + stats.not_stored, 8U) << "nothing past the hit is needed";
}

TEST_F(CachedWorldTest, OtherVerbsReadWhatIsLoaded) {
  const OpenedWorld whole = map_.whole();
  const EntityIndex none(whole.world.frame());
  const RayQueryService there(whole.world, none);
  const auto cache = open();
  const RayQueryService here(cache->world(), cache->entities());
  for (const BatchQuery& query : randomQueries(rng_, kBox, 60, allMasks())) {
    const std::vector<BatchQuery> one = {query};
    const absl::StatusOr<StoreVersion> version = cache->load(one);
    ASSERT_TRUE(version.ok()) << version.status();
    const auto got = here.shootSegment(one);
    const auto wanted = there.shootSegment(one);
    ASSERT_EQ(got->hits.size(), wanted->hits.size());
    for (std::size_t i = 0; i < got->hits.size(); ++i) {
      EXPECT_EQ(got->hits[i].block, wanted->hits[i].block);
      EXPECT_EQ(cache->world().blockTypes().name(got->hits[i].type),
                whole.world.blockTypes().name(wanted->hits[i].type));
    }
  }
  for (const int level : {0, 1, 2, 3}) {
    const ChunkBox all = level == 3 ? kBox : ChunkBox{{-1, -1, -1}, {0, 0, 0}};
    ASSERT_TRUE(cache->load(level, all).ok());
    whole.world.forEachLoaded(level, [&](const ChunkCoord& at, const Chunk& chunk) {
      const Chunk* const got = cache->world().chunk(level, at);
      ASSERT_NE(got, nullptr);
      for (int block = 0; block < kBlocksPerChunk; ++block) {
        ASSERT_EQ(cache->world().blockTypes().name(got->block(block)),
                  whole.world.blockTypes().name(chunk.block(block)));
      }
    });
  }
}

TEST_F(CachedWorldTest, SnapshotsStayAsTheyWere) {
  const auto cache = open();
  map_.put({0, 0, 0}, mapblockOf("default:stone"), writer_.get());
  ASSERT_TRUE(cache->load(3, {{0, 0, 0}, {0, 0, 0}}).ok());
  const std::shared_ptr<const World> before = cache->snapshot();
  map_.put({0, 0, 0}, mapblockOf("air"), writer_.get());
  ASSERT_TRUE(cache->refresh().ok());
  EXPECT_EQ(nodeAt(*cache, {0, 0, 0}), "");
  ASSERT_NE(before->chunk(3, {0, 0, 0}), nullptr);
  EXPECT_EQ(before->blockTypes().name(before->chunk(3, {0, 0, 0})->block(0)), "default:stone");
}

TEST_F(CachedWorldTest, LongLinesReadNothingBeyondTheMap) {
  const auto cache = open();
  const std::vector<BatchQuery> queries = {
      {.line = Segment{.from = {8, 0x1p44, 8}, .to = {8, 0x1p43, 8}}, .levels = LevelMask::all()},
      {.line = Segment{.from = {-0x1p44, 8, 8}, .to = {0x1p44, 8, 8}}, .levels = LevelMask{3}}};
  expectSame(*cache, map_.whole(), queries);
  EXPECT_LE(cache->stats().not_stored, 4096U);
}

TEST_F(CachedWorldTest, ListedTypesHaveTheSameNumbersEverywhere) {
  init();  // lists the types of the mapblocks that were written meanwhile
  CachedWorldOptions listed = options();
  listed.listed_types = true;
  const auto a = open(listed);
  const auto b = open(listed);
  ASSERT_TRUE(a->load(3, {kBox.min, {0, 0, 0}}).ok());
  ASSERT_TRUE(b->load(0, {{-1, -1, -1}, {0, 0, 0}}).ok());
  expectSame(*a, map_.whole(), randomQueries(rng_, kBox, count() / 3, allMasks()));
  const BlockTypeTable& types = a->world().blockTypes();
  ASSERT_EQ(types.size(), b->world().blockTypes().size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    const auto type = static_cast<BlockTypeId>(i);
    EXPECT_EQ(types.name(type), b->world().blockTypes().name(type));
  }
  map_.put({0, 0, 0}, mapblockOf("test:new"), writer_.get());
  ASSERT_TRUE(a->refresh().ok());
  EXPECT_THAT(nodeAt(*a, {0, 0, 0}), HasSubstr("FAILED_PRECONDITION"));
  EXPECT_EQ(nodeAt(*open(), {0, 0, 0}), "test:new");
  EXPECT_EQ(init().unlisted.size(), 0U);
  EXPECT_EQ(nodeAt(*open(listed), {0, 0, 0}), "test:new");
}

// A mapblock of listed nodes can still be the first one of which a coarse block is solid.
TEST_F(StoreTest, CoarseTypesThatAreNotListedAreRefused) {
  init();
  luanti_fixture::BlockParts parts;
  parts.names = {{0, "air"}, {1, "default:stone"}};
  parts.ids.fill(0);
  parts.ids[0] = 1;
  writer_->put({0, 0, 0}, luanti_fixture::encode(parts));
  init();
  CachedWorldOptions listed = options();
  listed.listed_types = true;
  const auto cache = open(listed);
  EXPECT_TRUE(cache->load(2, {{0, 0, 0}, {0, 0, 0}}).ok());
  writer_->put({0, 0, 0}, mapblockOf("default:stone"));
  ASSERT_TRUE(cache->refresh().ok());
  for (int repeat = 0; repeat < 2; ++repeat) {
    const absl::Status status = cache->load(2, {{0, 0, 0}, {0, 0, 0}}).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(status.message()), HasSubstr("coarse:solid"));
  }
  EXPECT_EQ(init().unlisted.size(), 0U);
  EXPECT_TRUE(open(listed)->load(2, {{0, 0, 0}, {0, 0, 0}}).ok());
}

TEST_F(CachedWorldTest, OptionsOutOfTheirRangeAreRefused) {
  for (int wrong = 0; wrong < 5; ++wrong) {
    CachedWorldOptions options = this->options();
    if (wrong == 0) options.timeout = std::chrono::milliseconds(0);
    if (wrong == 1) options.max_age = std::chrono::milliseconds(-1);
    if (wrong == 2) options.fill_chunks = 0;
    if (wrong == 3) options.load_ahead = 0;
    if (wrong == 4) options.url = "postgresql://[";
    EXPECT_EQ(CachedWorld::open(options).status().code(), absl::StatusCode::kInvalidArgument);
  }
  const auto cache = open();
  EXPECT_EQ(cache->load(4, kBox).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(cache->load(3, {{1, 0, 0}, {0, 0, 0}}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(cache->load(3, {{-9999, -9999, -9999}, {9999, 9999, 9999}}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

// The bundled world has shapes, and nodes that grow towards their neighbours.
TEST_F(StoreTest, TheBundledWorldIsTheSameWithAndWithoutShapes) {
  init();
  MapModel map;
  map.readBundled(writer_.get());
  const absl::StatusOr<NodeDefinitions> definitions =
      NodeDefinitions::read(FRACTALRAY_SOURCE_DIR "/examples/worlds/w1/nodedefs.jsonl");
  ASSERT_TRUE(definitions.ok()) << definitions.status();
  oracle::Rng rng("TheBundledWorld");
  for (const NodeDefinitions* each :
       {static_cast<const NodeDefinitions*>(nullptr), &*definitions}) {
    const OpenedWorld whole = map.whole({.definitions = each});
    CachedWorldOptions options = this->options();
    options.definitions = each;
    const auto cache = open(options);
    const std::size_t count = oracle::isLongRun() ? 1'000'000 : 2'000;
    expectSame(*cache, whole, randomQueries(rng, map.box(), count, {LevelMask{3}}));
    expectSame(*cache, whole, randomQueries(rng, map.box(), count / 4, allMasks()));
    // A change of a mapblock changes what its neighbours' nodes grow to.
    ChunkCoord at = map.box().min;
    for (int edit = 0; edit < 30; ++edit) {
      for (int axis = 0; axis < 3; ++axis)
        at[axis] = rng.in(map.box().min[axis], map.box().max[axis]);
      map.put(at, mapblockOf("default:stone"), writer_.get());
    }
    ASSERT_TRUE(cache->refresh().ok());
    expectSame(*cache, map.whole({.definitions = each}),
               randomQueries(rng, map.box(), count / 2, {LevelMask{3}}));
  }
}

}  // namespace
}  // namespace fractalray::store_fixture
