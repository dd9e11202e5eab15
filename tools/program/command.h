// SPDX-License-Identifier: Apache-2.0
// The commands of the program: each adds itself to the command line, and runs when it is named.
#pragma once

#include <string_view>

#include "absl/status/status.h"

namespace fractalray {

class CommandLine;

// The exit status of the program.
enum ExitStatus : int {
  kExitOk = 0,
  kExitFailed = 1,  // the answer is no, or the work failed
  kExitUsage = 2,   // the command line or an input is wrong
};

// One function per command, each in a cmd_<name>.cc of its own. A new command needs a line here and
// one in main.cc.
void addCompareCommand(CommandLine& line);
void addDemoCommand(CommandLine& line);
void addExplainCommand(CommandLine& line);
void addInfoCommand(CommandLine& line);
void addNearCommand(CommandLine& line);
void addRenderCommand(CommandLine& line);
void addReplayCommand(CommandLine& line);
void addScenarioCommand(CommandLine& line);
void addServeCommand(CommandLine& line);  // where FRACTALRAY_SERVE is defined
void addShootCommand(CommandLine& line);
void addVisibleCommand(CommandLine& line);
void addWalkCommand(CommandLine& line);

// Prints "fractalray <command>: <message>" on standard error, in one line. Returns `exit_status`,
// or kExitFailed for RESOURCE_EXHAUSTED, which is named in the line: the input is not wrong if
// memory runs out or a limit is reached.
int reportError(std::string_view command, const absl::Status& error, ExitStatus exit_status);

}  // namespace fractalray
