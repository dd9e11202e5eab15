// SPDX-License-Identifier: Apache-2.0
#include "view_json.h"

#include <algorithm>
#include <optional>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

#include "../core/printable.h"
#include "../core/units.h"
#include "internal/json_fields.h"
#include "json_document.h"
#include "query_json.h"

namespace fractalray {
namespace {

// Returns the member `units` if it is there, nothing if `blocks` is; fails if both are.
std::optional<JsonReader> findUnits(const JsonReader& query, const char* blocks,
                                    const char* units) {
  std::optional<JsonReader> in_units = query.find(units);
  if (in_units.has_value() && query.value().contains(blocks)) {
    query.fail(absl::StrCat("it has \"", blocks, "\" and \"", units, "\"; give one of them"));
  }
  return in_units;
}

AnyPoint readEye(const JsonReader& query) {
  if (const auto units = findUnits(query, "eye", "eye_units")) return units->integers<Vec3i>();
  return query.member("eye").numbers<3>();
}

Bounds readBounds(const JsonReader& box) {
  if (!box.isArrayOf(2, "points")) return {};
  return {.min = box.element(0).numbers<3>(), .max = box.element(1).numbers<3>()};
}
FixedBox readBoxInUnits(const JsonReader& box) {
  if (!box.isArrayOf(2, "points")) return {};
  return {.min = box.element(0).integers<Vec3i>(), .max = box.element(1).integers<Vec3i>()};
}

AnyBox readTarget(const JsonReader& query) {
  if (const auto units = findUnits(query, "box", "box_units")) return readBoxInUnits(*units);
  return readBounds(query.member("box"));
}

std::vector<AnyBox> readOccluders(const JsonReader& query) {
  std::vector<AnyBox> occluders;
  if (const auto boxes = query.find("occluders")) {
    boxes->forEachElement([&](const JsonReader& box) { occluders.emplace_back(readBounds(box)); });
  }
  if (const auto boxes = query.find("occluder_units")) {
    boxes->forEachElement(
        [&](const JsonReader& box) { occluders.emplace_back(readBoxInUnits(box)); });
  }
  return occluders;
}

// Reads the options; those that are words or lists are members of the query.
struct ViewOptionReader {
  const JsonReader& query;
  ViewQuery& view;

  void operator()(std::string_view name, ChannelId& /*channel*/) const {
    internal::readMember(query, name, view.channel);
  }
  void operator()(std::string_view name, UnloadedSpace& /*unloaded*/) const {
    internal::readMember(query, name, view.unloaded);
  }
  void operator()(std::string_view name, IgnoreList& /*ignore*/) const {
    internal::readMember(query, name, view.ignore);
  }
  template <class Member>
  void operator()(std::string_view name, Member& member) const {
    if constexpr (isPlain<Member>()) internal::readMember(query, name, member);
  }
};

void appendNumber(std::string& out, double value) {
  appendJsonNumber(out, value);
}
void appendNumber(std::string& out, std::int64_t value) {
  absl::StrAppend(&out, value);
}
template <class T>
void appendPosition(std::string& out, const Vec<T, 3>& point) {
  for (int axis = 0; axis < 3; ++axis) {
    out += axis == 0 ? "[" : ", ";
    appendNumber(out, point[axis]);
  }
  out += ']';
}
template <class Box>
void appendPosition(std::string& out, const Box& box) {
  out += '[';
  appendPosition(out, box.min);
  out += ", ";
  appendPosition(out, box.max);
  out += ']';
}

// Appends a member for a position in either measure.
template <class Any>
void appendPosition(std::string& out, std::string_view name, const Any& position) {
  absl::StrAppend(&out, ", \"", std::string(name), position.index() == 1 ? "_units" : "", "\": ");
  std::visit([&](const auto& in_measure) { appendPosition(out, in_measure); }, position);
}

// Appends a list of those occluders that are in one measure, unless there are none.
template <class Box>
void appendOccluders(std::string& out, std::string_view name, const std::vector<AnyBox>& all) {
  std::string list;
  for (const AnyBox& each : all) {
    const auto* const box = std::get_if<Box>(&each);
    if (box == nullptr) continue;
    if (!list.empty()) list += ", ";
    appendPosition(list, *box);
  }
  if (!list.empty()) absl::StrAppend(&out, ", \"", std::string(name), "\": [", list, "]");
}

// Appends the options that are not the usual ones.
struct ViewOptionWriter {
  const ViewQuery& view;
  std::string& out;

