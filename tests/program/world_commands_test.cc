// SPDX-License-Identifier: Apache-2.0
// The commands that work on a Luanti world: shoot and info, on the bundled one.
#include <sqlite3.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

#include "program.h"

namespace fractalray::testing::world_commands_test {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr const char* kWorld = FRACTALRAY_SOURCE_DIR "/examples/worlds/w1";

std::vector<json> parseLines(const std::string& text) {
  std::vector<json> lines;
  std::istringstream input(text);
  for (std::string line; std::getline(input, line);)
    lines.push_back(json::parse(line));
  return lines;
}

// Returns a copy of the bundled world after an SQL statement that changes so many mapblocks.
std::string worldWith(const std::string& sql, int changes) {
  const std::string path = testFolder() + "/map.sqlite";
  std::filesystem::copy_file(std::string(kWorld) + "/map.sqlite", path);
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
  EXPECT_EQ(sqlite3_changes(database), changes);
  sqlite3_close(database);
  return path;
}

// Returns the bundled world without the definitions of its nodes.
std::string worldWithoutDefinitions() {
  return worldWith("", 0);
}

// A copy of the bundled world in which the mapblock of the glass wall, (-12, 4, -4), is spoiled.
std::string damagedWorld() {
  return worldWith("UPDATE blocks SET data = x'1d28b52ffd' WHERE pos = " +
                       std::to_string(-4 * 16777216 + 4 * 4096 - 12),
                   1);
}

// Down through the pool's water onto its floor: checked by hand against the structures of the
// world.
const std::vector<std::string> kIntoThePool = {"--from", "-183.5,80.5,-25.5", "--to",
                                               "-183.5,60.5,-25.5"};

std::vector<std::string> shoot(std::vector<std::string> more) {
  std::vector<std::string> arguments = {"shoot", "--world", kWorld};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(ShootCommandTest, PrintsASegmentAsATable) {
  const ProgramRun run = runProgram(shoot(kIntoThePool));
  EXPECT_EQ(run.exit_status, 0);
  EXPECT_THAT(run.err, IsEmpty());
  EXPECT_THAT(run.out, AllOf(HasSubstr("  1  default:water_source x 3 "),
                             HasSubstr("[-184, 74, -26] to [-184, 72, -26]"),
                             HasSubstr("  4  default:stonebrick "), HasSubstr("ends here"),
                             HasSubstr("ended at distance 8.5")));
  EXPECT_THAT(run.out, ::testing::Not(HasSubstr("is loaded")));
  std::vector<std::string> with_unknown = shoot(kIntoThePool);
  with_unknown.emplace_back("--unknown");
  EXPECT_THAT(runProgram(with_unknown).out, HasSubstr("\n  all of it is loaded\n"));
}

TEST(ShootCommandTest, AnswersAsAScenarioDoes) {
  std::vector<std::string> arguments = shoot(kIntoThePool);
  arguments.emplace_back("--json");
  const std::vector<json> answers = parseLines(runProgram(arguments).out);
  ASSERT_EQ(answers.size(), 1U);
  const json& hits = answers[0]["hits"];
  ASSERT_GE(hits.size(), 2U);
  EXPECT_EQ(hits[0]["type"], "default:water_source");
  EXPECT_EQ(hits[0]["block"], json({-184, 74, -26}));
  EXPECT_EQ(hits[0]["face"], "+y");
  EXPECT_DOUBLE_EQ(hits[0]["t"], 5.5 / 20);
  EXPECT_EQ(hits.back()["terminal"], true);
  EXPECT_EQ(answers[0]["terminated"], true);
}

TEST(ShootCommandTest, AnswersManySegmentsInOrderWithTheirOwnOptions) {
  const std::string file =
      writeTestFile("segments.jsonl",
                    R"({"id": "a", "from": [-183.5, 80.5, -25.5], "to": [-183.5, 60.5, -25.5]}
{"from": [-183.5, 80.5, -25.5], "to": [-183.5, 60.5, -25.5], "levels": [2]}

{"id": "far", "from": [0, 0, 0], "to": [1e300, 0, 0]}
{"id": "glass", "from": [-184.5, 80.5, -52.5], "to": [-184.5, 80.5, -45.5], "channel": "visible"}
{"id": "glass", "from": [-184.5, 80.5, -52.5], "to": [-184.5, 80.5, -45.5]}
)");
  const ProgramRun run = runProgram(shoot({"--segments", file, "--json"}));
  EXPECT_EQ(run.exit_status, 0) << run.err;
  const std::vector<json> answers = parseLines(run.out);
  ASSERT_EQ(answers.size(), 5U);
  EXPECT_EQ(answers[0]["id"], "a");
  EXPECT_EQ(answers[0]["hits"][0]["level"], 3);
  EXPECT_EQ(answers[1]["id"], 2) << "without an id a segment goes by its line";
  EXPECT_EQ(answers[1]["hits"][0]["block"], json({-12, 5, -2}));
  EXPECT_THAT(answers[2]["error"].get<std::string>(), StartsWith("OUT_OF_RANGE: "));
  EXPECT_THAT(answers[3]["hits"], IsEmpty()) << "the eye sees through glass";
  EXPECT_EQ(answers[4]["hits"][0]["type"], "default:glass");
}

TEST(ShootCommandTest, FollowsARayToItsEnd) {
  const std::vector<std::string> ray = {"--origin", "-184,80,-60", "--direction", "0,-1,4",
                                        "--json"};
  const std::vector<json> whole = parseLines(runProgram(shoot(ray)).out);
  ASSERT_EQ(whole.size(), 1U);
  EXPECT_EQ(whole[0]["terminated"], true);
  EXPECT_EQ(whole[0]["line"]["from"], json({-184 * 65536, 80 * 65536, -60 * 65536}));
  EXPECT_EQ(whole[0]["line"]["t_end"], 1);
  const double distance = whole[0]["hits"].back()["distance"];
  std::vector<std::string> cut = ray;
  cut.insert(cut.end(), {"--max-distance", absl::StrCat(distance - 0.01)});
  const std::vector<json> before = parseLines(runProgram(shoot(cut)).out);
  ASSERT_EQ(before.size(), 1U);
  EXPECT_EQ(before[0]["terminated"], false);
  EXPECT_EQ(before[0]["hits"].size() + 1, whole[0]["hits"].size());
}

// Into the pool, off its floor, and up again through the water as far as 20 blocks reach.
TEST(ShootCommandTest, FollowsAPathOffWhatItHits) {
  std::vector<std::string> arguments = shoot(kIntoThePool);
  arguments.insert(arguments.end(), {"--bounces", "3"});
  EXPECT_THAT(runProgram(arguments).out,
              AllOf(HasSubstr("shot bounce 1 ("),
                    HasSubstr("from -183.5, 72, -25.5 to -183.5, 83.5, -25.5, 11.5 blocks long"),
                    HasSubstr("hit nothing more and reached its end")));
  arguments.emplace_back("--json");
  const std::vector<json> answers = parseLines(runProgram(arguments).out);
  ASSERT_EQ(answers.size(), 2U) << "nothing ends the second part";
  EXPECT_EQ(answers[0]["id"], "shot");
  EXPECT_EQ(answers[1]["id"], "shot bounce 1");
  EXPECT_EQ(answers[1]["terminated"], false);
  const json& first = answers[1]["hits"][0];
  EXPECT_EQ(first["type"], "default:water_source");
  EXPECT_TRUE(first["face"].is_null()) << "it starts inside";
  EXPECT_DOUBLE_EQ(first["t"], 8.5 / 20);
  EXPECT_THAT(runProgram(shoot({"--from", "0,0,0", "--to", "1,1,1", "--bounces", "1", "--svg",
                                testFolder() + "/x.svg"}))
                  .err,
              HasSubstr("--bounces"));
}

TEST(ShootCommandTest, PrintsTheClosestHit) {
  std::vector<std::string> arguments = shoot(kIntoThePool);
  arguments.emplace_back("--closest");
  const ProgramRun table = runProgram(arguments);
  EXPECT_EQ(table.exit_status, 0);
  EXPECT_THAT(table.out, AllOf(HasSubstr("default:water_source"), HasSubstr("[-184, 74, -26]"),
                               ::testing::Not(HasSubstr("[-184, 73, -26]"))));
  arguments.insert(arguments.end(), {"--solid-only", "--unknown", "--json"});
  const std::vector<json> answers = parseLines(runProgram(arguments).out);
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0]["hit"]["kind"], "block");
  EXPECT_EQ(answers[0]["hit"]["terminal"], true);
  EXPECT_DOUBLE_EQ(answers[0]["hit"]["distance"], 8.5);
  EXPECT_TRUE(answers[0]["unknown_from"].is_null());
}

