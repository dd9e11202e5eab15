// SPDX-License-Identifier: Apache-2.0
#include "../../tools/program/output.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "../../formats/json_document.h"
#include "program.h"

namespace fractalray {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using testing::testFolder;
using testing::writeTestFile;

std::vector<std::string> filesIn(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

TEST(WriteFileAtomicallyTest, MakesAndReplacesFiles) {
  const std::string path = testFolder() + "/a.txt";
  ASSERT_TRUE(writeFileAtomically(path, "one").ok());
  EXPECT_EQ(*readFile(path), "one");
  ASSERT_TRUE(writeFileAtomically(path, std::string(1'000'000, 'x')).ok());
  EXPECT_EQ(readFile(path)->size(), 1'000'000U);
  ASSERT_TRUE(writeFileAtomically(path, "").ok());
  EXPECT_EQ(*readFile(path), "");
  EXPECT_EQ(filesIn(testFolder()), std::vector<std::string>{"a.txt"});
}

TEST(WriteFileAtomicallyTest, KeepsThePermissionsOfWhatItReplaces) {
  const std::string path = writeTestFile("a.txt", "one");
  ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
  ASSERT_TRUE(writeFileAtomically(path, "two").ok());
  EXPECT_EQ(fs::status(path).permissions(), static_cast<fs::perms>(0640));
}

TEST(WriteFileAtomicallyTest, NewFilesFollowTheMask) {
  const mode_t before = ::umask(027);
  const std::string path = testFolder() + "/new.txt";
  const absl::Status status = writeFileAtomically(path, "x");
  ::umask(before);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(fs::status(path).permissions(), static_cast<fs::perms>(0640));
}

TEST(WriteFileAtomicallyTest, SymbolicLinksStay) {
  const std::string path = writeTestFile("real.txt", "one");
  const std::string link = testFolder() + "/link.txt";
  fs::create_symlink("real.txt", link);
  ASSERT_TRUE(writeFileAtomically(link, "two").ok());
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(*readFile(path), "two");
}

TEST(WriteFileAtomicallyTest, SymbolicLinksThatLeadToNothingAreFollowed) {
  const std::string link = testFolder() + "/link.txt";
  const std::string chain = testFolder() + "/chain.txt";
  fs::create_directory(testFolder() + "/folder");
  fs::create_symlink("folder/real.txt", link);
  fs::create_symlink(link, chain);
  ASSERT_TRUE(writeFileAtomically(chain, "one").ok());
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_TRUE(fs::is_symlink(chain));
  EXPECT_EQ(*readFile(testFolder() + "/folder/real.txt"), "one");
  ASSERT_TRUE(writeFileAtomically(chain, "two").ok());
  EXPECT_EQ(*readFile(testFolder() + "/folder/real.txt"), "two");
  EXPECT_EQ(filesIn(testFolder() + "/folder"), std::vector<std::string>{"real.txt"});
}

TEST(WriteFileAtomicallyTest, SymbolicLinksThatLeadNowhereAreRefused) {
  const std::string lost = testFolder() + "/lost.txt";
  fs::create_symlink("no/such/folder/real.txt", lost);
  EXPECT_THAT(std::string(writeFileAtomically(lost, "x").message()),
              ::testing::AllOf(StartsWith(lost + ": "), HasSubstr("No such file or directory")));
  EXPECT_TRUE(fs::is_symlink(lost));
  const std::string loop = testFolder() + "/loop.txt";
  fs::create_symlink("loop.txt", loop);
  EXPECT_THAT(std::string(writeFileAtomically(loop, "x").message()),
              ::testing::AllOf(StartsWith(loop + ": "), HasSubstr("symbolic links")));
  EXPECT_TRUE(fs::is_symlink(loop));
  EXPECT_EQ(filesIn(testFolder()), (std::vector<std::string>{"loop.txt", "lost.txt"}));
}

TEST(OutputFileTest, WithoutAWriteNothingChanges) {
  const std::string old_file = writeTestFile("old.txt", "one");
  {
    const absl::StatusOr<OutputFile> old_output = OutputFile::open(old_file);
    const absl::StatusOr<OutputFile> new_output = OutputFile::open(testFolder() + "/new.txt");
    ASSERT_TRUE(old_output.ok() && new_output.ok());
    EXPECT_EQ(*readFile(old_file), "one");
  }
  EXPECT_EQ(filesIn(testFolder()), std::vector<std::string>{"old.txt"});
  EXPECT_EQ(*readFile(old_file), "one");
}

TEST(OutputFileTest, CanBeMoved) {
  const std::string path = testFolder() + "/a.txt";
  absl::StatusOr<std::optional<OutputFile>> opened = OutputFile::openIfNamed(path);
  ASSERT_TRUE(opened.ok() && opened->has_value());
  std::optional<OutputFile> moved = *std::move(opened);
  ASSERT_TRUE(moved->write("one").ok());
  moved.reset();
  EXPECT_EQ(*readFile(path), "one");
  EXPECT_EQ(filesIn(testFolder()), std::vector<std::string>{"a.txt"});
  EXPECT_FALSE(OutputFile::openIfNamed("")->has_value());
}

TEST(OutputFileTest, AFileProtectedAgainstWritingStays) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everything";
  const std::string path = writeTestFile("a.txt", "one");
  ASSERT_EQ(::chmod(path.c_str(), 0444), 0);
  EXPECT_THAT(std::string(writeFileAtomically(path, "two").message()),
              HasSubstr("Permission denied"));
  EXPECT_EQ(*readFile(path), "one");
}

// No work begins for an output that cannot be written: its error comes before that of a missing
// input, and nothing is on standard output.
TEST(OutputFileTest, EveryCommandChecksItsOutputsBeforeItsWork) {
  const std::string none = testFolder() + "/none/out";
  const std::string world = "no/such/world";
  const std::vector<std::string> shot = {"--from", "0,0,0", "--to", "1,1,1"};
  const auto with_shot = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), shot.begin(), shot.end());
    return arguments;
  };
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"render", "--world", world, "--out", none},
           with_shot({"shoot", "--world", world, "--svg", none}),
           with_shot({"shoot", "--world", world, "--html", none}),
           with_shot({"shoot", "--world", world, "--record", none}),
           with_shot({"explain", "--world", world, "--svg", none}),
           with_shot({"explain", "--world", world, "--html", none}),
           with_shot({"explain", "--world", world, "--save", none}),
           {"explain", "--scenario", world, "--save", none},
           {"scenario", world, "--record", none},
           {"demo", "--world", world, "--out", "/dev/null/out"},
           with_shot({"walk", "--svg", none}),
           {"compare", "--from", "0,0", "--to", "1,1", "--svg", none}}) {
    const testing::ProgramRun run = testing::runProgram(arguments);
    EXPECT_EQ(run.exit_status, 1) << arguments[0];
    EXPECT_EQ(run.out, "") << arguments[0];
    EXPECT_THAT(run.err, HasSubstr("/out")) << arguments[0];
    EXPECT_FALSE(fs::exists(testFolder() + "/none"));
  }
}

