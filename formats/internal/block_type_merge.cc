// SPDX-License-Identifier: Apache-2.0
#include "block_type_merge.h"

#include <optional>
#include <utility>
#include <vector>

namespace fractalray {
namespace {

// Returns what a list says of a channel; `usual` if it does not name it.
template <class Value>
Value inChannel(const std::vector<std::pair<ChannelId, Value>>& list, ChannelId channel,
                Value usual) {
  for (const auto& [listed, value] : list) {
    if (listed == channel) usual = value;
  }
  return usual;
}

bool hasLooksOf(const BlockTypeTable& types, BlockTypeId type, const BlockTypeSpec& spec) {
  for (std::size_t i = 0; i < types.channels(); ++i) {
    const auto channel = static_cast<ChannelId>(i);
    const ShapeId shape = inChannel(spec.channel_shapes, channel, spec.shape);
    BlockKind kind = inChannel(spec.channel_kinds, channel, spec.kind);
    if (types.boxes(shape).empty()) kind = BlockKind::kEmpty;
    if (types.kind(type, channel) != kind) return false;
    if (kind != BlockKind::kEmpty && types.shape(type, channel) != shape) return false;
  }
  return true;
}

}  // namespace

absl::StatusOr<BlockTypeId> findOrAddBlockType(BlockTypeTable& types, BlockTypeSpec spec) {
  while (const std::optional<BlockTypeId> type = types.find(spec.name)) {
    if (hasLooksOf(types, *type, spec)) return *type;
    spec.name += '\'';
  }
  return types.add(spec);
}

}  // namespace fractalray
