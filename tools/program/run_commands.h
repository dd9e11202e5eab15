// SPDX-License-Identifier: Apache-2.0
// The body of main(): a command line of some commands, with what every program has to do about
// signals and exhausted memory.
#pragma once

#include <span>

#include "command_line.h"

namespace fractalray {

using AddCommand = void (*)(CommandLine& line);

// Runs the command that the words name; returns the exit status. A signal that ends the program
// removes its temporary files; exhausted memory ends it as exhausted_memory.h says. Requires:
// main() calls it, and does nothing else.
int runCommands(int argc, const char* const* argv, const ProgramHelp& help,
                std::span<const AddCommand> commands);

}  // namespace fractalray
