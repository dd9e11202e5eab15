// SPDX-License-Identifier: Apache-2.0
#include "query_json.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

#include "../core/internal/number_text.h"
#include "../core/units.h"
#include "internal/json_fields.h"
#include "json.h"
#include "json_document.h"

namespace fractalray {
namespace {

// Reads a point of a walk, of as many numbers as the walk has dimensions.
Vec3d readPoint(const JsonReader& value, int dimensions) {
  if (dimensions == 3) return value.numbers<3>();
  const Vec<double, 2> point = value.numbers<2>();
  return {point[0], point[1], 0};
}

// Reads one width for all axes, or one an axis.
Vec3i readCell(const JsonReader& value, int dimensions) {
  Vec3i cell;
  for (int axis = 0; axis < 3; ++axis) {
    const bool each = value.value().is_array();
    if (each && !value.isArrayOf(static_cast<std::size_t>(dimensions), "widths")) return cell;
    const JsonReader width =
        each ? value.element(static_cast<std::size_t>(axis < dimensions ? axis : 0)) : value;
    const absl::StatusOr<std::int64_t> units = cellWidth(width.number());
    width.failIfError(units.status());
    if (!units.ok()) return cell;
    cell[axis] = *units;
  }
  return cell;
}

template <int N>
absl::StatusOr<AnyWalk> makeWalkIn(const Vec3i& from, const Vec3i& to, const WalkQuery& query,
                                   const InputLimits& limits) {
  Vec<std::int64_t, N> start;
  Vec<std::int64_t, N> end;
  Vec<std::int64_t, N> widths;
  for (int axis = 0; axis < N; ++axis) {
    start[axis] = from[axis];
    end[axis] = to[axis];
    widths[axis] = query.cell[axis];
  }
  const absl::StatusOr<GridWalk<N>> walk = GridWalk<N>::create(start, end, widths, query.corner);
  if (!walk.ok()) return walk.status();
  if (walk->crossings() > limits.cells) {
    return absl::ResourceExhaustedError(
        absl::StrCat("the walk crosses into ", walk->crossings(), " cells; at most ", limits.cells,
                     " are listed; make it shorter or its cells wider, or allow more by --limit "
                     "cells=N (InputLimits::cells)"));
  }
  return AnyWalk(*walk);
}

Ray readRay(const JsonReader& query) {
  Ray ray{.origin = query.member("origin").numbers<3>(),
          .direction = query.member("direction").numbers<3>()};
  const JsonReader distance = query.member("max_distance");
  if (!distance.value().is_null()) ray.max_distance = distance.number();
  const std::optional<JsonReader> bounds = query.find("bounds");
  if (bounds.has_value() && bounds->isArrayOf(2, "points")) {
    ray.bounds =
        Bounds{.min = bounds->element(0).numbers<3>(), .max = bounds->element(1).numbers<3>()};
  }
  return ray;
}

// Reads the line of a shot: a segment's ends, or a ray.
std::variant<Segment, Ray> readLine(const JsonReader& query) {
  const auto has = [&](const char* name) { return query.value().contains(name); };
  if (!has("origin") && !has("direction")) {
    return Segment{.from = query.member("from").numbers<3>(),
                   .to = query.member("to").numbers<3>()};
  }
  if (has("from") || has("to")) {
    query.fail(R"(it has the ends of a segment and a ray's members; give "from" and "to", or )"
               R"("origin", "direction" and "max_distance")");
  }
  return readRay(query);
}

// Reads the options of a shot; rules and budgets wait until all rules of the file are known
// (ScenarioRules).
struct OptionReader {
  const JsonReader& query;
  ShotQuery& shot;

