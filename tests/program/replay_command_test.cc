// SPDX-License-Identifier: Apache-2.0
// `fractalray replay`, and --record of the commands that shoot.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

#include "../../formats/json_document.h"
#include "program.h"

namespace fractalray::testing::replay_command_test {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const std::string kScenarios = FRACTALRAY_SOURCE_DIR "/tests/scenarios/";
const std::string kFirstSteps = kScenarios + "first-steps.json";
const std::string kWorld = FRACTALRAY_SOURCE_DIR "/examples/worlds/w1";

// Records a scenario; returns the log's path.
std::string recorded(const std::string& scenario) {
  std::string log = testFolder() + "/scenario.log";
  const ProgramRun run = runProgram({"scenario", scenario, "--record", log});
  EXPECT_EQ(run.exit_status, 0) << run.err;
  EXPECT_EQ(run.out, runProgram({"scenario", scenario}).out) << "recording changes no answer";
  return log;
}

// The first steps with a wall that is no longer solid.
std::string changedScenario() {
  std::string text = readFile(kFirstSteps).value();
  const std::string solid = R"("stone": "solid")";
  const std::size_t position = text.find(solid);
  EXPECT_NE(position, std::string::npos);
  text.replace(position, solid.size(), R"("stone": "permeable")");
  return writeTestFile("changed.json", text);
}

std::vector<json> linesOf(const std::string& text) {
  std::vector<json> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    lines.push_back(json::parse(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return lines;
}

TEST(ReplayCommandTest, EveryScenarioIsAnsweredAsRecorded) {
  std::size_t scenarios = 0;
  std::uint64_t queries = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kScenarios)) {
    if (entry.path().extension() != ".json") continue;
    const std::string log = recorded(entry.path());
    const ProgramRun run = runProgram({"replay", log, "--scenario", entry.path(), "--json"});
    EXPECT_EQ(run.exit_status, 0) << entry.path() << run.err << run.out;
    EXPECT_THAT(run.err, IsEmpty());
    const json tally = json::parse(run.out);
    // Shots after a chunk or an entity has been added are those of another world.
    const bool has_edits = entry.path().stem().string().starts_with("window");
    EXPECT_EQ(tally["world_had_changed"] != 0, has_edits && tally["queries"] != 0) << entry.path();
    EXPECT_EQ(tally["equal"].get<std::uint64_t>() + tally["world_had_changed"].get<std::uint64_t>(),
              tally["queries"].get<std::uint64_t>());
    EXPECT_TRUE(tally["damage"].is_null());
    queries += tally["queries"].get<std::uint64_t>();
    ++scenarios;
  }
  EXPECT_GE(scenarios, 16U);
  EXPECT_GE(queries, 100U);
}

TEST(ReplayCommandTest, MovesOfAScenarioAreMadeAgain) {
  const std::string file = writeTestFile("moves.json", R"({
  "format": "fractalray-scenario/1", "levels": 2, "anchor": "7a3_221",
  "block_types": {"air": "empty", "water": "permeable"},
  "chunks": [{"level": 1, "at": [1, 0, 0], "blocks": [[[2, 1, 1], "water"]]}],
  "queries": [
    {"id": 1, "op": "shoot", "levels": [0, 1], "from": [0.5, 1.5, 1.5], "to": [60.5, 1.5, 1.5]},
    {"id": 2, "op": "descend", "chunk": [1, 0, 0]},
    {"id": 3, "op": "shoot", "levels": [0, 1], "from": [8, 24, 24], "to": [248, 24, 24]},
    {"id": 4, "op": "climb"},
    {"id": 5, "op": "shoot", "levels": [0, 1], "from": [0.5, 1.5, 1.5], "to": [60.5, 1.5, 1.5]},
    {"id": 6, "op": "recenter", "chunk": [0, 0, -1]},
    {"id": 7, "op": "shoot", "levels": [0, 1], "from": [0.5, 1.5, 257.5], "to": [60.5, 1.5, 257.5]}
  ]
})");
  const std::string log = recorded(file);
  const ProgramRun run = runProgram({"replay", log, "--scenario", file});
  EXPECT_EQ(run.exit_status, 0) << run.err;
  EXPECT_EQ(run.out, "4 queries: 4 answered as recorded, 0 differently\n");
}

