// SPDX-License-Identifier: Apache-2.0
// `fractalray visible`: its words, its JSON, its picture, and what it refuses.
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

#include "../../formats/json_document.h"
#include "../../formats/scenario.h"
#include "../../query/sight.h"
#include "../conformance/answers.h"
#include "program.h"

namespace fractalray::testing::visible_command_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kScenario = FRACTALRAY_SOURCE_DIR "/tests/scenarios/visible.json";
const std::string kFigure = FRACTALRAY_SOURCE_DIR "/docs/figures/sight.json";
const std::string kWorld = FRACTALRAY_SOURCE_DIR "/examples/worlds/w1";

// Runs a query of a scenario, and expects this exit status.
std::string answered(const std::string& query, int exit_status,
                     const std::string& scenario = kScenario,
                     const std::vector<std::string>& more = {}) {
  std::vector<std::string> words = {"visible", "--scenario", scenario, "--query", query};
  words.insert(words.end(), more.begin(), more.end());
  const ProgramRun run = runProgram(words);
  EXPECT_EQ(run.exit_status, exit_status) << query << ": " << run.err;
  EXPECT_THAT(run.err, IsEmpty()) << query;
  return run.out;
}

std::size_t countOf(const std::string& part, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

TEST(VisibleCommandTest, PrintsTheTextOfTheDocs) {
  const absl::StatusOr<std::string> page =
      readFile(FRACTALRAY_SOURCE_DIR "/docs/queries/visible.md");
  ASSERT_TRUE(page.ok()) << page.status();
  EXPECT_THAT(*page, HasSubstr("```text\n" + answered("hidden", 1, kFigure) + "```\n"));
}

TEST(VisibleCommandTest, NamesTheLineThatSeesTheBox) {
  EXPECT_THAT(answered("through the hole", 0),
              AllOf(StartsWith("The eye at 2, 5.5, 5.5 looks at the box from 12, 5, 5 to 13, 6, 6, "
                               "through level 0, in channel default.\n\nVisible: the line in "
                               "direction "),
                    HasSubstr("It enters the box at 12, 5."), HasSubstr(", through -x, 10")));
  // The hole is 7 away and 1 wide, so that it shows 10/7 of the plane x = 12: all of the box.
  EXPECT_THAT(answered("through the hole", 0),
              HasSubstr("The eye sees 100 % of the points of the box.\n"));
  EXPECT_THAT(answered("through a wall", 0), AllOf(HasSubstr("Its options: through 1.\n"),
                                                   HasSubstr("crosses at most 1 occluder before")));
}

TEST(VisibleCommandTest, NamesTheShareThatIsSeen) {
  EXPECT_THAT(answered("a unit lower", 0),
              AllOf(HasSubstr("Visible"), HasSubstr("The eye sees less than 0.001 % of")));
  const std::string sheet = answered("a crack of a unit", 0);
  EXPECT_THAT(sheet,
              AllOf(HasSubstr("Its options: further occluders 2.\n"), Not(HasSubstr("100 %"))));
}

TEST(VisibleCommandTest, AnEyeInTheBoxSeesIt) {
  EXPECT_THAT(answered("eye in the box", 0), HasSubstr("\nVisible: the eye is in the box.\n"));
  EXPECT_THAT(answered("eye on the box", 0), HasSubstr("\nVisible: the eye is in the box.\n"));
}

TEST(VisibleCommandTest, NamesTheOneBoxThatHides) {
  const std::string text = answered("aside", 1);
  EXPECT_THAT(text, AllOf(HasSubstr("\nHidden: this solid box is enough to hide it, whatever else "
                                    "changes:\n"),
                          HasSubstr(" stone "), HasSubstr("100 %"), Not(HasSubstr("not loaded"))));
  EXPECT_THAT(answered("a sheet", 1),
              AllOf(HasSubstr("occluders of the query"), HasSubstr("100 %")));
  EXPECT_THAT(answered("a screen", 1), AllOf(HasSubstr("entity 1"), HasSubstr("100 %")));
  EXPECT_THAT(answered("outside, solid", 1), HasSubstr("space that is not loaded"));
}

TEST(VisibleCommandTest, NamesTheTwoBoxesThatHideTogether) {
  const std::string text = answered("hidden", 1, kFigure);
  EXPECT_THAT(text, AllOf(HasSubstr("\nHidden: these solid boxes are enough to hide it"),
                          HasSubstr(" stone "), HasSubstr(" wood "), Not(HasSubstr(" 100 %")),
                          HasSubstr("shares may overlap")));
  EXPECT_EQ(countOf(" %\n", text), 2U) << text;
}

TEST(VisibleCommandTest, NamesTheEndOfWhatIsLoaded) {
  EXPECT_THAT(answered("outside", 1),
              AllOf(HasSubstr("\nUnknown: no line sees the box through what is loaded, but "),
                    HasSubstr("On it unloaded space begins at 16, 5."),
                    HasSubstr(": chunk [1, 0, 0] of level 0 is"),
                    HasSubstr("All of the points of the box could be seen.\n")));
}

TEST(VisibleCommandTest, SaysThatAFlatBoxIsSeenFromItsPlane) {
  EXPECT_THAT(answered("flat, edge on", 1),
              HasSubstr("\nHidden: the box is flat, and the eye is in its plane.\n"));
}

// The members of the scenario's answer are the same, and the certificate proves it.
TEST(VisibleCommandTest, JsonIsTheAnswerWithMore) {
  const absl::StatusOr<Scenario> scenario = readScenario(kScenario);
  ASSERT_TRUE(scenario.ok()) << scenario.status();
  int partly_seen = 0;
  int hidden = 0;
  const auto answers = parseLines(runProgram({"scenario", kScenario}).out, "scenario");
  ASSERT_TRUE(answers.ok()) << answers.status();
  ASSERT_EQ(answers->size(), scenario->queries.size());
  for (std::size_t i = 0; i < answers->size(); ++i) {
    Json expected = (*answers)[i];
    if (expected.contains("error")) continue;
    const std::string sight = expected["sight"].get<std::string>();
    const Json json = Json::parse(answered(expected["id"].get<std::string>(),
                                           sight == "visible" ? 0 : 1, kScenario, {"--json"}));
    EXPECT_EQ(json["sight"], sight);
    EXPECT_EQ(json.contains("witness"), sight == "visible");
    EXPECT_EQ(json["line"].is_null(), sight == "hidden");
    EXPECT_EQ(json["unloaded"].is_null(), sight != "unknown") << expected["id"];
    // A share below 2^-30 is rounded to 0.
    if (json["exposure"][0] > 0) {
      EXPECT_EQ(sight, "visible") << expected["id"];
      ++partly_seen;
    }
    EXPECT_EQ(json["exposure"][1] > 0, sight != "hidden") << expected["id"];
    if (sight != "hidden") continue;
    ++hidden;
    ASSERT_EQ(json["hiding"].size(), json["certificate"].size());
    std::vector<FixedBox> boxes;
    for (const Json& box : json["certificate"]) {
      FixedBox& read = boxes.emplace_back();
      for (int axis = 0; axis < 3; ++axis) {
        read.min[axis] = box[0][static_cast<std::size_t>(axis)].get<std::int64_t>();
        read.max[axis] = box[1][static_cast<std::size_t>(axis)].get<std::int64_t>();
      }
    }
    const auto& asked = std::get<ViewQuery>(scenario->queries[i].ask);
    const auto view = prepareView(asked, scenario->world.blockTypes());
    ASSERT_TRUE(view.ok());
    const absl::StatusOr<bool> proof = hides(boxes, view->query);
    EXPECT_TRUE(proof.ok() && *proof) << expected["id"];
    // Each box hides a part of it, and one box alone all.
    for (const Json& each : json["hiding"]) {
      EXPECT_GT(each["covers"][1], 0) << expected["id"];
      if (json["hiding"].size() == 1) {
        EXPECT_EQ(each["covers"][0], 1) << expected["id"];
      }
    }
  }
  EXPECT_GT(hidden, 8);
  EXPECT_GT(partly_seen, 8);
}

TEST(VisibleCommandTest, AnswersInAWorld) {
  const std::vector<std::string> look = {"visible",
                                         "--world",
                                         kWorld,
                                         "--eye",
                                         "-184.5,80.5,-52.5",
                                         "--box",
                                         "-185,80,-46..-184,81,-45.5"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = look;
    words.insert(words.end(), more.begin(), more.end());
    return runProgram(words);
  };
  // There is a wall of glass between.
  const ProgramRun solid = with({});
  EXPECT_EQ(solid.exit_status, 1) << solid.err;
  EXPECT_THAT(solid.out, AllOf(HasSubstr("Hidden"), HasSubstr("default:glass")));
  const ProgramRun seen = with({"--channel", "visible"});
  EXPECT_EQ(seen.exit_status, 0) << seen.err;
  EXPECT_THAT(seen.out, HasSubstr(" visible.\n\nVisible: the line"));
  EXPECT_EQ(with({"--through", "1"}).exit_status, 0);
  EXPECT_EQ(with({"--no-blocks"}).exit_status, 0);
  const ProgramRun limited = with({"--max-steps", "0"});
  EXPECT_EQ(limited.exit_status, 1);
  EXPECT_THAT(limited.err, HasSubstr("RESOURCE_EXHAUSTED"));
}

TEST(VisibleCommandTest, DrawsTheBoxAndTheShadows) {
  const std::string file = testFolder() + "/view.svg";
  answered("hidden", 1, kFigure, {"--svg", file});
  const std::string hidden = contentOf(file);
  EXPECT_THAT(hidden, AllOf(StartsWith("<svg "), HasSubstr(">Hidden by 2 boxes</text>"),
                            HasSubstr("in perspective onto the plane x = 12</text>"),
                            HasSubstr(" stone, covers "), HasSubstr(" wood, covers ")));
  EXPECT_EQ(countOf("stroke-dasharray=\"6 3\"", hidden), 2U) << "two shadows";
  answered("seen", 0, kFigure, {"--svg", file});
  const std::string seen = contentOf(file);
  EXPECT_THAT(seen, AllOf(HasSubstr(">Visible: "), HasSubstr("a line that sees it enters it at "),
                          Not(HasSubstr("stroke-dasharray=\"6 3\""))));
  answered("outside", 1, kScenario, {"--svg", file});
  EXPECT_THAT(contentOf(file), AllOf(HasSubstr(">Unknown: at most 100 % of the box</text>"),
                                     HasSubstr("space that is not loaded begins")));
  answered("eye in the box", 0, kScenario, {"--svg", file});
  EXPECT_THAT(contentOf(file), HasSubstr(">Visible: the eye is in the box</text>"));
  for (const char* const query : {"flat", "flat, edge on", "eye in stone", "a crack of a unit"}) {
    runProgram({"visible", "--scenario", kScenario, "--query", query, "--svg", file});
    EXPECT_THAT(contentOf(file), AllOf(Not(HasSubstr("nan")), Not(HasSubstr("inf")))) << query;
  }
}

TEST(VisibleCommandTest, WritesAPageWithTheBoxesAndTheWords) {
  const std::string file = testFolder() + "/view.html";
  answered("hidden", 1, kFigure, {"--html", file});
  const std::string hidden = contentOf(file);
  EXPECT_THAT(hidden, AllOf(StartsWith("<!DOCTYPE html>"), HasSubstr("<h1>The eye at "),
                            HasSubstr("\nHidden: these solid boxes are enough to hide it")));
  EXPECT_EQ(countOf(R"("sphere":false)", hidden), 3U) << "the box, and two that hide it";
  EXPECT_EQ(countOf(R"("text":"the box","hit":true)", hidden), 1U);
  EXPECT_THAT(hidden, Not(HasSubstr(R"("around":[])"))) << "the blocks that hide it";
  answered("seen", 0, kFigure, {"--html", file});
  const std::string seen = contentOf(file);
  EXPECT_THAT(seen,
              AllOf(HasSubstr("\nVisible: the line in direction "), HasSubstr(R"("around":[])")));
  EXPECT_EQ(countOf(R"("sphere":false)", seen), 1U);
  for (const char* const query : {"outside", "eye in the box", "flat", "flat, edge on",
                                  "eye in stone", "a crack of a unit"}) {
    runProgram({"visible", "--scenario", kScenario, "--query", query, "--html", file});
    const std::string page = contentOf(file);
    const std::string trace = page.substr(page.find("const trace = "));
    EXPECT_THAT(trace.substr(0, trace.find('\n')),
                AllOf(HasSubstr("\"the box\""), Not(HasSubstr("null")), Not(HasSubstr("nan"))))
        << query;
  }
}

TEST(VisibleCommandTest, RefusesWithTheReason) {
  const std::string copy = writeTestFile("visible.json", contentOf(kScenario));
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{}, "give either --world, with --eye and --box, or --scenario"},
      {{"--world", kWorld, "--scenario", copy}, "give either --world, "},
      {{"--world", kWorld}, "--eye is missing; give --eye x,y,z and --box x,y,z..x,y,z"},
      {{"--world", kWorld, "--eye", "1,2,3"}, "--box is missing; give --eye"},
      {{"--world", kWorld, "--eye", "1,2", "--box", "1,2,3..2,3,4"},
       "--eye: \"1,2\" has 2 numbers"},
      {{"--world", kWorld, "--eye", "1,2,3", "--box", "1,2,3"}, "--box: \"1,2,3\" has no \"..\"; "},
      {{"--world", kWorld, "--eye", "1,2,3", "--box", "1,2,3..2,x,4"}, "--box: \"x\" in "},
      {{"--world", kWorld, "--eye", "1,2,3", "--box", "1,2,3..1,2,4"},
       "--box: \"1,2,3..1,2,4\": it has no width along xy; a box may be flat on one axis"},
      {{"--world", kWorld, "--eye", "1,2,3", "--box", "1,2,3..0,4,4"},
       "--box: \"1,2,3..0,4,4\": its lower x is 1, above its upper x, 0; exchange them"},
      {{"--world", kWorld, "--eye", "1e30,2,3", "--box", "1,2,3..2,4,4"}, "the eye.x"},
      {{"--world", kWorld, "--eye", "1,2,3", "--box", "1,2,3..2,4,4", "--levels", "7"},
       "the mask of level '7' has no active level"},
      {{"--world", kWorld, "--eye", "1,2,3", "--box", "1,2,3..2,4,4", "--channel", "visble"},
       "--channel: \"visble\" is not a channel of this world; did you mean \"visible\"?"},
      {{"--world", kWorld, "--eye", "1,2,3", "--box", "1,2,3..2,4,4", "--unloaded", "maybe"},
       "--unloaded: \"maybe\" is not one of its values"},
      {{"--world", kWorld, "--eye", "1,2,3", "--box", "1,2,3..2,4,4", "--through", "4294967296"},
       "--through: \"4294967296\" is not a whole number from 0 to 4294967295"},
      {{"--scenario", copy}, copy + " has 42 queries of sight; choose one by --query"},
      {{"--scenario", copy, "--query", "x"}, "--query: \"x\" is not a query of sight of " + copy},
      {{"--scenario", copy, "--query", "a line"}, "the box has no width along the axes xy"},
      {{"--scenario", copy, "--eye", "1,2,3"}, "--scenario excludes --eye"},
      {{"--scenario", copy, "--through", "1"}, "--scenario excludes --through"},
      {{"--scenario", copy, "--query", "aside", "--svg", copy}, "--svg: " + copy},
      {{"--scenario", copy, "--query", "aside", "--svg", "view.png"}, "--svg: view.png"},
      {{"--scenario", copy, "--query", "aside", "--html", "view.svg"}, "--html: view.svg"},
  };
  for (const auto& [arguments, reason] : cases) {
    std::vector<std::string> words = {"visible"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const ProgramRun run = runProgram(words);
    EXPECT_EQ(run.exit_status, 2) << reason;
    EXPECT_THAT(run.out, IsEmpty());
    EXPECT_THAT(run.err, StartsWith("fractalray visible: " + reason));
  }
}

}  // namespace
}  // namespace fractalray::testing::visible_command_test
