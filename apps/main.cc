// SPDX-License-Identifier: Apache-2.0
// The program `fractalray`: finds out which command is meant and runs it.
#include <array>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"

#include "command.h"
#include "command_line.h"
#include "exhausted_memory.h"
#include "output.h"
#include "temporary_file.h"

namespace fractalray {
namespace {

constexpr std::array kCommands = {
    addDemoCommand, addShootCommand,   addRenderCommand,  addInfoCommand, addScenarioCommand,
    addWalkCommand, addCompareCommand, addExplainCommand, addNearCommand, addReplayCommand};

// Returns the command line with `help` and `help COMMAND` written as --help and COMMAND --help.
std::vector<const char*> commandLine(int argc, char** argv) {
  std::vector<const char*> words(argv, argv + argc);
  if (words.size() > 1 && std::string_view(words[1]) == "help") {
    words.erase(words.begin() + 1);
    words.push_back("--help");
  }
  return words;
}

// Prints what --help and --version ask for.
int printRequested(const CLI::App& app, const CLI::ParseError& request) {
  std::ostringstream text;
  app.exit(request, text, text);
  absl::Status status = writeStdout(text.str());
  if (status.ok()) status = flushStdout();
  return status.ok() ? kExitOk : reportError("", status, kExitFailed);
}

int reportUsageError(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> named = app.get_subcommands();
  const std::string command = named.empty() ? "" : named.front()->get_name();
  reportError(command, absl::InvalidArgumentError(explainUsageError(app, error)), kExitUsage);
  std::fprintf(stderr, "Run fractalray %s%s--help to see what it takes.\n", command.c_str(),
               command.empty() ? "" : " ");
  return kExitUsage;
}

int runProgram(int argc, char** argv) {
  CLI::App app("Segment queries in block worlds with several levels of detail.", "fractalray");
  app.set_version_flag("--version", "fractalray " FRACTALRAY_VERSION, "Print the version and exit");
  app.footer(
      "Exit status: 0 fine, 1 the answer is no, or the work failed or reached a limit, 2 wrong "
      "command "
      "line or input.\n"
      "fractalray help COMMAND says more, with an example.");
  wrapHelp(app);
  std::vector<Command> commands;
  commands.reserve(kCommands.size());
  for (const auto& add : kCommands)
    commands.push_back(add(app));
  refuseEmptyValues(app);

  const std::vector<const char*> words = commandLine(argc, argv);
  try {
    app.parse(static_cast<int>(words.size()), words.data());
  } catch (const CLI::Success& request) {
    // Words that are no command are named rather than ignored.
    return app.remaining().empty() ? printRequested(app, request) : reportUsageError(app, request);
  } catch (const CLI::ParseError& error) {
    return reportUsageError(app, error);
  }
  for (const Command& command : commands) {
    if (command.app->parsed()) return command.run();
  }
  std::fputs(app.help().c_str(), stderr);
  return kExitUsage;
}

}  // namespace
}  // namespace fractalray

int main(int argc, char** argv) {
  // A reader that has gone, or a file at the limit of its size, shows up as an error of a write,
  // which says what could not be written.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  fractalray::removeTemporaryFilesOnSignals();
  try {
    return fractalray::runProgram(argc, argv);
  } catch (const std::bad_alloc&) {
    fractalray::endOutOfMemory();
  } catch (const std::exception& error) {
    // Our code throws nothing.
    return fractalray::reportError("", absl::InternalError(error.what()), fractalray::kExitFailed);
  }
}
