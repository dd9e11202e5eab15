// SPDX-License-Identifier: Apache-2.0
// Checks which scenarios are refused, with the position and the reason. scenario_shapes_test.cc has
// those with wrong shapes.
#include <algorithm>
#include <array>
#include <cctype>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "sound_scenario.h"

namespace fractalray {
namespace {

using ::testing::HasSubstr;

// A member that is set to a value; the position and the reason that the refusal has to name.
struct Spoiled {
  const char* pointer;
  const char* value;
  const char* refusal;
};

void PrintTo(const Spoiled& spoiled,
             std::ostream* out) {  // NOLINT(readability-identifier-naming): GoogleTest's
  *out << spoiled.pointer << " = " << spoiled.value;
}

class SpoiledScenarioTest : public ::testing::TestWithParam<Spoiled> {};

TEST_P(SpoiledScenarioTest, IsRefusedWithThePositionAndTheReason) {
  const std::string refused = refusal(spoiled(GetParam().pointer, GetParam().value));
  EXPECT_THAT(refused, HasSubstr(GetParam().refusal));
  EXPECT_THAT(refused, ::testing::StartsWith("f.json: "));
  EXPECT_EQ(refused.find('\n'), std::string::npos);
}

constexpr auto kSpoiled = std::to_array<Spoiled>({
    {"/format", R"("fractalray-scenario/2")", R"(format: expected "fractalray-scenario/1")"},
    {"/format", "1", "format: expected"},
    {"/levels", "0", "levels: expected an integer from 1 to 10, got 0"},
    {"/levels", "11", "levels: expected an integer from 1 to 10, got 11"},
    {"/levels", "1.5", "levels: expected an integer"},
    {"/levels", R"("2")", "levels: expected an integer"},
    {"/block_types", "[]", "block_types: expected an object"},
    {"/block_types/stone", R"("hard")", "block_types.stone: expected one of"},
    {"/block_types/stone", "1", "block_types.stone: expected one of"},
    {"/block_types/glass/sight", R"("hazy")", "block_types.glass.sight: expected one of"},
    {"/block_types/glass", R"({"sight": "empty"})", R"(block_types.glass: the member "default")"},
    {"/block_types/glass", R"({"default": "solid", "": "empty"})", "a channel needs a name"},
    {"/block_types/", R"("solid")", "a block type needs a name"},
    {"/responses/mud", R"("stop")", "responses.mud: no such block type"},
    {"/responses/glass", R"("halt")",
     R"(responses.glass: expected one of "continue", "stop", "again")"},
    {"/responses/glass", "true", "responses.glass: expected one of"},
    {"/chunks", "{}", "chunks: expected an array"},
    {"/chunks/0", "7", "chunks[0]: expected an object, got 7"},
    {"/chunks/0/level", "2", "chunks[0].level: expected an integer from 0 to 1, got 2"},
    {"/chunks/0/level", "-1", "chunks[0].level: expected an integer"},
    {"/chunks/0/at", "[0, 0]", "chunks[0].at: expected an array of 3 integers, got an array of 2"},
    {"/chunks/0/at", "[0, 0, 0, 0]", "chunks[0].at: expected an array of 3 integers"},
    {"/chunks/0/at/1", "0.5", "chunks[0].at[1]: expected an integer"},
    {"/chunks/0/at/0", "2199023255552",
     "chunks[0].at: chunk [2199023255552, 0, 0] of level 1 is outside"},
    {"/chunks/0/at/0", "9223372036854775807", "chunks[0].at: chunk"},
    {"/chunks/1/at/0", "-2199023255553",
     "chunks[1].at: chunk [-2199023255553, 0, 0] of level 1 is outside"},
    {"/chunks/1/at/0", "0", "chunks[1].at: this chunk of this level is there twice"},
    {"/chunks/0/state", R"("ready")", R"(chunks[0].state: expected one of "loaded", "proto")"},
    {"/chunks/0/fill", R"("mud")", R"(chunks[0].fill: unknown block type "mud")"},
    {"/chunks/1/fill", R"("mud")", R"(chunks[1].fill: unknown block type "mud")"},
    {"/chunks/0/boxes", "3", "chunks[0].boxes: expected an array"},
    {"/chunks/0/boxes/0", "[[0, 0, 0], [1, 1, 1]]", "chunks[0].boxes[0]: expected an array of 3"},
    {"/chunks/0/boxes/0/1/2", "16", "chunks[0].boxes[0][1][2]: expected an integer from 0 to 15"},
    {"/chunks/0/boxes/0/0/0", "-1", "chunks[0].boxes[0][0][0]: expected an integer from 0 to 15"},
    {"/chunks/0/boxes/0/0/1", "1",
     "chunks[0].boxes[0]: the corners are not ordered: 1 > 0 on axis y"},
    {"/chunks/0/boxes/0/2", R"("mud")", R"(chunks[0].boxes[0][2]: unknown block type "mud")"},
    {"/chunks/0/blocks/0", R"([5, 0, 3, "glass"])", "chunks[0].blocks[0]: expected an array of 2"},
    {"/chunks/0/blocks/0/0", "[5, 0]", "chunks[0].blocks[0][0]: expected an array of 3 integers"},
    {"/chunks/0/blocks/0/0/0", "16", "chunks[0].blocks[0][0][0]: expected an integer from 0 to 15"},
    {"/chunks/0/blocks/0/1", "3", "chunks[0].blocks[0][1]: expected a string, got 3"},
    {"/entities/0/id", "-1", "entities[0].id: expected an integer from 0 to 18446744073709551615"},
    {"/entities/0/id", "18446744073709551616", "entities[0].id: expected an integer"},
    {"/entities/0/id", R"("1")", "entities[0].id: expected an integer"},
    {"/entities/1/id", "1", "entities[1]: entity 1 is in the index already"},
    {"/entities/0/level", "2", "entities[0].level: expected an integer from 0 to 1"},
    {"/entities/0/shape", R"("cone")", R"(entities[0].shape: expected one of "sphere", "box")"},
    {"/entities/0/center", "[1, 2]", "entities[0].center: expected an array of 3 numbers"},
    {"/entities/0/center/0", "1e300", "entities[0]: the entity's position"},
    {"/entities/0/center/0", "35184372088832", "entities[0]: the entity's shape"},
    {"/entities/0/radius", "-1", "entities[0]: the sphere's radius is -1"},
    {"/entities/0/radius", "256", "entities[0]: entity 1 is too large"},
    {"/entities/0/radius", "1e300", "entities[0]: entity 1 is too large"},
    {"/entities/0/radius", "[1]", "entities[0].radius: expected a number"},
    {"/entities/1/half_extents", "[1, 1]",
     "entities[1].half_extents: expected an array of 3 numbers"},
    {"/entities/1/half_extents/2", "-0.5", "entities[1]: the box's half extent is -0.5"},
    {"/entities/1/half_extents/2", "300", "entities[1]: entity 2 is too large"},
    {"/entities/0/response", R"("maybe")", "entities[0].response: expected one of"},
    {"/entities/0/categories", "1.5", "entities[0].categories: expected an integer"},
    {"/queries", "{}", "queries: expected an array"},
    {"/queries/0", "[]", "queries[0]: expected an object"},
    {"/queries/0/id", "null", "queries[0].id: a query's id must be a string or a number"},
    {"/queries/1/id", R"("s")", "queries[1].id: another query has this id already"},
    {"/queries/3/rules", R"("shell")", R"(queries[3].rules: no such rules, "shell"; declare them)"},
    {"/queries/3/rules", "1", "queries[3].rules: expected a string, got 1"},
    {"/queries/0/budgets", "{}", "queries[0].budgets: budgets without rules"},
    {"/queries/3/budgets", R"({"water": 1})",
     R"(queries[3].budgets.water: there is no budget "water"; there are panes)"},
    {"/queries/3/budgets/panes", "-1", "queries[3].budgets.panes: a budget of -1"},
    {"/queries/3/budgets/panes", "true", "queries[3].budgets.panes: expected a number, got true"},
    {"/rules", "[]", "rules: expected an object"},
    {"/rules/bullet", "1", "rules.bullet: expected an object, got 1"},
    {"/rules/bullet/budgets/panes", "-2", "rules.bullet.budgets.panes: a budget of -2"},
    {"/rules/bullet/budgets/panes", R"("2")", R"(rules.bullet.budgets.panes: expected a number)"},
    {"/rules/bullet/budgets",
     R"({"panes": 1, "a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1, "g": 1, "h": 1})",
     "rules.bullet.budgets.panes: terminal rules have at most 8 budgets"},
    {"/rules/bullet/blocks", "{}", "rules.bullet.blocks: expected an array"},
    {"/rules/bullet/blocks/0/type", R"("mud")",
     R"(rules.bullet.blocks[0].type: there is no block type "mud"; declare it in block_types)"},
    {"/rules/bullet/blocks/0/budget", R"("water")",
     R"(rules.bullet.blocks[0].budget: there is no budget "water"; there are panes)"},
    {"/rules/bullet/blocks/0/per_hit", "-1",
     "rules.bullet.blocks[0]: a terminal rule with a cost of -1"},
    {"/rules/bullet/blocks/0/per_hit", R"("1")",
     R"(rules.bullet.blocks[0].per_hit: expected a number, got "1")"},
    {"/rules/bullet/blocks/0/touch_costs", "1",
     "rules.bullet.blocks[0].touch_costs: expected true or false, got 1"},
    {"/rules/bullet/blocks/0/per_pane", R"("yes")",
     R"(rules.bullet.blocks[0].per_pane: expected true or false, got "yes")"},
    {"/rules/bullet/blocks/0/levels", "[]", "rules.bullet.blocks[0].levels: a rule for no level"},
    {"/rules/bullet/blocks/0/levels/0", "10",
     "rules.bullet.blocks[0].levels[0]: expected an integer from 0 to 9, got 10"},
    {"/rules/bullet/blocks/0/response", R"("stop")",
     "rules.bullet.blocks[0]: a rule has either a response"},
    {"/rules/bullet/blocks/0", R"({"type": "glass"})",
     "rules.bullet.blocks[0]: a rule has either a response"},
    {"/rules/bullet/blocks/0", R"({"type": "glass", "budget": "panes"})",
     "rules.bullet.blocks[0]: a budget without a cost"},
    {"/rules/bullet/entities/0/response", R"("halt")",
     R"(rules.bullet.entities[0].response: expected one of "continue", "stop")"},
    {"/rules/bullet/entities/0/per_hit", "1",
     "rules.bullet.entities[0].per_hit: a response costs nothing"},
    {"/rules/bullet/entities/0/categories", "0",
     "rules.bullet.entities[0]: a terminal rule for entities of no category"},
    {"/rules/bullet/entities/0/categories", "-1",
     "rules.bullet.entities[0].categories: expected an integer"},
    {"/rules/bullet/budget", "{}", R"(rules.bullet: unknown member "budget")"},
    {"/rules/bullet/blocks/0/level", "[0]", R"(rules.bullet.blocks[0]: unknown member "level")"},
    {"/rules/bullet/entities/0/type", R"("mud")",
     R"(rules.bullet.entities[0]: unknown member "type")"},
    {"/queries/0/op", R"("fire")",
     R"(queries[0].op: expected one of "shoot", "walk", "entity_chunks", "descend")"},
    {"/queries/0/from", "[0, 0]", "queries[0].from: expected an array of 3 numbers"},
    {"/queries/0/to/2", R"("far")", R"(queries[0].to[2]: expected a number, got "far")"},
    {"/queries/0/levels", "1", "queries[0].levels: expected an array, got 1"},
    {"/queries/0/levels/0", "-1", "queries[0].levels[0]: expected an integer from 0"},
    {"/queries/0/levels/1", "0.5", "queries[0].levels[1]: expected an integer from 0"},
    {"/queries/0/corner", R"("all")",
     R"(queries[0].corner: expected one of "both", "neither", "staircase")"},
    {"/queries/0/channel", "1", "queries[0].channel: expected a string"},
    {"/queries/0/categories", "-1", "queries[0].categories: expected an integer"},
    {"/queries/0/ignore", "1", "queries[0].ignore: expected an array"},
    {"/queries/0/ignore", "[1, -1]", "queries[0].ignore[1]: expected an integer"},
    {"/queries/0/unknown", "1", "queries[0].unknown: expected true or false"},
    {"/queries/0/max_hits", "-1", "queries[0].max_hits: expected an integer"},
    {"/queries/1/dimensions", "4", "queries[1].dimensions: expected an integer from 2 to 3, got 4"},
    {"/queries/1/from", "[0, 0, 0]", "queries[1].from: expected an array of 2 numbers"},
    {"/queries/1/corner", R"("Both")", "queries[1].corner: expected one of"},
    {"/queries/1/cell", "0", "queries[1].cell: the cell's width is 0; it must be positive"},
    {"/queries/1/cell", "-1", "queries[1].cell: the cell's width is -1"},
    {"/queries/1/cell", "0.000007", "queries[1].cell: the cell's width is 7e-06"},
    {"/queries/1/cell", "0.05",
     "queries[1].cell: the cell's width is 0.05, which is not a multiple of 1/65536; divide the "
     "coordinates by it and leave it out, or give 0.0500030517578125"},
    {"/queries/1/cell", "[1, 0.1]", "queries[1].cell[1]: the cell's width is 0.1, which is not"},
    {"/queries/1/cell", "1e300", "queries[1].cell: the cell's width is 1e+300"},
    {"/queries/1/cell", "[1, 0]", "queries[1].cell[1]: the cell's width is 0"},
    {"/queries/1/cell", "[1, 1, 1]", "queries[1].cell: expected an array of 2 widths"},
    {"/queries/1/cell", R"("1")", "queries[1].cell: expected a number"},
    {"/queries/2/entity", "1.5", "queries[2].entity: expected an integer"},
});