// Each plain option of queries is one of the command, or a member of a line that overrides it.
TEST(ShootCommandTest, HasTheOptionsOfQueries) {
  const auto hits = [](const std::vector<std::string>& options) {
    std::vector<std::string> arguments = shoot(kIntoThePool);
    arguments.emplace_back("--json");
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProgramRun run = runProgram(arguments);
    EXPECT_EQ(run.exit_status, 0) << run.err;
    return parseLines(run.out).at(0)["hits"].size();
  };
  const std::size_t all = hits({});
  EXPECT_GT(all, 3U);
  EXPECT_EQ(hits({"--max-hits", "2"}), 2U);
  EXPECT_EQ(hits({"--no-blocks"}), 0U);
  EXPECT_EQ(hits({"--no-entities"}), all);
  EXPECT_EQ(hits({"--solid-only"}), 1U);
  EXPECT_EQ(hits({"--skip-start-inside", "--categories", "3", "--corner", "neither"}), all);
  EXPECT_THAT(runProgram(shoot({"--from", "0,0,0", "--to", "1,1,1", "--max-hits", "-1"})).err,
              HasSubstr("--max-hits: \"-1\" is not a whole number"));
  const std::string segments =
      writeTestFile("options", R"({"from": [-183.5, 80.5, -25.5], "to": [-183.5, 60.5, -25.5]}
{"from": [-183.5, 80.5, -25.5], "to": [-183.5, 60.5, -25.5], "max_hits": 1, "level_parts": true}
)");
  const std::vector<json> answers =
      parseLines(runProgram(shoot({"--segments", segments, "--json", "--max-hits", "3"})).out);
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[0]["hits"].size(), 3U);
  EXPECT_FALSE(answers[0].contains("level_parts"));
  EXPECT_EQ(answers[1]["hits"].size(), 1U);
  EXPECT_TRUE(answers[1].contains("level_parts"));
}

