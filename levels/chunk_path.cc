// SPDX-License-Identifier: Apache-2.0
#include "chunk_path.h"

#include <algorithm>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

#include "../core/check.h"
#include "../core/printable.h"
#include "../core/units.h"

namespace fractalray {
namespace {

// Returns the value of a hexadecimal digit, or -1.
int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The most bytes of a path that a message shows: a path may have a million steps.
constexpr std::size_t kMostShown = 60;

absl::Status badPath(std::string_view text, std::size_t at, std::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat(
      "chunk path ", quotedText(text, kMostShown), ": ", std::string(why), " at character ", at + 1,
      "; write three hexadecimal digits a step, joined by '_', like 7a3_221"));
}

}  // namespace

absl::StatusOr<ChunkPath> ChunkPath::parse(std::string_view text) {
  ChunkPath path;
  if (text.empty()) return path;
  for (std::size_t at = 0;; ++at) {  // steps over the '_'
    Step step;
    for (int axis = 0; axis < 3; ++axis, ++at) {
      const int digit = at < text.size() ? hexDigit(text[at]) : -1;
      if (digit < 0) return badPath(text, at, "expected a hexadecimal digit");
      step[axis] = digit;
    }
    path.steps_.push_back(step);
    if (at == text.size()) return path;
    if (text[at] != '_') return badPath(text, at, "expected '_'");
  }
}

ChunkPath ChunkPath::to(const ChunkCoord& chunk, int levels) {
  FRACTALRAY_DCHECK(levels >= 0, levels);
  ChunkPath path;
  ChunkCoord at = chunk;
  for (int level = 0; level < levels; ++level) {
    Step step;
    for (int axis = 0; axis < 3; ++axis) {
      step[axis] = static_cast<int>(at[axis] & 15);
      at[axis] >>= 4;
    }
    path.steps_.push_back(step);
  }
  std::reverse(path.steps_.begin(), path.steps_.end());
  return path;
}

absl::StatusOr<ChunkCoord> ChunkPath::from(const ChunkCoord& ancestor) const {
  ChunkCoord chunk = ancestor;
  for (const Step& step : steps_) {
    for (int axis = 0; axis < 3; ++axis) {
      if (chunk[axis] > kMaxCoordinate / 16 - 1 || chunk[axis] < -kMaxCoordinate / 16) {
        return absl::OutOfRangeError(
            absl::StrCat("chunk path ", quotedText(text(), kMostShown), " leads out of the frame"));
      }
      chunk[axis] = chunk[axis] * kChunkSize + step[axis];
    }
  }
  return chunk;
}

absl::StatusOr<ChunkPath> ChunkPath::inFrame(const ChunkCoord& chunk, int levels) const {
  FRACTALRAY_DCHECK(levels >= 0, levels);
  ChunkPath path;
  const std::size_t size = steps_.size() + static_cast<std::size_t>(levels);
  path.steps_.reserve(size);
  path.steps_ = steps_;
  path.steps_.resize(size);
  // On each axis the steps are digits of base 16 of a number to which the index is added.
  for (int axis = 0; axis < 3; ++axis) {
    std::int64_t carry = chunk[axis];
    for (std::size_t i = size; i > 0 && carry != 0; --i) {
      int& digit = path.steps_[i - 1][axis];
      const std::int64_t sum = (carry & 15) + digit;
      digit = static_cast<int>(sum & 15);
      carry = (carry >> 4) + (sum >> 4);
    }
    if (carry != 0) {
      return absl::OutOfRangeError(
          absl::StrCat("chunk [", chunk[0], ", ", chunk[1], ", ", chunk[2], "], ", levels,
                       " levels below the anchor, has no path: it lies outside the root chunk, ",
                       steps_.size(), " levels above the anchor"));
    }
  }
  return path;
}

ChunkPath ChunkPath::parent() const {
  FRACTALRAY_DCHECK(!steps_.empty());
  ChunkPath path;
  path.steps_.assign(steps_.begin(), steps_.end() - 1);
  return path;
}

std::string ChunkPath::text() const {
  std::string text;
  for (const Step& step : steps_) {
    if (!text.empty()) text += '_';
    for (int axis = 0; axis < 3; ++axis)
      text += "0123456789abcdef"[step[axis]];
  }
  return text;
}

}  // namespace fractalray
