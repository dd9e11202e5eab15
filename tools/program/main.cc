// SPDX-License-Identifier: Apache-2.0
// The program `fractalray`: finds the requested command and runs it.
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

#include "../../core/version.h"
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

// Prints the text that --help and --version request.
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
  std::fprintf(stderr, "Run fractalray %s%s--help for its options.\n", command.c_str(),
               command.empty() ? "" : " ");
  return kExitUsage;
}

int runProgram(int argc, char** argv) {
  CLI::App app("Segment queries in block worlds with several levels of detail.", "fractalray");
  app.set_version_flag("--version", "fractalray " FRACTALRAY_VERSION_STRING,
                       "Print the version and exit");
  app.footer(
      "Exit status: 0 success, 1 the answer is \"no\", or the work failed or reached a limit, 2 "
      "wrong\n"
      "command line or input.\n"
      "fractalray COMMAND --help lists the options of a command, with examples.");
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
    // Errors name words that are not commands, instead of ignoring them.
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
