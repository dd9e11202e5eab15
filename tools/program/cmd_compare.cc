// SPDX-License-Identifier: Apache-2.0
// `fractalray compare`: well-known line algorithms on one segment, compared with the exact one.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include "../../core/printable.h"
#include "../../core/units.h"
#include "../../formats/json.h"
#include "../../formats/suggestion.h"
#include "../reference_lines/comparison.h"
#include "command.h"
#include "command_line.h"
#include "line_option.h"
#include "line_trace.h"
#include "output.h"
#include "output_check.h"
#include "text_table.h"
#include "trace_svg.h"

namespace fractalray {
namespace {

struct CompareArguments {
  LineArguments line;
  std::vector<std::string> only;
  bool json = false;
  std::string svg;
};

// The most planes that a compared segment may cross: stepping and the lists take memory.
constexpr std::uint64_t kMaxComparedCrossings = 1'000'000;
// The most cells that a line of the table names.
constexpr std::size_t kMaxNamedCells = 12;

template <int N>
absl::StatusOr<lines::LineInput<N>> toLineInput(const WalkQuery& query) {
  const absl::StatusOr<Vec3i> from = toUnits(query.from, "the segment's from");
  if (!from.ok()) return from.status();
  const absl::StatusOr<Vec3i> to = toUnits(query.to, "the segment's to");
  if (!to.ok()) return to.status();
  lines::LineInput<N> line;
  for (int axis = 0; axis < N; ++axis) {
    line.from[axis] = (*from)[axis];
    line.to[axis] = (*to)[axis];
    line.widths[axis] = query.cell[axis];
  }
  const lines::Cell<N> across = line.lastCell() - line.firstCell();
  std::uint64_t crossings = 0;
  for (int axis = 0; axis < N; ++axis)
    crossings += static_cast<std::uint64_t>(across[axis] < 0 ? -across[axis] : across[axis]);
  if (crossings > kMaxComparedCrossings) {
    return absl::OutOfRangeError(absl::StrCat("the segment crosses into ", crossings,
                                              " cells; at most ", kMaxComparedCrossings,
                                              " are compared; make it shorter or its cells wider"));
  }
  return line;
}

// Returns the algorithms that --only names, or all.
template <int N>
absl::StatusOr<std::vector<lines::NamedLine<N>>> chooseLines(const std::vector<std::string>& only) {
  const std::vector<lines::NamedLine<N>>& all = lines::namedLines<N>();
  if (only.empty()) return all;
  std::vector<lines::NamedLine<N>> chosen;
  for (const std::string& name : only) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == name; });
    if (found == all.end()) {
      std::vector<std::string> known;
      known.reserve(all.size());
      for (const lines::NamedLine<N>& each : all)
        known.emplace_back(each.name);
      return absl::InvalidArgumentError(absl::StrCat(
          "--only: ", quotedText(name), " is not a line algorithm", alternatives(name, known)));
    }
    chosen.push_back(*found);
  }
  return chosen;
}

template <int N>
std::string cellText(const lines::Cell<N>& cell) {
  std::string text;
  for (int axis = 0; axis < N; ++axis)
    absl::StrAppend(&text, axis == 0 ? "" : ",", cell[axis]);
  return text;
}

// Formats "  bresenham        missing      2,1  3,1  and 7 more".
template <int N>
std::string namedCells(const std::string& name, const char* kind, const lines::Cells<N>& cells) {
  if (cells.empty()) return "";
  std::array<char, 64> start;
  std::snprintf(start.data(), start.size(), "%-16s  %-11s", name.c_str(), kind);
  std::string text = start.data();
  const std::size_t indent = text.size() + 2;
  for (std::size_t i = 0; i < std::min(cells.size(), kMaxNamedCells); ++i)
    absl::StrAppend(&text, "  ", cellText<N>(cells[i]));
  if (cells.size() > kMaxNamedCells) {
    absl::StrAppend(&text, "  and ", cells.size() - kMaxNamedCells, " more");
  }
  return absl::StrCat(absl::StrJoin(wrapText(text, kTextWidth, indent), "\n"), "\n");
}

template <int N>
std::string table(const lines::Cells<N>& crossed, const std::vector<ComparedLine<N>>& compared) {
  std::string text = absl::StrCat("The segment crosses ", crossed.size(),
                                  crossed.size() == 1 ? " cell.\n\n" : " cells.\n\n");
  text += "line              cells  missing  superfluous  touched\n";
  std::string details;
  for (const ComparedLine<N>& each : compared) {
    const lines::LineDifference<N>& difference = each.difference;
    std::array<char, 128> row;
    std::snprintf(row.data(), row.size(), "%-16s  %5zu  %7zu  %11zu  %7zu\n", each.name.c_str(),
                  difference.cells, difference.missing.size(), difference.superfluous.size(),
                  difference.touched.size());
    text += row.data();
    details += namedCells<N>(each.name, "missing", difference.missing);
    details += namedCells<N>(each.name, "superfluous", difference.superfluous);
    details += namedCells<N>(each.name, "touched", difference.touched);
  }
  if (!details.empty()) absl::StrAppend(&text, "\n", details);
  return text;
}

