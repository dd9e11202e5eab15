// SPDX-License-Identifier: Apache-2.0
// `fractalray scenario`: answers the queries of a scenario file.
#include <memory>
#include <string>
#include <string_view>

#include "../../formats/replay/query_recorder.h"
#include "../../formats/scenario.h"
#include "command.h"
#include "command_line.h"
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

void addScenarioCommand(CommandLine& line) {
  auto [options, arguments] = line.addCommand(
      "scenario", "Answer the queries of a scenario file, one JSON line each", runScenario);
  options.add("FILE", arguments.file, "A small world with queries, in JSON");
  options.require("FILE");
  options.add("--record LOG", arguments.record,
              "Write a query log of the shots, for `fractalray replay`");
  addLimitOption(options, arguments.limits);
  options.footer(
      "Examples:\n"
      "  fractalray scenario tests/scenarios/first-steps.json\n"
      "  fractalray scenario tests/scenarios/ties.json --record ties.log\n"
      "  fractalray replay ties.log --scenario tests/scenarios/ties.json\n"
      "docs/scenario-format.md describes the format. If a query cannot be answered, its answer "
      "has\n"
      "an error. A file that is not a scenario is refused, with the position and the reason.");
}

}  // namespace fractalray
