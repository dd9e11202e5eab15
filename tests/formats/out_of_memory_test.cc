// SPDX-License-Identifier: Apache-2.0
// Checks that memory that runs out at any allocation causes RESOURCE_EXHAUSTED or nothing: never a
// crash, another error or another result.
#include <cstdint>
#include <filesystem>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

#include "../../formats/change_store.h"
#include "../../formats/image.h"
#include "../../formats/json_document.h"
#include "../../formats/luanti_map.h"
#include "../../formats/luanti_mapblock.h"
#include "../../formats/node_kinds.h"
#include "../../formats/replay/query_log_reader.h"
#include "../../formats/replay/query_recorder.h"
#include "../../formats/scenario.h"
#include "../../query/ray_query_service.h"
#include "../oracle/allocations.h"
#include "luanti_fixture.h"

namespace fractalray {
namespace {

using oracle::AllocationFailure;

// Runs `work`, which returns a StatusOr<std::string>, with one allocation after another failing,
// and with all from there on. Returns how many allocations were made to fail.
template <class Work>
std::size_t failEach(const Work& work) {
  const absl::StatusOr<std::string> expected = work();
  EXPECT_TRUE(expected.ok()) << expected.status();
  std::size_t failures = 0;
  for (const auto extent :
       {AllocationFailure::Extent::kOne, AllocationFailure::Extent::kAllFromThere}) {
    bool has_failed = true;
    for (std::size_t n = 0; has_failed && !::testing::Test::HasFailure(); ++n) {
      absl::StatusOr<std::string> result;
      {
        const AllocationFailure failure(n, extent);
        result = work();
        has_failed = failure.hasFailed();
      }
      if (result.ok()) {
        EXPECT_EQ(*result, *expected) << "at allocation " << n;
      } else {
        EXPECT_EQ(result.status().code(), absl::StatusCode::kResourceExhausted)
            << result.status() << " at allocation " << n;
      }
      failures += has_failed ? 1 : 0;
    }
  }
  return failures;
}

class OutOfMemoryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!AllocationFailure::isSupported()) GTEST_SKIP() << "the thread sanitizer";
  }
};

constexpr std::string_view kScenario = R"({
  "format": "fractalray-scenario/1", "levels": 2,
  "block_types": {"glass": {"default": "permeable", "a channel with a long name": "empty"},
                  "a block type with a long name": "solid"},
  "responses": {"glass": "stop"},
  "chunks": [{"level": 1, "at": [0, 0, 0], "blocks": [[[5, 0, 3], "glass"]],
              "boxes": [[[0, 0, 0], [15, 0, 15], "a block type with a long name"]]},
             {"level": 1, "at": [1, 0, 0], "state": "proto"}],
  "entities": [{"id": 1, "level": 1, "shape": "sphere", "center": [3, 0.5, 3.5], "radius": 1}],
  "queries": [{"id": "a shot with a long name", "op": "shoot", "from": [0, 2, 0], "to": [9, 0, 9],
               "levels": [0, 1], "ignore": [7, 8]},
              {"id": "w", "op": "walk", "from": [0, 0, 0], "to": [3, 3, 1]},
              {"id": "e", "op": "entity_chunks", "entity": 1}]
})";

TEST_F(OutOfMemoryTest, ParsingJsonEndsInAnErrorOrTheDocument) {
  const std::size_t failures = failEach([]() -> absl::StatusOr<std::string> {
    const absl::StatusOr<JsonDocument> document = parseJson(kScenario, "f.json");
    if (!document.ok()) return document.status();
    return absl::StrCat(document->root().size());
  });
  EXPECT_GT(failures, 200U);
}

TEST_F(OutOfMemoryTest, ErrorsInJsonStayErrors) {
  std::string text(kScenario.substr(0, 700));
  text += "x";
  std::size_t failures = 0;
  for (bool has_failed = true; has_failed; ++failures) {
    absl::Status status;
    {
      const AllocationFailure failure(failures);
      status = parseJson(text, "f.json").status();
      has_failed = failure.hasFailed();
    }
    EXPECT_EQ(status.code(), has_failed ? absl::StatusCode::kResourceExhausted
                                        : absl::StatusCode::kInvalidArgument);
  }
  EXPECT_GT(failures, 100U);
}

