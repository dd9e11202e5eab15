// SPDX-License-Identifier: Apache-2.0
#include "fractalray/apps/output.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "fractalray/formats/json.h"
#include "fractalray/tests/apps/program.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

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
