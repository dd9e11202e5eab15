// SPDX-License-Identifier: Apache-2.0
// The ids of a chunk in the engine's memory. For the library's own use: not part of the interface.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "../core/vec.h"
#include "block_type.h"
#include "id_layout.h"

namespace fractalray::internal {

// Points to the ids of 16 x 16 x 16 blocks, which belong to the engine. A block is given by its
// index in the chunk, x + 16 y + 256 z. Reading needs the engine not to write meanwhile.
struct EngineIds {
  const void* first = nullptr;  // the id of block 0; null for no ids
  IdLayout layout{};

  const std::byte* address(int index) const {
    return static_cast<const std::byte*>(first) +
           layout.offset({index & 15, (index >> 4) & 15, index >> 8});
  }
  StoredId id(int index) const { return layout.read(address(index)); }
  // Returns the type of a block; nothing if the layout's table does not contain its id.
  std::optional<BlockTypeId> type(int index) const { return layout.type(id(index)); }
  // Requires: the memory was lent for writing.
  void write(int index, const StoredId& id) const noexcept {
    layout.write(const_cast<std::byte*>(address(index)), id);
  }
};

}  // namespace fractalray::internal
