// SPDX-License-Identifier: Apache-2.0
// Checks that a written scenario reads back as the same world, entities and queries.
#include "../../formats/scenario_write.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fractalray {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kEverything = R"({
  "format": "fractalray-scenario/1",
  "levels": 3,
  "block_types": {"air": "permeable", "glass": {"default": "solid", "sight": "empty"},
                  "no\u00e9\"l": "solid", "reeds": "permeable", "unused": "solid"},
  "responses": {"reeds": "stop", "unused": "stop"},
  "chunks": [
    {"level": 2, "at": [0, 0, 0], "fill": "glass", "boxes": [[[1, 2, 3], [4, 15, 3], "reeds"]],
     "blocks": [[[2, 2, 3], "air"], [[15, 15, 15], "no\u00e9\"l"]]},
    {"level": 2, "at": [-8589934592, 5, 8589934591]},
    {"level": 1, "at": [1, 0, 0], "state": "proto"}
  ],
  "entities": [
    {"id": 18446744073709551615, "level": 0, "shape": "sphere", "radius": 1.25,
     "center": [-137438953471.5, 80.75, 0.0000152587890625], "response": "stop"},
    {"id": 7, "level": 2, "shape": "box", "half_extents": [0, 0.5, 3], "center": [1, 2, 3],
     "categories": 9223372036854775809}
  ],
  "queries": [
    {"id": 1, "op": "shoot", "from": [0.1, 0.2, 0.3], "to": [16, 1e-3, 5e6], "levels": [0, 2, 9],
     "corner": "staircase", "channel": "sight", "categories": 6, "ignore": [7, 18446744073709551615],
     "skip_start_inside": true, "max_hits": 3, "unknown": true, "stop_at_unknown": true,
     "level_parts": true},
    {"id": "plain", "op": "shoot", "from": [0.5, 2.5, 3.5], "to": [9, 2.5, 3.5], "levels": [1, 2]},
    {"id": "w", "op": "walk", "dimensions": 2, "from": [0.5, 0.5], "to": [9, 4], "cell": [2, 0.5],
     "corner": "neither"},
    {"id": "e", "op": "entity_chunks", "entity": 7}
  ]
})";

// All of a scenario, to be written again.
ScenarioPart wholeOf(const Scenario& scenario, std::vector<ChunkOfLevel> chunks) {
  return {.world = scenario.world,
          .entities = scenario.entities,
          .chunks = std::move(chunks),
          .entities_kept = scenario.entities.all(),
          .name = [&](BlockTypeId type) -> std::string_view {
            return scenario.type_names[BlockTypeTable::index(type)];
          },
          .stopping_types = scenario.stopping_types,
          .stopping_classes = {kStoppingEntity},
          .queries = scenario.queries,
          .about = ""};
}

std::string answersOf(Scenario& scenario) {
  std::string out;
  const absl::Status status = answerScenario(scenario, [&](std::string_view piece) {
    out += piece;
    return absl::OkStatus();
  });
  EXPECT_TRUE(status.ok()) << status;
  return out;
}

const std::vector<ChunkOfLevel> kChunks = {
    {1, {1, 0, 0}}, {2, {0, 0, 0}}, {2, {-8589934592, 5, 8589934591}}};

TEST(ScenarioWriteTest, ReadsBackTheSame) {
  absl::StatusOr<Scenario> scenario = parseScenario(kEverything, "first");
  ASSERT_TRUE(scenario.ok()) << scenario.status();
  const std::string text = formatScenario(wholeOf(*scenario, kChunks));
  absl::StatusOr<Scenario> again = parseScenario(text, "second");
  ASSERT_TRUE(again.ok()) << again.status() << "\n" << text;

  EXPECT_EQ(answersOf(*again), answersOf(*scenario)) << text;
  EXPECT_EQ(formatScenario(wholeOf(*again, kChunks)), text);
  for (const ChunkOfLevel& chunk_at : kChunks) {
    EXPECT_EQ(again->world.chunkState(chunk_at.level, chunk_at.chunk),
              scenario->world.chunkState(chunk_at.level, chunk_at.chunk));
    const Chunk* const chunk = scenario->world.chunk(chunk_at.level, chunk_at.chunk);
    if (chunk == nullptr) continue;
    const Chunk& other = *again->world.chunk(chunk_at.level, chunk_at.chunk);
    for (int index = 0; index < kBlocksPerChunk; ++index) {
      ASSERT_EQ(again->type_names[BlockTypeTable::index(other.block(index))],
                scenario->type_names[BlockTypeTable::index(chunk->block(index))])
          << index;
    }
  }
  ASSERT_EQ(again->entities.size(), 2U);
  for (const EntityHandle handle : scenario->entities.all()) {
    const Entity& entity = *scenario->entities.find(handle);
    const Entity& other = *again->entities.find(*again->entities.findId(entity.id));
    EXPECT_EQ(other.position, entity.position);
    EXPECT_EQ(other.shape, entity.shape);
    EXPECT_EQ(other.level, entity.level);
    EXPECT_EQ(other.categories, entity.categories);
    EXPECT_EQ(other.entity_class, entity.entity_class);
  }
  EXPECT_THAT(text, Not(HasSubstr("unused"))) << "types that do not occur are left out";
}