TEST(OutputFileTest, ACommandThatFailsLeavesNothing) {
  const std::string path = testFolder() + "/out";
  const testing::ProgramRun run =
      testing::runProgram({"render", "--world", "no/such/world", "--out", path});
  EXPECT_EQ(run.exit_status, 2);
  EXPECT_EQ(filesIn(testFolder()), (std::vector<std::string>{".stderr", ".stdout"}));
}

TEST(WriteFileAtomicallyTest, DevicesAreWrittenAsTheyAre) {
  EXPECT_TRUE(writeFileAtomically("/dev/null", "x").ok());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  const absl::Status full = writeFileAtomically("/dev/full", "x");
  EXPECT_THAT(std::string(full.message()),
              ::testing::AllOf(StartsWith("/dev/full: "), HasSubstr("No space left on device")));
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST(WriteFileAtomicallyTest, ErrorsNameThePathAndTheReasonAndLeaveNothing) {
  const std::string missing = testFolder() + "/no/such/folder/a.txt";
  const absl::Status status = writeFileAtomically(missing, "x");
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()),
              ::testing::AllOf(StartsWith(missing + ": "), HasSubstr("No such file or directory")));
  const absl::Status folder = writeFileAtomically(testFolder(), "x");
  EXPECT_THAT(std::string(folder.message()),
              ::testing::AllOf(StartsWith(testFolder() + ": "), HasSubstr("Is a directory")));
  EXPECT_TRUE(filesIn(testFolder()).empty());
}

}  // namespace
}  // namespace fractalray
