// SPDX-License-Identifier: Apache-2.0
// Pictures of walks and shots: the figures of the docs to the byte, and what they show and refuse.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "../../tools/program/trace.h"
#include "../../tools/program/trace_svg.h"
#include "program.h"

namespace fractalray::testing::picture_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kFigures = FRACTALRAY_SOURCE_DIR "/docs/figures/";
const std::string kWorld = FRACTALRAY_SOURCE_DIR "/examples/worlds/w1";

std::size_t countOf(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

TEST(PictureTest, DrawsTheFiguresOfTheDocs) {
  const std::string path = testFolder() + "/picture.svg";
  EXPECT_EQ(runProgram({"walk", "--from", "0.5,0.5,0.5", "--to", "6.5,4.5,2.5", "--svg", path})
                .exit_status,
            0);
  EXPECT_EQ(contentOf(path), contentOf(kFigures + "walk.svg"));
  EXPECT_EQ(
      runProgram({"explain", "--scenario", kFigures + "shot.json", "--svg", path}).exit_status, 0);
  EXPECT_EQ(contentOf(path), contentOf(kFigures + "shot.svg"));
}

TEST(PictureTest, AWalkIsNumberedInItsOrder) {
  const std::string path = testFolder() + "/walk.svg";
  const ProgramRun run = runProgram(
      {"walk", "--from", "0.5,0.5", "--to", "2.5,2.5", "--corner", "neither", "--svg", path});
  EXPECT_EQ(run.exit_status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("3 cells, 4 crossings")) << "the table comes all the same";
  const std::string svg = contentOf(path);
  EXPECT_THAT(svg, AllOf(HasSubstr(">3 cells, corner policy neither<"), HasSubstr(">3</text>"),
                         Not(HasSubstr(">4</text>")), HasSubstr(">2 exact corner crossings<"),
                         HasSubstr(">right: x 0 to 2; up: y 0 to 2<")));
  // One ring each, and one in the legend.
  EXPECT_EQ(countOf(svg, "stroke=\"#e07b00\""), 3U);
}

// Cells have their indices along the axes, every second, fourth or so where they are small.
TEST(PictureTest, AxesHaveCoordinates) {
  const std::string path = testFolder() + "/walk.svg";
  EXPECT_EQ(
      runProgram({"walk", "--from", "0.5,-0.5", "--to", "2.5,0.5", "--svg", path}).exit_status, 0);
  const std::string few = contentOf(path);
  const std::string grey = R"( fill="#666666">)";
  for (const char* label : {"-2", "-1", "0", "1", "2", "3", "x", "y"})
    EXPECT_THAT(few, HasSubstr(grey + label + "</text>")) << label;
  EXPECT_EQ(countOf(few, R"(font-weight="bold")" + grey), 2U) << "the names of the axes";
  EXPECT_EQ(
      runProgram({"walk", "--from", "100.5,0.5", "--to", "160.5,40.5", "--svg", path}).exit_status,
      0);
  const std::string many = contentOf(path);
  EXPECT_THAT(many, AllOf(HasSubstr(grey + "104</text>"), Not(HasSubstr(grey + "105</text>")),
                          HasSubstr(grey + "8</text>"), Not(HasSubstr(grey + "9</text>"))));
}

// In space two views are drawn only if one does not show all cells apart.
TEST(PictureTest, AWalkInSpaceHasTheViewsThatItTakes) {
  const std::string path = testFolder() + "/walk.svg";
  EXPECT_EQ(runProgram({"walk", "--from", "0.5,0.5,0.5", "--to", "4.5,2.5,0.75", "--svg", path})
                .exit_status,
            0);
  EXPECT_EQ(countOf(contentOf(path), "seen along"), 1U);
  EXPECT_EQ(runProgram({"walk", "--from", "0.5,0.5,0.5", "--to", "4.5,2.5,1.75", "--svg", path})
                .exit_status,
            0);
  EXPECT_EQ(countOf(contentOf(path), "seen along"), 2U);
}

TEST(PictureTest, AShotHasAPictureForEachLevelOfItsMask) {
  const std::string path = testFolder() + "/shot.svg";
  const std::vector<std::string> into_glass = {"shoot",       "--world", kWorld,        "--from",
                                               "-184,80,-60", "--to",    "-183,72,-22", "--svg",
                                               path,          "--levels"};
  for (const auto& [levels, pictures] : {std::pair("3", 1U), std::pair("0-3", 4U)}) {
    std::vector<std::string> words = into_glass;
    words.emplace_back(levels);
    const ProgramRun run = runProgram(words);
    EXPECT_EQ(run.exit_status, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("ended at distance 11.2449"));
    const std::string svg = contentOf(path);
    EXPECT_EQ(countOf(svg, ">Level "), pictures);
    EXPECT_THAT(svg,
                AllOf(HasSubstr(">1   default:glass [-184, 77, -49] on level 3, t = 0.289473684"),
                      HasSubstr("not visited: after the end")));
  }
}

// A long segment is drawn only as far as it fits; a part may be requested.
TEST(PictureTest, DrawsAPartOfALongSegment) {
  const std::string path = testFolder() + "/shot.svg";
  std::vector<std::string> words = {
      "explain", "--world", kWorld, "--from", "-183.5,500.5,-25.5", "--to", "-183.5,-500.5,-25.5",
      "--svg",   path};
  EXPECT_EQ(runProgram(words).exit_status, 0);
  EXPECT_THAT(contentOf(path), HasSubstr("; drawn from t = 0."));
  words.insert(words.end(), {"--part", "0.41,0.43"});
  EXPECT_EQ(runProgram(words).exit_status, 0);
  EXPECT_THAT(contentOf(path), HasSubstr("; drawn from t = 0.41 to 0.43<"));
  words.back() = "0.1,0.9";
  const ProgramRun refused = runProgram(words);
  EXPECT_EQ(refused.exit_status, 2);
  EXPECT_THAT(refused.err, HasSubstr("the picture of level 3 would be 801 cells across; at most 62 "
                                     "are drawn; make --part smaller"));
}

TEST(PictureTest, RefusesWithTheReason) {
  const std::vector<std::string> shot = {"shoot", "--world", kWorld,  "--from", "0,0,0",
                                         "--to",  "9,0,0",   "--svg", "x.svg"};
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> words = shot;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"walk", "--from", "0,0", "--to", "64,1", "--svg", "x.svg"},
       "the picture would be 65 cells across; at most 64 are drawn"},
      {{"walk", "--from", "0,0", "--to", "1,9000000", "--svg", "x.svg"},
       "the picture would be 9000001 cells across"},
      {with({"--closest"}), "--svg and --html draw one whole shot"},
      {with({"--occluded"}), "--svg and --html draw one whole shot"},
      {with({"--segments", "-"}), "--svg and --html draw one whole shot"},
      {with({"--part", "0.5"}), "--part: \"0.5\" has 1 number; write 2 numbers"},
      {with({"--part", "0.5,0.5"}), "--part: \"0.5,0.5\" is not a part of the segment"},
      {with({"--part", "0.5,1.5"}), "--part: \"0.5,1.5\" is not a part of the segment"},
  };
  for (const auto& [words, reason] : cases) {
    const ProgramRun run = runProgram(words);
    EXPECT_EQ(run.exit_status, 2) << reason;
    EXPECT_THAT(run.err, StartsWith("fractalray " + words.front() + ": " + reason));
  }
}

