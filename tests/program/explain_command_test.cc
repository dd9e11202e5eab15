// SPDX-License-Identifier: Apache-2.0
// `fractalray explain`: its words, its JSON, what it saves, and what it refuses.
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "../../formats/json_document.h"
#include "../conformance/answers.h"
#include "program.h"

namespace fractalray::testing::explain_command_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const std::string kScenarios = FRACTALRAY_SOURCE_DIR "/tests/scenarios/";
const std::string kWorld = FRACTALRAY_SOURCE_DIR "/examples/worlds/w1";

std::string explained(const std::string& scenario, const std::string& query) {
  const ProgramRun run =
      runProgram({"explain", "--scenario", kScenarios + scenario + ".json", "--query", query});
  EXPECT_EQ(run.exit_status, 0) << run.err;
  return run.out;
}

TEST(ExplainCommandTest, PrintsTheTextOfTheDocs) {
  const ProgramRun run =
      runProgram({"explain", "--scenario", FRACTALRAY_SOURCE_DIR "/docs/figures/shot.json"});
  EXPECT_EQ(run.exit_status, 0);
  EXPECT_THAT(run.err, IsEmpty());
  const absl::StatusOr<std::string> page = readFile(FRACTALRAY_SOURCE_DIR "/docs/explain.md");
  ASSERT_TRUE(page.ok()) << page.status();
  EXPECT_THAT(*page, HasSubstr("```text\n" + run.out + "```\n"));
}

TEST(ExplainCommandTest, NamesTies) {
  EXPECT_THAT(explained("ties", "entities of one plane, and a block"),
              AllOf(HasSubstr("exact tie: entities come before blocks"),
                    HasSubstr("exact tie: the finer level comes first"),
                    HasSubstr("exact tie: the lower id comes first")));
  EXPECT_THAT(explained("ties", "corner, both"),
              AllOf(HasSubstr("exact tie: in the order of the walk"),
                    HasSubstr("planes of x, y and z at t = ")));
  EXPECT_THAT(explained("ties", "an entity that stops, at a wall"),
              HasSubstr("a hit, ends the shot: its callback"));
}

TEST(ExplainCommandTest, NamesTheBudgetThatRanOutAndItsTime) {
  EXPECT_THAT(explained("rules", "two panes, and the third is too much"),
              AllOf(HasSubstr("a hit, costs 1 of panes, 1 left"),
                    HasSubstr("a hit, costs 1 of panes, but only 0 was left: ends the shot"),
                    HasSubstr("The budget panes, 2 at the start, was used up at t = 0.708333333"),
                    HasSubstr("Left: 0 of 2 panes, 3 of 3 water.")));
  EXPECT_THAT(explained("rules", "three blocks into the water"),
              AllOf(HasSubstr("costs 1 of water, but only 0.5 was left:"),
                    HasSubstr("The budget water, 2.5 at the start, was used up at t = 0.41666")));
  EXPECT_THAT(explained("rules", "stopped by leaves"),
              AllOf(HasSubstr("its rule stops the shot: ends the pass"),
                    HasSubstr("a hit, ends the shot: its rule stops it")));
  EXPECT_THAT(explained("rules", "corners cost nothing"),
              HasSubstr("a hit, costs nothing of panes"));
  EXPECT_THAT(explained("again", "charged once"),
              AllOf(HasSubstr("a hit, costs 1 of panes, 1 left"),
                    HasSubstr("a hit, costs nothing more for its pane"),
                    HasSubstr("a hit, costs 1 of panes, 0 left")));
}

