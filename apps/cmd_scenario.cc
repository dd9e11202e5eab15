// SPDX-License-Identifier: Apache-2.0
// `fractalray scenario`: answers the queries of a scenario file.
#include <memory>
#include <string>
#include <string_view>

#include "CLI/CLI.hpp"
#include "fractalray/apps/command.h"
#include "fractalray/apps/output.h"
#include "fractalray/formats/scenario.h"

namespace fractalray {
namespace {

// Answers come out as they are found, not when a buffer is full.
absl::Status writeAnswer(std::string_view piece) {
  absl::Status status = writeStdout(piece);
  if (status.ok() && piece.ends_with('\n')) status = flushStdout();
  return status;
}

int runScenario(const std::string& path) {
  const absl::StatusOr<Scenario> scenario = readScenario(path);
  if (!scenario.ok()) return reportError("scenario", scenario.status(), kExitUsage);
  const absl::Status status = answerScenario(*scenario, writeAnswer);
  return status.ok() ? kExitOk : reportError("scenario", status, kExitFailed);
}

}  // namespace

Command addScenarioCommand(CLI::App& app) {
  CLI::App* const command =
      app.add_subcommand("scenario", "Answer the queries of a scenario file, a JSON object a line");
  auto path = std::make_shared<std::string>();
  command->add_option("FILE", *path, "A small world with queries, in JSON")
      ->type_name("")
      ->required();
  command->footer(
      "Example:\n"
      "  fractalray scenario tests/scenarios/first-steps.json\n"
      "docs/scenario-format.md tells the format. A query that cannot be answered has an error in\n"
      "its answer; a file that is no scenario is refused whole, with the place and the reason.");
  return {command, [path] { return runScenario(*path); }};
}

}  // namespace fractalray
