// SPDX-License-Identifier: Apache-2.0
// Checks that temporary files are removed however the program ends.
#include "../../tools/program/temporary_file.h"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "program.h"

namespace fractalray {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing::ProgramRun;
using testing::runOther;
using ::testing::StartsWith;
using testing::testFolder;

// Makes two temporary files in the folder, and gets the signal.
void raiseWhileWriting(const std::string& folder, int signal) {
  removeTemporaryFilesOnSignals();
  std::string first = folder + "/first.XXXXXX";
  std::string second = folder + "/second.XXXXXX";
  if (makeTemporaryFile(first) < 0 || makeTemporaryFile(second) < 0) std::_Exit(1);
  static_cast<void>(std::raise(signal));
}

TEST(TemporaryFileDeathTest, SignalsRemoveThemAndEndTheProgram) {
  const std::string folder = testFolder();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    EXPECT_EXIT(raiseWhileWriting(folder, signal), ::testing::KilledBySignal(signal), "");
    EXPECT_TRUE(fs::is_empty(folder)) << signal;
  }
}

TEST(TemporaryFileDeathTest, SignalsThatAreIgnoredStaySo) {
  const std::string folder = testFolder();
  const auto ignore_and_raise = [&] {
    static_cast<void>(std::signal(SIGHUP, SIG_IGN));
    raiseWhileWriting(folder, SIGHUP);
    std::_Exit(fs::is_empty(folder) ? 1 : 0);
  };
  EXPECT_EXIT(ignore_and_raise(), ::testing::ExitedWithCode(0), "");
}

// A file that is in place by now is no temporary one, nor one that was removed and created again.
TEST(TemporaryFileDeathTest, FilesInPlaceStay) {
  const std::string folder = testFolder();
  const auto rename_and_raise = [&] {
    removeTemporaryFilesOnSignals();
    std::string name = folder + "/a.XXXXXX";
    if (makeTemporaryFile(name) < 0 || renameTemporaryFile(name, folder + "/a") != 0) {
      std::_Exit(1);
    }
    fs::copy_file(folder + "/a", name);
    static_cast<void>(std::raise(SIGTERM));
  };
  EXPECT_EXIT(rename_and_raise(), ::testing::KilledBySignal(SIGTERM), "");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 2);
}

TEST(TemporaryFileTest, MoreThanCanBeRemovedBySignalsAreWrittenToo) {
  const std::string folder = testFolder();
  std::vector<std::string> names(40, folder + "/a.XXXXXX");
  for (std::string& name : names) {
    const int descriptor = makeTemporaryFile(name);
    ASSERT_GE(descriptor, 0);
    ::close(descriptor);
  }
  for (const std::string& name : names)
    removeTemporaryFile(name);
  EXPECT_TRUE(fs::is_empty(folder));
}

TEST(TemporaryFileTest, AFileAtTheLimitOfItsSizeIsAnErrorAndLeavesNothing) {
  const std::string out = testFolder() + "/view.png";
  // The limit is in blocks of 512 bytes; the picture takes more than the two of them.
  const ProgramRun run = runOther(
      {"sh", "-c", "ulimit -f 2; exec \"$0\" \"$@\"", FRACTALRAY_PROGRAM, "render", "--world",
       FRACTALRAY_SOURCE_DIR "/examples/worlds/w1", "--size", "96x54", "--out", out});
  EXPECT_EQ(run.exit_status, 1) << run.err;
  EXPECT_THAT(run.err, StartsWith("fractalray render: "));
  EXPECT_THAT(run.err, HasSubstr(out + ": cannot be written"));
  EXPECT_THAT(run.err, HasSubstr("File too large"));
  for (const auto& entry : fs::directory_iterator(testFolder()))
    EXPECT_THAT(entry.path().filename().string(), StartsWith(".std")) << "not removed";
}

}  // namespace
}  // namespace fractalray
