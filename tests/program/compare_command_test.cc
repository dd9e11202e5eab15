// SPDX-License-Identifier: Apache-2.0
// `fractalray compare`: its table, its JSON, its picture and what it refuses.
#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "../../formats/json_document.h"
#include "program.h"

namespace fractalray::testing {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

TEST(CompareCommandTest, PrintsATable) {
  const ProgramRun run = runProgram({"compare", "--from", "0.5,0.5", "--to", "2.5,2.5", "--only",
                                     "bresenham,exact-both,exact-staircase"});
  EXPECT_EQ(run.exit_status, 0);
  EXPECT_THAT(run.err, IsEmpty());
  EXPECT_EQ(run.out,
            "The segment crosses 3 cells.\n"
            "\n"
            "line              cells  missing  superfluous  touched\n"
            "bresenham             3        0            0        0\n"
            "exact-both            7        0            0        4\n"
            "exact-staircase       5        0            0        2\n"
            "\n"
            "exact-both        touched      0,1  1,0  1,2  2,1\n"
            "exact-staircase   touched      1,0  2,1\n");
}

TEST(CompareCommandTest, NamesMissingAndSuperfluousCells) {
  const ProgramRun run = runProgram(
      {"compare", "--from", "0.9375,0.0625", "--to", "6.25,3.375", "--only", "bresenham"});
  EXPECT_EQ(run.out,
            "The segment crosses 10 cells.\n"
            "\n"
            "line              cells  missing  superfluous  touched\n"
            "bresenham             7        5            2        0\n"
            "\n"
            "bresenham         missing      1,0  2,0  3,1  4,1  5,2\n"
            "bresenham         superfluous  1,1  3,2\n");
}

TEST(CompareCommandTest, LongListsAreCutOnlyInTheTable) {
  const std::vector<std::string> words = {"compare", "--from", "0,0",       "--to",
                                          "40,40",   "--only", "exact-both"};
  EXPECT_THAT(runProgram(words).out, HasSubstr("  and 69 more\n"));
  std::vector<std::string> with_json = words;
  with_json.emplace_back("--json");
  const auto json = parseJson(runProgram(with_json).out, "answer");
  ASSERT_TRUE(json.ok()) << json.status();
  EXPECT_EQ(json->root()["lines"][0]["touched"].size(), 81U);
}

TEST(CompareCommandTest, PrintsJson) {
  const ProgramRun run = runProgram({"compare", "--from", "0.5,0.5,0.5", "--to", "1.5,1.5,0.5",
                                     "--only", "exact-neither,exact-staircase", "--json"});
  EXPECT_EQ(run.exit_status, 0);
  EXPECT_EQ(run.out,
            "{\"id\":\"compare\",\"crossed\":[[0,0,0],[1,1,0]],\"lines\":["
            "{\"line\":\"exact-neither\",\"cells\":[[0,0,0],[1,1,0]],\"missing\":[],"
            "\"superfluous\":[],\"touched\":[]},"
            "{\"line\":\"exact-staircase\",\"cells\":[[0,0,0],[1,0,0],[1,1,0]],\"missing\":[],"
            "\"superfluous\":[],\"touched\":[[1,0,0]]}]}\n");
}

TEST(CompareCommandTest, ComparesAllUnlessOnlyIsGiven) {
  for (const char* to : {"9.25,3.5", "9.25,3.5,1.75"}) {
    const std::string from = std::string(to).size() > 8 ? "0.5,0.5,0.5" : "0.5,0.5";
    const auto json =
        parseJson(runProgram({"compare", "--from", from, "--to", to, "--json"}).out, "answer");
    ASSERT_TRUE(json.ok()) << json.status();
    std::vector<std::string> names;
    for (const Json& line : json->root()["lines"])
      names.push_back(line["line"]);
    EXPECT_THAT(
        names, ::testing::ElementsAre("stepping-float", "stepping-double", "bresenham", "dda-float",
                                      "dda-double", "traversal-float", "traversal-double",
                                      "exact-neither", "exact-staircase", "exact-both"));
  }
}

// The figure of docs/compare.md is what the program draws, to the byte.
TEST(CompareCommandTest, DrawsTheFigureOfTheDocs) {
  const std::string path = testFolder() + "/compare.svg";
  const ProgramRun run =
      runProgram({"compare", "--from", "1.28125,1.15625", "--to", "5.578125,3.265625", "--only",
                  "stepping-double,bresenham,dda-double,traversal-double,exact-neither,exact-both",
                  "--svg", path});
  EXPECT_EQ(run.exit_status, 0) << run.err;
  EXPECT_EQ(contentOf(path), contentOf(FRACTALRAY_SOURCE_DIR "/docs/figures/compare.svg"));
}

TEST(CompareCommandTest, APictureHasAPanelForEachLine) {
  const std::string path = testFolder() + "/compare.svg";
  for (const std::string only : {"bresenham", "bresenham,exact-both,exact-neither,dda-float"}) {
    EXPECT_EQ(runProgram({"compare", "--from=-3,7", "--to", "100,250", "--cell", "12.5,60",
                          "--only", only, "--svg", path})
                  .exit_status,
              0);
    const std::string svg = contentOf(path);
    EXPECT_THAT(svg, StartsWith("<svg xmlns="));
    EXPECT_THAT(svg, EndsWith("</svg>\n"));
    std::size_t panels = 0;
    for (std::size_t at = svg.find("font-size=\"14\""); at != std::string::npos;
         at = svg.find("font-size=\"14\"", at + 1)) {
      ++panels;
    }
    EXPECT_EQ(panels, 1U + static_cast<std::size_t>(std::count(only.begin(), only.end(), ',')));
  }
}

TEST(CompareCommandTest, RefusesWithTheReason) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--from", "0,0", "--to", "1,x"}, R"(--to: "x" in "1,x" is not a number)"},
      {{"--from", "0,0", "--to", "1,1,1"}, "--from has 2 numbers and --to has 3"},
      {{"--from", "0,nan", "--to", "1,1"}, "the segment's from.y is NaN"},
      {{"--from", "0,0", "--to", "1e300,1"}, "the segment's to.x is 1e+300"},
      {{"--from", "0,0", "--to", "1e7,0"}, "the segment crosses into 10000000 cells; at most"},
      {{"--from", "0,0", "--to", "1,1", "--cell", "0"}, "--cell: the cell's width is 0"},
      {{"--from", "0,0", "--to", "1,1", "--only", "bresenham,magic"},
       "--only: \"magic\" is not a line algorithm; there are stepping-float, "},
      {{"--from", "0,0,0", "--to", "1,1,1", "--svg", "x.svg"},
       "--svg: pictures are of lines in 2 dimensions"},
      {{"--from", "0,0", "--to", "1,1", "--svg", "x.png"}, "--svg: x.png would hold a SVG file"},
      {{"--from", "0,0", "--to", "90,1", "--svg", "x.svg"},
       "the picture would be 93 cells across; at most 64 are drawn"},
  };
  for (const auto& [arguments, reason] : cases) {
    std::vector<std::string> words = {"compare"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const ProgramRun run = runProgram(words);
    EXPECT_EQ(run.exit_status, 2) << reason;
    EXPECT_THAT(run.out, IsEmpty());
    EXPECT_THAT(run.err, StartsWith("fractalray compare: " + reason));
  }
}

TEST(CompareCommandTest, APictureThatCannotBeWrittenExitsWith1) {
  const ProgramRun run = runProgram(
      {"compare", "--from", "0,0", "--to", "3,2", "--svg", testFolder() + "/none/compare.svg"});
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_THAT(run.out, IsEmpty());
  EXPECT_THAT(run.err, HasSubstr("/none/compare.svg"));
}

}  // namespace
}  // namespace fractalray::testing
