// SPDX-License-Identifier: Apache-2.0
// Checks how commands are handed on to another program, and what is said if that is not possible.
#include "../../tools/program/other_program.h"

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "../../tools/program/command_line.h"
#include "program.h"

namespace fractalray::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// Answers the question for its version, and prints its arguments.
constexpr char kPrintsArguments[] =
    "#!/bin/sh\n[ \"$*\" = --version ] && exit 0\nprintf '<%s>\\n' \"$@\"\nexit 7\n";

class OtherProgramTest : public ::testing::Test {
 protected:
  OtherProgramTest() {
    fs::create_directory(folder_);
    fs::create_directory(path_);
    std::error_code error;
    fs::create_hard_link(FRACTALRAY_PROGRAM, program_, error);
    if (error) fs::copy_file(FRACTALRAY_PROGRAM, program_);  // on another file system
  }

  // Writes a script as the other program, in one of the folders.
  static void write(const std::string& folder, const std::string& script) {
    const std::string file = folder + "/fractalray-store";
    fs::rename(writeTestFile("script", script), file);
    fs::permissions(file, fs::perms::owner_all);
  }

  // Runs the copy of the program, with the folder `path_` alone on the PATH.
  ProgramRun run(const std::vector<std::string>& arguments) const {
    std::vector<std::string> words = {"env", "PATH=" + path_, program_};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return runOther(words);
  }

  std::string folder_ = testFolder() + "/bin";
  std::string path_ = testFolder() + "/path";
  std::string program_ = folder_ + "/fractalray";
};

TEST_F(OtherProgramTest, ArgumentsAreHandedOnAsTheyAre) {
  write(folder_, kPrintsArguments);
  const ProgramRun store = run({"store", "check", "", "a b", "--", "--json", "\xC3\xA9"});
  EXPECT_EQ(store.out, "<check>\n<>\n<a b>\n<-->\n<--json>\n<\xC3\xA9>\n");
  EXPECT_EQ(store.exit_status, 7);
  EXPECT_THAT(store.err, IsEmpty());
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"store", "--help"}, {"help", "store"}, {"--help", "store"}, {"-h", "store"}}) {
    EXPECT_EQ(run(words).out, "<--help>\n");
  }
}

TEST_F(OtherProgramTest, TheOneNextToTheProgramIsPreferredToThatOfThePath) {
  write(path_, "#!/bin/sh\necho path\n");
  EXPECT_EQ(run({"store"}).out, "path\n");
  write(folder_, "#!/bin/sh\necho neighbour\n");
  EXPECT_EQ(run({"store"}).out, "neighbour\n");
  fs::permissions(folder_ + "/fractalray-store", fs::perms::owner_read);
  EXPECT_EQ(run({"store"}).out, "path\n") << "a file that is no program is none";
}

TEST_F(OtherProgramTest, ItsAbsenceIsNamedWithTheRemedy) {
  const ProgramRun store = run({"store", "check", "postgresql:///world"});
  EXPECT_EQ(store.exit_status, 1);
  EXPECT_THAT(store.out, IsEmpty());
  EXPECT_THAT(store.err,
              StartsWith("fractalray store: this command is run by the program fractalray-store"));
  EXPECT_THAT(store.err, HasSubstr(folder_));
  EXPECT_THAT(store.err, EndsWith("libpq-dev\n"));
  EXPECT_EQ(store.err.find('\n'), store.err.size() - 1);
}

// The loader ends a program that misses a library with this status, after a line of its own.
TEST_F(OtherProgramTest, AMissingLibraryIsNamedWithItsPackage) {
  write(folder_, "#!/bin/sh\necho libpq.so.5 is not there >&2\nexit 127\n");
  const ProgramRun store = run({"store", "check", "postgresql:///world"});
  EXPECT_EQ(store.exit_status, 1);
  EXPECT_THAT(store.err, StartsWith("libpq.so.5 is not there\nfractalray store: " + folder_));
  EXPECT_THAT(store.err, EndsWith("apt-get install libpq5\n"));
}

TEST_F(OtherProgramTest, WhatCannotStartIsNamedWithTheReason) {
  write(folder_, "neither a program nor a script");
  const ProgramRun store = run({"store"});
  EXPECT_EQ(store.exit_status, 1);
  EXPECT_THAT(store.err, HasSubstr("/fractalray-store cannot start: Exec format error"));
}

TEST_F(OtherProgramTest, TheProgramNeedsNoLibraryOfTheOther) {
  const std::string bytes = contentOf(FRACTALRAY_PROGRAM);
  EXPECT_THAT(bytes, HasSubstr("libstdc++.so")) << "libraries are named by their files";
  EXPECT_EQ(bytes.find("libpq.so"), std::string::npos);
  if (hasStoreProgram()) {
    EXPECT_EQ(runProgram({"store", "--help"}).exit_status, 0);
  }
}

struct NoArguments {};

int runHere(const NoArguments& /*unused*/) {
  return 42;
}

TEST(PassOnTest, ACommandIsHandedOnIfItHasTheOption) {
  constexpr OtherProgram kNone = {"fractalray-nowhere", "get it", "get its library"};
  const auto run = [&](std::vector<const char*> words) {
    CommandLine line({"fractalray", "A test.", ""});
    std::string text;
    auto [options, arguments] = line.addCommand("here", "A command of a test", runHere);
    options.add("--text T", text, "Any text");
    line.passOn("here", "--store", kNone);
    words.insert(words.begin(), "fractalray");
    return line.run(static_cast<int>(words.size()), words.data());
  };
  EXPECT_EQ(run({"here"}), 42);
  EXPECT_EQ(run({"here", "--text", "store"}), 42);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(run({"here", "--store", "X"}), 1);
  EXPECT_EQ(run({"here", "--text", "T", "--store=X"}), 1);
  const std::string errors = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(errors, StartsWith("fractalray here: this command is run by the program "
                                 "fractalray-nowhere, "));
  EXPECT_THAT(errors, EndsWith("; get it\n"));
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(run({"here", "--stores"}), 2) << "another option";
  ::testing::internal::GetCapturedStderr();
}

}  // namespace
}  // namespace fractalray::testing
