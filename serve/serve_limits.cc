// SPDX-License-Identifier: Apache-2.0
#include "serve_limits.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

#include "answer.h"

namespace fractalray::serve {

absl::Status checkLimits(const ServeLimits& limits) {
  if (std::min({limits.batch_lines, limits.frame_bytes, limits.queue_calls, limits.queue_lines,
                limits.memory_bytes, limits.connections}) == 0) {
    return absl::InvalidArgumentError("a limit of the server is 0; it is at least 1");
  }
  constexpr std::uint64_t kMost = std::uint64_t{1} << 32;
  if (std::max({limits.batch_lines, limits.frame_bytes, limits.queue_calls, limits.connections}) >
      kMost) {
    return absl::InvalidArgumentError("a limit of the server is above 4,294,967,296");
  }
  const std::uint64_t least = limits.frame_bytes + mostAnswerBytes(limits.batch_lines);
  if (limits.memory_bytes >= least) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "the memory is limited to ", limits.memory_bytes, " bytes, and the largest call takes ",
      least, "; raise the memory, or lower the bytes or lines of a call"));
}

}  // namespace fractalray::serve
