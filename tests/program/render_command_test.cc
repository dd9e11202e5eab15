// SPDX-License-Identifier: Apache-2.0
// The commands that make pictures of a world, render and demo, on the bundled one.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "program.h"

namespace fractalray::testing::render_command_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr const char* kWorld = FRACTALRAY_SOURCE_DIR "/examples/worlds/w1";

TEST(RenderCommandTest, WritesAPngOfTheAskedSize) {
  const std::string path = testFolder() + "/view.png";
  const ProgramRun run =
      runProgram({"render", "--world", kWorld, "--out", path, "--size", "48x32"});
  EXPECT_EQ(run.exit_status, 0) << run.err;
  EXPECT_THAT(run.err, IsEmpty()) << "no progress bar where there is no terminal";
  std::ifstream file(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  ASSERT_GT(bytes.size(), 24U);
  EXPECT_EQ(bytes.substr(1, 3), "PNG");
  EXPECT_EQ(bytes.substr(16, 8), std::string("\0\0\0\x30\0\0\0\x20", 8));
}

// On a copy of the world, since a program that fails here overwrites it.
TEST(RenderCommandTest, RefusesToOverwriteWhatIsRead) {
  const std::string map = testFolder() + "/map.sqlite";
  std::filesystem::copy_file(std::string(kWorld) + "/map.sqlite", map);
  const std::string link = testFolder() + "/link";
  std::filesystem::create_symlink("map.sqlite", link);
  for (const std::string& out : {map, link}) {
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
             {"render", "--world", testFolder(), "--size", "8x8", "--out", out},
             {"render", "--world", map, "--size", "8x8", "--out", out},
             {"shoot", "--world", map, "--from", "0,0,0", "--to", "1,1,1", "--record", out}}) {
      const ProgramRun run = runProgram(arguments);
      EXPECT_EQ(run.exit_status, 2);
      EXPECT_THAT(run.err, HasSubstr(out + " is also what --world reads and would be overwritten; "
                                           "name another file"));
    }
  }
  EXPECT_EQ(runProgram({"info", "--world", map}).exit_status, 0);
}

TEST(RenderCommandTest, RefusesWithTheReasonAndLeavesNothing) {
  const std::string path = testFolder() + "/view.png";
  const struct {
    std::vector<std::string> arguments;
    std::string reason;
    int exit_status;
  } kCases[] = {
      {{"--out", path, "--size", "0x10"}, "--size", 2},
      {{"--out", path, "--size", "big"}, "--size", 2},
      {{"--out", path, "--fov", "180"}, "180", 2},
      {{"--out", path, "--camera", "1,2,3", "--look-at", "1,2,3"},
       "looks from 1, 2, 3 at 1, 2, 3",
       2},
      {{"--out", path, "--fov", "7x"}, "--fov: \"7x\" is not a number", 2},
      {{"--out", path, "--channel", "visble"}, "did you mean \"visible\"?", 2},
      {{"--out", path, "--camera", "1,2,3", "--look-at", "1,2,3"}, "camera", 2},
      {{"--out", path, "--size", "8x8", "--distance", "-1"}, "--distance", 2},
      {{"--out", path, "--size", "8x8", "--samples", "9"}, "9 samples across a pixel", 2},
      {{"--out", testFolder() + "/view.jpg", "--size", "8x8"},
       "/view.png and convert it if you need another type",
       2},
      {{"--out", testFolder() + "/none/view.png", "--size", "8x8"}, "none/view.png", 1},
  };
  for (const auto& test : kCases) {
    std::vector<std::string> arguments = {"render", "--world", kWorld};
    arguments.insert(arguments.end(), test.arguments.begin(), test.arguments.end());
    const ProgramRun run = runProgram(arguments);
    EXPECT_EQ(run.exit_status, test.exit_status) << test.reason;
    EXPECT_THAT(run.err, AllOf(StartsWith("fractalray render: "), HasSubstr(test.reason)));
    EXPECT_FALSE(std::filesystem::exists(path));
  }
}

TEST(RenderCommandTest, WarnsOfACameraInsideABlock) {
  const std::string path = testFolder() + "/view.png";
  const auto render = [&](const std::string& camera, const std::string& levels) {
    return runProgram({"render", "--world", kWorld, "--out", path, "--size", "8x8", "--camera",
                       camera, "--look-at", "-190,0,-30", "--levels", levels});
  };
  const ProgramRun inside = render("-190.5,-20.5,-30.5", "3");
  EXPECT_EQ(inside.exit_status, 0);
  EXPECT_EQ(
      inside.err,
      "fractalray render: warning: the camera is inside a block of default:stone of level 3, "
      "so the picture shows nothing else; move --camera, or leave the level out of --levels\n");
  EXPECT_THAT(render("-190.5,120.5,-30.5", "3").err, IsEmpty());
}

// From any folder, with the world that comes with the program.
TEST(DemoCommandTest, FindsItsWorldFromWhereTheProgramIs) {
  const ProgramRun run = runOther(
      {"sh", "-c",
       "cd '" + testFolder() + "' && '" FRACTALRAY_PROGRAM "' demo --size 16x9 && ls out"});
  EXPECT_EQ(run.exit_status, 0) << run.err;
  EXPECT_THAT(run.out,
              AllOf(HasSubstr("share/fractalray/worlds/w1, a Luanti world: 1728 mapblocks"),
                    HasSubstr("\ndemo-level-2.png\ndemo.png\n")));
}

TEST(DemoCommandTest, ShowsShotsAndLeavesPictures) {
  const std::string out = testFolder() + "/pictures";
  const ProgramRun run = runProgram({"demo", "--world", kWorld, "--out", out, "--size", "96x54"});
  EXPECT_EQ(run.exit_status, 0) << run.err;
  std::istringstream lines(run.out.substr(run.out.find("A bullet")));
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), 120U) << line;
  // A dozen equal hits are one row.
  EXPECT_THAT(run.out, AllOf(HasSubstr("default:water_source x 12  "),
                             HasSubstr("default:water_source x 12 from 22.44 to 31.32, ")));
  EXPECT_THAT(run.out,
              AllOf(HasSubstr("Dropped 50 entities"), HasSubstr("default:glass"),
                    HasSubstr("default:water_source"), HasSubstr("balloon"), HasSubstr("giant"),
                    HasSubstr("coarse:"), HasSubstr("callbacks, in their order: ")));
  for (const char* picture : {"/demo.png", "/demo-level-2.png"})
    EXPECT_GT(std::filesystem::file_size(out + picture), 1'000U);
}

}  // namespace
}  // namespace fractalray::testing::render_command_test
