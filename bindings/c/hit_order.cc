// SPDX-License-Identifier: Apache-2.0
// The order of hits of one line, in one world or in several.
#include "../../query/hit_order.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../core/units.h"
#include "internal/arguments.h"
#include "internal/convert.h"
#include "internal/errors.h"
#include "internal/query_results.h"

namespace fractalray::capi {
namespace {

// All that the order of hits depends on besides their line.
struct HitFrame {
  Frame frame;
  CornerPolicy corner;
};

absl::StatusOr<HitFrame> hitFrameFrom(std::int32_t levels, std::int32_t corner) {
  if (levels < 0 || levels > kMaxLevels) {
    return absl::InvalidArgumentError(
        absl::StrCat("levels is ", levels, "; a world has 1 to ", kMaxLevels));
  }
  const absl::StatusOr<CornerPolicy> policy = cornerFrom(corner);
  if (!policy.ok()) return policy.status();
  return HitFrame{.frame = Frame(levels == 0 ? 1 : levels), .corner = *policy};
}

// Checks the ends of lists of hits, each of which is the begin of the next.
absl::Status checkListEnds(const std::uint64_t* ends, std::size_t lists) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::size_t>::max() / sizeof(frHit);
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < lists; ++i) {
    if (ends[i] < begin) {
      return absl::InvalidArgumentError(
          absl::StrCat("ends[", i, "] is ", ends[i], ", less than the end before it, ", begin));
    }
    begin = ends[i];
  }
  if (begin <= kMost) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("ends[", lists - 1, "] is ", begin, "; no array has that many hits"));
}

// Converts lists of hits, whose ends have been checked. The lists view `memory`.
absl::Status readHitLists(const frHit* hits, std::span<const std::uint64_t> ends,
                          std::vector<Hit>& memory, std::vector<std::span<const Hit>>& lists) {
  const std::size_t size = ends.empty() ? 0 : static_cast<std::size_t>(ends.back());
  memory.reserve(size);
  for (std::size_t i = 0; i < size; ++i) {
    const absl::StatusOr<Hit> hit = fromC(hits[i]);
    if (!hit.ok()) return ofElement("hits", i, hit.status());
    memory.push_back(*hit);
  }
  std::size_t begin = 0;
  for (const std::uint64_t each : ends) {
    const auto end = static_cast<std::size_t>(each);
    lists.push_back(std::span<const Hit>(memory).subspan(begin, end - begin));
    begin = end;
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace fractalray::capi

using namespace fractalray::capi;

extern "C" {

frResult frCompareHits(const frLine* line, int32_t levels, int32_t corner, const frHit* a,
                       const frHit* b, int32_t* order) {
  return guarded(__func__, [&]() -> absl::Status {
    absl::Status status = checkArguments({{line, "line"}, {a, "a"}, {b, "b"}, {order, "order"}});
    if (!status.ok()) return status;
    const absl::StatusOr<HitFrame> of = hitFrameFrom(levels, corner);
    if (!of.ok()) return of.status();
    const absl::StatusOr<fractalray::Hit> first = fromC(*a);
    if (!first.ok()) return first.status();
    const absl::StatusOr<fractalray::Hit> second = fromC(*b);
    if (!second.ok()) return second.status();
    const absl::StatusOr<std::strong_ordering> compared =
        fractalray::compareHits(fromC(*line), *first, *second, of->frame, of->corner);
    if (!compared.ok()) return compared.status();
    *order = *compared < 0 ? -1 : *compared > 0 ? 1 : 0;
    return status;
  });
}

frResult frMergeHits(const frLine* line, int32_t levels, int32_t corner, const frHit* hits,
                     const uint64_t* ends, size_t lists, frHit* merged, size_t capacity,
                     size_t* count) {
  return guarded(__func__, [&]() -> absl::Status {
    absl::Status status = checkArguments({{line, "line"}, {count, "count"}});
    if (status.ok()) status = checkArray({ends, "ends"}, lists);
    if (status.ok()) status = checkListEnds(ends, lists);
    if (status.ok() && lists != 0 && ends[lists - 1] != 0)
      status = checkArguments({{hits, "hits"}});
    if (status.ok()) status = checkArray({merged, "merged"}, capacity);
    if (!status.ok()) return status;
    const absl::StatusOr<HitFrame> of = hitFrameFrom(levels, corner);
    if (!of.ok()) return of.status();
    std::vector<fractalray::Hit> memory;
    std::vector<std::span<const fractalray::Hit>> read;
    status = readHitLists(hits, {ends, lists}, memory, read);
    if (!status.ok()) return status;
    const absl::StatusOr<std::vector<fractalray::Hit>> answer =
        fractalray::mergeHits(fromC(*line), read, of->frame, of->corner);
    if (!answer.ok()) return answer.status();
    *count = answer->size();
    return write(std::span<const fractalray::Hit>(*answer), merged, capacity);
  });
}

}  // extern "C"