TEST(ExplainCommandTest, TakesRulesFromTheCommandLine) {
  const std::vector<std::string> shot = {"explain",     "--world", kWorld,       "--from",
                                         "-184,80,-60", "--to",    "-183,72,-22"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), shot.begin(), shot.end());
    return runProgram(more);
  };
  const std::string saved = testFolder() + "/ruled.json";
  const ProgramRun run =
      with({"--budget", "water=0.5", "--rule", "type=default:water_source budget=water per_block=1",
            "--save", saved});
  EXPECT_EQ(run.exit_status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("0.5 water"));
  EXPECT_EQ(runProgram({"scenario", saved}).exit_status, 0);
  const std::vector<std::pair<std::vector<std::string>, std::string>> refused = {
      {{"--budget", "water"}, "--budget: \"water\": write NAME=AMOUNT"},
      {{"--budget", "water=-1"}, "--budget: \"water=-1\": a budget of -1"},
      {{"--budget", "water=lots"}, "--budget: \"water=lots\": the amount: \"lots\""},
      {{"--budget", "a=1", "--budget", "a=2"}, "there is a budget of that name already"},
      {{"--rule", "type=default:mud response=stop"}, "there is no block type \"default:mud\"; "},
      {{"--rule", "response=stop"}, "a rule has either a type, like"},
      {{"--rule", "categories=6 response=halt"}, "response: expected one of"},
      {{"--rule", "categories=six response=stop"}, "categories: expected an integer"},
      {{"--rule", "categories=6 respons=stop"}, "there is no \"respons\""},
      {{"--rule", "categories=6 levels=x response=stop"}, "levels: \"x\" is not a level"},
      {{"--rule", "categories=6 budget=gold per_hit=1"}, "there is no budget \"gold\""},
      {{"--rule", "stop"}, "\"stop\" is not NAME=VALUE"}};
  for (const auto& [options, message] : refused) {
    const ProgramRun bad = with(options);
    EXPECT_EQ(bad.exit_status, 2) << message;
    EXPECT_THAT(bad.err, HasSubstr(message));
    EXPECT_THAT(bad.out, IsEmpty());
  }
  EXPECT_EQ(runProgram({"explain", "--scenario", kScenarios + "ties.json", "--budget", "a=1"})
                .exit_status,
            2);
}

TEST(ExplainCommandTest, NamesDeferralsAndClips) {
  EXPECT_THAT(explained("deferral", "all levels"),
              AllOf(HasSubstr("defers to its loaded chunk of level 1"),
                    HasSubstr("defers to its loaded chunk of level 2"),
                    HasSubstr("Searched only up to t = ")));
}

TEST(ExplainCommandTest, NamesTheUnknown) {
  EXPECT_THAT(explained("unknown", "into the placeholder"),
              AllOf(HasSubstr("a placeholder"),
                    HasSubstr("Not loaded from t = 0.25 on: chunk [1, 0, 0] of level 1 is a "
                              "placeholder.")));
  EXPECT_THAT(explained("unknown", "stop there, an entity in the gap"),
              HasSubstr("dropped: in or after unloaded space"));
}

TEST(ExplainCommandTest, JsonIsTheAnswerWithMore) {
  const std::string path = kScenarios + "deferral.json";
  const ProgramRun run =
      runProgram({"explain", "--scenario", path, "--query", "all levels", "--json"});
  EXPECT_EQ(run.exit_status, 0);
  const absl::StatusOr<JsonDocument> parsed = parseJson(run.out, "explain");
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  const Json& json = parsed->root();
  const auto answers = parseLines(runProgram({"scenario", path}).out, "scenario");
  ASSERT_TRUE(answers.ok());
  EXPECT_EQ(difference(answers->front(), json), std::nullopt);
  ASSERT_EQ(json["passes"].size(), 3U);
  EXPECT_EQ(json["passes"][0]["level"], 2);
  EXPECT_EQ(json["passes"][2]["runs"][0]["outcome"], "empty");
  // The last one is a fine block after the end that a coarse one set.
  ASSERT_EQ(json["steps"].size(), json["hits"].size() + 1);
  EXPECT_EQ(json["steps"].back()["outcome"], "after the clip");
}

