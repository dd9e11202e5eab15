// SPDX-License-Identifier: Apache-2.0
#include "coarse_types.h"

#include <cstddef>
#include <string>

#include "absl/strings/str_cat.h"

namespace fractalray {
namespace {

constexpr std::string_view kCoarse = "coarse:";

// Returns the word for a coarse kind. Permeable describes nothing inside, "mixed" does.
std::string_view coarseWord(BlockKind kind) {
  return kind == BlockKind::kPermeable ? "mixed" : blockKindName(kind);
}

// Removes a text from the begin of another; returns false if that does not begin so.
bool removePrefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// Removes the word for a kind, and returns the kind.
std::optional<BlockKind> removeKind(std::string_view& text) {
  for (const BlockKind kind : {BlockKind::kEmpty, BlockKind::kPermeable, BlockKind::kSolid}) {
    if (removePrefix(text, coarseWord(kind))) return kind;
  }
  return std::nullopt;
}

}  // namespace

BlockTypeSpec coarseType(const std::vector<BlockKind>& kinds, const BlockTypeTable& types) {
  BlockTypeSpec spec{
      .name = absl::StrCat(std::string(kCoarse), std::string(coarseWord(kinds.front()))),
      .kind = kinds.front(),
      .channel_kinds = {}};
  for (std::size_t i = 1; i < kinds.size(); ++i) {
    if (kinds[i] == spec.kind) continue;
    const auto channel = static_cast<ChannelId>(i);
    absl::StrAppend(&spec.name, ",", types.channelName(channel), "=",
                    std::string(coarseWord(kinds[i])));
    spec.channel_kinds.emplace_back(channel, kinds[i]);
  }
  return spec;
}

std::optional<BlockTypeSpec> coarseTypeNamed(std::string_view name, const BlockTypeTable& types) {
  if (!removePrefix(name, kCoarse)) return std::nullopt;
  const std::optional<BlockKind> usual = removeKind(name);
  if (!usual.has_value()) return std::nullopt;
  std::vector<BlockKind> kinds(types.channels(), *usual);
  for (std::size_t i = 1; i < kinds.size(); ++i) {
    const std::string begin = absl::StrCat(",", types.channelName(static_cast<ChannelId>(i)), "=");
    if (!removePrefix(name, begin)) continue;
    const std::optional<BlockKind> kind = removeKind(name);
    if (!kind.has_value()) return std::nullopt;
    kinds[i] = *kind;
  }
  return name.empty() ? std::optional(coarseType(kinds, types)) : std::nullopt;
}

}  // namespace fractalray
