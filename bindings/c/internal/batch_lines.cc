// SPDX-License-Identifier: Apache-2.0
#include "batch_lines.h"

#include <cstdint>
#include <span>

#include "absl/strings/str_cat.h"

#include "arguments.h"
#include "convert.h"

namespace fractalray::capi {
namespace {

absl::Status checkVectors(const frLines& lines) {
  absl::Status status = VectorReader::check(lines.from, lines.count, "lines->from");
  if (status.ok()) status = VectorReader::check(lines.to, lines.count, "lines->to");
  if (!status.ok()) return status;
  const bool is_from_units = lines.from.format == FR_UNITS;
  const bool is_to_units = lines.to.format == FR_UNITS;
  if (lines.is_rays != 0 && (is_from_units || is_to_units)) {
    return absl::InvalidArgumentError("rays are not FR_UNITS; give FR_F64 or FR_F32");
  }
  if (is_from_units != is_to_units) {
    return absl::InvalidArgumentError(
        "only one of lines->from and lines->to is FR_UNITS; give both in units, or neither");
  }
  status = checkOptional({lines.max_distances, "lines->max_distances"});
  return status.ok() ? checkOptional({lines.bounds, "lines->bounds"}) : status;
}

// The part of a list that belongs to one of several lines, given the ends of all parts.
class Part {
 public:
  Part(const std::uint64_t* ends, std::size_t line)
      : begin_(ends == nullptr || line == 0 ? 0 : ends[line - 1]),
        end_(ends == nullptr ? 0 : ends[line]) {}

  absl::Status check(const void* list, std::size_t line, const char* name) const {
    if (begin_ == end_) return absl::OkStatus();
    if (begin_ > end_) {
      return absl::InvalidArgumentError(absl::StrCat(name, "_ends[", line, "] is ", end_,
                                                     ", less than the end before it, ", begin_));
    }
    return list != nullptr ? absl::OkStatus()
                           : absl::InvalidArgumentError(absl::StrCat(name, " is null"));
  }
  std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }
  template <class T>
  std::span<const T> of(const T* list) const {
    return size() == 0 ? std::span<const T>() : std::span(list + begin_, size());
  }

 private:
  std::uint64_t begin_;
  std::uint64_t end_;
};

// Checks the lists of all lines, and converts the hits in them.
absl::Status readLists(const frLines& lines, std::vector<Hit>& after) {
  if (lines.ignore_ends == nullptr && lines.after_ends == nullptr) return absl::OkStatus();
  for (std::size_t i = 0; i < lines.count; ++i) {
    absl::Status status = Part(lines.ignore_ends, i).check(lines.ignore, i, "lines->ignore");
    if (!status.ok()) return status;
    const Part hits(lines.after_ends, i);
    status = hits.check(lines.after, i, "lines->after");
    if (!status.ok()) return status;
    for (const frHit& each : hits.of(lines.after)) {
      const absl::StatusOr<Hit> hit = fromC(each);
      if (!hit.ok()) return hit.status();
      after.push_back(*hit);
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<BatchLines> BatchLines::make(const frLines* lines, frLevelMask levels) {
  absl::Status status = checkStruct(lines, "lines");
  if (status.ok()) status = checkOptional({lines->lines, "lines->lines"});
  if (status.ok() && lines->lines == nullptr) status = checkVectors(*lines);
  if (status.ok()) status = checkOptional({lines->levels, "lines->levels"});
  if (status.ok()) status = checkOptional({lines->ignore, "lines->ignore"});
  if (status.ok()) status = checkOptional({lines->ignore_ends, "lines->ignore_ends"});
  if (status.ok()) status = checkOptional({lines->after, "lines->after"});
  if (status.ok()) status = checkOptional({lines->after_ends, "lines->after_ends"});
  if (!status.ok()) return status;
  BatchLines made;
  status = readLists(*lines, made.after_);
  if (!status.ok()) return status;
  made.lines_ = lines;
  made.levels_ = levels;
  if (lines->lines != nullptr) return made;
  made.from_ = VectorReader(lines->from);
  made.to_ = VectorReader(lines->to);
  if (lines->bounds != nullptr) {
    made.bounds_ = Bounds{.min = vectorFrom(lines->bounds), .max = vectorFrom(lines->bounds + 3)};
  }
  return made;
}

void BatchLines::read(std::size_t first, std::size_t count,
                      std::vector<BatchQuery>& queries) const {
  queries.clear();
  queries.reserve(count);
  for (std::size_t i = first; i < first + count; ++i) {
    queries.push_back(queryAt(i));
    queries.back().ignore = Part(lines_->ignore_ends, i).of(lines_->ignore);
    queries.back().after = Part(lines_->after_ends, i).of(after_.data());
  }
}

BatchQuery BatchLines::queryAt(std::size_t i) const {
  BatchQuery query;
  query.levels = levelsFromC(lines_->levels == nullptr ? levels_ : lines_->levels[i]);
  if (lines_->lines != nullptr) {
    query.line = fromC(lines_->lines[i]);
  } else if (lines_->is_rays != 0) {
    query.line = rayAt(i);
  } else if (from_.isInUnits()) {
    query.line = FixedSegment{.from = from_.units(i), .to = to_.units(i)};
  } else {
    query.line = Segment{.from = from_.blocks(i), .to = to_.blocks(i)};
  }
  return query;
}

Ray BatchLines::rayAt(std::size_t i) const {
  Ray ray{.origin = from_.blocks(i), .direction = to_.blocks(i)};
  if (lines_->max_distances != nullptr) ray.max_distance = lines_->max_distances[i];
  ray.bounds = bounds_;
  return ray;
}

}  // namespace fractalray::capi
