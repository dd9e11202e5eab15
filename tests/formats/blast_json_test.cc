// SPDX-License-Identifier: Apache-2.0
// Checks that blasts are read as they are written, and what is refused.
#include "../../formats/blast_json.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "../../formats/scenario.h"

namespace fractalray {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kBlast =
    R"("center": [1, 2, 3], "radius": 4, "rays": [], "resistances": {}, "levels": [0])";

// The types come after the queries that name them.
absl::StatusOr<Scenario> parsed(std::string_view members) {
  return parseScenario(
      absl::StrCat(
          R"({"format": "fractalray-scenario/1", "levels": 1, "queries": [
                                      {"id": "b", "op": "blast", )",
          std::string(members), R"(}], "block_types": {"air": "empty", "stone": "solid"}})"),
      "f.json");
}

std::string refusalOf(std::string_view members) {
  return std::string(parsed(members).status().message());
}

// Returns the members of the blast that was read.
std::string written(std::string_view members) {
  const absl::StatusOr<Scenario> scenario = parsed(members);
  EXPECT_TRUE(scenario.ok()) << scenario.status();
  if (!scenario.ok()) return "";
  return blastJson(std::get<BlastCase>(scenario->queries.front().ask), [&](BlockTypeId type) {
    return absl::StrCat("\"", scenario->type_names[BlockTypeTable::index(type)], "\"");
  });
}

TEST(BlastJsonTest, WritesWhatItReads) {
  const std::string all =
      R"("op": "blast", "center": [1.5, -2, 3], "radius": 0.5, )"
      R"("rays": [{"step": [1, -2, 3], "power": -4}, {"step": [5, 0, 0], "power": 6}], )"
      R"("resistances": {"stone": 9223372036854775807}, "falloff": 8, "levels": [0, 9], )"
      R"("channel": "sight", "ignore": [7], "solid_only": true, "blocks": false, )"
      R"("entities": false, "categories": 6, "max_samples": 50)";
  EXPECT_EQ(written(all.substr(all.find(R"("center)"))), all);
  EXPECT_EQ(written(kBlast), absl::StrCat(R"("op": "blast", )", std::string(kBlast)));
  const std::string fan =
      R"("op": "blast", "center": [0, 0, 0], "radius": 1, )"
      R"("rays": {"cube": 16, "step": 0.3, "power": 5}, "resistances": {}, "levels": [0])";
  EXPECT_EQ(written(fan.substr(fan.find(R"("center)"))), fan);
}

TEST(BlastJsonTest, MakesTheRaysAndTheResistances) {
  BlockTypeTable types;
  ASSERT_TRUE(types.add({.name = "stone"}).ok());
  BlastCase blast;
  blast.rays = BlastFan{.points = 3, .step = 1, .power = 7};
  blast.resistances = {{BlockTypeId{1}, 5}};
  const absl::StatusOr<PreparedBlast> made = prepareBlast(blast, types, {.cells = 20});
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_EQ(std::vector<BlastRay>(made->query.rays.begin(), made->query.rays.end()),
            *cubeFan(3, 1, 7));
  EXPECT_EQ(
      std::vector<std::int64_t>(made->query.resistances.begin(), made->query.resistances.end()),
      (std::vector<std::int64_t>{kUnbreakable, 5}));
  EXPECT_EQ(made->options.max_samples, 20U);
  blast.rays = BlastFan{.points = 1, .step = 1};
  EXPECT_EQ(prepareBlast(blast, types).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(BlastJsonTest, WrongMembersRefuseTheFile) {
  const auto with = [](std::string_view member) {
    return absl::StrCat(std::string(kBlast), ", ", std::string(member));
  };
  EXPECT_THAT(refusalOf(R"("radius": 4, "rays": [], "resistances": {}, "levels": [0])"),
              HasSubstr(R"(the member "center" is missing)"));
  EXPECT_THAT(refusalOf(
                  R"("center": [1, 2, 3], "radius": 4, "rays": [{"step": [1, 0, 0.5],
                           "power": 1}], "resistances": {}, "levels": [0])"),
              HasSubstr("queries[0].rays[0].step[2]: expected an integer"));
  EXPECT_THAT(refusalOf(
                  R"("center": [1, 2, 3], "radius": 4, "rays": {"cube": 2, "step": 1},
                           "resistances": {}, "levels": [0])"),
              HasSubstr(R"(the member "power" is missing)"));
  EXPECT_THAT(refusalOf(R"("center": [1, 2, 3], "radius": 4, "rays": [],
                           "resistances": {"gravel": 1}, "levels": [0])"),
              HasSubstr("queries[0].resistances.gravel: no such block type in block_types"));
  EXPECT_THAT(refusalOf(with(R"("falloff": 0.5)")),
              HasSubstr("queries[0].falloff: expected an integer"));
  EXPECT_THAT(refusalOf(with(R"("max_hits": 1)")), HasSubstr(R"(unknown member "max_hits")"));
}

}  // namespace
}  // namespace fractalray