  void operator()(std::string_view name, ChannelId& /*channel*/) const {
    internal::readMember(query, name, shot.channel);
  }
  void operator()(std::string_view name, IgnoreList& /*ignore*/) const {
    internal::readMember(query, name, shot.ignore);
  }
  template <class Member>
  void operator()(std::string_view name, Member& member) const {
    if constexpr (isPlain<Member>()) internal::readMember(query, name, member);
  }
};

}  // namespace

absl::StatusOr<AnyWalk> makeWalk(const WalkQuery& query, const InputLimits& limits) {
  const absl::StatusOr<Vec3i> from = toUnits(query.from, "the walk's from");
  const absl::StatusOr<Vec3i> to = toUnits(query.to, "the walk's to");
  if (!from.ok() || !to.ok()) return errorToReport({from.status(), to.status()});
  return query.dimensions == 2 ? makeWalkIn<2>(*from, *to, query, limits)
                               : makeWalkIn<3>(*from, *to, query, limits);
}

absl::StatusOr<FixedSegment> lineOf(const ShotQuery& query) {
  return std::visit([](const auto& line) { return toFixedSegment(line); }, query.line);
}

QueryOptions toOptions(const ShotQuery& query, const BlockTypeTable& types) {
  QueryOptions options = query.options;
  options.filter.channel = types.findChannel(query.channel).value_or(kDefaultChannel);
  options.filter.ignore = query.ignore;
  if (query.rules != nullptr) {
    options.rules = &query.rules->rules;
    if (query.budgets.has_value()) options.budgets = &*query.budgets;
  }
  return options;
}

LevelMask readLevels(const JsonReader& value) {
  LevelMask levels;
  value.forEachElement([&](const JsonReader& element) {
    const std::int64_t level = element.integer(0);
    if (level < kMaxLevels) levels.add(static_cast<int>(level));
  });
  return levels;
}

std::string levelsJson(LevelMask levels) {
  std::string out;
  for (int level = 0; level < kMaxLevels; ++level) {
    if (levels.contains(level)) absl::StrAppend(&out, out.empty() ? "[" : ", ", level);
  }
  return (out.empty() ? "[" : out) + "]";
}

absl::StatusOr<std::int64_t> cellWidth(double blocks) {
  absl::StatusOr<std::int64_t> units = toUnits(blocks, "the cell's width");
  if (units.ok() && *units < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("the cell's width is ", internal::numberText(blocks),
                     "; it must be positive, at least 1/", kUnitsPerBlock));
  }
  // The error of a rounded width would add up cell by cell.
  if (units.ok() && toBlocks(*units) != blocks) {
    std::string text = "the cell's width is ";
    appendJsonNumber(text, blocks);
    absl::StrAppend(&text, ", which is not a multiple of 1/", kUnitsPerBlock,
                    "; divide the coordinates by it and leave it out, or give ");
    appendJsonNumber(text, toBlocks(*units));
    return absl::InvalidArgumentError(text);
  }
  return units;
}

std::string QueryId::json() const {
  if (is_number) return text;
  std::string quoted;
  appendJsonString(quoted, text);
  return quoted;
}

QueryId readQueryId(const JsonReader& value) {
  if (value.value().is_string()) return {.text = value.text()};
  if (value.value().is_number()) return {.text = value.value().dump(), .is_number = true};
  value.fail("a query's id must be a string or a number");
  return {};
}

ShotQuery readShotQuery(const JsonReader& query, const ShotQuery& usual) {
  ShotQuery shot = usual;
  shot.line = readLine(query);
  if (const std::optional<JsonReader> levels = query.find("levels")) {
    shot.levels = readLevels(*levels);
  } else if (usual.levels.empty()) {
    query.member("levels");  // which fails
  }
  forEachShotOption(OptionReader{query, shot}, shot.options);
  internal::readMember(query, "spans", shot.spans);
  return shot;
}

WalkQuery readWalkQuery(const JsonReader& query) {
  WalkQuery walk;
  if (const auto dimensions = query.find("dimensions")) {
    walk.dimensions = static_cast<int>(dimensions->integer(2, 3));
  }
  walk.from = readPoint(query.member("from"), walk.dimensions);
  walk.to = readPoint(query.member("to"), walk.dimensions);
  if (const auto cell = query.find("cell")) walk.cell = readCell(*cell, walk.dimensions);
  internal::readMember(query, "corner", walk.corner);
  return walk;
}

}  // namespace fractalray
