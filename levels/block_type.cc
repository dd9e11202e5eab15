// SPDX-License-Identifier: Apache-2.0
#include "block_type.h"

#include <algorithm>
#include <array>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

#include "../core/check.h"
#include "../core/printable.h"

namespace fractalray {
namespace {

constexpr std::size_t kMaxEntries = 65536;
constexpr std::array<std::string_view, 3> kKindNames = {"empty", "permeable", "solid"};

std::size_t channelIndex(ChannelId channel) {
  return static_cast<std::size_t>(channel);
}

// Reserves space for one more element, so that adding it does not throw.
template <class T>
void reserveOne(std::vector<T>& elements) {
  if (elements.size() == elements.capacity()) elements.reserve(2 * elements.size() + 1);
}

}  // namespace

std::uint32_t internal::TableNumber::next() {
  static std::atomic<std::uint32_t> tables = 0;
  return tables.fetch_add(1, std::memory_order_relaxed) % kMax + 1;
}

std::string_view blockKindName(BlockKind kind) {
  return kKindNames[static_cast<std::size_t>(kind)];
}

std::optional<BlockKind> parseBlockKind(std::string_view name) {
  const auto* const found = std::find(kKindNames.begin(), kKindNames.end(), name);
  if (found == kKindNames.end()) return std::nullopt;
  return static_cast<BlockKind>(found - kKindNames.begin());
}

BlockTypeTable::BlockTypeTable() : channel_names_{"default"}, kinds_(1) {
  FRACTALRAY_CHECK_OK(add({.name = "air", .kind = BlockKind::kEmpty, .channel_kinds = {}}));
}

absl::StatusOr<BlockTypeId> BlockTypeTable::add(const BlockTypeSpec& spec) {
  if (spec.name.empty()) return absl::InvalidArgumentError("a block type needs a name");
  if (absl::Status status = checkName("block type", spec.name); !status.ok()) return status;
  if (ids_.contains(spec.name)) {
    return absl::AlreadyExistsError(
        absl::StrCat("the block type ", quotedText(spec.name), " is in the table already"));
  }
  if (size() >= kMaxEntries) {
    return absl::ResourceExhaustedError(absl::StrCat("the block type ", quotedText(spec.name),
                                                     " does not fit: the table holds 65536"));
  }
  for (const auto& [channel, kind] : spec.channel_kinds) {
    if (channelIndex(channel) >= channels()) {
      return absl::InvalidArgumentError(absl::StrCat("the block type ", quotedText(spec.name),
                                                     " names channel ", channelIndex(channel),
                                                     "; the table has ", channels()));
    }
  }
  const auto type = static_cast<BlockTypeId>(size());
  std::string name = spec.name;
  reserveOne(names_);
  reserveOne(default_kinds_);
  for (std::vector<BlockKind>& kinds : kinds_)
    reserveOne(kinds);
  ids_.emplace(spec.name, type);
  // Nothing throws any more.
  names_.push_back(std::move(name));
  default_kinds_.push_back(spec.kind);
  for (std::vector<BlockKind>& kinds : kinds_)
    kinds.push_back(spec.kind);
  for (const auto& [channel, kind] : spec.channel_kinds) {
    kinds_[channelIndex(channel)][index(type)] = kind;
  }
  return type;
}

absl::StatusOr<ChannelId> BlockTypeTable::addChannel(std::string_view name) {
  if (name.empty()) return absl::InvalidArgumentError("a channel needs a name");
  if (const std::optional<ChannelId> known = findChannel(name)) return *known;
  if (absl::Status status = checkName("channel", name); !status.ok()) return status;
  if (channels() >= kMaxEntries) {
    return absl::ResourceExhaustedError(
        absl::StrCat("the channel ", quotedText(name), " does not fit: the table holds 65536"));
  }
  std::string channel_name(name);
  std::vector<BlockKind> kinds = default_kinds_;
  reserveOne(channel_names_);
  reserveOne(kinds_);
  // Nothing throws any more.
  channel_names_.push_back(std::move(channel_name));
  kinds_.push_back(std::move(kinds));
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

const std::string& BlockTypeTable::name(BlockTypeId type) const {
  static const std::string kNone;
  return contains(type) ? names_[index(type)] : kNone;
}

const std::string& BlockTypeTable::channelName(ChannelId channel) const {
  FRACTALRAY_DCHECK(channelIndex(channel) < channels(), channelIndex(channel), channels());
  return channel_names_[channelIndex(channel)];
}

std::span<const BlockKind> BlockTypeTable::kinds(ChannelId channel) const {
  FRACTALRAY_DCHECK(channelIndex(channel) < channels(), channelIndex(channel), channels());
  return kinds_[channelIndex(channel)];
}

bool BlockTypeTable::isEmptyEverywhere(BlockTypeId type) const {
  if (!contains(type)) return true;
  // Reads the default too: channels yet to be added have it, and occupancies are not recomputed for
  // them.
  return default_kinds_[index(type)] == BlockKind::kEmpty &&
         std::all_of(kinds_.begin(), kinds_.end(), [&](const std::vector<BlockKind>& kinds) {
           return kinds[index(type)] == BlockKind::kEmpty;
         });
}

}  // namespace fractalray
