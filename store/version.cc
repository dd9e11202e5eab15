// SPDX-License-Identifier: Apache-2.0
#include "version.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include "../core/printable.h"

namespace fractalray {
namespace {

// Separates the world from the snapshot. No snapshot contains it.
constexpr char kBeforeSnapshot = '@';

// Takes a number, and the separator after it, from the begin of a text; nothing if they are not
// there.
std::optional<std::uint64_t> takeNumber(std::string_view& text, char separator) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest == end || *rest != separator) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(rest - text.data()) + 1);
  return number;
}

}  // namespace

absl::StatusOr<DatabaseSnapshot> DatabaseSnapshot::parse(std::string_view text) {
  const absl::Status error = absl::InvalidArgumentError(
      absl::StrCat(quotedText(text), ": not the name of a snapshot, such as \"899:905:899,901\""));
  std::string_view rest = text;
  const std::optional<std::uint64_t> oldest = takeNumber(rest, ':');
  const std::optional<std::uint64_t> next = takeNumber(rest, ':');
  if (!oldest.has_value() || !next.has_value() || *oldest < 1 || *next < *oldest) return error;
  DatabaseSnapshot snapshot;
  snapshot.oldest_ = *oldest;
  snapshot.next_ = *next;
  if (rest.empty()) return snapshot;
  const std::string list = absl::StrCat(std::string(rest), ",");  // so that each has one after it
  for (rest = list; !rest.empty();) {
    const std::optional<std::uint64_t> running = takeNumber(rest, ',');
    if (!running.has_value() || *running < *oldest || *running >= *next) return error;
    if (!snapshot.running_.empty() && *running <= snapshot.running_.back()) return error;
    snapshot.running_.push_back(*running);
  }
  return snapshot;
}

std::string DatabaseSnapshot::text() const {
  return absl::StrCat(oldest_, ":", next_, ":", absl::StrJoin(running_, ","));
}

bool DatabaseSnapshot::sees(std::uint64_t transaction) const {
  if (transaction < oldest_) return true;
  return transaction < next_ && !std::binary_search(running_.begin(), running_.end(), transaction);
}

bool DatabaseSnapshot::includes(const DatabaseSnapshot& earlier) const {
  const bool has_running =
      std::any_of(running_.begin(), running_.end(),
                  [&earlier](std::uint64_t transaction) { return earlier.sees(transaction); });
  if (has_running) return false;
  if (earlier.next_ <= next_) return true;
  // This sees nothing from next_ on: all that `earlier` knows of must be running there, too.
  const auto first = std::lower_bound(earlier.running_.begin(), earlier.running_.end(), next_);
  return static_cast<std::uint64_t>(earlier.running_.end() - first) == earlier.next_ - next_;
}

std::string StoreVersion::text() const {
  return absl::StrCat(world, std::string(1, kBeforeSnapshot), blocks.text());
}

absl::StatusOr<StoreVersion> StoreVersion::parse(std::string_view text) {
  const std::size_t at = text.rfind(kBeforeSnapshot);
  if (at == std::string_view::npos || at == 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        quotedText(text), ": not the version of an answer, such as \"WORLD@899:905:899,901\""));
  }
  absl::StatusOr<DatabaseSnapshot> blocks = DatabaseSnapshot::parse(text.substr(at + 1));
  if (!blocks.ok()) return blocks.status();
  return StoreVersion{.world = std::string(text.substr(0, at)), .blocks = *std::move(blocks)};
}

}  // namespace fractalray