template <int N>
void appendJsonCells(std::string& out, const char* member, const lines::Cells<N>& cells) {
  absl::StrAppend(&out, member, ":[");
  for (std::size_t i = 0; i < cells.size(); ++i)
    absl::StrAppend(&out, i == 0 ? "[" : ",[", cellText<N>(cells[i]), "]");
  out += ']';
}

template <int N>
std::string json(const lines::Cells<N>& crossed, const std::vector<ComparedLine<N>>& compared) {
  std::string text = R"({"id":"compare")";
  appendJsonCells<N>(text, ",\"crossed\"", crossed);
  text += ",\"lines\":[";
  for (const ComparedLine<N>& each : compared) {
    text += &each == &compared.front() ? R"({"line":)" : R"(,{"line":)";
    appendJsonString(text, each.name);
    appendJsonCells<N>(text, ",\"cells\"", each.cells);
    appendJsonCells<N>(text, ",\"missing\"", each.difference.missing);
    appendJsonCells<N>(text, ",\"superfluous\"", each.difference.superfluous);
    appendJsonCells<N>(text, ",\"touched\"", each.difference.touched);
    text += '}';
  }
  return text + "]}\n";
}

template <int N>
int compare(const CompareArguments& arguments, const WalkQuery& query) {
  const auto usage_error = [](const absl::Status& error) {
    return reportError("compare", error, kExitUsage);
  };
  const absl::StatusOr<lines::LineInput<N>> line = toLineInput<N>(query);
  if (!line.ok()) return usage_error(line.status());
  const absl::StatusOr<std::vector<lines::NamedLine<N>>> chosen = chooseLines<N>(arguments.only);
  if (!chosen.ok()) return usage_error(chosen.status());
  if (N != 2 && !arguments.svg.empty()) {
    return usage_error(absl::InvalidArgumentError(
        "--svg: pictures are of lines in 2 dimensions; give --from and --to 2 numbers each"));
  }
  const absl::Status type = checkFileType({"--svg", arguments.svg}, ".svg");
  if (!type.ok()) return usage_error(type);
  absl::StatusOr<std::optional<OutputFile>> svg = OutputFile::openIfNamed(arguments.svg);
  if (!svg.ok()) return reportError("compare", svg.status(), kExitFailed);

  const lines::Cells<N> crossed = lines::crossedCells<N>(*line);
  std::vector<ComparedLine<N>> compared;
  for (const lines::NamedLine<N>& each : *chosen) {
    lines::Cells<N> cells = each.cells(*line);
    lines::LineDifference<N> difference = lines::differenceOf<N>(*line, cells, crossed);
    compared.push_back({std::string(each.name), std::move(cells), std::move(difference)});
  }
  if constexpr (N == 2) {
    if (svg->has_value()) {
      const absl::StatusOr<Trace> trace = lineTrace(*line, compared);
      if (!trace.ok()) return usage_error(trace.status());
      const absl::StatusOr<std::string> picture = drawTrace(*trace);
      if (!picture.ok()) return usage_error(picture.status());
      const absl::Status written = (*svg)->write(*picture);
      if (!written.ok()) return reportError("compare", written, kExitFailed);
    }
  }
  absl::Status status =
      writeStdout(arguments.json ? json<N>(crossed, compared) : table<N>(crossed, compared));
  if (status.ok()) status = flushStdout();
  return status.ok() ? kExitOk : reportError("compare", status, kExitFailed);
}

int runCompare(const CompareArguments& arguments) {
  const absl::StatusOr<WalkQuery> query = readLine(arguments.line, CornerPolicy::kBoth);
  if (!query.ok()) return reportError("compare", query.status(), kExitUsage);
  return query->dimensions == 2 ? compare<2>(arguments, *query) : compare<3>(arguments, *query);
}

}  // namespace

void addCompareCommand(CommandLine& line) {
  auto [options, arguments] = line.addCommand(
      "compare", "Compare the cells that line algorithms list for a segment, in 2 or 3 dimensions",
      runCompare);
  addLineOptions(options, arguments.line);
  options.addList("--only NAME[,NAME..]", arguments.only,
                  "The algorithms to compare, in this order (default: all): stepping, dda and "
                  "traversal, each with -float or -double, bresenham, exact-neither, "
                  "exact-staircase, exact-both");
  options.flag("--json", arguments.json, "Print a JSON object with the cells of each");
  options.add("--svg FILE", arguments.svg, "Also write a picture (2 dimensions only)");
  options.footer(
      "Examples:\n"
      "  fractalray compare --from 0.5,0.5 --to 6.2,3.4\n"
      "  fractalray compare --from 10,10 --to 500,250 --cell 60,40 --svg lines.svg\n"
      "  fractalray compare --from 0,0,0 --to 9,6,3 --only bresenham,exact-both --json\n"
      "Missing cells are crossed by the segment, but not listed by the algorithm. Superfluous "
      "ones\n"
      "are listed, but not touched. Touched ones are listed, and touched at one point only: a "
      "corner\n"
      "or an end.");
}

}  // namespace fractalray