std::string spoiledName(const ::testing::TestParamInfo<Spoiled>& info) {
  std::string name = std::to_string(info.index) + info.param.pointer;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, SpoiledScenarioTest, ::testing::ValuesIn(kSpoiled), spoiledName);

TEST(ScenarioTest, MissingRequiredMembersAreErrors) {
  const std::vector<std::pair<std::string, std::string>> required = {
      {"", "format"},
      {"", "levels"},
      {"", "queries"},
      {"/chunks/0", "level"},
      {"/chunks/0", "at"},
      {"/entities/0", "id"},
      {"/entities/0", "level"},
      {"/entities/0", "shape"},
      {"/entities/0", "center"},
      {"/entities/0", "radius"},
      {"/entities/1", "half_extents"},
      {"/queries/0", "id"},
      {"/queries/0", "op"},
      {"/queries/0", "from"},
      {"/queries/0", "to"},
      {"/queries/0", "levels"},
      {"/queries/1", "from"},
      {"/queries/1", "to"},
      {"/queries/2", "entity"}};
  for (const auto& [parent, name] : required) {
    EXPECT_THAT(refusal(without(parent, name)),
                HasSubstr("the member \"" + name + "\" is missing"));
  }
}

TEST(ScenarioTest, UnknownMembersAreRefusedWithTheKnownOnes) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"/enitties", R"(unknown member "enitties"; did you mean "entities"? There are format, )"},
      {"/chunks/0/note", R"(chunks[0]: unknown member "note"; there are level, at, state, fill, )"},
      {"/entities/0/half_extents", R"(entities[0]: unknown member "half_extents"; there are id, )"},
      {"/entities/0/respons", R"(entities[0]: unknown member "respons"; did you mean "response"?)"},
      {"/queries/0/chanel",
       R"(queries[0]: unknown member "chanel"; did you mean "channel"? There)"},
      {"/queries/1/levels", R"(queries[1]: unknown member "levels"; there are )"},
      {"/queries/2/level", R"(queries[2]: unknown member "level"; there are id, op, entity)"},
      {"/queries/0/direction",
       "queries[0]: it has the ends of a segment and a ray's members; give"},
  };
  for (const auto& [pointer, reason] : cases)
    EXPECT_THAT(refusal(spoiled(pointer, "[1]")), ::testing::StartsWith("f.json: " + reason));
}

