// SPDX-License-Identifier: Apache-2.0
#include "stream_options.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"

namespace fractalray {
namespace {

absl::Status checkRadii(const StreamRadii& radii, std::size_t level) {
  const auto is_in = [](double value, double min, double max) {
    return value >= min && value <= max;  // false for NaN
  };
  if (!is_in(radii.load, 0, StreamRadii::kMax) || !is_in(radii.keep, 0, StreamRadii::kMax)) {
    return absl::InvalidArgumentError(
        absl::StrCat("the radii of level ", level, " are ", radii.load, " (load) and ", radii.keep,
                     " (keep) chunks; each must be from 0 to ", StreamRadii::kMax));
  }
  if (radii.keep < radii.load) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the radii of level ", level, " are out of order: chunks would be loaded within ",
        radii.load, " chunks and kept only within ", radii.keep, "; keep must be at least load"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status checkStreamOptions(const StreamOptions& options, const Frame& frame) {
  if (options.radii.size() != static_cast<std::size_t>(frame.levels())) {
    return absl::InvalidArgumentError(absl::StrCat(
        "there are radii for ", options.radii.size(), " levels and the frame has ", frame.levels(),
        "; give one entry for each level, std::nullopt for one that is not streamed"));
  }
  for (std::size_t level = 0; level < options.radii.size(); ++level) {
    if (!options.radii[level].has_value()) continue;
    if (absl::Status status = checkRadii(*options.radii[level], level); !status.ok()) return status;
  }
  const std::array<std::pair<std::string_view, std::uint64_t>, 8> counts = {{
      {"chunks_per_tick", options.chunks_per_tick},
      {"bytes_per_tick", options.bytes_per_tick},
      {"max_bytes", options.max_bytes},
      {"max_pending", options.max_pending},
      {"answer_ticks", options.answer_ticks},
      {"retry_ticks", options.retry_ticks},
      {"max_retry_ticks", options.max_retry_ticks},
      {"want_ticks", options.want_ticks},
  }};
  for (const auto& [name, value] : counts) {
    if (value > 0) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(std::string(name), " is 0; nothing would be loaded: it must be at least 1"));
  }
  if (options.max_retry_ticks < options.retry_ticks) {
    return absl::InvalidArgumentError(absl::StrCat("max_retry_ticks is ", options.max_retry_ticks,
                                                   "; it must be at least retry_ticks, which is ",
                                                   options.retry_ticks));
  }
  return absl::OkStatus();
}

}  // namespace fractalray
