// SPDX-License-Identifier: Apache-2.0
// Runs every example of every --help, as a person who pastes it into a shell would.
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "../oracle/long_run.h"
#include "program.h"

namespace fractalray::testing {
namespace {

namespace fs = std::filesystem;

// Returns the commands under "Example" in a help: lines with two spaces before them; those with
// more continue the line before.
std::vector<std::string> examplesOf(const std::string& help) {
  std::istringstream text(help);
  std::vector<std::string> examples;
  bool listing = false;
  for (std::string line; std::getline(text, line);) {
    const bool is_indented = line.starts_with("  ");
    if (listing && is_indented && line[2] != ' ') examples.push_back(line.substr(2));
    if (listing && is_indented && line[2] == ' ' && !examples.empty()) {
      examples.back() += "\n" + line;
    }
    if (!is_indented) listing = line.starts_with("Example");
  }
  return examples;
}

// A folder that looks like a clone of the repository, in which outputs overwrite nothing.
std::string cloneFolder() {
  std::string folder = testFolder();
  for (const char* name : {"examples", "tests"})
    fs::create_directory_symlink(fs::path(FRACTALRAY_SOURCE_DIR) / name, fs::path(folder) / name);
  return folder;
}

TEST(ExamplesOfTest, FindsWholeCommands) {
  EXPECT_THAT(examplesOf("Purpose\nOptions:\n  --at X\n\nExamples:\n  fractalray a \\\n    --b\n"
                         "  echo 1 |\n    fractalray b\nMore words.\n  not this\n"),
              ::testing::ElementsAre("fractalray a \\\n    --b", "echo 1 |\n    fractalray b"));
}

TEST(HelpExamplesTest, EveryExampleSucceeds) {
  const std::string folder = cloneFolder();
  const std::string program = fs::path(FRACTALRAY_PROGRAM).parent_path().string();
  std::istringstream help(runProgram({"--help"}).out);
  std::size_t commands = 0;
  bool listing = false;
  for (std::string line; std::getline(help, line);) {
    if (line == "Subcommands:") listing = true;
    if (!listing || !line.starts_with("  ") || line[2] == ' ') continue;
    const std::string command = line.substr(2, line.find(' ', 2) - 2);
    if (command == "store" && !hasStoreProgram()) continue;
    const std::vector<std::string> examples = examplesOf(runProgram({command, "--help"}).out);
    EXPECT_FALSE(examples.empty()) << command;
    ++commands;
    if (command == "store") continue;  // they need a database: tests/store runs them
    // Pictures of the usual size take minutes with a sanitizer: RenderCommandTest draws small ones.
    if (oracle::kIsSanitized && (command == "demo" || command == "render")) continue;
    for (const std::string& example : examples) {
      const ProgramRun run = runOther(
          {"sh", "-c",
           absl::StrCat("cd '", folder, "' && PATH='", program, "':\"$PATH\" && ", example)});
      EXPECT_EQ(run.exit_status, 0) << example << "\n" << run.err;
      EXPECT_EQ(run.err, "") << example;
      EXPECT_NE(run.out, "") << example;
    }
  }
  EXPECT_EQ(commands, hasStoreProgram() ? 13U : 12U);
}

}  // namespace
}  // namespace fractalray::testing