TEST(ScenarioTest, ErrorsOfEditsNameTheirPosition) {
  const auto refused = [](const std::string& query) {
    return refusal(R"({"format": "fractalray-scenario/1", "levels": 2,
                       "block_types": {"stone": "solid"}, "queries": [{"id": 1, )" +
                   query + "}]}");
  };
  const std::pair<const char*, const char*> cases[] = {
      {R"("op": "descend")", R"(queries[0]: the member "chunk" is missing)"},
      {R"("op": "climb", "chunk": [0, 0, 0])", R"(queries[0]: unknown member "chunk")"},
      {R"("op": "recenter", "chunk": [0, 0])", "queries[0].chunk: expected an array of 3 integers"},
      {R"("op": "load", "chunk": {"level": 0, "at": [0, 0, 0], "fill": "mud"})",
       R"(queries[0].chunk.fill: unknown block type "mud")"},
      {R"("op": "load", "chunk": {"level": 0, "at": [0, 0, 0], "fil": "stone"})",
       R"(queries[0].chunk: unknown member "fil"; did you mean "fill"?)"},
      {R"("op": "load", "chunk": {"level": 0.5, "at": [0, 0, 0]})",
       "queries[0].chunk.level: expected an integer"},
      {R"("op": "add", "entity": {"id": -1, "level": 0, "shape": "sphere", "radius": 1,
          "center": [0, 0, 0]})",
       "queries[0].entity.id: expected an integer"},
      {R"("op": "path", "level": 0)", R"(queries[0]: the member "chunk" is missing)"},
  };
  for (const auto& [query, reason] : cases)
    EXPECT_THAT(refused(query), HasSubstr(reason)) << query;
  EXPECT_EQ(refused(R"("op": "load", "chunk": {"level": 5, "at": [0, 0, 0], "fill": "stone"})"),
            "not refused")
      << "what the contract refuses is the query's own error";
}

