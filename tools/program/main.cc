// SPDX-License-Identifier: Apache-2.0
// The program `fractalray`: finds the requested command and runs it.
#include <array>

#include "command.h"
#include "command_line.h"
#include "other_program.h"
#include "run_commands.h"

namespace fractalray {
namespace {

void addStoreCommand(CommandLine& line) {
  line.addCommandOf(kStoreProgram, "store",
                    "Make a Luanti map in PostgreSQL a store that caches read, or check it");
}

constexpr std::array kCommands = {
    addDemoCommand,     addShootCommand, addRenderCommand,  addInfoCommand,
    addScenarioCommand, addWalkCommand,  addCompareCommand, addExplainCommand,
    addVisibleCommand,  addNearCommand,  addReplayCommand,  addStoreCommand,
#ifdef FRACTALRAY_SERVE
    addServeCommand,
#endif
};

}  // namespace
}  // namespace fractalray

int main(int argc, char** argv) {
  return fractalray::runCommands(
      argc, argv,
      {"fractalray", "Segment queries in block worlds with several levels of detail.",
       "Exit status: 0 success, 1 the answer is \"no\", or the work failed or reached a limit, 2 "
       "wrong\ncommand line or input.\n"
       "fractalray COMMAND --help lists the options of a command, with examples."},
      fractalray::kCommands);
}