TEST(ReplayCommandTest, ShotsOfAWorldAreAnsweredAsRecorded) {
  const std::string segments =
      writeTestFile("segments", R"({"from": [-184, 80, -60], "to": [-183, 72, -22]}
{"from": [-190, 90, -30], "to": [-190, 0, -30], "levels": [0, 1, 2, 3], "unknown": true}
{"from": [-184.5, 80.5, -52.5], "to": [-184.5, 80.5, -45.5], "channel": "visible"}
{"from": [0, 0, 0], "to": [1e30, 0, 0]}
)");
  const std::string log = testFolder() + "/shots.log";
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, {"--closest"}, {"--occluded"}, {"--closest", "--solid-only"}}) {
    std::vector<std::string> shoot = {"shoot", "--world", kWorld, "--segments", segments};
    shoot.insert(shoot.end(), more.begin(), more.end());
    const std::string plain = runProgram(shoot).out;
    shoot.insert(shoot.end(), {"--record", log});
    const ProgramRun run = runProgram(shoot);
    EXPECT_EQ(run.exit_status, 0) << run.err;
    EXPECT_EQ(run.out, plain);
    const ProgramRun replay = runProgram({"replay", log, "--world", kWorld});
    EXPECT_EQ(replay.exit_status, 0) << replay.err << replay.out;
    EXPECT_EQ(replay.out, "3 queries: 3 answered as recorded, 0 differently\n");
  }
}

TEST(ReplayCommandTest, AnotherWorldIsRefusedUnlessForced) {
  const std::string log = recorded(kFirstSteps);
  for (const std::string& other : {changedScenario(), kScenarios + "ties.json"}) {
    const ProgramRun run = runProgram({"replay", log, "--scenario", other});
    EXPECT_EQ(run.exit_status, 2);
    EXPECT_THAT(run.out, IsEmpty());
    EXPECT_THAT(run.err, AllOf(StartsWith("fractalray replay: " + log + ": this is not the world"),
                               HasSubstr("--force")));
  }
}

TEST(ReplayCommandTest, ADifferenceNamesTheQueryAndShowsBothAnswers) {
  const std::string log = recorded(kFirstSteps);
  const ProgramRun run = runProgram({"replay", log, "--scenario", changedScenario(), "--force"});
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_THAT(run.err, IsEmpty());
  EXPECT_THAT(run.out, ContainsRegex("query 2 at byte [0-9]+: shoot from 0.5, 2.5, 3.5 to 15.5, "
                                     "2.5, 3.5, levels 1, channel default, max hits 1000000\n"));
  // Side by side, each answer wrapped in its column.
  EXPECT_THAT(run.out, ContainsRegex("\n     hit 1: glass [^\n]* the same\n"));
  EXPECT_THAT(run.out, ContainsRegex("\n  >  hit 3: stone .12, 2, 3.[^\n]* hit 3: stone .12, 2, "
                                     "3.[^\n]*\n[^\n]*, ends it [^\n]*, -x\n"));
  EXPECT_THAT(run.out, ContainsRegex("\n     then: ended +then: nothing more\n"));
  EXPECT_THAT(run.out, HasSubstr("\n5 queries: 2 answered as recorded, 3 differently\n"));
}

TEST(ReplayCommandTest, DifferencesAsJson) {
  const std::string log = recorded(kFirstSteps);
  const std::vector<json> lines = linesOf(
      runProgram({"replay", log, "--scenario", changedScenario(), "--force", "--json"}).out);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0]["query"], 2);
  EXPECT_EQ(lines[0]["verb"], "shoot");
  EXPECT_EQ(lines[0]["from_units"], json({32768, 163840, 229376}));
  EXPECT_EQ(lines[0]["recorded"]["hits"].size(), 3U);
  EXPECT_EQ(lines[0]["recorded"]["hits"][2]["type"], "stone");
  EXPECT_TRUE(lines[0]["recorded"]["terminated"]);
  EXPECT_FALSE(lines[0]["replayed"]["terminated"]);
  EXPECT_THAT(lines[0]["first"]["recorded"].get<std::string>(), StartsWith("hit 3: stone"));
  EXPECT_EQ(lines[3], (json{{"queries", 5},
                            {"equal", 2},
                            {"different", 3},
                            {"world_had_changed", 0},
                            {"not_replayable", json::object()},
                            {"damage", nullptr}}));
}