TEST(ScenarioWriteTest, EditsReadBackTheSame) {
  absl::StatusOr<Scenario> scenario = parseScenario(R"({
    "format": "fractalray-scenario/1", "levels": 2, "anchor": "7a3_221",
    "block_types": {"air": "empty", "reeds": "permeable", "stone": "solid"},
    "chunks": [{"level": 0, "at": [0, 0, 0], "fill": "stone"}],
    "queries": [
      {"id": 1, "op": "path", "level": 1, "chunk": [-1, 2, 300]},
      {"id": 2, "op": "load", "chunk": {"level": 1, "at": [3, -4, 5], "fill": "reeds",
                                        "blocks": [[[1, 2, 3], "stone"]]}},
      {"id": 3, "op": "load", "chunk": {"level": 9, "at": [3, -4, 5], "state": "proto"}},
      {"id": 4, "op": "add", "entity": {"id": 7, "level": 1, "shape": "box", "center": [1, 2, 3],
                                        "half_extents": [0, 0.5, 3], "response": "stop"}},
      {"id": 5, "op": "descend", "chunk": [3, -4, 5]}, {"id": 6, "op": "climb"},
      {"id": 7, "op": "recenter", "chunk": [1, 0, -1]},
      {"id": 8, "op": "shoot", "from": [-250, 2, 300], "to": [250, 2, 280], "levels": [0, 1]}]})",
                                                    "first");
  ASSERT_TRUE(scenario.ok()) << scenario.status();
  ScenarioPart part = wholeOf(*scenario, {{0, {0, 0, 0}}});
  part.anchor = scenario->anchor;
  const std::string text = formatScenario(part);
  absl::StatusOr<Scenario> again = parseScenario(text, "second");
  ASSERT_TRUE(again.ok()) << again.status() << "\n" << text;
  EXPECT_EQ(again->anchor, scenario->anchor);
  const std::string answers = answersOf(*scenario);
  EXPECT_EQ(answersOf(*again), answers) << text;
  EXPECT_THAT(answers, HasSubstr(R"({"id":7,"anchor":"7a3_310","evicted":[],"dropped_chunks":0})"));
}

TEST(ScenarioWriteTest, IsWrittenForPeople) {
  const absl::StatusOr<Scenario> scenario = parseScenario(
      R"({"format": "fractalray-scenario/1", "levels": 1,
          "block_types": {"stone": {"default": "solid", "sight": "empty"}},
          "chunks": [{"level": 0, "at": [-1, 0, 0],
                      "boxes": [[[0, 0, 0], [15, 0, 15], "stone"], [[3, 1, 3], [3, 2, 3], "stone"]],
                      "blocks": [[[9, 9, 9], "stone"]]}],
          "queries": [{"id": "down", "op": "shoot", "from": [-3, 9, 3], "to": [-3, -1, 3],
                       "levels": [0]}]})",
      "text");
  ASSERT_TRUE(scenario.ok()) << scenario.status();
  ScenarioPart part = wholeOf(*scenario, {{0, {-1, 0, 0}}, {0, {7, 7, 7}}});
  part.about = "a \"note\"";
  EXPECT_EQ(formatScenario(part), R"({
  "format": "fractalray-scenario/1",
  "about": "a \"note\"",
  "levels": 1,
  "block_types": {"air": "empty", "stone": {"default": "solid", "sight": "empty"}},
  "chunks": [
    {"level": 0, "at": [-1, 0, 0], "fill": "air",
     "boxes": [[[0, 0, 0], [15, 0, 15], "stone"], [[3, 1, 3], [3, 2, 3], "stone"]],
     "blocks": [[[9, 9, 9], "stone"]]}
  ],
  "entities": [],
  "queries": [
    {"id": "down", "op": "shoot", "from": [-3, 9, 3], "to": [-3, -1, 3], "levels": [0]}
  ]
}
)");
}

// Two of the engine's own types may share a name by mistake of the caller's names.
TEST(ScenarioWriteTest, NamesThatAreTakenGetAnother) {
  const absl::StatusOr<Scenario> scenario = parseScenario(
      R"({"format": "fractalray-scenario/1", "levels": 1, "block_types": {"a": "solid", "b": "permeable"},
          "chunks": [{"level": 0, "at": [0, 0, 0], "fill": "a", "blocks": [[[1, 1, 1], "b"]]}],
          "queries": []})",
      "text");
  ASSERT_TRUE(scenario.ok()) << scenario.status();
  ScenarioPart part = wholeOf(*scenario, {{0, {0, 0, 0}}});
  part.name = [](BlockTypeId) -> std::string_view { return "same"; };
  EXPECT_THAT(formatScenario(part),
              HasSubstr(R"("block_types": {"same": "solid", "same'": "permeable"})"));
}

}  // namespace
}  // namespace fractalray
