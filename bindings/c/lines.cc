// SPDX-License-Identifier: Apache-2.0
// Lines, rounded to units.
#include <cmath>

#include "../../core/ray.h"
#include "../../core/segment.h"
#include "internal/convert.h"
#include "internal/objects.h"

namespace fractalray::capi {
namespace {

// Writes the line that `make` returns; after an error of the arguments or of `make` one of zeros.
template <class Make>
absl::Status makeLine(frLine* line, const absl::Status& arguments, const Make& make) {
  if (!arguments.ok()) {
    *line = {};
    return arguments;
  }
  const absl::StatusOr<FixedSegment> segment = make();
  if (segment.ok()) {
    write(*segment, *line);
    return absl::OkStatus();
  }
  *line = {};
  return segment.status();
}

// Returns the line in units; OUT_OF_RANGE if it leaves the frame.
absl::StatusOr<FixedSegment> checkedLine(const frLine& line) {
  for (int axis = 0; axis < 3; ++axis) {
    for (const std::int64_t end : {line.from[axis], line.to[axis]}) {
      if (end >= -kMaxCoordinate && end <= kMaxCoordinate) continue;
      return absl::OutOfRangeError(
          absl::StrCat("the line ends at ", end, " units, beyond the frame's 2^61"));
    }
  }
  return fromC(line);
}

}  // namespace
}  // namespace fractalray::capi

using namespace fractalray::capi;
using fractalray::FixedSegment;

extern "C" {

frResult frMakeSegment(const double from[3], const double to[3], frLine* line) {
  return guarded(__func__, [&]() -> absl::Status {
    absl::Status status = checkArguments({{line, "line"}});
    if (!status.ok()) return status;
    return makeLine(line, checkArguments({{from, "from"}, {to, "to"}}), [&] {
      return fractalray::toUnits({.from = vectorFrom(from), .to = vectorFrom(to)});
    });
  });
}

frResult frMakeRay(const double origin[3], const double direction[3], double max_distance,
                   const double bounds[6], frLine* line) {
  return guarded(__func__, [&]() -> absl::Status {
    absl::Status status = checkArguments({{line, "line"}});
    if (!status.ok()) return status;
    status = checkArguments({{origin, "origin"}, {direction, "direction"}});
    if (status.ok()) status = checkOptional({bounds, "bounds"});
    return makeLine(line, status, [&] {
      fractalray::Ray ray{.origin = vectorFrom(origin),
                          .direction = vectorFrom(direction),
                          .max_distance = max_distance};
      if (bounds != nullptr) {
        ray.bounds = fractalray::Bounds{.min = vectorFrom(bounds), .max = vectorFrom(bounds + 3)};
      }
      return fractalray::toFixedSegment(ray);
    });
  });
}

frResult frLine_GetPoint(const frLine* line, double t, double point[3]) {
  return guarded(__func__, [&]() -> absl::Status {
    absl::Status status = checkArguments({{line, "line"}, {point, "point"}});
    if (!status.ok()) return status;
    if (!std::isfinite(t)) {
      return absl::InvalidArgumentError(absl::StrCat("t is ", t, "; it must be finite"));
    }
    const absl::StatusOr<FixedSegment> segment = checkedLine(*line);
    if (!segment.ok()) return segment.status();
    store(segment->pointAt(t), point);
    return status;
  });
}

frResult frLine_GetLength(const frLine* line, double* length) {
  return guarded(__func__, [&]() -> absl::Status {
    absl::Status status = checkArguments({{line, "line"}, {length, "length"}});
    if (!status.ok()) return status;
    const absl::StatusOr<FixedSegment> segment = checkedLine(*line);
    if (!segment.ok()) return segment.status();
    *length = segment->lengthBlocks();
    return status;
  });
}

}  // extern "C"
