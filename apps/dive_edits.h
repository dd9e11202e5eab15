// SPDX-License-Identifier: Apache-2.0
// The blocks that a dive has changed, and a source that supplies chunks with them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "../generator/fractal_chunk.h"
#include "../streaming/chunk_source.h"

namespace fractalray {

// A changed block, by the path of its chunk and its index in it (indexInChunk).
struct DiveEdit {
  ChunkPath chunk;
  int block = 0;
  BlockTypeId type = kAir;
};

// The generated world with a seed, with changes by path on top of it. Requests may be made by many
// threads, while nothing records a change.
class DiveEdits : public ChunkSource {
 public:
  // Both must outlive this.
  DiveEdits(const BlockTypeTable& table, const FractalTypes& types, std::uint64_t seed)
      : table_(table), types_(types), seed_(seed) {}

  void record(const DiveEdit& edit) { edits_[edit.chunk.text()][edit.block] = edit.type; }
  void request(ChunkRequest request) override;

 private:
  const BlockTypeTable& table_;
  const FractalTypes& types_;
  std::uint64_t seed_;
  std::map<std::string, std::map<int, BlockTypeId>> edits_;  // by path and block
};

}  // namespace fractalray