TEST_F(OutOfMemoryTest, ATableOfNodeKindsIsReadWholeOrNotAtAll) {
  EXPECT_GT(failEach([]() -> absl::StatusOr<std::string> {
              const absl::StatusOr<NodeKinds> kinds = NodeKinds::parse(
                  R"({"default": "solid", "types": {"a node with a long name": "empty",
                      "b": {"default": "solid", "a channel with a long name": "empty"}}})",
                  "kinds.json");
              if (!kinds.ok()) return kinds.status();
              return absl::StrCat(kinds->size());
            }),
            20U);
}

TEST_F(OutOfMemoryTest, APictureIsWrittenWholeOrNotAtAll) {
  const Image image(40, 30);
  EXPECT_GT(failEach([&] { return encodePng(image); }), 0U);
}

absl::StatusOr<std::string> answersOf(Scenario& scenario) {
  std::string out;
  absl::Status status = answerScenario(scenario, [&](std::string_view piece) {
    out += piece;
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  return out;
}

TEST_F(OutOfMemoryTest, AScenarioIsReadWholeOrNotAtAll) {
  const std::size_t failures = failEach([]() -> absl::StatusOr<std::string> {
    absl::StatusOr<Scenario> scenario = parseScenario(kScenario, "f.json");
    if (!scenario.ok()) return scenario.status();
    return absl::StrCat(scenario->queries.size(), " ", scenario->entities.size());
  });
  EXPECT_GT(failures, 200U);
}

// Lists where a name is expected, queries that are noted until the end of the file: no copy of a
// list is made, which could not be destroyed without memory.
TEST_F(OutOfMemoryTest, AScenarioInAnotherOrderEndsInAnErrorToo) {
  const std::string list = R"([["a string that is longer than short", ["b"]], ["c", {"d": [1]}]])";
  const auto text = [](const std::string& id, const std::string& rules) {
    return R"({"format": "fractalray-scenario/1", "levels": 1, "queries": [
        {"id": )" +
           id + R"(, "op": "shoot", "from": [0, 0, 0], "to": [9, 0, 0], "levels": [0],
         "rules": )" +
           rules + R"(, "budgets": {"a budget with a long name": 1}},
        {"id": 2, "op": "load", "chunk": {"level": 0, "at": [0, 0, 0], "fill": "stone",
         "blocks": [[[1, 2, 3], "stone"], [[1, 2, 4], "stone"]]}}],
      "block_types": {"stone": "solid"},
      "rules": {"r": {"budgets": {"a budget with a long name": 2}}}})";
  };
  const std::string right = text("1", "\"r\"");
  EXPECT_GT(failEach([&]() -> absl::StatusOr<std::string> {
              const auto scenario = parseScenario(right, "f.json");
              if (!scenario.ok()) return scenario.status();
              return absl::StrCat(scenario->queries.size());
            }),
            100U);
  for (const std::string& wrong : {text(list, "\"r\""), text("1", list)}) {
    bool has_failed = true;
    for (std::size_t n = 0; has_failed; ++n) {
      const AllocationFailure failure(n, AllocationFailure::Extent::kAllFromThere);
      EXPECT_FALSE(parseScenario(wrong, "f.json").ok());
      has_failed = failure.hasFailed();
    }
  }
}

TEST_F(OutOfMemoryTest, AnswersAreRightOrAnError) {
  absl::StatusOr<Scenario> scenario = parseScenario(kScenario, "f.json");
  ASSERT_TRUE(scenario.ok()) << scenario.status();
  EXPECT_GT(failEach([&] { return answersOf(*scenario); }), 20U);
}

// Visits the queries of a log up to its end or its damage; returns how the log ends.
template <class Visit>
absl::StatusOr<std::string> readLog(const std::string& path, const Visit& visit) {
  absl::StatusOr<QueryLogReader> log = QueryLogReader::open(path);
  if (!log.ok()) return log.status();
  LoggedQuery query;
  while (true) {
    const absl::StatusOr<bool> more = log->next(query);
    if (!more.ok() && absl::IsResourceExhausted(more.status())) return more.status();
    if (!more.ok()) return "damaged";
    if (!*more) return "whole";
    visit(query);
  }
}

// Returns the hashes of the answers, and how the log ends.
absl::StatusOr<std::string> logged(const std::string& path) {
  std::string queries;
  absl::StatusOr<std::string> end = readLog(
      path, [&](const LoggedQuery& query) { absl::StrAppend(&queries, query.answer_hash, " "); });
  if (!end.ok()) return end;
  return queries + *end;
}

