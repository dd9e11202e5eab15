// SPDX-License-Identifier: Apache-2.0
#include "block_type_merge.h"

#include <optional>

namespace fractalray {
namespace {

bool hasKindsOf(const BlockTypeTable& types, BlockTypeId type, const BlockTypeSpec& spec) {
  for (std::size_t i = 0; i < types.channels(); ++i) {
    const auto channel = static_cast<ChannelId>(i);
    BlockKind kind = spec.kind;
    for (const auto& [listed, listed_kind] : spec.channel_kinds) {
      if (listed == channel) kind = listed_kind;
    }
    if (types.kind(type, channel) != kind) return false;
  }
  return true;
}

}  // namespace

absl::StatusOr<BlockTypeId> findOrAddBlockType(BlockTypeTable& types, BlockTypeSpec spec) {
  while (const std::optional<BlockTypeId> type = types.find(spec.name)) {
    if (hasKindsOf(types, *type, spec)) return *type;
    spec.name += '\'';
  }
  return types.add(spec);
}

}  // namespace fractalray