TEST(ScenarioTest, TextThatIsNoJsonIsRefusedWithLineAndColumn) {
  EXPECT_THAT(refusal("{\n\"format\": \"fractalray-scenario/1\",\n\"levels\": }"),
              ::testing::StartsWith("f.json:3:11: "));
  const std::string whole = sound().dump();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    ASSERT_THAT(refusal(whole.substr(0, size)), ::testing::StartsWith("f.json:1:")) << size;
  }
}

// Equal numbers are the same id, however they are written.
TEST(ScenarioTest, NumbersThatAreEqualAreOneId) {
  const auto with = [](const std::string& first, const std::string& second) {
    return refusal(R"({"format": "fractalray-scenario/1", "levels": 1, "queries": [{"id": )" +
                   first + R"(, "op": "entity_chunks", "entity": 1}, {"id": )" + second +
                   R"(, "op": "entity_chunks", "entity": 1}]})");
  };
  const std::vector<std::pair<const char*, const char*>> same = {
      {"1", "1.0"},        {"1.0", "1"},
      {"1e2", "100"},      {"0", "-0.0"},
      {"-3", "-3.0e0"},    {"9223372036854775808", "9223372036854775808.0"},
      {"2.5", "25e-1"},    {"9007199254740992", "9007199254740993.0"},
      {"1e300", "1.0e300"}};
  for (const auto& [first, second] : same) {
    EXPECT_EQ(with(first, second), "f.json: queries[1].id: another query has this id already")
        << first << " " << second;
  }
  for (const auto& [first, second] : std::vector<std::pair<const char*, const char*>>{
           {"1", "1.5"},
           {"1", "\"1\""},
           {"1", "-1"},
           {"18446744073709551615", "1.8446744073709552e19"}}) {
    EXPECT_EQ(with(first, second), "not refused") << first << " " << second;
  }
}