TEST(ShootCommandTest, SaysIfNothingIsClosest) {
  const std::vector<std::string> nothing = {"--from", "-184.5,80.5,-52.5", "--to",
                                            "-184.5,80.5,-51.5", "--closest"};
  EXPECT_THAT(runProgram(shoot(nothing)).out, HasSubstr("hit nothing"));
  const ProgramRun beyond =
      runProgram(shoot({"--from", "0,1000,0", "--to", "0,1001,0", "--closest", "--unknown"}));
  EXPECT_EQ(beyond.exit_status, 0);
  EXPECT_THAT(beyond.out, AllOf(HasSubstr("hit nothing"), HasSubstr("not loaded from t = 0 on")));
  const std::vector<json> answers =
      parseLines(runProgram(shoot({"--from", "0,1000,0", "--to", "0,1001,0", "--closest",
                                   "--unknown", "--json"}))
                     .out);
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_TRUE(answers[0]["hit"].is_null());
  EXPECT_EQ(answers[0]["unknown_from"], 0);
}

TEST(ShootCommandTest, SaysIfTheLineIsClear) {
  const std::vector<std::string> through_glass = {"--from", "-184.5,80.5,-52.5", "--to",
                                                  "-184.5,80.5,-45.5", "--occluded"};
  const auto ask = [&](std::vector<std::string> arguments, std::vector<std::string> more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return runProgram(shoot(arguments));
  };
  const ProgramRun blocked = ask(through_glass, {});
  EXPECT_EQ(blocked.exit_status, 1) << "the answer is no";
  EXPECT_THAT(blocked.out, HasSubstr("): blocked\n"));
  EXPECT_THAT(blocked.err, IsEmpty());
  EXPECT_EQ(ask(through_glass, {"--json"}).out, "{\"id\":\"shot\",\"occlusion\":\"blocked\"}\n");
  const ProgramRun clear = ask(through_glass, {"--channel", "visible"});
  EXPECT_EQ(clear.exit_status, 0);
  EXPECT_THAT(clear.out, HasSubstr("): clear\n"));
  const ProgramRun unknown =
      runProgram(shoot({"--from", "0,1000,0", "--to", "0,1001,0", "--occluded"}));
  EXPECT_EQ(unknown.exit_status, 1);
  EXPECT_THAT(unknown.out, HasSubstr("): unknown\n"));
}