TEST(PictureTest, AFileThatCannotBeWrittenExitsWith1) {
  for (const std::string option : {"--svg", "--html", "--save"}) {
    const std::string path = testFolder() + "/none/picture";
    const ProgramRun run =
        runProgram({"explain", "--scenario", kFigures + "shot.json", option, path});
    EXPECT_EQ(run.exit_status, 1) << option;
    EXPECT_THAT(run.err, HasSubstr(path));
  }
}

// Counts the drawn elements, for each cell style and mark, without a program in between.
TEST(PictureTest, DrawsCellStylesMarksAndShapes) {
  Trace trace{.title = "t", .dimensions = 2, .segment = {{5, 5, 0}, {125, 5, 0}}, .end = 0.5};
  trace.lines = {"a line"};
  TraceGrid& grid = trace.grids.emplace_back();
  grid.title = "a < b";
  grid.widths = {10, 10, 10};
  for (std::size_t look = 0; look < kCellLooks; ++look) {
    grid.cells.push_back(
        {{static_cast<std::int64_t>(look), 0, 0}, look, static_cast<CellLook>(look)});
  }
  grid.marks = {{TraceMark::Kind::kHit, 0.5, "1"},
                {TraceMark::Kind::kHit, 0.5, "2"},
                {TraceMark::Kind::kUnknown, 0.75}};
  grid.shapes = {{.is_sphere = true, .center = {20, 5, 0}, .half_extents = {4, 4, 4}, .text = "9"}};
  const absl::StatusOr<std::string> svg = drawTrace(trace);
  ASSERT_TRUE(svg.ok()) << svg.status();
  EXPECT_THAT(*svg, AllOf(HasSubstr(">a &lt; b<"), HasSubstr(">1,2</text>"), HasSubstr(">?</text>"),
                          HasSubstr(">9</text>"), HasSubstr(">a line</text>")));
  for (std::size_t look = 0; look < kCellLooks; ++look)
    EXPECT_THAT(*svg, HasSubstr(">" + std::string(textOf(static_cast<CellLook>(look))) + "<"));
  EXPECT_EQ(*svg, *drawTrace(trace));
  EXPECT_EQ(countOf(*svg, "stroke-dasharray=\"5 4\""), 1U) << "the clipped part";
}

TEST(PictureTest, NothingToDrawIsAnEmptyPicture) {
  const absl::StatusOr<std::string> svg = drawTrace({.title = "t"});
  ASSERT_TRUE(svg.ok());
  EXPECT_THAT(*svg, StartsWith("<svg "));
}

// In finest-block widths from the segment's start.
TEST(PictureTest, ATraceAsJsonHasPositionsFromItsStart) {
  constexpr std::int64_t kFar = std::int64_t{1} << 60;
  Trace trace{.title = "t", .segment = {{kFar, 0, 0}, {kFar + 3 * kUnitsPerBlock, 0, 0}}};
  TraceGrid& grid = trace.grids.emplace_back();
  grid.title = "</script>";
  grid.widths = {kUnitsPerBlock, kUnitsPerBlock, kUnitsPerBlock};
  grid.cells = {{{kFar / kUnitsPerBlock + 1, 0, 0}, 2, CellLook::kSolid}};
  const std::string json = traceJson(trace);
  EXPECT_THAT(json, AllOf(HasSubstr("{\"to\":[3,0,0],\"end\":1,"),
                          HasSubstr("\"cells\":[[1,0,0,2,7]]"), Not(HasSubstr("<"))));
}

}  // namespace
}  // namespace fractalray::testing::picture_test
