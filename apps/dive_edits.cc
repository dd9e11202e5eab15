// SPDX-License-Identifier: Apache-2.0
#include "dive_edits.h"

#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

namespace fractalray {

void DiveEdits::request(ChunkRequest request) {
  const ChunkPath path = request.path();
  Chunk chunk = FractalChunk::at(path, seed_, types_).content(types_, table_);
  const auto edits = edits_.find(path.text());
  if (edits == edits_.end()) {
    std::ignore = request.answer(std::move(chunk));
    return;
  }
  std::array<BlockTypeId, kBlocksPerChunk> ids{};
  for (int block = 0; block < kBlocksPerChunk; ++block)
    ids[static_cast<std::size_t>(block)] = chunk.block(block);
  for (const auto& [block, type] : edits->second)
    ids[static_cast<std::size_t>(block)] = type;
  std::ignore = request.answer(Chunk::copied(ids, table_));
}

}  // namespace fractalray