TEST(ShootCommandTest, ForManySegmentsTheExitStatusSaysOnlyThatTheyWereAnswered) {
  const std::string file =
      writeTestFile("sights.jsonl",
                    R"({"id": "glass", "from": [-184.5, 80.5, -52.5], "to": [-184.5, 80.5, -45.5]}
{"id": "far", "from": [0, 0, 0], "to": [1e300, 0, 0]}
{"id": "eye", "from": [-184.5, 80.5, -52.5], "to": [-184.5, 80.5, -45.5], "channel": "visible"}
)");
  const ProgramRun run = runProgram(shoot({"--segments", file, "--json", "--occluded"}));
  EXPECT_EQ(run.exit_status, 0) << run.err;
  const std::vector<json> answers = parseLines(run.out);
  ASSERT_EQ(answers.size(), 3U);
  EXPECT_EQ(answers[0]["occlusion"], "blocked");
  EXPECT_THAT(answers[1]["error"].get<std::string>(), StartsWith("OUT_OF_RANGE: "));
  EXPECT_EQ(answers[2]["occlusion"], "clear");
}

TEST(ShootCommandTest, RefusesSegmentsWithTheirLineAndColumnBeforeAnswering) {
  const std::string good = R"({"from": [0, 0, 0], "to": [1, 0, 0]})";
  const std::string broken = writeTestFile("broken.jsonl", good + "\n" + "{\"from\": [0, 0 0]}\n");
  const ProgramRun run = runProgram(shoot({"--segments", broken, "--json"}));
  EXPECT_EQ(run.exit_status, 2);
  EXPECT_THAT(run.out, IsEmpty());
  EXPECT_THAT(run.err, HasSubstr(broken + ":2:16: "));

  const std::string wrong =
      writeTestFile("wrong.jsonl", good + "\n{\"from\": [0, 0], \"to\": 1}\n");
  const ProgramRun second = runProgram(shoot({"--segments", wrong}));
  EXPECT_EQ(second.exit_status, 2);
  EXPECT_THAT(second.err, AllOf(HasSubstr(wrong + ":2: "), HasSubstr("from")));
}

TEST(ShootCommandTest, RefusesLinesWithMembersThatNoShotHas) {
  const std::string good = R"({"from": [0, 0, 0], "to": [1, 0, 0])";
  const struct {
    std::string members;
    std::string reason;
  } kCases[] = {
      {R"("chanel": "visible")",
       R"(: unknown member "chanel"; did you mean "channel"? There are )"},
      {R"("dimensions": 3)", R"(: unknown member "dimensions"; there are from, to, levels, )"},
      {R"("op": "walk")", ": op: expected \"shoot\", got \"walk\""},
      {R"("id": [1])", ": id: a query's id must be a string or a number"},
      {R"("id": null)", ": id: a query's id must be a string or a number"},
      {R"("max_hits": -1)", ": max_hits: expected an integer from 0 to "},
      {R"("unknown": "yes")", ": unknown: expected true or false, got \"yes\""},
      {R"("corner": "bth")", ": corner: expected one of "},
      {R"("origin": [0, 0, 0])", ": it has the ends of a segment and a ray's members"},
      {R"("channel": "visble")",
       ": channel: \"visble\" is not a channel of this world; did you mean \"visible\"?"},
  };
  for (const auto& test : kCases) {
    const std::string file =
        writeTestFile("lines.jsonl", good + "}\n" + good + ", " + test.members + "}\n");
    const ProgramRun run = runProgram(shoot({"--segments", file, "--json"}));
    EXPECT_EQ(run.exit_status, 2) << test.members;
    EXPECT_THAT(run.out, IsEmpty());
    EXPECT_THAT(run.err, StartsWith("fractalray shoot: " + file + ":2" + test.reason));
  }
  const std::string query = writeTestFile(
      "query.jsonl",
      good + R"(, "op": "shoot", "id": 1, "levels": [3], "ignore": [1], "categories": 1})");
  EXPECT_EQ(runProgram(shoot({"--segments", query})).exit_status, 0)
      << "a query of a scenario is a line";
}