TEST(ExplainCommandTest, ExplainsAShotInTheFrameThatItIsShotIn) {
  // After a descent, and after a chunk has been loaded there.
  EXPECT_THAT(explained("window", "inside"), HasSubstr("entity 5"));
  EXPECT_THAT(explained("window", "blocked"), HasSubstr("stone"));
  EXPECT_THAT(explained("window", "after"), HasSubstr("entity 5"));
}

// Every shot of the scenarios, saved, is answered as it is in its file: also far from the origin,
// on ten levels, with entities, placeholders and nothing at all.
TEST(ExplainCommandTest, SavedShotsHaveTheSameAnswers) {
  int shots = 0;
  for (const char* name : {"far-away", "ten-levels", "unknown", "ties", "start-inside",
                           "categories", "channels", "air", "window"}) {
    const std::string path = kScenarios + name + ".json";
    const std::string saved = testFolder() + "/saved.json";
    const auto answers = parseLines(runProgram({"scenario", path}).out, "scenario");
    ASSERT_TRUE(answers.ok()) << answers.status();
    for (const Json& answer : *answers) {
      if (!answer.contains("hits")) continue;
      const std::string id =
          answer["id"].is_string() ? answer["id"].get<std::string>() : answer["id"].dump();
      const ProgramRun run =
          runProgram({"explain", "--scenario", path, "--query", id, "--save", saved});
      EXPECT_EQ(run.exit_status, 0) << name << ", " << id << ": " << run.err;
      const auto again = parseLines(runProgram({"scenario", saved}).out, "saved");
      ASSERT_TRUE(again.ok() && again->size() == 1);
      EXPECT_EQ(again->front(), answer) << name;
      ++shots;
    }
  }
  EXPECT_GT(shots, 70);
}

TEST(ExplainCommandTest, SavesAShotOfALuantiWorld) {
  const std::string saved = testFolder() + "/report.json";
  const std::vector<std::string> where = {"--world",   kWorld,        "--from",   "-184,80,-60",
                                          "--to",      "-183,72,-22", "--levels", "0-3",
                                          "--channel", "visible"};
  std::vector<std::string> explain = {"explain", "--save", saved};
  explain.insert(explain.end(), where.begin(), where.end());
  const ProgramRun run = runProgram(explain);
  EXPECT_EQ(run.exit_status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("default:glass"));
  std::vector<std::string> shoot = {"shoot", "--unknown", "--json"};
  shoot.insert(shoot.end(), where.begin(), where.end());
  EXPECT_EQ(runProgram({"scenario", saved}).out, runProgram(shoot).out);
}

TEST(ExplainCommandTest, SavesARayAndDrawsIt) {
  const std::string saved = testFolder() + "/ray.json";
  const std::string page = testFolder() + "/ray.html";
  const std::vector<std::string> where = {"--world",        kWorld,     "--origin", "-184,80,-60",
                                          "--direction",    "0.1,-1,4", "--levels", "0-3",
                                          "--max-distance", "64"};
  std::vector<std::string> explain = {"explain", "--save", saved, "--html", page};
  explain.insert(explain.end(), where.begin(), where.end());
  const ProgramRun run = runProgram(explain);
  EXPECT_EQ(run.exit_status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("64 finest blocks long"));
  std::vector<std::string> shoot = {"shoot", "--unknown", "--json"};
  shoot.insert(shoot.end(), where.begin(), where.end());
  EXPECT_EQ(runProgram({"scenario", saved}).out, runProgram(shoot).out);
}