// Returns the error of a scenario that is too large: its code and message.
std::string excess(std::string_view text) {
  return parseScenario(text, "f.json").status().ToString();
}

// A table has a byte for each type in each channel: a megabyte of each would take gigabytes.
TEST(ScenarioTest, TypesTimesChannelsAreLimited) {
  constexpr int kTypes = 20'000;
  constexpr int kChannels = 5'000;
  std::string types;
  for (int i = 0; i < kTypes; ++i)
    types += "\"t" + std::to_string(i) + "\":\"solid\",";
  std::string channels = R"({"default":"solid")";
  for (int i = 0; i < kChannels; ++i)
    channels += ",\"c" + std::to_string(i) + R"(":"empty")";
  channels += "}";
  // The type with the channels comes first, then last.
  for (const std::string& name : {std::string("a"), std::string("z")}) {
    const std::string text = R"({"format":"fractalray-scenario/1","levels":1,"block_types":{)" +
                             types + "\"" + name + "\":" + channels + R"(},"queries":[]})";
    const std::string refused = excess(text);
    EXPECT_THAT(refused, HasSubstr("RESOURCE_EXHAUSTED"));
    EXPECT_THAT(refused, HasSubstr("channels have more than 67108864 kinds"));
  }
}

// A shot's budgets are kept until the rules are known.
TEST(ScenarioTest, AShotHasNoMoreBudgetsThanRulesCanHave) {
  std::string budgets;
  for (int i = 0; i < 9; ++i)
    budgets += (i == 0 ? "{\"b" : ",\"b") + std::to_string(i) + "\":1";
  EXPECT_THAT(refusal(spoiled("/queries/3/budgets", budgets + "}")),
              HasSubstr("queries[3].budgets: amounts of 9 budgets; rules have at most 8"));
}