TEST(ShootCommandTest, RefusesBadShotsWithTheReason) {
  const struct {
    std::vector<std::string> arguments;
    std::string reason;
  } kCases[] = {
      {{}, "no line to shoot along"},
      {{"--from", "0,0,0"}, "--to is missing; a segment is given by --from x,y,z and --to x,y,z"},
      {{"--to", "0,0,0"}, "--from is missing; a segment is given by"},
      {{"--direction", "1,0,0"}, "--origin is missing; a ray is given by --origin x,y,z and"},
      {{"--origin", "0,0,0", "--direction", "1,0,0", "--to", "1,1,1"},
       "a ray has no --from and --to"},
      {{"--origin", "0,0,0", "--max-distance", "5"}, "--direction is missing; a ray is given by"},
      {{"--from", "0,0,0", "--to", "1,1,1", "--svg", "shot.png"},
       "--svg: shot.png would hold a SVG file; name it shot.svg"},
      {{"--origin", "0,0,0", "--direction", "0,0,0"}, "the ray's direction is zero"},
      {{"--origin", "0,0,0", "--direction", "1,0,0", "--max-distance", "-1"}, "distance is -1"},
      {{"--origin", "0,0,0", "--direction", "1,0,0", "--max-distance", "abc"},
       "--max-distance: \"abc\" is not a number"},
      {{"--from", "0,0,0", "--to", "1,1,1", "--bounces", "2000"},
       "--bounces: \"2000\" is not a whole number from 0 to 1000\n"},
      {{"--from", "0,0,0", "--to", "1,1,1", "--rule", "type=default:water_sorce response=stop"},
       "there is no block type \"default:water_sorce\"; did you mean \"default:water_source\"?"},
      {{"--from", "0,0", "--to", "1,1,1"}, "--from"},
      {{"--from", "0,0,0", "--to", "nan,1,1"}, "NaN"},
      {{"--from", "0,0,0", "--to", "inf,1,1"}, "infinite"},
      {{"--from", "0,0,0", "--to", "1e300,1,1"}, "2^45"},
      {{"--from", "0,0,0", "--to", "1,1,1", "--levels", "4-6"}, "no active level"},
      {{"--from", "0,0,0", "--to", "1,1,1", "--levels", "3-2"}, "\"3-2\""},
      {{"--from", "0,0,0", "--to", "1,1,1", "--corner", "round"}, "round"},
      {{"--segments", "no/such/file"}, "no/such/file"},
      {{"--segments", "-", "--from", "0,0,0"},
       "--segments has the ends of its shots; leave out --from and --to"},
      {{"--from", "0,0,0", "--to", "1,1,1", "--channel", "visble"},
       "--channel: \"visble\" is not a channel of this world; did you mean \"visible\"? There are "
       "default, physical, visible"},
      {{"--from", "0,0,0", "--to", "1,1,1", "--part", "0,1"},
       "--part selects what a picture shows"},
      {{"--from", "0,0,0", "--to", "1,1,1", "--corner", "bth"},
       "did you mean \"both\"? There are "},
      {{"--from", "0,0,0", "--to", "1,1,1", "--svg", testFolder() + "/x", "--html",
        testFolder() + "/./x"},
       "/./x is also what --svg writes"},
      {{"--from", "0,0,0", "--to", "1,1,1", "--closest", "--occluded"}, "--closest"},
      {{"--from", "0,0,0", "--to", "1,1,1", "--occluded", "--solid-only"}, "--solid-only"},
      {{"--from", "0,0,0", "--to", "1e300,1,1", "--occluded"}, "2^45"},
      {{"--from", "0,0,0", "--to", "1e300,1,1", "--closest"}, "2^45"},
  };
  for (const auto& test : kCases) {
    const ProgramRun run = runProgram(shoot(test.arguments));
    EXPECT_EQ(run.exit_status, 2) << test.reason;
    EXPECT_THAT(run.out, IsEmpty());
    EXPECT_THAT(run.err, AllOf(StartsWith("fractalray shoot: "), HasSubstr(test.reason)));
  }
}

