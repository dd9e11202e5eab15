// SPDX-License-Identifier: Apache-2.0
#include "dive_source.h"

#include <tuple>

namespace fractalray {

absl::StatusOr<Chunk> DiveSource::chunkAt(const ChunkPath& path) const {
  if (path.steps().empty()) return FractalChunk(seed_).content(types_, table_);
  const FractalChunk parent = FractalChunk::at(path.parent(), seed_, types_);
  const FractalChunk::Step& step = path.steps().back();
  if (table_.kind(parent.block(step, types_), kDefaultChannel) == BlockKind::kEmpty) {
    return absl::NotFoundError("an empty block has nothing in it");
  }
  return parent.child(step, types_).content(types_, table_);
}

void DiveSource::request(ChunkRequest request) {
  std::ignore = request.answer(chunkAt(request.path()));
}

}  // namespace fractalray
