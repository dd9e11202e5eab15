// SPDX-License-Identifier: Apache-2.0
#include "line_option.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../core/printable.h"
#include "arguments.h"

namespace fractalray {
namespace {

// Sets the cells' widths: one for all axes, or one for each.
absl::Status readCellWidths(const std::string& text, WalkQuery& query) {
  const auto dimensions = static_cast<std::size_t>(query.dimensions);
  const absl::StatusOr<std::vector<double>> widths = parseNumbers(text, "--cell", 1, dimensions);
  if (!widths.ok()) return widths.status();
  if (widths->size() != 1 && widths->size() != dimensions) {
    return absl::InvalidArgumentError(
        absl::StrCat("--cell: ", quotedText(text), " has ", widths->size(),
                     " widths; give one, or one for each of ", dimensions, " axes"));
  }
  for (std::size_t axis = 0; axis < dimensions; ++axis) {
    const absl::StatusOr<std::int64_t> units = cellWidth((*widths)[widths->size() == 1 ? 0 : axis]);
    if (!units.ok()) {
      return absl::InvalidArgumentError(absl::StrCat("--cell: ", units.status().message()));
    }
    query.cell[static_cast<int>(axis)] = *units;
  }
  return absl::OkStatus();
}

}  // namespace

void addLineOptions(CommandOptions& options, LineArguments& arguments) {
  options.add("--from X,Y[,Z]", arguments.from, "The start");
  options.add("--to X,Y[,Z]", arguments.to, "The end");
  options.add("--cell W[,W..]", arguments.cell,
              "Width of a cell, a multiple of 1/65536: one for all axes, or one for each");
  options.require("--from");
  options.require("--to");
}

absl::StatusOr<WalkQuery> readLine(const LineArguments& arguments, CornerPolicy corner) {
  const absl::StatusOr<std::vector<double>> from = parseNumbers(arguments.from, "--from", 2, 3);
  if (!from.ok()) return from.status();
  const absl::StatusOr<std::vector<double>> to = parseNumbers(arguments.to, "--to", 2, 3);
  if (!to.ok()) return to.status();
  if (from->size() != to->size()) {
    return absl::InvalidArgumentError(absl::StrCat("--from has ", from->size(),
                                                   " numbers and --to has ", to->size(),
                                                   "; give both ends 2 or both 3"));
  }
  WalkQuery query;
  query.dimensions = static_cast<int>(from->size());
  query.corner = corner;
  for (int axis = 0; axis < query.dimensions; ++axis) {
    query.from[axis] = (*from)[static_cast<std::size_t>(axis)];
    query.to[axis] = (*to)[static_cast<std::size_t>(axis)];
  }
  const absl::Status status = readCellWidths(arguments.cell, query);
  if (!status.ok()) return status;
  return query;
}

}  // namespace fractalray
