// SPDX-License-Identifier: Apache-2.0
// The cells of a grid on many lines.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../core/grid_walk.h"
#include "internal/arguments.h"
#include "internal/batch_lines.h"
#include "internal/errors.h"

namespace fractalray::capi {
namespace {

constexpr std::size_t kWalksInPart = 1024;
// The most planes between cells that a line may cross: one that is infinite by mistake would walk
// for minutes.
constexpr std::uint64_t kMostCrossings = std::uint64_t{1} << 24;

struct WalkArrays {
  std::uint64_t* ends;
  std::int64_t* cells;
  double* times;
  std::size_t capacity;
  frResult* results;
};

// Walks over the lines of a batch, and appends their cells.
class LineWalks {
 public:
  LineWalks(const Vec3i& widths, CornerPolicy corner, const WalkArrays& to)
      : widths_(widths), corner_(corner), to_(to) {}

  void walk(const BatchQuery& query, std::size_t i) {
    const absl::Status status =
        std::visit([this](const auto& line) { return walkLine(line); }, query.line);
    to_.ends[i] = size_;
    if (to_.results != nullptr) to_.results[i] = resultOf(status);
    if (!status.ok() && errors_++ == 0) setElementError("frWalkMany", "line", i, status);
  }
  std::size_t size() const { return size_; }
  std::size_t errors() const { return errors_; }

 private:
  template <class AnyLine>
  absl::Status walkLine(const AnyLine& line) {
    const absl::StatusOr<FixedSegment> segment = toFixedSegment(line);
    if (!segment.ok()) return segment.status();
    if (segment->begin.axes != 0) {
      return absl::InvalidArgumentError("the line was reflected; give one from its start on");
    }
    if (segment->end_time < 1 || segment->end_time > kWholeLine) {
      return absl::InvalidArgumentError(
          absl::StrCat("the line's end_time is ", segment->end_time, "; it must be 1 to 2^60"));
    }
    absl::StatusOr<GridWalk<3>> walk =
        GridWalk<3>::create(segment->from, segment->to, widths_, corner_);
    if (!walk.ok()) return walk.status();
    return addCells(*walk, {segment->end_time, kWholeLine});
  }

  // Appends the cells that are entered up to `end`.
  absl::Status addCells(GridWalk<3>& walk, const Fraction& end) {
    const double crossings = static_cast<double>(walk.crossings()) * end.toDouble();
    if (crossings > static_cast<double>(kMostCrossings)) {
      return absl::ResourceExhaustedError(absl::StrCat("the line crosses some ", crossings,
                                                       " cells, and a walk 2^24 at most; give ",
                                                       "it a shorter distance, or wider cells"));
    }
    const bool ends_early = end != Fraction::one();
    walk.forEach([&](const GridCell<3>& cell) {
      if (ends_early && cell.t > end) return Visit::kStop;
      if (size_ < to_.capacity) {
        store(cell.cell, to_.cells + 3 * size_);
        if (to_.times != nullptr) to_.times[size_] = cell.t.toDouble();
      }
      ++size_;
      return Visit::kContinue;
    });
    return absl::OkStatus();
  }

  Vec3i widths_;
  CornerPolicy corner_;
  const WalkArrays& to_;
  std::size_t size_ = 0;
  std::size_t errors_ = 0;
};

absl::Status checkWidths(const std::int64_t* widths) {
  for (int axis = 0; axis < 3; ++axis) {
    if (widths[axis] >= 1 && widths[axis] <= kMaxCoordinate) continue;
    return absl::InvalidArgumentError(absl::StrCat("widths[", axis, "] is ", widths[axis],
                                                   " units; it must be from 1 to 2^61 units"));
  }
  return absl::OkStatus();
}

absl::Status checkArrays(const WalkArrays& to, std::size_t lines) {
  absl::Status status = checkArray({to.ends, "ends"}, lines);
  if (status.ok()) status = checkArray({to.cells, "cells"}, to.capacity);
  if (status.ok()) status = checkOptional({to.times, "times"});
  if (status.ok()) status = checkOptional({to.results, "results"});
  return status;
}

// Walks over all lines, with the arguments of the C function to be checked.
absl::Status walkMany(const frLines* lines, const std::int64_t* widths, std::int32_t corner,
                      const WalkArrays& to, std::size_t* count, std::size_t* errors) {
  absl::Status status = checkArguments({{widths, "widths"}, {count, "count"}});
  if (status.ok()) status = checkOptional({errors, "errors"});
  if (status.ok()) status = checkWidths(widths);
  if (!status.ok()) return status;
  const absl::StatusOr<CornerPolicy> policy = cornerFrom(corner);
  if (!policy.ok()) return policy.status();
  const absl::StatusOr<BatchLines> read = BatchLines::make(lines, FR_ALL_LEVELS);
  if (!read.ok()) return read.status();
  status = checkArrays(to, read->size());
  if (!status.ok()) return status;
  LineWalks walks(vectorFrom(widths), *policy, to);
  std::vector<BatchQuery> queries;
  for (std::size_t first = 0; first < read->size(); first += kWalksInPart) {
    read->read(first, std::min(kWalksInPart, read->size() - first), queries);
    for (std::size_t i = 0; i < queries.size(); ++i)
      walks.walk(queries[i], first + i);
  }
  *count = walks.size();
  if (errors != nullptr) *errors = walks.errors();
  return to.capacity != 0 && walks.size() > to.capacity ? tooShort(walks.size(), to.capacity)
                                                        : status;
}

}  // namespace
}  // namespace fractalray::capi

using namespace fractalray::capi;

extern "C" {

frResult frWalkMany(const frLines* lines, const int64_t widths[3], int32_t corner, uint64_t* ends,
                    int64_t* cells, double* times, size_t capacity, size_t* count,
                    frResult* results, size_t* errors) {
  return guarded(__func__, [&] {
    return walkMany(lines, widths, corner, {ends, cells, times, capacity, results}, count, errors);
  });
}

}  // extern "C"
