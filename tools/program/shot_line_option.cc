// SPDX-License-Identifier: Apache-2.0
#include "shot_line_option.h"

#include <limits>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"

#include "arguments.h"

namespace fractalray {
namespace {

absl::Status missing(std::string_view option, std::string_view line, std::string_view options) {
  return absl::InvalidArgumentError(absl::StrCat(std::string(option), " is missing; ",
                                                 std::string(line), " is given by ",
                                                 std::string(options)));
}

absl::StatusOr<Segment> readSegment(const ShotLineArguments& arguments) {
  constexpr std::string_view kSegment = "--from x,y,z and --to x,y,z";
  if (arguments.from.empty()) return missing("--from", "a segment", kSegment);
  if (arguments.to.empty()) return missing("--to", "a segment", kSegment);
  const absl::StatusOr<Vec3d> from = parsePoint(arguments.from, "--from");
  if (!from.ok()) return from.status();
  const absl::StatusOr<Vec3d> to = parsePoint(arguments.to, "--to");
  if (!to.ok()) return to.status();
  return Segment{.from = *from, .to = *to};
}

absl::StatusOr<Ray> readRay(const ShotLineArguments& arguments) {
  if (!arguments.from.empty() || !arguments.to.empty()) {
    return absl::InvalidArgumentError(
        "a ray has no --from and --to; give --origin and --direction, and --max-distance if it is "
        "not infinite");
  }
  constexpr std::string_view kRay = "--origin x,y,z and --direction x,y,z";
  if (arguments.origin.empty()) return missing("--origin", "a ray", kRay);
  if (arguments.direction.empty()) return missing("--direction", "a ray", kRay);
  const absl::StatusOr<Vec3d> origin = parsePoint(arguments.origin, "--origin");
  if (!origin.ok()) return origin.status();
  const absl::StatusOr<Vec3d> direction = parsePoint(arguments.direction, "--direction");
  if (!direction.ok()) return direction.status();
  return Ray{
      .origin = *origin,
      .direction = *direction,
      .max_distance = arguments.max_distance.value_or(std::numeric_limits<double>::infinity())};
}

}  // namespace

void addShotLineOptions(CommandOptions& options, ShotLineArguments& arguments) {
  options.add("--from X,Y,Z", arguments.from,
              "The start of a segment, in blocks of the finest level");
  options.add("--to X,Y,Z", arguments.to, "The end of the segment");
  options.add("--origin X,Y,Z", arguments.origin, "The start of a ray, instead of --from and --to");
  options.add("--direction X,Y,Z", arguments.direction,
              "The direction of the ray, of any length; whole numbers are kept exactly");
  options.add("--max-distance FLOAT", arguments.max_distance,
              "The length of the ray, in blocks of the finest level (default: infinite)");
}

absl::StatusOr<std::variant<Segment, Ray>> readShotLine(const ShotLineArguments& arguments) {
  if (arguments.origin.empty() && arguments.direction.empty() &&
      !arguments.max_distance.has_value()) {
    return readSegment(arguments);
  }
  return readRay(arguments);
}

}  // namespace fractalray
