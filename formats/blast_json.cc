// SPDX-License-Identifier: Apache-2.0
#include "blast_json.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "absl/strings/str_cat.h"

#include "internal/json_fields.h"
#include "json_document.h"
#include "query_json.h"

namespace fractalray {
namespace {

// Calls visit(name, member, usual) for each option that is plain and has a meaning for blasts: they
// have no start that could be inside.
template <class Options, class Visit>
void forEachBlastOption(Options& options, const Visit& visit) {
  static const BlastOptions kUsual;
  forEachField(
      [&visit](const FieldName& field, auto& member, const auto& usual) {
        if constexpr (isPlain<std::remove_cvref_t<decltype(member)>>()) {
          if (field.name != "skip_start_inside") visit(field.name, member, usual);
        }
      },
      options.filter, kUsual.filter);
  visit("max_samples", options.max_samples, kUsual.max_samples);
}

std::variant<std::vector<BlastRay>, BlastFan> readRays(const JsonReader& query) {
  const JsonReader rays = query.member("rays");
  if (rays.value().is_object()) {
    BlastFan fan;
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    fan.points = static_cast<int>(rays.member("cube").integer(-kMost, kMost));
    fan.step = rays.member("step").number();
    fan.power = rays.member("power").integer();
    rays.refuseOthers();
    return fan;
  }
  std::vector<BlastRay> list;
  rays.forEachElement([&](const JsonReader& ray) {
    list.push_back(
        {.step = ray.member("step").integers<Vec3i>(), .power = ray.member("power").integer()});
    ray.refuseOthers();
  });
  return list;
}

std::string raysJson(const std::vector<BlastRay>& rays) {
  std::string out = "[";
  const char* separator = "";
  for (const BlastRay& ray : rays) {
    absl::StrAppend(&out, separator, "{\"step\": [", ray.step[0], ", ", ray.step[1], ", ",
                    ray.step[2], "], \"power\": ", ray.power, "}");
    separator = ", ";
  }
  return out + "]";
}
std::string raysJson(const BlastFan& fan) {
  std::string out = absl::StrCat("{\"cube\": ", fan.points, ", \"step\": ");
  appendJsonNumber(out, fan.step);
  absl::StrAppend(&out, ", \"power\": ", fan.power, "}");
  return out;
}

}  // namespace

absl::StatusOr<PreparedBlast> prepareBlast(const BlastCase& blast, const BlockTypeTable& types,
                                           const InputLimits& limits) {
  PreparedBlast made;
  if (const auto* const fan = std::get_if<BlastFan>(&blast.rays)) {
    absl::StatusOr<std::vector<BlastRay>> rays = cubeFan(fan->points, fan->step, fan->power);
    if (!rays.ok()) return rays.status();
    made.rays = *std::move(rays);
  } else {
    made.rays = std::get<std::vector<BlastRay>>(blast.rays);
  }
  made.resistances.assign(types.size(), kUnbreakable);
  for (const auto& [type, resistance] : blast.resistances)
    made.resistances[BlockTypeTable::index(type)] = resistance;
  made.query = {.center = blast.center,
                .radius = blast.radius,
                .rays = made.rays,
                .resistances = made.resistances,
                .falloff = blast.falloff};
  made.options = blast.options;
  made.options.max_samples = std::min(blast.options.max_samples, limits.cells);
  made.options.filter.channel = types.findChannel(blast.channel).value_or(kDefaultChannel);
  made.options.filter.ignore = blast.ignore;
  return made;
}

BlastCase readBlast(const JsonReader& query, TypeReader read_type) {
  BlastCase blast;
  blast.center = query.member("center").numbers<3>();
  blast.radius = query.member("radius").number();
  blast.rays = readRays(query);
  query.member("resistances").forEachMember([&](const std::string& name, const JsonReader& value) {
    blast.resistances.emplace_back(read_type(value, name), value.integer());
  });
  if (const auto falloff = query.find("falloff")) blast.falloff = falloff->integer();
  blast.levels = readLevels(query.member("levels"));
  internal::readMember(query, "channel", blast.channel);
  internal::readMember(query, "ignore", blast.ignore);
  forEachBlastOption(blast.options, [&](std::string_view name, auto& member, const auto&) {
    internal::readMember(query, name, member);
  });
  return blast;
}

std::string blastJson(const BlastCase& blast,
                      absl::FunctionRef<std::string(BlockTypeId type)> name) {
  std::string out = R"("op": "blast", "center": [)";
  for (int axis = 0; axis < 3; ++axis) {
    if (axis > 0) out += ", ";
    appendJsonNumber(out, blast.center[axis]);
  }
  out += "], \"radius\": ";
  appendJsonNumber(out, blast.radius);
  out += ", \"rays\": ";
  out += std::visit([](const auto& rays) { return raysJson(rays); }, blast.rays);
  out += ", \"resistances\": {";
  const char* separator = "";
  for (const auto& [type, resistance] : blast.resistances) {
    absl::StrAppend(&out, separator, name(type), ": ", resistance);
    separator = ", ";
  }
  out += '}';
  if (blast.falloff != 0) absl::StrAppend(&out, ", \"falloff\": ", blast.falloff);
  absl::StrAppend(&out, ", \"levels\": ", levelsJson(blast.levels));
  internal::appendMember(out, "channel", blast.channel, BlastCase().channel);
  internal::appendMember(out, "ignore", blast.ignore, {});
  forEachBlastOption(blast.options,
                     [&](std::string_view option, const auto& member, const auto& usual) {
                       internal::appendMember(out, option, member, usual);
                     });
  return out;
}

}  // namespace fractalray
