// SPDX-License-Identifier: Apache-2.0
// The program `fractalray`: finds the requested command and runs it.
#include <array>
#include <csignal>
#include <exception>
#include <new>

#include "absl/status/status.h"

#include "command.h"
#include "command_line.h"
#include "exhausted_memory.h"
#include "temporary_file.h"

namespace fractalray {
namespace {

constexpr std::array kCommands = {
    addDemoCommand,     addShootCommand, addRenderCommand,  addInfoCommand,
    addScenarioCommand, addWalkCommand,  addCompareCommand, addExplainCommand,
    addVisibleCommand,  addNearCommand,  addReplayCommand,  addStoreCommand,
#ifdef FRACTALRAY_SERVE
    addServeCommand,
#endif
};

int runProgram(int argc, const char* const* argv) {
  CommandLine line;
  for (const auto& add : kCommands)
    add(line);
  return line.run(argc, argv);
}

}  // namespace
}  // namespace fractalray

int main(int argc, char** argv) {
  // A closed pipe, or a file at the limit of its size, is reported as the error of a write, which
  // names the output.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  fractalray::removeTemporaryFilesOnSignals();
  try {
    return fractalray::runProgram(argc, argv);
  } catch (const std::bad_alloc&) {
    fractalray::endOutOfMemory();
  } catch (const std::exception& error) {
    // The program's own code throws nothing.
    return fractalray::reportError("", absl::InternalError(error.what()), fractalray::kExitFailed);
  }
}
