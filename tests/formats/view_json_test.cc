// SPDX-License-Identifier: Apache-2.0
// Checks that queries of sight are read as they are written, and what is refused.
#include "../../formats/view_json.h"

#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "../../formats/scenario.h"
#include "../../query/ray_query_service.h"

namespace fractalray {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kView =
    R"("eye": [1, 2, 3], "box": [[4, 5, 6], [7, 8, 9]], "levels": [0])";

absl::StatusOr<Scenario> parsed(std::string_view members, std::string_view op = "visible") {
  return parseScenario(absl::StrCat(R"({"format": "fractalray-scenario/1", "levels": 1, "queries": [
                                      {"id": "v", "op": ")",
                                    std::string(op), R"(", )", std::string(members), "}]}"),
                       "f.json");
}

// Returns the query with these members.
ViewQuery view(std::string_view members, std::string_view op = "visible") {
  const absl::StatusOr<Scenario> scenario = parsed(members, op);
  EXPECT_TRUE(scenario.ok()) << scenario.status();
  return scenario.ok() ? std::get<ViewQuery>(scenario->queries.front().ask) : ViewQuery();
}

// Returns why these members are refused.
std::string refusalOf(std::string_view members) {
  return std::string(parsed(members).status().message());
}

TEST(ViewJsonTest, ReadsEveryMember) {
  const ViewQuery query = view(
      R"("eye_units": [1, -2, 2305843009213693952], "box": [[0.5, 0, 0], [1, 1, 1]], "levels": [0, 9],
         "channel": "sight", "categories": 6, "ignore": [7], "skip_start_inside": true,
         "blocks": false, "boxes_block": true, "unloaded": "opaque", "through": 3, "max_steps": 50,
         "occluders": [[[0, 0, 0], [1, 1, 1]]], "occluder_units": [[[0, 0, 0], [1, 2, 3]]],
         "certificate": true)");
  const absl::StatusOr<PreparedView> prepared = prepareView(query, BlockTypeTable());
  ASSERT_TRUE(prepared.ok()) << prepared.status();
  EXPECT_EQ(prepared->query.eye, (Vec3i{1, -2, 2305843009213693952}));
  EXPECT_EQ(prepared->query.box, (FixedBox{{32768, 0, 0}, {65536, 65536, 65536}}));
  EXPECT_EQ(query.levels, LevelMask({0, 9}));
  const SightOptions& options = prepared->options;
  EXPECT_EQ(options.filter.categories, 6U);
  EXPECT_EQ(query.ignore, std::vector<EntityId>{7});
  EXPECT_TRUE(options.filter.skip_start_inside);
  EXPECT_FALSE(options.filter.blocks);
  EXPECT_TRUE(options.boxes_block);
  EXPECT_EQ(options.unloaded, UnloadedSpace::kOpaque);
  EXPECT_EQ(options.through, 3U);
  EXPECT_EQ(options.max_steps, 50U);
  EXPECT_TRUE(options.report_certificate);
  ASSERT_EQ(options.occluders.size(), 2U);
  EXPECT_EQ(options.occluders[0].max, (Vec3i{65536, 65536, 65536}));
  EXPECT_EQ(options.occluders[1].max, (Vec3i{1, 2, 3}));
}