// Loads that come before the types count as values in memory.
TEST(ScenarioTest, LoadsBeforeTheTypesAreLimitedAsValues) {
  std::string queries;
  for (int i = 0; i < 100; ++i) {
    queries += (i == 0 ? "" : ",") + std::string(R"({"id":)") + std::to_string(i) +
               R"(,"op":"load","chunk":{"level":0,"at":[)" + std::to_string(i) + R"(,0,0]}})";
  }
  const std::string text = R"({"format":"fractalray-scenario/1","levels":1,"queries":[)" + queries +
                           R"(],"block_types":{"stone":"solid"}})";
  InputLimits limits;
  limits.values = 500;
  EXPECT_EQ(parseScenario(text, "f.json", limits).status().code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_TRUE(parseScenario(text, "f.json").ok());
}

// From the first load on, queries are read at the end of the file: their order and their positions
// stay.
TEST(ScenarioTest, QueriesAfterALoadBeforeTheTypesKeepTheirPositions) {
  const auto text = [](std::string_view last) {
    return R"({"format":"fractalray-scenario/1","levels":1,"queries":[
      {"id":"first","op":"walk","dimensions":2,"from":[0,0],"to":[0.5,0]},
      {"id":"load","op":"load","chunk":{"level":0,"at":[0,0,0],"fill":"stone"}},
      {"id":"shot","op":"shoot","from":[0.5,0.5,0.5],"to":[1,0.5,0.5],"levels":[0]},)" +
           std::string(last) + R"(],"block_types":{"stone":"solid"}})";
  };
  const std::string all = answers(text(R"({"id":"climb","op":"climb"})"));
  std::size_t at = 0;
  for (const std::string_view id : {"first", "load", "shot", "climb"}) {
    const std::size_t found = all.find("{\"id\":\"" + std::string(id) + "\"");
    EXPECT_NE(found, std::string::npos) << id << " in " << all;
    EXPECT_GE(found, at);
    at = found;
  }
  EXPECT_THAT(all, HasSubstr(R"("type":"stone")"));
  EXPECT_THAT(refusal(text(R"({"id":"x","op":"hop"})")), HasSubstr("queries[3].op: expected one"));
}

}  // namespace
}  // namespace fractalray
