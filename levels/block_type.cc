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

std::size_t shapeIndex(ShapeId shape) {
  return static_cast<std::size_t>(shape);
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

void BlockTypeTable::Channel::reserveOne() {
  fractalray::reserveOne(kinds);
  fractalray::reserveOne(shapes);
}

void BlockTypeTable::Channel::append(Look look) noexcept {
  kinds.push_back(look.kind);
  shapes.push_back(look.shape);
  has_shapes |= look.shape != kWholeCube;
}

BlockTypeTable::BlockTypeTable() : channel_names_{"default"}, channels_(1) {
  FRACTALRAY_CHECK_OK(addShape(std::array{ShapeBox{}}));
  FRACTALRAY_CHECK_OK(add({.name = "air",
                           .kind = BlockKind::kEmpty,
                           .channel_kinds = {},
                           .shape = kWholeCube,
                           .channel_shapes = {}}));
}

BlockTypeTable::Look BlockTypeTable::lookOf(const BlockTypeSpec& spec) const {
  // A type that is empty has no use for a shape, and one without boxes is empty.
  if (spec.kind == BlockKind::kEmpty || boxes(spec.shape).empty()) {
    return {BlockKind::kEmpty, kWholeCube};
  }
  return {spec.kind, spec.shape};
}

BlockTypeTable::Look BlockTypeTable::lookOf(const BlockTypeSpec& spec, ChannelId channel) const {
  BlockTypeSpec in_channel{.name = {},
                           .kind = spec.kind,
                           .channel_kinds = {},
                           .shape = spec.shape,
                           .channel_shapes = {}};
  for (const auto& [of_channel, kind] : spec.channel_kinds) {
    if (of_channel == channel) in_channel.kind = kind;
  }
  for (const auto& [of_channel, shape] : spec.channel_shapes) {
    if (of_channel == channel) in_channel.shape = shape;
  }
  return lookOf(in_channel);
}

absl::Status BlockTypeTable::checkChannels(const BlockTypeSpec& spec) const {
  const auto check_channel = [&](ChannelId channel) {
    if (channelIndex(channel) < channels()) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat("the block type ", quotedText(spec.name),
                                                   " names channel ", channelIndex(channel),
                                                   "; the table has ", channels()));
  };
  const auto check_shape = [&](ShapeId shape) {
    if (shapeIndex(shape) < shapes()) return absl::OkStatus();
    return absl::InvalidArgumentError(
        absl::StrCat("the block type ", quotedText(spec.name), " has shape ", shapeIndex(shape),
                     "; the table has ", shapes(), ", which addShape() returns"));
  };
  absl::Status status = check_shape(spec.shape);
  for (const auto& [channel, kind] : spec.channel_kinds)
    status.Update(check_channel(channel));
  for (const auto& [channel, shape] : spec.channel_shapes) {
    status.Update(check_channel(channel));
    status.Update(check_shape(shape));
  }
  return status;
}

absl::Status BlockTypeTable::checkOpen(std::string_view kind, std::string_view name) const {
  if (!remedy_.has_value()) return absl::OkStatus();
  // In two parts: g++ 12 refuses " " + quotedText(name) at -O3 for a copy that never happens.
  return absl::FailedPreconditionError(absl::StrCat(
      "the ", std::string(kind), name.empty() ? "" : " ", name.empty() ? "" : quotedText(name),
      " is not in the table, which is closed with ", size(), " block types; ", *remedy_));
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
  if (absl::Status status = checkOpen("block type", spec.name); !status.ok()) return status;
  if (absl::Status status = checkChannels(spec); !status.ok()) return status;
  const auto type = static_cast<BlockTypeId>(size());
  std::string name = spec.name;
  std::vector<Look> looks;
  for (std::size_t channel = 0; channel < channels(); ++channel)
    looks.push_back(lookOf(spec, static_cast<ChannelId>(channel)));
  const Look default_look = lookOf(spec);
  reserveOne(names_);
  default_.reserveOne();
  for (Channel& channel : channels_)
    channel.reserveOne();
  ids_.emplace(spec.name, type);
  // Nothing throws any more.
  names_.push_back(std::move(name));
  default_.append(default_look);
  for (std::size_t channel = 0; channel < channels(); ++channel)
    channels_[channel].append(looks[channel]);
  return type;
}

absl::StatusOr<ChannelId> BlockTypeTable::addChannel(std::string_view name) {
  if (name.empty()) return absl::InvalidArgumentError("a channel needs a name");
  if (const std::optional<ChannelId> known = findChannel(name)) return *known;
  if (absl::Status status = checkName("channel", name); !status.ok()) return status;
  if (absl::Status status = checkOpen("channel", name); !status.ok()) return status;
  if (channels() >= kMaxEntries) {
    return absl::ResourceExhaustedError(
        absl::StrCat("the channel ", quotedText(name), " does not fit: the table holds 65536"));
  }
  std::string channel_name(name);
  Channel channel = default_;
  reserveOne(channel_names_);
  reserveOne(channels_);
  // Nothing throws any more.
  channel_names_.push_back(std::move(channel_name));
  channels_.push_back(std::move(channel));
  return static_cast<ChannelId>(channels() - 1);
}

absl::StatusOr<ShapeId> BlockTypeTable::addShape(std::span<const ShapeBox> boxes) {
  if (absl::Status status = checkBoxCount(boxes.size()); !status.ok()) return status;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const absl::Status status = checkShapeBox(boxes[i]);
    if (status.ok()) continue;
    return absl::InvalidArgumentError(absl::StrCat("boxes[", i, "]: ", status.message()));
  }
  std::vector<ShapeBox> ordered(boxes.begin(), boxes.end());
  std::sort(ordered.begin(), ordered.end());
  ordered.erase(std::unique(ordered.begin(), ordered.end()), ordered.end());
  if (const auto known = shape_ids_.find(ordered); known != shape_ids_.end()) return known->second;
  if (absl::Status status = checkOpen("shape", ""); !status.ok()) return status;
  if (shapes() >= kMaxEntries) {
    return absl::ResourceExhaustedError("the shape does not fit: the table holds 65536");
  }
  const auto shape = static_cast<ShapeId>(shapes());
  reserveOne(shapes_);
  std::vector<ShapeBox> key = ordered;
  shape_ids_.emplace(std::move(key), shape);
  // Nothing throws any more.
  shapes_.push_back(std::move(ordered));
  return shape;
}

std::span<const ShapeBox> BlockTypeTable::boxes(ShapeId shape) const {
  if (shapeIndex(shape) >= shapes()) return {};
  return shapes_[shapeIndex(shape)];
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

bool BlockTypeTable::isEmptyEverywhere(BlockTypeId type) const {
  if (!contains(type)) return true;
  // Reads the default too: channels yet to be added have it, and occupancies are not recomputed for
  // them.
  const auto is_empty = [type](const Channel& channel) {
    return channel.kinds[index(type)] == BlockKind::kEmpty;
  };
  return is_empty(default_) && std::all_of(channels_.begin(), channels_.end(), is_empty);
}

}  // namespace fractalray
