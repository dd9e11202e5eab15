// SPDX-License-Identifier: Apache-2.0
// Hashes the blocks of a chunk: the same however they are stored.
#pragma once

#include <cstdint>

#include "../../core/internal/stable_hash.h"
#include "../block_type.h"
#include "../chunk.h"

namespace fractalray::internal {

// Adds the blocks of a chunk to a hash, in runs of one type; a uniform chunk without ids is one
// run. `value(type)` returns the number that stands for a type. An id without a type in the table
// is air, as to every query. Cost: reads every block of a chunk that is not uniform.
template <class Value>
void addBlocks(StableHash& hash, const Chunk& chunk, const BlockTypeTable& types,
               const Value& value) {
  const auto add_run = [&](BlockTypeId type, int count) {
    hash.add(std::uint64_t{value(type)});
    hash.add(static_cast<std::uint64_t>(count));
  };
  BlockTypeId type = types.orAir(chunk.block(0));
  int begin = 0;
  if (!chunk.isUniform()) {
    for (int i = 1; i < kBlocksPerChunk; ++i) {
      const BlockTypeId next = types.orAir(chunk.block(i));
      if (next == type) continue;
      add_run(type, i - begin);
      type = next;
      begin = i;
    }
  }
  add_run(type, kBlocksPerChunk - begin);
}

}  // namespace fractalray::internal