TEST(ShootCommandTest, ADamagedMapblockIsNamedAndStaysUnknown) {
  const ProgramRun run =
      runProgram({"shoot", "--world", damagedWorld(), "--from", "-184.5,78.5,-52.5", "--to",
                  "-184.5,78.5,-45.5", "--unknown", "--json"});
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_THAT(run.err, AllOf(HasSubstr("mapblock (-12, 4, -4) is damaged"),
                             HasSubstr("1 of 1728 mapblocks are damaged")));
  const std::vector<json> answers = parseLines(run.out);
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_THAT(answers[0]["hits"], IsEmpty()) << "the glass wall is in the damaged mapblock";
  EXPECT_EQ(answers[0]["unknown_from"], 0);
}

// From t = 0.2375, y = 128, on nothing is loaded above the bundled world.
TEST(ShootCommandTest, SaysWhereTheLineLeavesWhatIsLoaded) {
  const std::vector<std::string> up = {"--from", "-184.5,80.5,-52.5", "--to", "-184.5,280.5,-52.5"};
  for (const char* const how : {"--solid-only", "--closest", "--unknown"}) {
    std::vector<std::string> arguments = shoot(up);
    arguments.emplace_back(how);
    EXPECT_THAT(runProgram(arguments).out,
                AllOf(HasSubstr("hit nothing in what is loaded"),
                      HasSubstr("\n  not loaded from t = 0.2375 on, distance 47.5, at -184.5, 128, "
                                "-52.5\n")))
        << how;
  }
  std::vector<std::string> as_json = shoot(up);
  as_json.emplace_back("--json");
  EXPECT_THAT(runProgram(as_json).out, ::testing::Not(HasSubstr("unknown")));
}

// A world of an old version of Luanti: one line, and no "hit nothing" without a reservation.
TEST(ShootCommandTest, AnOldMapIsNotCalledDamagedAndHitsNothingInWhatIsLoaded) {
  const std::string map =
      worldWith("UPDATE blocks SET data = CAST(x'19' || substr(data, 2) AS BLOB)", 1728);
  for (const char* const how : {"--closest", "--solid-only"}) {
    const ProgramRun run = runProgram(
        {"shoot", "--world", map, "--from", "-184.5,78.5,-52.5", "--to", "-184.5,78.5,-45.5", how});
    EXPECT_EQ(run.exit_status, 1);
    EXPECT_EQ(run.err, "fractalray shoot: " + map +
                           ": 1728 of 1728 mapblocks are not loaded: serialization version 25; "
                           "versions 28 to 29 are read. Luanti turns older ones into 29: "
                           "minetestserver --world FOLDER --recompress\n");
    EXPECT_THAT(run.out, AllOf(HasSubstr("hit nothing in what is loaded"),
                               HasSubstr("not loaded from t = 0 on")));
  }
  const ProgramRun as_json = runProgram({"shoot", "--world", map, "--from", "-184.5,78.5,-52.5",
                                         "--to", "-184.5,78.5,-45.5", "--json"});
  EXPECT_EQ(parseLines(as_json.out).at(0)["unknown_from"], 0);
  EXPECT_THAT(runProgram({"info", "--world", map}).out,
              HasSubstr("0 loaded, 0 not generated, 0 damaged, 1728 of other versions"));
  const json info = json::parse(runProgram({"info", "--world", map, "--json"}).out);
  EXPECT_EQ(info["mapblocks"]["unsupported"], 1728);
}

