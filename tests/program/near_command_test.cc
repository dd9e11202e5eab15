// SPDX-License-Identifier: Apache-2.0
// `fractalray near`: what is around a point in a scenario.
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

#include "program.h"

namespace fractalray::testing {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

// A sphere of radius 1 around (8, 2.5, 3.5) on level 1, and a box around (10, 2.5, 3.5) on level 0,
// whose face is at 9.5.
constexpr const char* kScenario = FRACTALRAY_SOURCE_DIR "/tests/scenarios/first-steps.json";

ProgramRun near(std::vector<std::string> more) {
  std::vector<std::string> arguments = {"near", kScenario};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return runProgram(arguments);
}

json found(std::vector<std::string> more) {
  more.emplace_back("--json");
  const ProgramRun run = near(more);
  EXPECT_EQ(run.exit_status, 0) << run.err;
  return json::parse(run.out).at("found");
}

TEST(NearCommandTest, PrintsTheNearestAsATable) {
  const ProgramRun run = near({"--at", "8,2.5,3.5", "--count", "2"});
  EXPECT_EQ(run.exit_status, 0) << run.err;
  EXPECT_THAT(run.err, IsEmpty());
  EXPECT_THAT(run.out, AllOf(HasSubstr("distance"), HasSubstr("sphere of radius 1"),
                             HasSubstr("1.5"), HasSubstr("box of half extents 0.5, 1, 1"),
                             HasSubstr("10, 2.5, 3.5"), HasSubstr("2 entities\n")));
  EXPECT_THAT(near({"--at", "8,2.5,3.5"}).out,
              AllOf(HasSubstr("1 entity\n"), Not(HasSubstr("box"))));
}

TEST(NearCommandTest, AnswersByDistanceAsJson) {
  const json both = {{{"entity", 1}, {"level", 1}, {"distance", 0.0}},
                     {{"entity", 2}, {"level", 0}, {"distance", 1.5}}};
  // Named, since compilers disagree on whether {one} is an array of it or a copy.
  const json first = json::array({both[0]});
  const json second = json::array({both[1]});
  EXPECT_EQ(found({"--at", "8,2.5,3.5", "--count", "9"}), both);
  EXPECT_EQ(found({"--at", "8,2.5,3.5", "--radius", "1.5"}), both) << "touching counts";
  EXPECT_EQ(found({"--at", "8,2.5,3.5", "--radius", "1.49"}), first);
  EXPECT_EQ(found({"--at", "8,2.5,3.5", "--radius", "inf", "--count", "1"}), first);
  EXPECT_EQ(found({"--at", "8,2.5,3.5", "--levels", "0"}), second);
  EXPECT_EQ(found({"--at", "8,2.5,3.5", "--ignore", "1,77"}), second);
  EXPECT_EQ(found({"--at", "8,2.5,3.5", "--categories", "2"}), json::array());
  EXPECT_EQ(found({"--min", "0,0,0", "--max", "15,15,15"}).size(), 2U);
  EXPECT_EQ(found({"--min", "9.25,2,3", "--max", "9.5,3,4"})[0]["entity"], 2);
}

TEST(NearCommandTest, SaysHowMuchWorkTheSearchDid) {
  const std::vector<std::string> query = {"--at", "8,2.5,3.5", "--radius", "1.5", "--stats"};
  EXPECT_THAT(near(query).out, AllOf(HasSubstr("2 entities\n"), HasSubstr("shapes tested 2,")));
  std::vector<std::string> as_json = query;
  as_json.emplace_back("--json");
  const json answer = json::parse(near(as_json).out);
  EXPECT_EQ(answer.at("found").size(), 2U);
  const json& stats = answer.at("stats");
  EXPECT_GE(stats.at("cubes"), 1);
  EXPECT_GE(stats.at("index_cells"), 1);
  EXPECT_GE(stats.at("pages"), 1);
  EXPECT_EQ(stats.at("entities_tested"), 2);
  EXPECT_EQ(stats.at("listed"), 0);
  EXPECT_EQ(stats.at("ordered"), 2);
  EXPECT_GE(stats.at("steps"), 7);
  EXPECT_THAT(near({"--at", "100,0,0", "--radius", "5", "--stats"}).out,
              HasSubstr("shapes tested 0"));
  EXPECT_THAT(near({"--at", "8,2.5,3.5", "--json"}).out, Not(HasSubstr("stats")));
}

TEST(NearCommandTest, TheFileMayComeLast) {
  const ProgramRun run = runProgram({"near", "--at", "8,2.5,3.5", "--ignore", "1", kScenario});
  EXPECT_EQ(run.exit_status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("1.5"));
}

TEST(NearCommandTest, SaysWhereThereIsNothing) {
  const ProgramRun run = near({"--at", "100,0,0", "--radius", "5"});
  EXPECT_EQ(run.exit_status, 0);
  EXPECT_EQ(run.out, "No entity found.\n");
}

TEST(NearCommandTest, RefusesWithTheReason) {
  const struct {
    std::vector<std::string> arguments;
    std::string reason;
  } kCases[] = {
      {{}, "no area to search"},
      {{"--at", "1,2"}, "--at"},
      {{"--at", "1,2,x"}, "\"x\""},
      {{"--at", "nan,0,0"}, "NaN"},
      {{"--at", "1e300,0,0"}, "2^45"},
      {{"--at", "0,0,0", "--radius", "-1"}, "radius is -1"},
      {{"--at", "0,0,0", "--count", "-1"},
       "--count: \"-1\" is not a whole number from 0 to 18446744073709551615\n"},
      {{"--at", "0,0,0", "--count", "1.5"}, "--count: \"1.5\" is not a whole number"},
      {{"--at", "0,0,0", "--count", "1e3"}, "--count: \"1e3\" is not a whole number"},
      {{"--at", "0,0,0", "--count", "0x10"}, "--count: \"0x10\" is not a whole number"},
      {{"--at", "0,0,0", "--count", ""}, "--count: \"\" is not a whole number"},
      {{"--at", "0,0,0", "--count", "18446744073709551616"}, "\"18446744073709551616\" is not a"},
      {{"--at", "0,0,0", "--radius", "7x"}, "--radius: \"7x\" is not a number"},
      {{"--at", "0,0,0", "--radius", "1e999"}, "\"1e999\" is beyond the range of a double"},
      {{"--at", "0,0,0", "--radius", "nan"}, "radius is NaN"},
      {{"--at", "0,0,0", "--levels", "5"}, "no active level"},
      {{"--at", "0,0,0", "--levels", "x"}, "\"x\""},
      {{"--at", "0,0,0", "--ignore", "me"}, "--ignore"},
      {{"--at", "0,0,0", "--ignore", "3,-1"}, "--ignore"},
      {{"--at", "0,0,0", "--categories", "-1"}, "--categories"},
      {{"--at", "0,0,0", "--min", "0,0,0", "--max", "1,1,1"}, "--at"},
      {{"--count", "1"}, "--at"},
      {{"--min", "0,0,0"}, "--max"},
      {{"--min", "0,0,0", "--max", "1,-1,1"}, "min.y is 0, above its max.y, -1"},
  };
  for (const auto& test : kCases) {
    const ProgramRun run = near(test.arguments);
    EXPECT_EQ(run.exit_status, 2) << test.reason;
    EXPECT_THAT(run.out, IsEmpty());
    EXPECT_THAT(run.err, AllOf(StartsWith("fractalray near: "), HasSubstr(test.reason)));
  }
  const ProgramRun missing = runProgram({"near", "no/such/file", "--at", "0,0,0"});
  EXPECT_EQ(missing.exit_status, 2);
  EXPECT_THAT(missing.err, StartsWith("fractalray near: no/such/file"));
}

}  // namespace
}  // namespace fractalray::testing
