// SPDX-License-Identifier: Apache-2.0
#include "level_mask.h"

#include <charconv>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

#include "printable.h"

namespace fractalray {
namespace {

absl::Status badPart(std::string_view part, std::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat(
      "levels: ", quotedText(part), " ", std::string(why),
      "; write level numbers and ranges like 2-3,0 with levels from 0 to ", kMaxLevels - 1));
}

// Returns the level that `text` spells, or -1.
int parseLevel(std::string_view text) {
  int level = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), level);
  const bool whole = error == std::errc() && end == text.data() + text.size() && !text.empty();
  return whole && level >= 0 && level < kMaxLevels ? level : -1;
}

}  // namespace

absl::StatusOr<LevelMask> parseLevelMask(std::string_view text) {
  LevelMask mask;
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    const std::size_t dash = part.find('-');
    const int first = parseLevel(part.substr(0, dash));
    const int last = dash == std::string_view::npos ? first : parseLevel(part.substr(dash + 1));
    if (first < 0 || last < 0) return badPart(part, "is not a level or a range of levels");
    if (first > last) return badPart(part, "is a range that runs backwards");
    mask = mask | LevelMask::range(first, last);
    if (comma == std::string_view::npos) return mask;
    text.remove_prefix(comma + 1);
  }
}

std::string formatLevelMask(LevelMask mask) {
  std::string text;
  for (int level = 0; level < kMaxLevels; ++level) {
    if (!mask.contains(level)) continue;
    int last = level;
    while (mask.contains(last + 1))
      ++last;
    if (!text.empty()) text += ',';
    absl::StrAppend(&text, level);
    if (last > level) absl::StrAppend(&text, "-", last);
    level = last;
  }
  return text;
}

}  // namespace fractalray
