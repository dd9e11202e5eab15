// SPDX-License-Identifier: Apache-2.0
#include "../../store/store_setup.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"

#include "../../levels/fingerprint.h"
#include "store_fixture.h"

namespace fractalray::store_fixture {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class StoreSetupTest : public StoreTest {
 protected:
  absl::Status check() const { return checkStore({.url = url_}).status(); }
  void expectRefused(const std::string& table) const {
    for (const absl::Status& status : {initStore({.url = url_}).status(), check()}) {
      EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
      EXPECT_THAT(std::string(status.message()), HasSubstr(table));
    }
  }

  // The table as Luanti makes it: with positions of INT up to 5.11, of SMALLINT since then.
  void createBlocks(const std::string& number = "INT") {
    writer_->run("CREATE TABLE IF NOT EXISTS blocks (posX " + number + " NOT NULL, posY " + number +
                 " NOT NULL, posZ " + number +
                 " NOT NULL, data BYTEA, PRIMARY KEY (posX,posY,posZ))");
  }
};

TEST_F(StoreSetupTest, WithoutItAnythingElseIsRefused) {
  for (const absl::Status& status : {check(), CachedWorld::open(options()).status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(status.message()), HasSubstr("run fractalray store init"));
  }
}

TEST_F(StoreSetupTest, CountsWhatAMapHasAndListsItsTypes) {
  createBlocks();
  oracle::Rng rng("CountsWhatAMapHas");
  MapModel map;
  map.fill(rng, {{-4, -2, -4}, {4, 2, 4}}, writer_.get());
  writer_->put({5000, 0, 0}, mapblockOf("beyond"));
  writer_->put({std::numeric_limits<std::int32_t>::min(), 0, 0}, mapblockOf("beyond"));
  const StoreReport report = init();
  const LoadReport whole = map.whole().report;
  EXPECT_EQ(report.mapblocks, map.rows().size() + 2);
  EXPECT_EQ(report.loaded, whole.loaded);
  EXPECT_EQ(report.not_generated, whole.not_generated);
  EXPECT_EQ(report.unsupported, whole.unsupported);
  EXPECT_EQ(report.damaged, whole.damaged);
  EXPECT_EQ(report.outside, 2U);
  EXPECT_EQ(report.bytes, whole.bytes);
  EXPECT_EQ(report.named_damages.size(), std::min<std::size_t>(whole.damaged, 20));
  EXPECT_TRUE(report.isPartial());
  EXPECT_EQ(report.logged, 0U);
  EXPECT_GE(report.types, 4U);
  EXPECT_THAT(report.unlisted, IsEmpty());

  map.put({0, 0, 0}, mapblockOf("test:late"), writer_.get());
  const absl::StatusOr<StoreReport> later = checkStore({.url = url_});
  ASSERT_TRUE(later.ok()) << later.status();
  EXPECT_THAT(later->unlisted, Contains("test:late"));
  EXPECT_EQ(later->types, report.types);
  EXPECT_EQ(later->logged, 1U);
  EXPECT_TRUE(later->version.blocks.includes(report.version.blocks));
  EXPECT_EQ(later->version.world, report.version.world);
}

class StoreTableTest : public StoreSetupTest, public testing::WithParamInterface<const char*> {};

TEST_P(StoreTableTest, TheFingerprintIsThatOfACacheThatHasLoadedAll) {
  createBlocks(GetParam());
  init();
  oracle::Rng rng("TheFingerprint");
  MapModel map;
  const ChunkBox box{{-3, -2, -3}, {3, 2, 3}};
  map.fill(rng, box, writer_.get());
  map.put({0, 0, 0}, mapblockOf("default:glass"), writer_.get());
  const absl::StatusOr<StoreReport> before = checkStore({.url = url_});
  ASSERT_TRUE(before.ok()) << before.status();
  const StoreReport report = init();
  EXPECT_EQ(report.fingerprint, before->fingerprint) << "types that are yet to be listed";
  CachedWorldOptions options = this->options();
  options.listed_types = true;
  const auto cache = open(options);
  const auto fingerprint = [&] {
    EXPECT_TRUE(cache->load(3, box).ok());
    return chunksFingerprint(cache->world(), 3, box).value();
  };
  EXPECT_EQ(fingerprint(), report.fingerprint);
  map.put({0, 0, 0}, mapblockOf("default:stone"), writer_.get());
  ASSERT_TRUE(cache->refresh().ok());
  EXPECT_NE(fingerprint(), report.fingerprint);
  EXPECT_EQ(fingerprint(), checkStore({.url = url_})->fingerprint);
}

INSTANTIATE_TEST_SUITE_P(Positions, StoreTableTest, testing::Values("INT", "SMALLINT"));

TEST_F(StoreSetupTest, MayBeRepeatedAndKeepsAll) {
  const StoreReport first = init();
  writer_->put({0, 0, 0}, mapblockOf("one"));
  const std::string entries = writer_->run("SELECT count(*) FROM fr_log");
  const std::string cut = writer_->run("SELECT cut_by FROM fr_store");
  const StoreReport second = init();
  EXPECT_EQ(second.version.world, first.version.world);
  EXPECT_EQ(writer_->run("SELECT count(*) FROM fr_log"), entries);
  EXPECT_EQ(writer_->run("SELECT cut_by FROM fr_store"), cut);
  EXPECT_EQ(writer_->run("SELECT string_agg(name, ',' ORDER BY number) FROM fr_types"),
            "air,coarse:mixed,one,coarse:solid");
}

TEST_F(StoreSetupTest, AServerMayWriteMeanwhile) {
  createBlocks();
  writer_->put({0, 0, 0}, mapblockOf("before"));
  Sql server(url_);
  server.run("BEGIN");
  server.put({0, 0, 1}, mapblockOf("before"));
  server.run("COMMIT");
  init();
  server.put({0, 0, 2}, mapblockOf("after"));
  server.erase({0, 0, 0});
  EXPECT_EQ(writer_->run("SELECT string_agg(posx || ' ' || posy || ' ' || posz, ', ' ORDER BY xid) "
                         "FROM fr_log"),
            "0 0 2, 0 0 0");
}

// All is there already: a transaction that writes is not waited for.
TEST_F(StoreSetupTest, ARepeatedInitTakesNoLockThatAServerNotices) {
  init();
  writer_->run("BEGIN");
  writer_->put({0, 0, 0}, mapblockOf("one"));
  const absl::Status status =
      initStore({.url = url_, .timeout = std::chrono::milliseconds(2000)}).status();
  EXPECT_TRUE(status.ok()) << status;
  writer_->run("COMMIT");
}

// The tables of the store are made next to the map, not in the first schema of the role.
TEST_F(StoreSetupTest, AMapInALaterSchemaIsFound) {
  createBlocks();
  writer_->put({0, 0, 0}, mapblockOf("one"));
  writer_->run("CREATE SCHEMA postgres");
  EXPECT_EQ(init().mapblocks, 1U);
  writer_->put({0, 0, 1}, mapblockOf("two"));
  EXPECT_EQ(writer_->run("SELECT count(*) FROM public.fr_log"), "1");
  EXPECT_EQ(writer_->run("SELECT count(*) FROM pg_tables WHERE schemaname = 'postgres'"), "0");
}

// Luanti's own role needs no rights to the tables of the store.
TEST_F(StoreSetupTest, ARoleThatMayWriteTheMapAloneIsLogged) {
  createBlocks();
  init();
  writer_->run("CREATE ROLE luanti_here; GRANT ALL ON blocks TO luanti_here");
  writer_->run("SET ROLE luanti_here");
  writer_->put({7, 0, 0}, mapblockOf("one"));
  writer_->run("RESET ROLE");
  EXPECT_EQ(writer_->run("SELECT posx FROM fr_log"), "7");
  writer_->run("DROP OWNED BY luanti_here; DROP ROLE luanti_here");
}

TEST_F(StoreSetupTest, OtherTablesOfThatNameAreRefusedUntouched) {
  for (const std::string table : {"blocks", "fr_store", "fr_log", "fr_types"}) {
    SCOPED_TRACE(table);
    writer_->run("CREATE TABLE " + table + " (id int, price money)");
    expectRefused(table);
    EXPECT_EQ(writer_->run("SELECT count(*) FROM pg_class WHERE relname LIKE 'fr\\_%' OR relname = "
                           "'blocks'"),
              "1");
    writer_->run("DROP TABLE " + table);
  }
  // Luanti's columns, without its key: mapblocks might be there twice.
  writer_->run("CREATE TABLE blocks (posx int, posy int, posz int, data bytea)");
  expectRefused("primary key");
}

TEST_F(StoreSetupTest, ANewerFormatIsRefused) {
  init();
  writer_->run("UPDATE fr_store SET format = 2");
  expectRefused("format");
}

TEST_F(StoreSetupTest, ACopyOfADatabaseIsAnotherWorld) {
  const StoreReport original = init();
  writer_.reset();
  Sql(theServer().url("postgres"))
      .run("CREATE DATABASE copy_here TEMPLATE " + url_.substr(14, url_.find('?') - 14));
  url_ = theServer().url("copy_here");
  EXPECT_EQ(check().code(), absl::StatusCode::kFailedPrecondition);
  const StoreReport copy = init();
  EXPECT_NE(copy.version.world, original.version.world);
  EXPECT_TRUE(check().ok());
}

TEST_F(StoreSetupTest, WrongUrlsAreNamed) {
  const absl::Status status = initStore({.url = "postgresql://["}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("postgresql://HOST/DATABASE"));
  const auto begin = std::chrono::steady_clock::now();
  for (const absl::Status& none : {initStore({.url = theServer().url("nowhere")}).status(),
                                   checkStore({.url = theServer().url("nowhere")}).status()}) {
    EXPECT_EQ(none.code(), absl::StatusCode::kUnavailable);
    EXPECT_THAT(std::string(none.message()), HasSubstr("nowhere"));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30))
      << "not after the time-out of a minute";
}

}  // namespace
}  // namespace fractalray::store_fixture
