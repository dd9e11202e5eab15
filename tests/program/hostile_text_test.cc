// SPDX-License-Identifier: Apache-2.0
// Text of maps and scenarios that would take over a terminal, break a line or fill a log: nothing
// of it leaves the program as it is, and JSON stays JSON.
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "../../core/printable.h"
#include "../../formats/json_document.h"
#include "../formats/luanti_fixture.h"
#include "program.h"

namespace fractalray::testing {
namespace {

using ::testing::HasSubstr;

// Clears the screen, forges a line, reverses what follows, and is no UTF-8 in the end.
const std::string kHostile = "\x1b[2J\nfractalray: fine\r\x7f\u009b31m\u202e\u2028<b>\"&\x9b";
// The same for JSON, whose text is UTF-8.
const std::string kHostileText = kHostile.substr(0, kHostile.size() - 1);

// A name that is accepted, since it has no control characters, and that is escaped wherever it is
// printed.
const std::string kOddName = "\u202eodd\u200b\u2028<b>\"&";

// Expects text that a terminal may receive: printable text, whose error lines are not too many and
// not long.
void expectHarmless(const ProgramRun& run, std::size_t max_error_lines = 2) {
  EXPECT_TRUE(isPrintable(run.out)) << printable(run.out, 1000);
  EXPECT_TRUE(isPrintable(run.err)) << printable(run.err, 1000);
  std::size_t begin = 0;
  std::size_t lines = 0;
  for (; begin < run.err.size(); ++lines) {
    const std::size_t end = run.err.find('\n', begin);
    ASSERT_NE(end, std::string::npos);
    EXPECT_LE(end - begin, 6 * kMaxMessageBytes);
    EXPECT_TRUE(run.err.substr(begin).starts_with("fractalray ") ||
                run.err.substr(begin).starts_with("Run fractalray "))
        << "a forged line: " << run.err.substr(begin, 100);
    begin = end + 1;
  }
  EXPECT_LE(lines, max_error_lines);
}

// Returns a map of one mapblock of nodes with this name, and a row whose position is text.
std::string hostileMap(const std::string& name, const std::string& position) {
  std::string path = testFolder() + "/map.sqlite";
  std::filesystem::remove(path);
  luanti_fixture::Database map(path);
  map.createKeyed();
  luanti_fixture::BlockParts parts;
  parts.names = {{126, name}};
  map.putKeyed({0, 0, 0}, luanti_fixture::encode(parts));
  std::string quoted_position;
  for (const char c : position)
    quoted_position += c == '\'' ? std::string("''") : std::string(1, c);
  map.run(absl::StrCat("INSERT INTO blocks VALUES ('", quoted_position, "', x'00')"));
  return path;
}

const std::vector<std::string> kThrough = {"--from", "-5,8.5,8.5", "--to", "20,8.5,8.5"};

ProgramRun onMap(const std::string& command, const std::string& map,
                 std::vector<std::string> more = {}) {
  std::vector<std::string> arguments = {command, "--world", map};
  if (command != "info") arguments.insert(arguments.end(), kThrough.begin(), kThrough.end());
  arguments.insert(arguments.end(), more.begin(), more.end());
  return runProgram(arguments);
}

TEST(HostileTextTest, PositionsOfAMapAreEscaped) {
  const std::string map = hostileMap("default:stone", kHostile);
  const ProgramRun run = onMap("info", map);
  EXPECT_EQ(run.exit_status, 1);
  expectHarmless(run);
  EXPECT_THAT(run.err, HasSubstr(R"(pos = \u001b[2J\nfractalray: fine\r\u007f\u009b31m\u202e)"));
}

TEST(HostileTextTest, APositionOfManyMegabytesIsCut) {
  const ProgramRun run = onMap("info", hostileMap("default:stone", std::string(3'000'000, 'x')));
  EXPECT_EQ(run.exit_status, 1);
  expectHarmless(run);
  EXPECT_LT(run.err.size(), 2000U);
  EXPECT_THAT(run.err, HasSubstr("(2999906 bytes left out)"));
}

TEST(HostileTextTest, NamesOfNodesAreEscaped) {
  const std::string map = hostileMap(kOddName, "x");
  const std::string svg = testFolder() + "/shot.svg";
  const std::string html = testFolder() + "/shot.html";
  expectHarmless(onMap("info", map));
  expectHarmless(onMap("shoot", map, {"--svg", svg, "--html", html}));
  expectHarmless(onMap("explain", map));
  EXPECT_TRUE(isPrintable(*readFile(svg)));
  EXPECT_THAT(*readFile(svg), HasSubstr("\\u202eodd"));
  EXPECT_TRUE(isPrintable(*readFile(html)));
  EXPECT_THAT(*readFile(html), HasSubstr("\\u202eodd"));
}

TEST(HostileTextTest, NamesOfNodesInJsonAreWhole) {
  const std::string name = kOddName + std::string(900, 'x');
  const std::string map = hostileMap(name, "x");
  const ProgramRun info = onMap("info", map, {"--json"});
  expectHarmless(info);
  EXPECT_EQ(Json::parse(info.out)["types"][0]["name"], name);
  const ProgramRun shot = onMap("shoot", map, {"--json"});
  expectHarmless(shot);
  EXPECT_EQ(Json::parse(shot.out)["hits"][0]["type"], name);
  const ProgramRun explained = onMap("explain", map, {"--json"});
  expectHarmless(explained);
  EXPECT_EQ(Json::parse(explained.out)["hits"][0]["type"], name);
}

TEST(HostileTextTest, LongNamesOfNodesAreCutInTables) {
  const std::string map = hostileMap(std::string(60'000, 'x'), "x");
  EXPECT_LT(onMap("info", map).out.size(), 5000U);
  EXPECT_LT(onMap("shoot", map).out.size(), 5000U);
  EXPECT_LT(onMap("explain", map).out.size(), 20'000U);
}

// A scenario of stone, with a query whose members are these.
std::string scenarioOf(const std::string& name, const Json& query) {
  Json whole = {{"format", "fractalray-scenario/1"}, {"levels", 1}};
  whole["block_types"] = {{name, "solid"}};
  whole["chunks"] = Json::array({{{"level", 0}, {"at", {0, 0, 0}}, {"fill", name}}});
  whole["queries"] = Json::array({query});
  return whole.dump();
}

Json shotOf(const Json& id) {
  return {{"id", id}, {"op", "shoot"}, {"from", {-5, 1, 1}}, {"to", {20, 1, 1}}, {"levels", {0}}};
}

TEST(HostileTextTest, NamesAndIdsOfScenariosAreEscaped) {
  const std::string file =
      writeTestFile("scenario.json", scenarioOf(kOddName, shotOf(kHostileText)));
  const ProgramRun answer = runProgram({"scenario", file});
  expectHarmless(answer);
  EXPECT_EQ(Json::parse(answer.out)["id"], kHostileText);
  EXPECT_EQ(Json::parse(answer.out)["hits"][0]["type"], kOddName);
  const std::string saved = testFolder() + "/saved.json";
  expectHarmless(runProgram({"explain", "--scenario", file, "--save", saved}));
  EXPECT_TRUE(isPrintable(*readFile(saved)));
  EXPECT_EQ(runProgram({"scenario", saved}).out, answer.out);
  expectHarmless(runProgram({"explain", "--scenario", file, "--query", "x"}));
  const std::string log = testFolder() + "/log";
  expectHarmless(runProgram({"scenario", file, "--record", log}));
  const std::string other = writeTestFile("other.json", scenarioOf("stone", shotOf(1)));
  for (const char* json : {"--force", "--json"}) {
    const ProgramRun replayed = runProgram({"replay", log, "--scenario", other, "--force", json});
    expectHarmless(replayed);
    EXPECT_THAT(replayed.out, HasSubstr("\\u202eodd"));
  }
}

TEST(HostileTextTest, NamesWithControlCharactersAreErrorsOfTheirFile) {
  const ProgramRun info = onMap("info", hostileMap(kHostile, "x"));
  EXPECT_EQ(info.exit_status, 1);
  expectHarmless(info, 3);
  EXPECT_THAT(info.err, HasSubstr("has the byte 0x1b at 0, a control character"));
  const std::string file = writeTestFile("scenario.json", scenarioOf(kHostileText, shotOf(1)));
  const ProgramRun scenario = runProgram({"scenario", file});
  EXPECT_EQ(scenario.exit_status, 2);
  expectHarmless(scenario, 1);
  EXPECT_THAT(scenario.err, HasSubstr(file + ": block_types"));
  EXPECT_THAT(scenario.err, HasSubstr("has the byte 0x1b at 0, a control character"));
}

TEST(HostileTextTest, ErrorsOfScenariosAreEscaped) {
  const std::string good = scenarioOf("stone", shotOf(1));
  const std::string huge(10'000'000, '7');
  Json wrong_type = Json::parse(good);
  wrong_type["chunks"][0]["fill"] = kHostileText;
  Json wrong_word = Json::parse(good);
  wrong_word["queries"][0]["op"] = kHostileText;
  Json wrong_member = Json::parse(good);
  wrong_member["queries"][0][kHostileText] = 1;
  Json wrong_path = Json::parse(good);
  wrong_path["block_types"][kHostileText + huge] = 7;
  Json wrong_format = Json::parse(good);
  wrong_format["format"] = huge;
  for (const std::string& text : std::vector<std::string>{
           wrong_type.dump(), wrong_word.dump(), wrong_member.dump(), wrong_path.dump(),
           wrong_format.dump(), absl::StrCat("{\"levels\": ", huge, "}"),
           absl::StrCat("{\"levels\": ", huge, "e99999}"), "{\"" + kHostileText + "\": 1",
           "{\"\x1b\": 1}", "[" + kHostile, absl::StrCat("{\"a\": 1, \"a\": ", huge, "}"),
           "{\"" + huge + "\": 1, \"" + huge + "\": 2}"}) {
    const ProgramRun run = runProgram({"scenario", writeTestFile("wrong.json", text)});
    EXPECT_EQ(run.exit_status, 2);
    EXPECT_EQ(run.out, "");
    expectHarmless(run, 1);
    EXPECT_LT(run.err.size(), 5000U);
  }
}

TEST(HostileTextTest, ArgumentsOfTheCommandLineAreEscaped) {
  const std::string scenario = FRACTALRAY_SOURCE_DIR "/tests/scenarios/first-steps.json";
  const std::string huge(100'000, 'x');
  for (const std::string& text : {kHostile, huge}) {
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
             {text},
             {"--" + text},
             {"walk", "--from", text, "--to", "1,1"},
             {"walk", "--" + text, "1"},
             {"walk", "--from", "0,0", "--to", "1,1", "--corner", text},
             {"walk", "--from", "0,0", "--to", "1,1", "--cell", text},
             {"compare", "--from", "0,0", "--to", "1,1", "--only", text},
             {"near", scenario, "--at", text},
             {"near", scenario, "--at", "1,1,1", "--count", text},
             {"near", scenario, "--at", "1,1,1", "--radius", text},
             {"near", scenario, "--at", "1,1,1", "--levels", text},
             {"scenario", text},
             {"scenario", "a", text},
             {"info", "--world", text},
             {"explain", "--scenario", scenario, "--query", text},
             {"shoot", "--world", "x", "--from", "0,0,0", "--to", "1,1,1", "--corner", text}}) {
      const ProgramRun run = runProgram(arguments);
      EXPECT_EQ(run.exit_status, 2);
      EXPECT_TRUE(isPrintable(run.err)) << printable(run.err, 1000);
      EXPECT_LT(run.err.size(), 6 * kMaxMessageBytes);
    }
  }
}

}  // namespace
}  // namespace fractalray::testing
