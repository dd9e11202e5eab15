// SPDX-License-Identifier: Apache-2.0
// The example dive: a fall through a generated world and back, with tables and pictures.
#include "../../examples/dive/dive.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "../program/program.h"

namespace fractalray::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// The part of the output that does not depend on the machine.
std::string countsOf(const std::string& out) {
  return out.substr(0, out.find("a tick, in ms"));
}

std::string diveInto(const std::string& folder, const std::string& seed,
                     const std::string& threads) {
  const ProgramRun run = runProgram(
      {"--levels", "1", "--size", "32x18", "--seed", seed, "--threads", threads, "--out", folder});
  EXPECT_EQ(run.exit_status, 0) << run.err;
  EXPECT_THAT(run.err, IsEmpty()) << "no progress bar where there is no terminal";
  return run.out;
}

TEST(DiveExampleTest, WritesTablesAStripAndAnAnimation) {
  const std::string folder = testFolder() + "/new/folder";
  const std::string out = diveInto(folder, "1", "2");
  EXPECT_THAT(
      out,
      AllOf(StartsWith("Sank through 1 level, from planets into bricks that are worlds"),
            HasSubstr("moves of the window"), HasSubstr("changed blocks found"), HasSubstr("p99"),
            HasSubstr("visibility"), HasSubstr("/dive.png: "), HasSubstr("/dive.webp: ")));
  EXPECT_EQ(contentOf(folder + "/dive.png").substr(1, 3), "PNG");
  const std::string animation = contentOf(folder + "/dive.webp");
  EXPECT_EQ(animation.substr(0, 4), "RIFF");
  EXPECT_THAT(animation, AllOf(HasSubstr("WEBP"), HasSubstr("ANIM"), HasSubstr("ANMF")));
}

