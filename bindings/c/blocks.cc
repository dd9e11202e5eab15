// SPDX-License-Identifier: Apache-2.0
// Single blocks and boxes of blocks.
#include <cstdint>
#include <optional>

#include "internal/convert.h"
#include "internal/layouts.h"
#include "internal/objects.h"

namespace fractalray::capi {
namespace {

// Reads the types of the blocks of a box from an array of ids.
class BoxIds {
 public:
  BoxIds(const BlockCoord& first, const IdLayout& layout, const void* ids)
      : first_(first), layout_(layout), ids_(reinterpret_cast<std::uintptr_t>(ids)) {}

  // Throws a CallbackError for an id without a type.
  BlockTypeId type(const BlockCoord& block) const {
    std::uintptr_t at = ids_;
    for (int axis = 0; axis < 3; ++axis) {
      at += static_cast<std::uintptr_t>(block[axis] - first_[axis]) *
            static_cast<std::uintptr_t>(layout_.strides()[axis]);
    }
    // NOLINTNEXTLINE(performance-no-int-to-ptr): sums of strides may pass outside of the array
    const fractalray::StoredId id = layout_.read(reinterpret_cast<const void*>(at));
    const std::optional<BlockTypeId> type = layout_.type(id);
    if (type.has_value()) return *type;
    throw CallbackError{absl::InvalidArgumentError(
        absl::StrCat("block [", block[0], ", ", block[1], ", ", block[2], "] has ",
                     layout_.textOf(id), ", for which its layout has no block type"))};
  }

 private:
  BlockCoord first_;
  const IdLayout& layout_;
  std::uintptr_t ids_;
};

}  // namespace
}  // namespace fractalray::capi

using namespace fractalray::capi;
using fractalray::BlockCoord;
using fractalray::BlockTypeId;

extern "C" {

frResult frWorld_ExpandBlock(frWorld* world, int32_t level, const int64_t block[3]) {
  return editing(__func__, world, {{block, "block"}}, [&](WorldState& state) {
    return state.editWorld().expandBlock(level, blockFrom(block));
  });
}

frResult frWorld_LoadBox(frWorld* world, int32_t level, const int64_t min[3], const int64_t max[3],
                         frBlockFcn* block_type, void* context) {
  return editing(__func__, world, {{min, "min"}, {max, "max"}}, [&](WorldState& state) {
    if (block_type == nullptr) return badArgument({nullptr, "block_type"});
    return state.editWorld().loadBox(level, blockFrom(min), blockFrom(max),
                                     [&](const BlockCoord& block) {
                                       const PureScope scope;
                                       return typeFromC(block_type(context, block.values.data()));
                                     });
  });
}

frResult frWorld_LoadBoxIds(frWorld* world, int32_t level, const int64_t min[3],
                            const int64_t max[3], const frIdLayout* layout, const void* ids) {
  return editing(__func__, world, {{min, "min"}, {max, "max"}, {ids, "ids"}},
                 [&](WorldState& state) -> absl::Status {
                   const absl::StatusOr<fractalray::IdLayout> read = layoutFrom(layout, ids);
                   if (!read.ok()) return read.status();
                   const BoxIds types(blockFrom(min), *read, ids);
                   return state.editWorld().loadBox(
                       level, blockFrom(min), blockFrom(max),
                       [&](const BlockCoord& at) { return types.type(at); });
                 });
}

frResult frWorld_RefreshBlock(frWorld* world, int32_t level, const int64_t block[3]) {
  return editing(__func__, world, {{block, "block"}}, [&](WorldState& state) {
    return state.editWorld().refreshBlock(level, blockFrom(block));
  });
}

frResult frWorld_RefreshBox(frWorld* world, int32_t level, const int64_t min[3],
                            const int64_t max[3]) {
  return editing(__func__, world, {{min, "min"}, {max, "max"}}, [&](WorldState& state) {
    return state.editWorld().refreshBox(level, blockFrom(min), blockFrom(max));
  });
}

frResult frWorld_GetBlock(const frWorld* world, int32_t level, const int64_t block[3],
                          frBlockType* type) {
  return reading(__func__, world, {{block, "block"}, {type, "type"}},
                 [&](const WorldState& state) -> absl::Status {
                   const absl::StatusOr<BlockTypeId> found =
                       state.world().block(level, blockFrom(block));
                   if (!found.ok()) return found.status();
                   *type = toC(*found);
                   return absl::OkStatus();
                 });
}

frResult frWorld_SetBlock(frWorld* world, int32_t level, const int64_t block[3], frBlockType type) {
  return editing(__func__, world, {{block, "block"}}, [&](WorldState& state) {
    return state.editWorld().setBlock(level, blockFrom(block), typeFromC(type));
  });
}

frResult frWorld_FillBox(frWorld* world, int32_t level, const int64_t min[3], const int64_t max[3],
                         frBlockType type) {
  return editing(__func__, world, {{min, "min"}, {max, "max"}}, [&](WorldState& state) {
    return state.editWorld().fillBox(level, blockFrom(min), blockFrom(max), typeFromC(type));
  });
}

frResult frWorld_MoveBlock(frWorld* world, int32_t level, const int64_t from[3],
                           const int64_t to[3]) {
  return editing(__func__, world, {{from, "from"}, {to, "to"}}, [&](WorldState& state) {
    return state.editWorld().moveBlock(level, blockFrom(from), blockFrom(to));
  });
}

}  // extern "C"