TEST(ReplayCommandTest, NoMoreDifferencesAreShownThanRequested) {
  const std::string log = recorded(kFirstSteps);
  const std::string changed = changedScenario();
  for (const int most : {0, 1, 2, 3}) {
    const ProgramRun run = runProgram({"replay", log, "--scenario", changed, "--force", "--json",
                                       "--max-differences", std::to_string(most)});
    EXPECT_EQ(run.exit_status, 1);
    const std::vector<json> lines = linesOf(run.out);
    EXPECT_EQ(lines.size(), static_cast<std::size_t>(most) + 1);
    EXPECT_EQ(lines.back()["different"], 3) << "all are counted";
  }
}

TEST(ReplayCommandTest, DamageIsReportedAndEarlierQueriesAreReplayed) {
  const std::string log = recorded(kFirstSteps);
  const std::string bytes = readFile(log).value();
  // The last byte of the end's record, and one in the last query's.
  for (const std::size_t cut : {std::size_t{1}, std::size_t{40}}) {
    const std::string damaged = writeTestFile("damaged.log", bytes.substr(0, bytes.size() - cut));
    const ProgramRun run = runProgram({"replay", damaged, "--scenario", kFirstSteps});
    EXPECT_EQ(run.exit_status, 1);
    const std::string count = cut == 1 ? "5" : "4";
    EXPECT_THAT(run.out, AllOf(StartsWith(count + " queries: "),
                               HasSubstr(count + " answered as recorded, 0 differently")));
    EXPECT_THAT(run.err, AllOf(StartsWith("fractalray replay: " + damaged + ": damaged at byte "),
                               HasSubstr(count + " queries before it are whole")));
    const ProgramRun as_json = runProgram({"replay", damaged, "--scenario", kFirstSteps, "--json"});
    EXPECT_THAT(json::parse(as_json.out)["damage"].get<std::string>(),
                HasSubstr("damaged at byte "));
  }
}

TEST(ReplayCommandTest, RefusesWithTheReason) {
  const std::string log = recorded(kFirstSteps);
  const std::string newer = [&] {
    std::string bytes = readFile(log).value();
    bytes[8] = 3;
    return writeTestFile("newer.log", bytes);
  }();
  struct Case {
    std::vector<std::string> arguments;
    std::string reason;
  };
  const std::vector<Case> cases = {
      {{log}, "either --world or --scenario"},
      {{log, "--world", kWorld, "--scenario", kFirstSteps}, "either --world or --scenario"},
      {{"--scenario", kFirstSteps}, "LOG"},
      {{kFirstSteps, "--scenario", kFirstSteps}, "not a query log"},
      {{newer, "--scenario", kFirstSteps}, "format version 3"},
      {{"no/such.log", "--scenario", kFirstSteps}, "no/such.log"},
      {{log, "--scenario", "no/such.json"}, "no/such.json"},
      {{log, "--world", "no/such/world"}, "no/such/world"},
      {{log, "--world", kWorld}, "it has 4 levels and the recorded one had 2"},
      {{log, "--scenario", kFirstSteps, "--max-differences", "-1"}, "--max-differences"},
  };
  for (const Case& test : cases) {
    std::vector<std::string> arguments = {"replay"};
    arguments.insert(arguments.end(), test.arguments.begin(), test.arguments.end());
    const ProgramRun run = runProgram(arguments);
    EXPECT_EQ(run.exit_status, 2) << test.reason;
    EXPECT_THAT(run.out, IsEmpty());
    EXPECT_THAT(run.err, AllOf(StartsWith("fractalray replay: "), HasSubstr(test.reason)));
  }
}

TEST(ReplayCommandTest, ALogThatCannotBeWrittenIsAnError) {
  const ProgramRun scenario = runProgram({"scenario", kFirstSteps, "--record", "/dev/full"});
  EXPECT_EQ(scenario.exit_status, 1);
  EXPECT_THAT(scenario.err,
              AllOf(StartsWith("fractalray scenario: RESOURCE_EXHAUSTED: /dev/full: "),
                    HasSubstr("No space left")));
  const ProgramRun shoot = runProgram({"shoot", "--world", kWorld, "--from", "0,0,0", "--to",
                                       "1,0,0", "--record", "/no/such/folder/log"});
  EXPECT_EQ(shoot.exit_status, 1);
  EXPECT_THAT(shoot.err, StartsWith("fractalray shoot: /no/such/folder/log: "));
}

}  // namespace
}  // namespace fractalray::testing::replay_command_test
