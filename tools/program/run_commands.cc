// SPDX-License-Identifier: Apache-2.0
#include "run_commands.h"

#include <csignal>
#include <exception>
#include <new>

#include "absl/status/status.h"

#include "command.h"
#include "exhausted_memory.h"
#include "temporary_file.h"

namespace fractalray {

int runCommands(int argc, const char* const* argv, const ProgramHelp& help,
                std::span<const AddCommand> commands) {
  // A closed pipe, or a file at the limit of its size, is reported as the error of a write, which
  // names the output.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  removeTemporaryFilesOnSignals();
  try {
    CommandLine line(help);
    for (const AddCommand add : commands)
      add(line);
    return line.run(argc, argv);
  } catch (const std::bad_alloc&) {
    endOutOfMemory();
  } catch (const std::exception& error) {
    // The program's own code throws nothing.
    return reportError("", absl::InternalError(error.what()), kExitFailed);
  }
}

}  // namespace fractalray