// Answers the queries of a scenario, with a log of them.
absl::Status recordScenario(Scenario& scenario, const std::string& path) {
  const auto recorder = QueryRecorder::open(path, scenario.world, scenario.entities);
  if (!recorder.ok()) return recorder.status();
  absl::Status status = answerScenario(
      scenario, [](std::string_view) { return absl::OkStatus(); }, {}, recorder->get());
  status.Update((*recorder)->close());
  return status;
}

absl::StatusOr<std::string> countLogged(const std::string& path) {
  int queries = 0;
  absl::StatusOr<std::string> end = readLog(path, [&](const LoggedQuery&) { ++queries; });
  if (!end.ok()) return end;
  return absl::StrCat(queries, " ", *end);
}

TEST_F(OutOfMemoryTest, QueryLogsAreReadRightOrEndInAnError) {
  absl::StatusOr<Scenario> scenario = parseScenario(kScenario, "f.json");
  ASSERT_TRUE(scenario.ok()) << scenario.status();
  const luanti_fixture::TempDirectory folder;
  const std::string path = folder.file("queries.log");
  const auto record = [&]() -> absl::StatusOr<std::string> {
    absl::Status status = recordScenario(*scenario, path);
    if (!status.ok()) return status;
    return "recorded";
  };
  EXPECT_GT(failEach(record), 20U);
  const std::string all = logged(path).value();
  EXPECT_TRUE(all.ends_with(" whole")) << all;
  // Short, so that the test itself allocates nothing.
  EXPECT_GT(failEach([&] { return countLogged(path); }), 4U);
}

// A log whose writing ends early contains the first of the queries, whole.
TEST_F(OutOfMemoryTest, QueryLogsThatEndEarlyHaveWholeQueries) {
  World world;
  const BlockTypeId glass =
      *world.blockTypes().add({.name = "glass", .kind = BlockKind::kPermeable});
  constexpr std::int64_t kChunks = 200;
  for (std::int64_t x = 0; x < kChunks; ++x)
    ASSERT_TRUE(world.loadChunk(0, {x, 0, 0}, Chunk::uniform(glass, world.blockTypes())).ok());
  const EntityIndex entities(world.frame());
  const luanti_fixture::TempDirectory folder;
  const std::string path = folder.file("queries.log");
  const auto record = [&]() -> absl::Status {
    const auto recorder = QueryRecorder::open(path, world, entities);
    if (!recorder.ok()) return recorder.status();
    try {
      RayQueryService service(world, entities);
      service.setObserver(recorder->get());
      // The record of the second answer is longer than the buffer of a log.
      for (const double end : {1.5, 16.0 * kChunks - 0.5})
        static_cast<void>(service.shootSegment({{0.5, 0.5, 0.5}, {end, 0.5, 0.5}}));
    } catch (const std::bad_alloc&) {  // of the service, or of a query
    }
    return (*recorder)->close();
  };
  ASSERT_TRUE(record().ok());
  const std::string all = logged(path).value();
  int shortened = 0;
  for (std::size_t n = 0;; ++n) {
    std::filesystem::remove(path);
    {
      const AllocationFailure failure(n, AllocationFailure::Extent::kOne);
      static_cast<void>(record());
      if (!failure.hasFailed()) break;
    }
    const absl::StatusOr<std::string> read = logged(path);
    if (!read.ok()) continue;  // not begun, or ended within its head
    const std::size_t end = read->find_first_not_of("0123456789 ");
    EXPECT_TRUE(all.starts_with(read->substr(0, end))) << *read << " of " << all;
    shortened += end > 0 && *read != all ? 1 : 0;
  }
  EXPECT_GT(shortened, 0) << "none has a query";
}

// Opens a store, records changes, copies the log and reads them; returns what the store has of a
// chunk.
absl::StatusOr<std::string> recordAndRead(const std::string& path, const BlockTypeTable& types,
                                          std::span<const BlockChange> changes) {
  const auto store = ChangeStore::open(path, types);
  if (!store.ok()) return store.status();
  absl::Status status = (*store)->record(changes);
  status.Update((*store)->maintain());
  const auto read = (*store)->changesOf(changes[0].chunk);
  const auto due = (*store)->due(5, 9);
  status.Update(read.status());
  status.Update(due.status());
  if (!status.ok()) return status;
  return absl::StrCat(read->size(), " ", due->size());
}

