// SPDX-License-Identifier: Apache-2.0
// Checks which scenarios are accepted, how their answers are written, and the limits. The answers
// themselves are the subject of tests/conformance, refusals of scenario_refusal_test.cc.
#include "../../formats/scenario.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "sound_scenario.h"

namespace fractalray {
namespace {

using ::testing::HasSubstr;

TEST(ScenarioTest, SoundOneIsRead) {
  absl::StatusOr<Scenario> scenario = parseScenario(sound().dump(), "f.json");
  ASSERT_TRUE(scenario.ok()) << scenario.status();
  EXPECT_EQ(scenario->world.frame().levels(), 2);
  EXPECT_EQ(scenario->world.loadedChunks(1), 1U);
  EXPECT_EQ(scenario->world.protoChunks(1), 1U);
  EXPECT_EQ(scenario->entities.size(), 2U);
  EXPECT_EQ(scenario->queries.size(), 4U);
}

TEST(ScenarioTest, OtherMembersMayBeMissing) {
  for (const char* name : {"responses", "entities"}) {
    EXPECT_EQ(refusal(without("", name)), "not refused") << name;
  }
  for (const char* name : {"state", "fill", "boxes", "blocks"}) {
    EXPECT_EQ(refusal(without("/chunks/0", name)), "not refused") << name;
  }
  EXPECT_EQ(refusal(R"({"format": "fractalray-scenario/1", "levels": 1, "queries": []})"),
            "not refused");
}

TEST(ScenarioTest, ChunksMayBeLoadedBeforeTheirTypesAreDeclared) {
  EXPECT_THAT(answers(R"({"format": "fractalray-scenario/1", "levels": 1, "queries": [
                {"id": 1, "op": "load", "chunk": {"level": 0, "at": [0, 0, 0], "fill": "stone"}},
                {"id": 2, "op": "shoot", "from": [-1, 0, 0], "to": [1, 0, 0], "levels": [0]}],
                "block_types": {"stone": "solid"}})"),
              AllOf(::testing::StartsWith("{\"id\":1}\n"), HasSubstr(R"("type":"stone","t":0.5)")));
}

TEST(ScenarioTest, LoadsReplaceWhatIsThere) {
  const std::string text = answers(R"({"format": "fractalray-scenario/1", "levels": 1,
      "block_types": {"stone": "solid"}, "chunks": [{"level": 0, "at": [0, 0, 0], "fill": "stone"}],
      "queries": [
        {"id": 1, "op": "load", "chunk": {"level": 0, "at": [0, 0, 0], "state": "proto"}},
        {"id": 2, "op": "shoot", "from": [-1, 0, 0], "to": [1, 0, 0], "levels": [0]},
        {"id": 3, "op": "load", "chunk": {"level": 0, "at": [0, 0, 0], "fill": "stone"}},
        {"id": 4, "op": "shoot", "from": [-1, 0, 0], "to": [1, 0, 0], "levels": [0]}]})");
  EXPECT_THAT(text, HasSubstr("{\"id\":2,\"hits\":[],\"terminated\":false}\n{\"id\":3}\n"));
  EXPECT_THAT(text, HasSubstr(R"("terminated":true)"));
}

TEST(ScenarioTest, AnchorAndAboutChangeNothing) {
  EXPECT_EQ(refusal(spoiled("/anchor", R"("7a3_221")")), "not refused");
  EXPECT_THAT(refusal(spoiled("/anchor", R"("7a3-221")")),
              HasSubstr("anchor: chunk path \"7a3-221\": expected '_' at character 4"));
  EXPECT_THAT(refusal(spoiled("/anchor", R"("7A3_22F")")),
              HasSubstr(R"(anchor: the path "7A3_22F" has upper-case digits; write "7a3_22f")"));
  EXPECT_EQ(refusal(spoiled("/about", R"("A note for people.")")), "not refused");
  EXPECT_THAT(refusal(spoiled("/anchor", "1")), HasSubstr("anchor: expected a string"));
}