TEST(DiveExampleTest, ASignalRemovesTheStoreOfChangedBlocksWithItsLog) {
  const std::string folder = testFolder() + "/temporary";  // without the outputs of the program
  std::filesystem::create_directory(folder);
  const ProgramRun run = runOther(
      {"sh", "-c",
       "TMPDIR=$1 \"$0\" --levels 50 --no-pictures & "
       "for i in $(seq 1000); do ls \"$1\"/*-wal && break; sleep 0.01; done; kill $!; wait $!",
       FRACTALRAY_PROGRAM, folder});
  EXPECT_EQ(run.exit_status, 128 + SIGTERM) << run.err;
  EXPECT_THAT(run.out, HasSubstr("-wal")) << "the log was there";
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST(DiveExampleTest, TheSameSeedGivesTheSameTableAndPicturesWithAnyNumberOfThreads) {
  const std::string one = testFolder() + "/one";
  const std::string two = testFolder() + "/two";
  const std::string other = testFolder() + "/other";
  const std::string counts = countsOf(diveInto(one, "7", "1"));
  EXPECT_EQ(counts, countsOf(diveInto(two, "7", "3")));
  EXPECT_NE(counts, countsOf(diveInto(other, "8", "1")));
  for (const char* const file : {"/dive.png", "/dive.webp"}) {
    EXPECT_FALSE(contentOf(one + file).empty());
    EXPECT_EQ(contentOf(one + file), contentOf(two + file)) << file;
    EXPECT_NE(contentOf(one + file), contentOf(other + file)) << file;
  }
}

TEST(DiveExampleTest, WritesNoFileWithoutPictures) {
  const std::string folder = testFolder() + "/none";
  const ProgramRun run = runProgram({"--levels", "1", "--no-pictures", "--out", folder});
  EXPECT_EQ(run.exit_status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("Sank through 1 level, "));
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST(DiveExampleTest, RefusesWithTheValueAndTheRemedy) {
  const std::string file = writeTestFile("file", "");
  const struct {
    std::vector<std::string> arguments;
    std::string reason;
  } kCases[] = {
      {{"--levels", "0"}, "--levels: Value 0 not in range 1 to 1000"},
      {{"--levels", "1001"}, "--levels: Value 1001 not in range 1 to 1000"},
      {{"--levels", "ten"}, "ten"},
      {{"--seed", "-1"}, "-1"},
      {{"--threads", "0"}, "--threads: Value 0 not in range 1 to 256"},
      {{"--size", "big"}, "--size: \"big\" is not a size"},
      {{"--size", "16384x8", "--out", testFolder() + "/wide"}, "16384 x 8 pixels"},
      {{"--out", file + "/folder"}, "cannot make the folder"},
  };
  for (const auto& test : kCases) {
    const ProgramRun run = runProgram(test.arguments);
    EXPECT_NE(run.exit_status, 0) << test.reason;
    EXPECT_THAT(run.err, HasSubstr(test.reason));
    EXPECT_THAT(run.out, IsEmpty());
  }
}

TEST(DiveExampleTest, NeedsLittleStack) {
  const ProgramRun run = runOther(
      {"sh", "-c", "ulimit -s 256 && exec \"$0\" --levels 3 --no-pictures", FRACTALRAY_PROGRAM});
  EXPECT_EQ(run.exit_status, 0) << run.err;
}

// The whole world around the changes has been dropped and generated again in between.
TEST(DiveTest, FindsItsChangesOnTheWayUp) {
  const ThreadExecutor threads(2);
  const auto made =
      Dive::create({.seed = 1, .levels = 8, .changes = testFolder() + "/changes"}, threads);
  ASSERT_TRUE(made.ok()) << made.status();
  Dive& dive = **made;
  std::size_t ticks = 0;
  const absl::Status status = dive.run([&](const DiveMoment&) {
    ++ticks;
    return absl::OkStatus();
  });
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(ticks, dive.ticks());
  EXPECT_EQ(dive.costs().size(), ticks);
  EXPECT_EQ(dive.down().moves, 8U);
  EXPECT_EQ(dive.up().moves, 8U);
  EXPECT_EQ(dive.deepest().steps().size(), 8U);
  EXPECT_GT(dive.down().changed, 8U * 3);
  EXPECT_EQ(dive.up().found, dive.down().changed);
  EXPECT_EQ(dive.up().missing, 0U);
  EXPECT_GT(dive.up().dropped, 1000U);
  EXPECT_GT(dive.down().hits, dive.down().shots / 4);
  EXPECT_EQ(dive.down().enclosed + dive.up().enclosed, 0U) << "the way is free";
}

TEST(DiveTest, AnErrorAfterATickEndsIt) {
  const ThreadExecutor threads(1);
  const auto made =
      Dive::create({.seed = 1, .levels = 1, .changes = testFolder() + "/changes"}, threads);
  ASSERT_TRUE(made.ok()) << made.status();
  Dive& dive = **made;
  const absl::Status status = dive.run([](const DiveMoment& moment) {
    return moment.tick == 3 ? absl::DataLossError("enough") : absl::OkStatus();
  });
  EXPECT_EQ(status, absl::DataLossError("enough"));
  EXPECT_LT(dive.costs().size(), dive.ticks());
}

TEST(DiveTest, NamesTheStoreThatCannotBeOpened) {
  const ThreadExecutor threads(1);
  const std::string path = testFolder() + "/none/changes";
  const auto made = Dive::create({.changes = path}, threads);
  EXPECT_THAT(std::string(made.status().message()), HasSubstr(path));
}

// Space is clear: an empty block has no chunk with planets in it, not even on the coarsest level.
TEST(DiveSourceTest, OnlyBlocksThatAreNotEmptyHaveChunks) {
  World world({.levels = 1});
  const FractalTypes types(world.blockTypes());
  DiveSource source(world.blockTypes(), types, 1);
  const FractalChunk root(1);
  for (const BlockTypeId wanted :
       {types.space, types.soils[static_cast<std::size_t>(fractalWay(1, types, 2)[1].soil)]}) {
    int index = 0;
    while (root.block({index & 15, (index >> 4) & 15, index >> 8}, types) != wanted)
      ++index;
    EntityIndex entities(world.frame());
    Window window(world, entities, ChunkPath::to(childChunk(blockOf({}, index)), 1));
    auto streamer = ChunkStreamer::create(window, source, {.radii = {StreamRadii{0, 0}}});
    ASSERT_TRUE(streamer.ok());
    const Vec3i inside{1 << 19, 1 << 19, 1 << 19};  // the middle
    ASSERT_TRUE(streamer->tick({&inside, 1}).ok());
    ASSERT_TRUE(streamer->tick({&inside, 1}).ok());
    const bool is_empty = wanted == types.space;
    EXPECT_EQ(streamer->stats().nonexistent, is_empty ? 1U : 0U);
    EXPECT_EQ(world.loadedChunks(0), is_empty ? 0U : 1U);
  }
}

// A stage ends where the next one begins, also where the window moves in between.
TEST(DiveRouteTest, TheCameraFallsWithoutAJump) {
  World world({.levels = Dive::kLevels});
  const FractalTypes types(world.blockTypes());
  const DiveRoute route(5, types, 20);
  for (int stage = 0; stage + 1 < route.stages(); ++stage) {
    const Camera end = route.camera(world.frame(), stage, DiveRoute::kTicks);
    const Camera begin = route.camera(world.frame(), stage + 1, 0);
    const bool moves = DiveRoute::anchorSteps(world.frame(), stage + 1) !=
                       DiveRoute::anchorSteps(world.frame(), stage);
    Vec3d expected = end.position;
    if (moves) {
      const FractalChunk::Step& step = route.target(DiveRoute::anchorSteps(world.frame(), stage));
      for (int axis = 0; axis < 3; ++axis)
        expected[axis] = 16 * (expected[axis] - 4096.0 * step[axis]);
    }
    EXPECT_LT(length(begin.position - expected),
              1e-3 * DiveRoute::blockWidth(world.frame(), stage + 1))
        << stage;
  }
}

}  // namespace
}  // namespace fractalray::testing
