// SPDX-License-Identifier: Apache-2.0
#include "text_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>
#include <variant>

#include "absl/strings/str_cat.h"

#include "../formats/printable.h"

namespace fractalray {
namespace {

std::string whereOf(const Hit& hit) {
  if (hit.isEntity()) return absl::StrCat("at ", formatPoint(hit.point, 2));
  return absl::StrCat("[", hit.block[0], ", ", hit.block[1], ", ", hit.block[2], "]");
}

std::string enteredThrough(const HitGeometry& hit) {
  if (hit.start_inside) return "starts inside";
  if (hit.face.exists()) return std::string(faceName(hit.face));
  return absl::StrCat("normal ", formatPoint(hit.normal, 2));
}

std::vector<std::string> rowOf(const World& world, std::size_t number, const Hit& hit,
                               double length) {
  const double inside = (hit.t_exit - hit.t) * length;
  return {absl::StrCat(number),
          hit.isBlock() ? "block" : "entity",
          hit.isBlock() ? printable(world.blockTypes().name(hit.type)) : absl::StrCat(hit.id),
          absl::StrCat(hit.level),
          whereOf(hit),
          formatNumber(hit.t, 6),
          formatNumber(hit.distance),
          formatNumber(inside),
          enteredThrough(hit),
          hit.terminal ? "ends the shot" : "goes on"};
}

// Room for a name and what a replay tells of a hit.
constexpr std::size_t kMaxCellBytes = 400;

// Where the segment runs, and the hits, one a row.
std::string formatHits(const World& world, const FixedSegment& units, std::span<const Hit> hits) {
  const double length = units.lengthBlocks();
  const double end = static_cast<double>(units.end_time) / static_cast<double>(kWholeLine);
  std::string text =
      absl::StrCat("from ", formatPoint(units.pointAt(0)), " to ", formatPoint(units.pointAt(end)),
                   ", ", formatNumber(length * end), " blocks long\n");
  if (hits.empty()) return text;
  std::vector<std::vector<std::string>> rows = {
      {"#", "hit", "what", "level", "where", "t", "distance", "inside", "entered", "and"}};
  for (const Hit& hit : hits)
    rows.push_back(rowOf(world, rows.size(), hit, length));
  return text + formatTable(rows);
}

std::string formatUnknown(const std::optional<double>& unknown_from) {
  if (!unknown_from.has_value()) return "";
  return absl::StrCat("  not known from t = ", formatNumber(*unknown_from, 6),
                      " on: nothing is loaded there\n");
}

std::string formatBudgets(const ShotResult& result, std::span<const std::string> names) {
  if (!result.budgets.has_value()) return "";
  std::string text;
  if (result.stopped_at.has_value()) {
    const double length = result.segment.lengthBlocks();
    absl::StrAppend(&text, "  a budget was used up at t = ", formatNumber(*result.stopped_at, 6),
                    ", distance ", formatNumber(*result.stopped_at * length), "\n");
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    absl::StrAppend(&text, i == 0 ? "  left: " : ", ", formatNumber((*result.budgets)[i], 6), " ",
                    names[i]);
  }
  if (!names.empty()) text += "\n";
  return text;
}

}  // namespace

std::string formatTable(std::vector<std::vector<std::string>> rows) {
  std::vector<std::size_t> widths(rows.empty() ? 0 : rows.front().size());
  for (auto& row : rows) {
    for (std::string& cell : row)
      cell = printable(cell, kMaxCellBytes);
  }
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      absl::StrAppend(&line, i == 0 ? "  " : "   ", row[i],
                      std::string(widths[i] - row[i].size(), ' '));
    }
    line.erase(line.find_last_not_of(' ') + 1);
    absl::StrAppend(&text, line, "\n");
  }
  return text;
}

std::string formatNumber(double value, int decimals) {
  std::array<char, 400> buffer{};  // enough for any double with few decimals
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                          std::chars_format::fixed, decimals);
  std::string text(buffer.data(), end);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text == "-0" ? "0" : text;
}

std::string formatPoint(const Vec3d& point, int decimals) {
  return absl::StrCat(formatNumber(point[0], decimals), ", ", formatNumber(point[1], decimals),
                      ", ", formatNumber(point[2], decimals));
}

std::string formatShot(const World& world, const ShotResult& result,
                       std::span<const std::string> budgets) {
  std::string text = formatHits(world, result.segment, result.hits);
  if (result.terminated) {
    absl::StrAppend(&text, "  ended at distance ", formatNumber(result.hits.back().distance), "\n");
  } else if (result.truncated) {
    text += "  more would have followed\n";
  } else {
    absl::StrAppend(&text, result.hits.empty() ? "  met nothing" : "  met nothing more",
                    " and reached its end\n");
  }
  return text + formatBudgets(result, budgets) + formatUnknown(result.unknown_from);
}

std::string formatClosest(const World& world, const ClosestHit& closest) {
  std::string text;
  if (closest.hit.has_value()) {
    text = formatHits(world, closest.segment, {&*closest.hit, 1});
  } else {
    text = absl::StrCat(formatHits(world, closest.segment, {}), "  met nothing\n");
  }
  return text + formatUnknown(closest.unknown_from);
}

}  // namespace fractalray
