// SPDX-License-Identifier: Apache-2.0
// `fractalray walk`: the cells that a segment crosses.
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <string>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "fractalray/apps/arguments.h"
#include "fractalray/apps/command.h"
#include "fractalray/apps/line_option.h"
#include "fractalray/apps/output.h"
#include "fractalray/formats/answer.h"
#include "fractalray/formats/query_json.h"

namespace fractalray {
namespace {

struct WalkArguments {
  LineArguments line;
  std::string corner = "both";
  bool json = false;
};

// A row: its number, the time at entry, the face and the cell, whose width varies most and so comes
// last.
template <int N>
std::string tableRow(std::uint64_t number, const GridCell<N>& cell) {
  std::string t;
  appendJsonNumber(t, cell.t.toDouble());
  const std::string face = cell.face.exists() ? std::string(faceName(cell.face)) : "-";
  std::array<char, 96> start;
  std::snprintf(start.data(), start.size(), "%8" PRIu64 "  %-22s  %-4s  ", number, t.c_str(),
                face.c_str());
  std::string row = start.data();
  for (int axis = 0; axis < N; ++axis) {
    absl::StrAppend(&row, axis == 0 ? "" : ",", cell.cell[axis]);
  }
  row += '\n';
  return row;
}

template <int N>
absl::Status printTable(GridWalk<N> walk) {
  absl::Status status = writeStdout("       #  t                       face  cell\n");
  std::uint64_t count = 0;
  walk.forEach([&](const GridCell<N>& cell) {
    if (status.ok()) status = writeStdout(tableRow(++count, cell));
    return status.ok() ? Visit::kContinue : Visit::kStop;
  });
  if (!status.ok()) return status;
  return writeStdout(absl::StrCat(count, count == 1 ? " cell, " : " cells, ", walk.crossings(),
                                  walk.crossings() == 1 ? " crossing\n" : " crossings\n"));
}

int runWalk(const WalkArguments& arguments) {
  const absl::StatusOr<CornerPolicy> corner = parseCornerPolicy(arguments.corner, "--corner");
  if (!corner.ok()) return reportError("walk", corner.status(), kExitUsage);
  const absl::StatusOr<WalkQuery> query = readLine(arguments.line, *corner);
  if (!query.ok()) return reportError("walk", query.status(), kExitUsage);
  const absl::StatusOr<AnyWalk> walk = makeWalk(*query);
  if (!walk.ok()) return reportError("walk", walk.status(), kExitUsage);
  absl::Status status =
      arguments.json ? writeWalkAnswer("walk", *query, writeStdout)
                     : std::visit([](const auto& cells) { return printTable(cells); }, *walk);
  if (status.ok()) status = flushStdout();
  return status.ok() ? kExitOk : reportError("walk", status, kExitFailed);
}

}  // namespace

Command addWalkCommand(CLI::App& app) {
  CLI::App* const command =
      app.add_subcommand("walk", "List the cells that a segment crosses, in 2 or 3 dimensions");
  auto arguments = std::make_shared<WalkArguments>();
  addLineOptions(*command, arguments->line);
  command
      ->add_option("--corner", arguments->corner,
                   "What to visit where it crosses an edge or a vertex: both, neither or staircase")
      ->type_name("POLICY")
      ->capture_default_str();
  command->add_flag("--json", arguments->json, "Print a JSON object, as a scenario's answer");
  command->footer(
      "Example:\n"
      "  fractalray walk --from 0.5,0.5 --to 3.5,2.5 --corner neither\n"
      "Each cell comes with t, 0 at the start and 1 at the end, and the face through which it is "
      "entered.");
  return {command, [arguments] { return runWalk(*arguments); }};
}

}  // namespace fractalray
