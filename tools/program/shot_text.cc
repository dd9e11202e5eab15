// SPDX-License-Identifier: Apache-2.0
#include "shot_text.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../core/printable.h"
#include "text_table.h"

namespace fractalray {
namespace {

constexpr std::string_view kEndsShot = "ends here";

std::string blockText(const BlockCoord& block) {
  return absl::StrCat("[", block[0], ", ", block[1], ", ", block[2], "]");
}

std::string whereOf(std::span<const Hit> run) {
  const Hit& first = run.front();
  if (first.isEntity()) return formatPoint(toBlocks(first.position), 2);
  if (run.size() == 1) return blockText(first.block);
  return absl::StrCat(blockText(first.block), " to ", blockText(run.back().block));
}

std::string whatOf(const World& world, std::span<const Hit> run) {
  const Hit& first = run.front();
  if (first.isEntity()) return absl::StrCat("entity ", first.id);
  const std::string name = printable(world.blockTypes().name(first.type));
  return run.size() == 1 ? name : absl::StrCat(name, " x ", run.size());
}

std::string enteredThrough(const HitGeometry& hit) {
  if (hit.start_inside) return "starts inside";
  if (hit.face.exists()) return std::string(faceName(hit.face));
  return absl::StrCat("normal ", formatPoint(hit.normal, 2));
}

// Returns how many of the hits, from the first one on, are of blocks of one type and level. A hit
// that contains the start or ends the shot is a run of its own.
std::size_t runLength(std::span<const Hit> hits) {
  const Hit& first = hits.front();
  const auto is_alone = [](const Hit& hit) {
    return hit.isEntity() || hit.terminal || hit.start_inside;
  };
  if (is_alone(first)) return 1;
  const auto end = std::find_if(hits.begin() + 1, hits.end(), [&](const Hit& hit) {
    return is_alone(hit) || hit.type != first.type || hit.level != first.level;
  });
  return static_cast<std::size_t>(end - hits.begin());
}

TableRow rowOf(const World& world, std::size_t number, std::span<const Hit> run, double length) {
  const Hit& first = run.front();
  double inside = 0;
  for (const Hit& hit : run)
    inside += (hit.t_exit - hit.t) * length;
  return {absl::StrCat(number),
          whatOf(world, run),
          absl::StrCat(first.level),
          whereOf(run),
          formatNumber(first.t, 6),
          formatNumber(first.distance),
          formatNumber(inside),
          enteredThrough(first),
          first.terminal ? std::string(kEndsShot) : "continues"};
}

// Returns the ends of the segment, and the hits.
std::string formatHits(const World& world, const FixedSegment& segment, std::span<const Hit> hits,
                       Colors colors) {
  const double length = segment.lengthBlocks();
  const double end = static_cast<double>(segment.end_time) / static_cast<double>(kWholeLine);
  const double begin = segment.beginsAt();
  std::string text = absl::StrCat("from ", formatPoint(segment.pointAt(begin)), " to ",
                                  formatPoint(segment.pointAt(end)), ", ",
                                  formatNumber(length * (end - begin)), " blocks long\n");
  if (hits.empty()) return text;
  std::vector<TableRow> rows = {
      {"#", "hit", "level", "position", "t", "distance", "length inside", "entered", "the shot"}};
  for (std::size_t i = 0; i < hits.size();) {
    const std::size_t count = runLength(hits.subspan(i));
    rows.push_back(rowOf(world, i + 1, hits.subspan(i, count), length));
    i += count;
  }
  return text + formatTable(std::move(rows), colors, kEndsShot);
}

// Returns what "nothing" is limited to.
const char* inWhat(const std::optional<double>& unknown_from) {
  return unknown_from.has_value() ? " in what is loaded" : "";
}

// Says where the line first is in space that is not loaded; if `asked`, also that it never is.
std::string formatUnknown(const FixedSegment& segment, const std::optional<double>& unknown_from,
                          bool asked) {
  if (!unknown_from.has_value()) return asked ? "  all of it is loaded\n" : "";
  return absl::StrCat("  not loaded from t = ", formatNumber(*unknown_from, 6), " on, distance ",
                      formatNumber(*unknown_from * segment.lengthBlocks()), ", at ",
                      formatPoint(segment.pointAt(*unknown_from)), "\n");
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

std::string formatShot(const World& world, const ShotResult& result,
                       const ShotTextOptions& options) {
  std::string text = formatHits(world, result.segment, result.hits, options.colors);
  if (result.terminated) {
    absl::StrAppend(&text, "  ended at distance ", formatNumber(result.hits.back().distance), "\n");
  } else if (result.truncated) {
    text += "  ended at its limit of hits; more would have followed\n";
  } else {
    absl::StrAppend(&text, result.hits.empty() ? "  hit nothing" : "  hit nothing more",
                    inWhat(result.unknown_from), " and reached its end\n");
  }
  return text + formatBudgets(result, options.budgets) +
         formatUnknown(result.segment, result.unknown_from, options.says_if_known);
}

std::string formatClosest(const World& world, const ClosestHit& closest,
                          const ShotTextOptions& options) {
  std::string text;
  if (closest.hit.has_value()) {
    text = formatHits(world, closest.segment, {&*closest.hit, 1}, options.colors);
  } else {
    text = absl::StrCat(formatHits(world, closest.segment, {}, options.colors), "  hit nothing",
                        inWhat(closest.unknown_from), "\n");
  }
  return text + formatUnknown(closest.segment, closest.unknown_from, options.says_if_known);
}

}  // namespace fractalray