TEST_F(OutOfMemoryTest, ChangesAreRecordedWholeOrNotAtAll) {
  const luanti_fixture::TempDirectory folder;
  BlockTypeTable types;
  const BlockTypeId stone = *types.add({.name = "a block type with a long name"});
  std::vector<BlockChange> changes;
  const ChunkPath chunk = ChunkPath::to({1234567, 7654321, 77}, 20);
  for (int i = 0; i < 9; ++i)
    changes.push_back({.chunk = chunk, .block = i, .type = stone, .reverts_at = 5});
  const std::string path = folder.file("world.changes");
  EXPECT_GT(failEach([&] { return recordAndRead(path, types, changes); }), 20U);
  // Each failure leaves a new store empty or whole.
  for (std::size_t n = 0;; ++n) {
    std::filesystem::remove(path);
    bool has_failed = false;
    {
      const AllocationFailure failure(n, AllocationFailure::Extent::kOne);
      static_cast<void>(recordAndRead(path, types, changes));
      has_failed = failure.hasFailed();
    }
    const auto store = ChangeStore::open(path, types);
    ASSERT_TRUE(store.ok()) << store.status();
    const auto read = (*store)->changesOf(chunk);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_TRUE(read->empty() || read->size() == changes.size()) << n;
    if (!has_failed) break;
  }
}

TEST_F(OutOfMemoryTest, ALuantiMapIsReadWholeOrNotAtAll) {
  const luanti_fixture::TempDirectory folder;
  {
    luanti_fixture::Database map(folder.file("map.sqlite"));
    map.createKeyed();
    luanti_fixture::BlockParts parts;
    parts.names = {{126, "default:a node with a long name"}};
    map.putKeyed({0, 0, 0}, luanti_fixture::encode(parts));
    parts.version = 28;
    map.putKeyed({1, 0, 0}, luanti_fixture::encode(parts));
    map.putKeyed({2, 0, 0}, {29, 1, 2, 3});
  }
  static_cast<void>(NodeKinds::builtin());  // parsed once
  const std::string path = folder.path();
  const std::size_t failures = failEach([&]() -> absl::StatusOr<std::string> {
    const absl::StatusOr<OpenedWorld> opened = openLuantiWorld(path);
    if (!opened.ok()) return opened.status();
    // Short, so that the test itself allocates nothing.
    return absl::StrCat(opened->report.loaded, "/", opened->report.damaged);
  });
  EXPECT_GT(failures, 20U);
}

TEST_F(OutOfMemoryTest, AMapblockIsDecodedWholeOrNotAtAll) {
  luanti_fixture::BlockParts parts;
  parts.names = {{126, "default:a node with a long name"}, {1, "default:another node"}};
  parts.ids[7] = 1;
  const luanti_fixture::Bytes blob = luanti_fixture::encode(parts);
  static_cast<void>(NodeKinds::builtin());  // parsed once
  const std::size_t failures = failEach([&]() -> absl::StatusOr<std::string> {
    std::optional<BlockTypeTable> types;
    try {
      types.emplace();  // adding to a table throws
    } catch (const std::bad_alloc&) {
      return absl::ResourceExhaustedError("");
    }
    absl::StatusOr<MapblockDecoder> decoder = MapblockDecoder::make(*types);
    if (!decoder.ok()) return decoder.status();
    const absl::StatusOr<DecodedMapblock> decoded = decoder->decode(blob);
    if (!decoded.ok()) return decoded.status();
    return decoded->chunk.block(7) == decoded->chunk.block(8) ? "wrong" : "right";
  });
  EXPECT_GT(failures, 10U);
}

TEST_F(OutOfMemoryTest, AfterADamagedMapblockTheNextOneIsDecoded) {
  luanti_fixture::BlockParts parts;
  parts.names = {{126, "default:a node with a long name"}, {1, "default:another node"}};
  const luanti_fixture::Bytes sound = luanti_fixture::encode(parts);
  parts.ids[7] = 500;
  const luanti_fixture::Bytes damaged = luanti_fixture::encode(parts);
  BlockTypeTable types;
  absl::StatusOr<MapblockDecoder> decoder = MapblockDecoder::make(types);
  ASSERT_TRUE(decoder.ok()) << decoder.status();
  std::size_t failures = 0;
  for (bool has_failed = true; has_failed; ++failures) {
    {
      const AllocationFailure failure(failures);
      EXPECT_FALSE(decoder->decode(damaged).ok());
      has_failed = failure.hasFailed();
    }
    const absl::StatusOr<DecodedMapblock> next = decoder->decode(sound);
    ASSERT_TRUE(next.ok()) << next.status() << " after allocation " << failures;
  }
  EXPECT_GT(failures, 3U);
}

}  // namespace
}  // namespace fractalray