TEST(ScenarioTest, AirNeedsNoDeclarationAsTheDefaultFillOnly) {
  const auto with = [](std::string_view members) {
    return absl::StrCat(R"({"format": "fractalray-scenario/1", "levels": 1,
        "block_types": {"stone": "solid"}, "chunks": [{"level": 0, "at": [0, 0, 0])",
                        std::string(members), R"(}], "queries": [
        {"id": 1, "op": "shoot", "from": [-1, 0, 0], "to": [1, 0, 0], "levels": [0]}]})");
  };
  const std::string none = answers(with(""));
  EXPECT_THAT(none, HasSubstr(R"("hits":[])"));
  EXPECT_EQ(answers(with(R"(, "fill": "air")")), none) << "the default, given";
  EXPECT_EQ(
      refusal(with(R"(, "blocks": [[[0, 0, 0], "air"]])")),
      "f.json: chunks[0].blocks[0][1]: unknown block type \"air\"; declare it in block_types");
}

TEST(ScenarioTest, IdsAreEchoedAsTheyAre) {
  EXPECT_EQ(answers(R"({"format": "fractalray-scenario/1", "levels": 1, "queries": [
      {"id": "1", "op": "walk", "dimensions": 2, "from": [0, 0], "to": [0, 0]},
      {"id": 1, "op": "walk", "dimensions": 2, "from": [0, 0], "to": [0, 0]},
      {"id": "\u00e4\n\"", "op": "entity_chunks", "entity": 7}]})"),
            "{\"id\":\"1\",\"cells\":[{\"cell\":[0,0],\"t\":0,\"face\":null}]}\n"
            "{\"id\":1,\"cells\":[{\"cell\":[0,0],\"t\":0,\"face\":null}]}\n"
            "{\"id\":\"\xC3\xA4\\n\\\"\",\"error\":\"NOT_FOUND: there is no entity 7\"}\n");
}

TEST(ScenarioTest, AStopAtTheUnknownReportsItsT) {
  EXPECT_EQ(answers(R"({"format": "fractalray-scenario/1", "levels": 1, "queries": [
      {"id": 1, "op": "shoot", "from": [0, 0, 0], "to": [9, 0, 0], "levels": [0],
       "stop_at_unknown": true}]})"),
            "{\"id\":1,\"hits\":[],\"terminated\":false,\"unknown_from\":0}\n");
}

TEST(ScenarioTest, ABoxAroundTheStartHasNoFace) {
  const std::string text = answers(R"({"format": "fractalray-scenario/1", "levels": 1,
      "entities": [{"id": 1, "level": 0, "shape": "box", "center": [1, 1, 1], "half_extents": [1, 1, 1]},
                   {"id": 2, "level": 0, "shape": "sphere", "center": [1, 1, 1], "radius": 1}],
      "queries": [{"id": 1, "op": "shoot", "from": [1, 1, 1], "to": [9, 1, 1], "levels": [0]}]})");
  const Json hits = Json::parse(text)["hits"];
  ASSERT_EQ(hits.size(), 2U);
  ASSERT_TRUE(hits[0].contains("face"));
  EXPECT_TRUE(hits[0]["face"].is_null());
  EXPECT_FALSE(hits[1].contains("face")) << "a sphere has none, inside or not";
}

