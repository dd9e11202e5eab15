// SPDX-License-Identifier: Apache-2.0
#include "fractalray/levels/block_type.h"

#include <algorithm>
#include <array>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "fractalray/core/check.h"

namespace fractalray {
namespace {

constexpr std::size_t kMaxEntries = 65536;
constexpr std::array<std::string_view, 3> kKindNames = {"empty", "permeable", "solid"};

std::size_t channelIndex(ChannelId channel) {
  return static_cast<std::size_t>(channel);
}

}  // namespace

std::string_view blockKindName(BlockKind kind) {
  return kKindNames[static_cast<std::size_t>(kind)];
}

std::optional<BlockKind> parseBlockKind(std::string_view name) {
  const auto* const found = std::find(kKindNames.begin(), kKindNames.end(), name);
  if (found == kKindNames.end()) return std::nullopt;
  return static_cast<BlockKind>(found - kKindNames.begin());
}

BlockTypeTable::BlockTypeTable() : channel_names_{"default"}, kinds_(1) {
  FRACTALRAY_CHECK(add({.name = "air", .kind = BlockKind::kEmpty, .channel_kinds = {}}).ok());
}

absl::StatusOr<BlockTypeId> BlockTypeTable::add(const BlockTypeSpec& spec) {
  if (spec.name.empty()) return absl::InvalidArgumentError("a block type needs a name");
  if (ids_.contains(spec.name)) {
    return absl::AlreadyExistsError(
        absl::StrCat("the block type '", spec.name, "' is in the table already"));
  }
  if (size() >= kMaxEntries) {
    return absl::ResourceExhaustedError(
        absl::StrCat("no room for the block type '", spec.name, "': the table holds 65536"));
  }
  for (const auto& [channel, kind] : spec.channel_kinds) {
    if (channelIndex(channel) >= channels()) {
      return absl::InvalidArgumentError(absl::StrCat("the block type '", spec.name,
                                                     "' names channel ", channelIndex(channel),
                                                     "; the table has ", channels()));
    }
  }
  const auto type = static_cast<BlockTypeId>(size());
  names_.push_back(spec.name);
  default_kinds_.push_back(spec.kind);
  for (std::vector<BlockKind>& kinds : kinds_)
    kinds.push_back(spec.kind);
  for (const auto& [channel, kind] : spec.channel_kinds) {
    kinds_[channelIndex(channel)][index(type)] = kind;
  }
  ids_.emplace(spec.name, type);
  return type;
}

absl::StatusOr<ChannelId> BlockTypeTable::addChannel(std::string_view name) {
  if (name.empty()) return absl::InvalidArgumentError("a channel needs a name");
  if (const std::optional<ChannelId> known = findChannel(name)) return *known;
  if (channels() >= kMaxEntries) {
    return absl::ResourceExhaustedError(
        absl::StrCat("no room for the channel '", std::string(name), "': the table holds 65536"));
  }
  channel_names_.emplace_back(name);
  kinds_.push_back(default_kinds_);
  return static_cast<ChannelId>(channels() - 1);
}

std::optional<BlockTypeId> BlockTypeTable::find(std::string_view name) const {
  const auto found = ids_.find(std::string(name));
  if (found == ids_.end()) return std::nullopt;
  return found->second;
}

std::optional<ChannelId> BlockTypeTable::findChannel(std::string_view name) const {
  const auto found = std::find(channel_names_.begin(), channel_names_.end(), name);
  if (found == channel_names_.end()) return std::nullopt;
  return static_cast<ChannelId>(found - channel_names_.begin());
}

const std::string& BlockTypeTable::channelName(ChannelId channel) const {
  return channel_names_[channelIndex(channel)];
}

std::span<const BlockKind> BlockTypeTable::kinds(ChannelId channel) const {
  FRACTALRAY_DCHECK(channelIndex(channel) < channels());
  return kinds_[channelIndex(channel)];
}

bool BlockTypeTable::isEmptyEverywhere(BlockTypeId type) const {
  // The default too: a channel that is yet to come has it, and occupancies are not made again for
  // that.
  return default_kinds_[index(type)] == BlockKind::kEmpty &&
         std::all_of(kinds_.begin(), kinds_.end(), [&](const std::vector<BlockKind>& kinds) {
           return kinds[index(type)] == BlockKind::kEmpty;
         });
}

}  // namespace fractalray