TEST(ExplainCommandTest, TheViewerHasTheShot) {
  const std::string element = R"(<script type="application/json" id="scenario-data">)";
  const std::string viewer =
      writeTestFile("viewer.html", "<html>" + element + "</script>the script</html>");
  const std::string page = testFolder() + "/viewed.html";
  const std::string saved = testFolder() + "/viewed.json";
  std::vector<std::string> explain = {
      "explain", "--scenario", FRACTALRAY_SOURCE_DIR "/docs/figures/shot.json",
      "--html",  page,         "--viewer",
      viewer,    "--save",     saved};
  const ProgramRun run = runProgram(explain);
  EXPECT_EQ(run.exit_status, 0) << run.err;
  EXPECT_EQ(*readFile(page), "<html>" + element + *readFile(saved) + "</script>the script</html>");

  // The page that was written is no viewer, since it has a scenario already.
  explain[6] = page;
  explain[4] = testFolder() + "/again.html";
  const ProgramRun refused = runProgram(explain);
  EXPECT_EQ(refused.exit_status, 2);
  EXPECT_THAT(refused.err, HasSubstr("it is not the playground's page"));
}

TEST(ExplainCommandTest, RefusesToOverwriteTheScenario) {
  const std::string copy = writeTestFile("ties.json", *readFile(kScenarios + "ties.json"));
  for (const char* option : {"--save", "--svg", "--html"}) {
    const ProgramRun run =
        runProgram({"explain", "--scenario", copy, "--query", "the wall next to it", option, copy});
    EXPECT_EQ(run.exit_status, 2);
    EXPECT_EQ(run.err, absl::StrCat("fractalray explain: ", option, ": ", copy,
                                    " is also what --scenario reads and would be overwritten; name "
                                    "another file\n"));
  }
}

TEST(ExplainCommandTest, RefusesWithTheReason) {
  const std::string ties = kScenarios + "ties.json";
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{}, "give either --world, with --from and --to or a ray, or --scenario"},
      {{"--world", kWorld, "--scenario", ties}, "give either --world, "},
      {{"--world", kWorld}, "nothing to explain; give --from and --to, --origin"},
      {{"--world", kWorld, "--from", "1,2,3"},
       "--to is missing; a segment is given by --from x,y,z and --to"},
      {{"--world", kWorld, "--direction", "1,2,3"}, "--origin is missing; a ray is given by"},
      {{"--world", kWorld, "--from", "1,2", "--to", "1,2,3"}, "--from: \"1,2\" has 2 numbers"},
      {{"--world", kWorld, "--from", "1,2,3", "--to", "1,2,3", "--corner", "some"},
       "--corner: \"some\" is not a policy"},
      {{"--world", kWorld, "--from", "1,2,3", "--to", "1,2,3", "--levels", "7"}, ""},
      {{"--scenario", ties}, ties + " has "},
      {{"--world", kWorld, "--from", "1,2,3", "--to", "1,2,3", "--channel", "visble"},
       "--channel: \"visble\" is not a channel of this world; did you mean \"visible\"? There are "
       "default, "},
      {{"--scenario", ties, "--from", "1,2,3"}, "--scenario excludes --from"},
      {{"--scenario", ties, "--channel", "visible"}, "--scenario excludes --channel"},
      {{"--world", kWorld, "--query", "x"}, "--query requires --scenario"},
      {{"--scenario", ties, "--part", "0,0.5"}, "--part selects what a picture shows; give"},
      {{"--scenario", ties, "--query", "no such"}, "--query: \"no such\" is not a shot of " + ties},
      {{"--scenario", kScenarios + "walk-cells.json"},
       "--scenario: " + kScenarios + "walk-cells.json has no shot"},
      {{"--scenario", "/none.json"}, "/none.json: cannot be read"},
      {{"--scenario", kScenarios + "errors.json", "--query", "an empty mask"}, "the level mask"},
  };
  for (const auto& [arguments, reason] : cases) {
    std::vector<std::string> words = {"explain"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const ProgramRun run = runProgram(words);
    EXPECT_EQ(run.exit_status, 2) << reason;
    EXPECT_THAT(run.out, IsEmpty());
    EXPECT_THAT(run.err, StartsWith("fractalray explain: " + reason));
  }
}

}  // namespace
}  // namespace fractalray::testing::explain_command_test
