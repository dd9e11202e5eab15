// SPDX-License-Identifier: Apache-2.0
// `fractalray scenario`: answers the queries of a scenario file.
#include <memory>
#include <string>
#include <string_view>

#include "CLI/CLI.hpp"

#include "../../formats/replay/query_recorder.h"
#include "../../formats/scenario.h"
#include "command.h"
#include "limit_option.h"
#include "output.h"
#include "output_check.h"

namespace fractalray {
namespace {

// Writes each answer at once, without waiting for a full buffer.
absl::Status writeAnswer(std::string_view piece) {
  absl::Status status = writeStdout(piece);
  if (status.ok() && piece.ends_with('\n')) status = flushStdout();
  return status;
}

struct ScenarioArguments {
  std::string file;
  std::string record;
  InputLimits limits;
};

int runScenario(const ScenarioArguments& arguments) {
  absl::Status status =
      checkDistinct({{{"--record", arguments.record}}}, {{{"FILE", arguments.file}}});
  if (!status.ok()) return reportError("scenario", status, kExitUsage);
  if (!arguments.record.empty()) status = checkWritable(arguments.record);
  if (!status.ok()) return reportError("scenario", status, kExitFailed);
  absl::StatusOr<Scenario> scenario = readScenario(arguments.file, arguments.limits);
  if (!scenario.ok()) return reportError("scenario", scenario.status(), kExitUsage);
  std::unique_ptr<QueryRecorder> recorder;
  if (!arguments.record.empty()) {
    auto opened = QueryRecorder::open(arguments.record, scenario->world, scenario->entities);
    if (!opened.ok()) return reportError("scenario", opened.status(), kExitFailed);
    recorder = *std::move(opened);
  }
  status = answerScenario(*scenario, writeAnswer, arguments.limits, recorder.get(), recorder.get());
  if (recorder != nullptr) status.Update(recorder->close());
  return status.ok() ? kExitOk : reportError("scenario", status, kExitFailed);
}

}  // namespace

Command addScenarioCommand(CLI::App& app) {
  CLI::App* const command =
      app.add_subcommand("scenario", "Answer the queries of a scenario file, one JSON line each");
  auto arguments = std::make_shared<ScenarioArguments>();
  command->add_option("FILE", arguments->file, "A small world with queries, in JSON")
      ->type_name("")
      ->required();
  command
      ->add_option("--record", arguments->record,
                   "Write a query log of the shots, for `fractalray replay`")
      ->type_name("LOG");
  addLimitOption(*command, arguments->limits);
  command->footer(
      "Examples:\n"
      "  fractalray scenario tests/scenarios/first-steps.json\n"
      "  fractalray scenario tests/scenarios/ties.json --record ties.log\n"
      "  fractalray replay ties.log --scenario tests/scenarios/ties.json\n"
      "docs/scenario-format.md describes the format. If a query cannot be answered, its answer "
      "has\n"
      "an error. A file that is not a scenario is refused, with the position and the reason.");
  return {command, [arguments] { return runScenario(*arguments); }};
}

}  // namespace fractalray