  void operator()(std::string_view name, ChannelId /*channel*/, ChannelId /*usual*/) const {
    internal::appendMember(out, name, view.channel, ViewQuery().channel);
  }
  void operator()(std::string_view name, UnloadedSpace /*unloaded*/,
                  UnloadedSpace /*usual*/) const {
    internal::appendMember(out, name, view.unloaded, ViewQuery().unloaded);
  }
  void operator()(std::string_view name, const IgnoreList& /*ignore*/,
                  const IgnoreList& /*usual*/) const {
    internal::appendMember(out, name, view.ignore, {});
  }
  template <class Member>
  void operator()(std::string_view name, const Member& member, const Member& usual) const {
    if constexpr (isPlain<Member>()) internal::appendMember(out, name, member, usual);
  }
};

absl::StatusOr<Vec3i> unitsOf(const AnyPoint& point) {
  const auto* const blocks = std::get_if<Vec3d>(&point);
  return blocks != nullptr ? toUnits(*blocks, "the eye") : std::get<Vec3i>(point);
}
absl::StatusOr<FixedBox> unitsOf(const AnyBox& box) {
  const auto* const blocks = std::get_if<Bounds>(&box);
  return blocks != nullptr ? toFixedBox(*blocks) : std::get<FixedBox>(box);
}

// Stand for a position that units cannot express: a point beyond the frame, and a box there that is
// flat or upside down, in units, along the same axes.
Vec3i beyondFrame(const AnyPoint& /*point*/) {
  return {kMaxCoordinate + 1, 0, 0};
}
FixedBox beyondFrame(const AnyBox& any) {
  FixedBox box{.min = beyondFrame(AnyPoint()), .max = beyondFrame(AnyPoint())};
  const auto is_less = [](double a, double b) {
    const absl::StatusOr<std::int64_t> a_units = toUnits(a, "");
    const absl::StatusOr<std::int64_t> b_units = toUnits(b, "");
    return a_units.ok() && b_units.ok() ? *a_units < *b_units : a < b;
  };
  const auto& bounds = std::get<Bounds>(any);
  for (int axis = 0; axis < 3; ++axis) {
    box.max[axis] += is_less(bounds.min[axis], bounds.max[axis]) ? 1 : 0;
    box.min[axis] += is_less(bounds.max[axis], bounds.min[axis]) ? 1 : 0;
  }
  return box;
}

absl::StatusOr<UnloadedSpace> unloadedFrom(std::string_view word) {
  for (const auto& [name, meaning] : EnumWords<UnloadedSpace>::kWords) {
    if (name == word) return meaning;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("unloaded is ", quotedText(word), "; it must be report, transparent or opaque"));
}

}  // namespace

absl::StatusOr<PreparedView> prepareView(const ViewQuery& query, const BlockTypeTable& types) {
  PreparedView view;
  const auto units_of = [&view](const auto& position) {
    const auto units = unitsOf(position);
    view.beyond_frame = errorToReport({view.beyond_frame, units.status()});
    return units.ok() ? *units : beyondFrame(position);
  };
  view.query = {.eye = units_of(query.eye), .box = units_of(query.box)};
  for (const AnyBox& each : query.occluders)
    view.occluders.push_back(units_of(each));
  const absl::StatusOr<UnloadedSpace> unloaded = unloadedFrom(query.unloaded);
  if (!unloaded.ok()) return unloaded.status();
  if (absl::IsInvalidArgument(view.beyond_frame)) return view.beyond_frame;
  view.options = query.options;
  view.options.filter.channel = types.findChannel(query.channel).value_or(kDefaultChannel);
  view.options.filter.ignore = query.ignore;
  view.options.occluders = view.occluders;
  view.options.unloaded = *unloaded;
  return view;
}

ViewQuery readViewQuery(const JsonReader& query, ViewQuery::Kind kind) {
  ViewQuery view;
  view.kind = kind;
  view.eye = readEye(query);
  view.box = readTarget(query);
  view.levels = readLevels(query.member("levels"));
  view.occluders = readOccluders(query);
  forEachViewOption(ViewOptionReader{query, view}, view.options);
  return view;
}

std::string viewJson(const ViewQuery& query) {
  static const SightOptions kUsual;
  const bool is_visible = query.kind == ViewQuery::Kind::kVisible;
  std::string out = absl::StrCat(R"("op": ")", is_visible ? "visible" : "exposure", "\"");
  appendPosition(out, "eye", query.eye);
  appendPosition(out, "box", query.box);
  absl::StrAppend(&out, ", \"levels\": ", levelsJson(query.levels));
  appendOccluders<Bounds>(out, "occluders", query.occluders);
  appendOccluders<FixedBox>(out, "occluder_units", query.occluders);
  forEachViewOption(ViewOptionWriter{query, out}, query.options, kUsual);
  return out;
}

}  // namespace fractalray