TEST(ScenarioTest, LongWalksAreWrittenInPieces) {
  absl::StatusOr<Scenario> scenario =
      parseScenario(R"({"format": "fractalray-scenario/1", "levels": 1, "queries": [
      {"id": "long", "op": "walk", "dimensions": 2, "from": [0.5, 0.5], "to": [100000.5, 0.5]}]})",
                    "f.json");
  ASSERT_TRUE(scenario.ok()) << scenario.status();
  std::string whole;
  std::size_t largest = 0;
  const absl::Status status = answerScenario(*scenario, [&](std::string_view piece) {
    whole += piece;
    largest = std::max(largest, piece.size());
    return absl::OkStatus();
  });
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_LT(largest, 100'000U);
  EXPECT_EQ(Json::parse(whole)["cells"].size(), 100'001U);
}

TEST(ScenarioTest, AnErrorOfTheSinkEndsTheAnswers) {
  absl::StatusOr<Scenario> scenario = parseScenario(sound().dump(), "f.json");
  ASSERT_TRUE(scenario.ok()) << scenario.status();
  int calls = 0;
  const absl::Status status = answerScenario(*scenario, [&](std::string_view) {
    return ++calls == 2 ? absl::UnavailableError("full") : absl::OkStatus();
  });
  EXPECT_EQ(status, absl::UnavailableError("full"));
  EXPECT_EQ(calls, 2);
}

TEST(ScenarioLimitsTest, NameTheLimitAndHowToRaiseIt) {
  const std::string text = sound().dump();
  const auto refused = [&](const InputLimits& limits) {
    const absl::StatusOr<Scenario> scenario = parseScenario(text, "f.json", limits);
    EXPECT_EQ(scenario.status().code(), absl::StatusCode::kResourceExhausted);
    return std::string(scenario.status().message());
  };
  EXPECT_TRUE(parseScenario(text, "f.json", {.chunks = 2, .entities = 2, .queries = 4}).ok());
  EXPECT_EQ(refused({.chunks = 1}),
            "f.json: chunks[1]: more than 1 chunks; --limit chunks=N (InputLimits::chunks) allows "
            "more");
  EXPECT_THAT(refused({.entities = 1}), HasSubstr("entities[1]: more than 1 entities; --limit"));
  EXPECT_THAT(refused({.queries = 2}), HasSubstr("queries[2]: more than 2 queries; --limit"));
}

// The order of members decides only how much is held in memory.
TEST(ScenarioLimitsTest, ListsInTheUsualOrderAreReadOneByOne) {
  const Json scenario = sound();
  std::string text = "{";
  for (const char* name :
       {"format", "levels", "block_types", "responses", "chunks", "entities", "queries", "rules"}) {
    text += (text.size() > 1 ? ",\"" : "\"") + std::string(name) + "\":" + scenario[name].dump();
  }
  text += "}";
  EXPECT_EQ(answers(text), answers(scenario.dump()));
  // The first chunk has 26 values, the rules 16; all in all there are more than 100.
  EXPECT_TRUE(parseScenario(text, "f.json", {.values = 60}).ok());
  EXPECT_EQ(parseScenario(scenario.dump(), "f.json", {.values = 60}).status().code(),
            absl::StatusCode::kResourceExhausted);
}

TEST(ScenarioLimitsTest, AnswersThatAreTooLongAreErrors) {
  // The shot goes through ten blocks of glass, and nothing stops it.
  Json document = sound();
  document["chunks"][0] = Json::parse(R"({"level": 1, "at": [0, 0, 0], "fill": "glass"})");
  document["responses"]["glass"] = "continue";
  document["queries"][0]["from"] = Json::parse("[0.5, 8.5, 8.5]");
  document["queries"][0]["to"] = Json::parse("[9.5, 8.5, 8.5]");
  absl::StatusOr<Scenario> scenario = parseScenario(document.dump(), "f.json");
  ASSERT_TRUE(scenario.ok()) << scenario.status();
  const auto limited = [&](const InputLimits& limits) {
    std::string out;
    const absl::Status status = answerScenario(
        *scenario,
        [&](std::string_view piece) {
          out += piece;
          return absl::OkStatus();
        },
        limits);
    EXPECT_TRUE(status.ok());
    return out;
  };
  const std::string all = limited({});
  EXPECT_EQ(all.find("error"), std::string::npos) << all;
  EXPECT_EQ(limited({.hits = 10}), all);
  EXPECT_THAT(limited({.hits = 9}),
              HasSubstr(R"({"id":"s","error":"RESOURCE_EXHAUSTED: more than 9 hits; )"
                        "--limit hits=N"));
  EXPECT_THAT(limited({.cells = 1}), HasSubstr("at most 1 are listed"));
}

}  // namespace
}  // namespace fractalray
