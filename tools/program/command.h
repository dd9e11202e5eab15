// SPDX-License-Identifier: Apache-2.0
// The commands of the program: each adds itself to the command line and runs when it is named.
#pragma once

#include <functional>
#include <string_view>

#include "absl/status/status.h"

namespace CLI {  // NOLINT(readability-identifier-naming): their name
class App;
}  // namespace CLI

namespace fractalray {

// The exit status of the program.
enum ExitStatus : int {
  kExitOk = 0,
  kExitFailed = 1,  // the answer is no, or the work failed
  kExitUsage = 2,   // the command line or an input is wrong
};

// A command as main() uses it: run() is called once, with the command's options filled in, if the
// command line names the command; it returns the exit status.
struct Command {
  CLI::App* app = nullptr;
  std::function<int()> run;
};

// One function per command, each in a cmd_<name>.cc of its own. A new command needs a line here and
// one in main.cc.
Command addCompareCommand(CLI::App& app);
Command addDemoCommand(CLI::App& app);
Command addExplainCommand(CLI::App& app);
Command addInfoCommand(CLI::App& app);
Command addNearCommand(CLI::App& app);
Command addRenderCommand(CLI::App& app);
Command addReplayCommand(CLI::App& app);
Command addScenarioCommand(CLI::App& app);
Command addShootCommand(CLI::App& app);
Command addWalkCommand(CLI::App& app);

// Prints "fractalray <command>: <message>" on standard error, in one line. Returns `exit_status`,
// or kExitFailed for RESOURCE_EXHAUSTED, which is named in the line: the input is not wrong if
// memory runs out or a limit is reached.
int reportError(std::string_view command, const absl::Status& error, ExitStatus exit_status);

}  // namespace fractalray