TEST(ShootCommandTest, AnotherTableOfKindsReplacesTheBuiltInOne) {
  const std::string types =
      writeTestFile("types.json", R"({"default": "permeable", "types": {"air": "empty"}})");
  std::vector<std::string> arguments = {"shoot", "--world", worldWithoutDefinitions()};
  arguments.insert(arguments.end(), kIntoThePool.begin(), kIntoThePool.end());
  arguments.insert(arguments.end(), {"--types", types, "--json"});
  const std::vector<json> answers = parseLines(runProgram(arguments).out);
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0]["terminated"], false);

  const std::string wrong = writeTestFile("wrong.json", R"({"default": "hard"})");
  const ProgramRun run = runProgram({"info", "--world", kWorld, "--types", wrong});
  EXPECT_EQ(run.exit_status, 2);
  EXPECT_THAT(run.err, AllOf(HasSubstr(wrong), HasSubstr("hard")));
}

TEST(InfoCommandTest, ListsLevelsTypesAndMapblocks) {
  const ProgramRun run = runProgram({"info", "--world", kWorld});
  EXPECT_EQ(run.exit_status, 0);
  EXPECT_THAT(run.out, AllOf(HasSubstr("[-272, -32, -112] to [-113, 127, 47]"),
                             HasSubstr("default:water_source"), HasSubstr("1000 loaded"),
                             HasSubstr("57 node definitions were read")));

  const std::string line = runProgram({"info", "--world", kWorld, "--json"}).out;
  EXPECT_EQ(line.find('\n'), line.size() - 1) << "an object in a line, like all JSON";
  const json info = json::parse(runProgram({"info", "--world", kWorld, "--json"}).out);
  EXPECT_EQ(info["levels"].size(), 4U);
  EXPECT_EQ(info["levels"][3]["loaded"], 1000);
  EXPECT_EQ(info["levels"][3]["min"], json({-272, -32, -112}));
  EXPECT_EQ(info["mapblocks"]["not_generated"], 728);
  std::uint64_t blocks = 0;
  for (const json& type : info["types"])
    blocks += type["blocks"].get<std::uint64_t>();
  EXPECT_EQ(blocks, 1000U * 4096U);
}

TEST(InfoCommandTest, NamesTheTypesThatTheTableOfKindsDoesNotList) {
  const std::string types = writeTestFile(
      "types.json",
      R"({"default": "solid", "types": {"air": "empty", "default:water_source": "permeable"}})");
  const std::vector<std::string> arguments = {"info", "--world", worldWithoutDefinitions(),
                                              "--types", types};
  const ProgramRun run = runProgram(arguments);
  EXPECT_THAT(run.out, AllOf(HasSubstr("types are not listed in the table of kinds, so they have "
                                       "its default: "),
                             HasSubstr(" xpanes:pane_flat\n")));
  std::vector<std::string> as_json = arguments;
  as_json.emplace_back("--json");
  const json info = json::parse(runProgram(as_json).out);
  std::vector<std::string> expected;
  for (const json& type : info["types"]) {
    const std::string name = type["name"];
    if (name != "air" && name != "default:water_source") expected.push_back(name);
  }
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(info["defaulted_types"], json(expected));
  EXPECT_THAT(run.out, HasSubstr(absl::StrCat(expected.size(), " of these types")));
}

TEST(InfoCommandTest, RefusesPathsThatAreNoWorlds) {
  const std::string text = writeTestFile("text.sqlite", std::string(5000, 'x'));
  for (const std::string& path : {std::string("no/such/world"), text, testFolder()}) {
    const ProgramRun run = runProgram({"info", "--world", path});
    EXPECT_EQ(run.exit_status, 2) << path;
    EXPECT_THAT(run.out, IsEmpty());
    EXPECT_THAT(run.err, StartsWith("fractalray info: " + path));
  }
}

}  // namespace
}  // namespace fractalray::testing::world_commands_test
