// SPDX-License-Identifier: Apache-2.0
#include "suggestion.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

#include "../core/printable.h"

namespace fractalray {
namespace {

// The longest words that are compared, and the most words that are listed.
constexpr std::size_t kMaxCompared = 40;
constexpr std::size_t kMaxListed = 40;

// Returns the Levenshtein distance: how many characters have to be added, removed or replaced.
std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

// Returns the known word that is closest, if at most a third of it is wrong; else null.
const std::string* closest(std::string_view word, std::span<const std::string> known) {
  const std::string* best = nullptr;
  std::size_t best_distance = 0;
  for (const std::string& candidate : known) {
    if (word.size() > kMaxCompared || candidate.size() > kMaxCompared) continue;
    const std::size_t distance = editDistance(word, candidate);
    const std::size_t allowed = std::max<std::size_t>(1, candidate.size() / 3);
    if (distance > allowed || distance >= candidate.size()) continue;
    if (best != nullptr && distance >= best_distance) continue;
    best = &candidate;
    best_distance = distance;
  }
  return best;
}

// Returns a word as it is, in quotes if its end would not be visible.
std::string listed(const std::string& word) {
  const bool is_plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("_-.:/").find(c) != std::string_view::npos;
  });
  return is_plain ? printable(word) : quotedText(word);
}

}  // namespace

std::string alternatives(std::string_view word, std::span<const std::string> known) {
  if (known.empty()) return "";
  const std::string* const meant = closest(word, known);
  std::string text = meant == nullptr
                         ? "; there are "
                         : absl::StrCat("; did you mean ", quotedText(*meant), "? There are ");
  for (std::size_t i = 0; i < std::min(known.size(), kMaxListed); ++i)
    absl::StrAppend(&text, i == 0 ? "" : ", ", listed(known[i]));
  if (known.size() > kMaxListed) {
    absl::StrAppend(&text, " and ", known.size() - kMaxListed, " more");
  }
  return text;
}

}  // namespace fractalray