TEST(ViewJsonTest, WritesWhatItReads) {
  const std::string all =
      R"("op": "exposure", "eye_units": [1, -2, 3], "box": [[0.5, 0, 0], [1, 1, 1]], )"
      R"("levels": [0, 9], )"
      R"("occluders": [[[0, 0, 0], [1, 1, 1]]], "occluder_units": [[[0, 0, 0], [1, 2, 3]]], )"
      R"("channel": "sight", "categories": 6, "ignore": [7], "skip_start_inside": true, )"
      R"("blocks": false, "boxes_block": true, "unloaded": "opaque", "through": 3, )"
      R"("max_steps": 50, "certificate": true)";
  EXPECT_EQ(viewJson(view(all.substr(all.find(R"("eye)")), "exposure")), all);
  EXPECT_EQ(viewJson(view(kView)), absl::StrCat(R"("op": "visible", )", std::string(kView)));
}

TEST(ViewJsonTest, WrongMembersRefuseTheFile) {
  const auto with = [](std::string_view member) {
    return absl::StrCat(std::string(kView), ", ", std::string(member));
  };
  EXPECT_THAT(refusalOf(R"("box": [[4, 5, 6], [7, 8, 9]], "levels": [0])"),
              HasSubstr(R"(the member "eye" is missing)"));
  EXPECT_THAT(refusalOf(R"("eye": [1, 2, 3], "levels": [0])"),
              HasSubstr(R"(the member "box" is missing)"));
  EXPECT_THAT(refusalOf(R"("eye": [1, 2, 3], "box": [[4, 5, 6], [7, 8, 9]])"),
              HasSubstr(R"(the member "levels" is missing)"));
  EXPECT_THAT(refusalOf(with(R"("eye_units": [1, 2, 3])")),
              HasSubstr(R"(it has "eye" and "eye_units"; give one of them)"));
  EXPECT_THAT(refusalOf(with(R"("box_units": [[1, 2, 3], [4, 5, 6]])")),
              HasSubstr(R"(it has "box" and "box_units"; give one of them)"));
  EXPECT_THAT(refusalOf(R"("eye": [1, 2], "box": [[4, 5, 6], [7, 8, 9]], "levels": [0])"),
              HasSubstr("queries[0].eye: expected an array of 3 numbers"));
  EXPECT_THAT(refusalOf(R"("eye": [1, 2, 3], "box": [[4, 5, 6]], "levels": [0])"),
              HasSubstr("queries[0].box: expected an array of 2 points"));
  EXPECT_THAT(refusalOf(with(R"("occluder_units": [[[0, 0, 0], [1, 2, 0.5]]])")),
              HasSubstr("queries[0].occluder_units[0][1][2]: expected an integer"));
  EXPECT_THAT(refusalOf(with(R"("through": -1)")),
              HasSubstr("queries[0].through: expected an integer from 0 to 4294967295"));
  EXPECT_THAT(refusalOf(with(R"("unloaded": 1)")),
              HasSubstr("queries[0].unloaded: expected a string"));
  EXPECT_THAT(refusalOf(with(R"("solid_only": true)")),
              HasSubstr(R"(unknown member "solid_only")"));
}

TEST(ViewJsonTest, WrongValuesAreErrorsOfTheQuery) {
  const BlockTypeTable types;
  ViewQuery query = view(kView);
  query.unloaded = "maybe";
  query.eye = Vec3d{1e300, 0, 0};
  absl::Status refused = prepareView(query, types).status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(refused.message()), HasSubstr("unloaded is \"maybe\""));
  query.unloaded = "report";
  query.eye = Vec3d{0, std::numeric_limits<double>::quiet_NaN(), 0};
  EXPECT_EQ(prepareView(query, types).status().code(), absl::StatusCode::kInvalidArgument);
}

// Returns the error of a query in a world of one level.
absl::Status errorOf(const ViewQuery& query) {
  const World world;
  const EntityIndex entities(world.frame());
  const absl::StatusOr<PreparedView> prepared = prepareView(query, world.blockTypes());
  if (!prepared.ok()) return prepared.status();
  return prepared->errorOf(RayQueryService(world, entities)
                               .visible(prepared->query, query.levels, prepared->options)
                               .status());
}

TEST(ViewJsonTest, WhatIsWrongBesidesAPositionBeyondTheFrameWins) {
  struct Case {
    const char* members;
    const char* message;  // of INVALID_ARGUMENT; "" if the position is the only fault
  };
  constexpr auto kCases = std::to_array<Case>({
      {R"("eye": [1e15, 0, 0], "box": [[0, 0, 0], [1, 1, 1]], "levels": [0])", ""},
      {R"("eye": [1e300, 0, 0], "box": [[0, 0, 0], [1, 1, 1]], "levels": [])", "level"},
      {R"("eye": [-1e15, 0, 0], "box": [[0, 0, 0], [0, 0, 1]], "levels": [0])", "no width"},
      {R"("eye": [0, 1e15, 0], "box": [[1, 0, 0], [0, 1, 1]], "levels": [0])", "exchange"},
      {R"("eye": [0, 0, 0], "box": [[0, 0, 0], [1, 1e15, 1]], "levels": [0])", ""},
      {R"("eye": [0, 0, 0], "box": [[1e15, 0, 0], [2e15, 0, 1]], "levels": [0])", ""},
      {R"("eye": [0, 0, 0], "box": [[0, 0, 0], [0, 0, 1e15]], "levels": [0])", "no width"},
      {R"("eye": [0, 0, 0], "box": [[2e15, 0, 0], [1e15, 1, 1]], "levels": [0])", "exchange"},
      {R"("eye": [0, 0, 0], "box": [[1e15, 0, 0], [2e15, 1e-7, 1e-7]], "levels": [0])", "no width"},
      {R"("eye": [0, 0, 0], "box": [[1e15, 1e-7, 0], [2e15, 0, 1]], "levels": [0])", ""},
      {R"("eye": [0, 0, 0], "box": [[0, 0, 0], [1, 1, 1]], "levels": [0],
          "occluders": [[[0, 0, 0], [1e15, 1, 1]]])",
       ""},
      {R"("eye": [0, 0, 0], "box": [[0, 0, 0], [1, 1, 1]], "levels": [7],
          "occluders": [[[0, 0, 0], [1e15, 1, 1]]])",
       "level"},
      {R"("eye": [0, 0, 0], "box": [[0, 0, 0], [1, 1, 1]], "levels": [0],
          "occluders": [[[1e15, 0, 0], [-1e15, 1, 1]]])",
       "exchange"},
  });
  for (const auto& [members, message] : kCases) {
    const absl::Status error = errorOf(view(members));
    const bool is_only_beyond = *message == '\0';
    EXPECT_EQ(error.code(),
              is_only_beyond ? absl::StatusCode::kOutOfRange : absl::StatusCode::kInvalidArgument)
        << members << ": " << error;
    EXPECT_THAT(std::string(error.message()), HasSubstr(is_only_beyond ? "e+" : message));
  }
}

}  // namespace
}  // namespace fractalray
