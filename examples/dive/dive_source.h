// SPDX-License-Identifier: Apache-2.0
// The chunk source of a dive.
#pragma once

#include <cstdint>

#include "../../tools/generator/fractal_chunk.h"
#include "fractalray/streaming/chunk_source.h"

namespace fractalray {

// Answers requests for chunks of the generated world with a seed, at once, and with NOT_FOUND for
// those in empty blocks: space is clear, whatever level of it is the coarsest one that is loaded.
// Thread-safe.
class DiveSource : public ChunkSource {
 public:
  // Both must outlive the source; the table must not grow while requests are answered.
  DiveSource(const BlockTypeTable& table, const FractalTypes& types, std::uint64_t seed)
      : table_(table), types_(types), seed_(seed) {}

  void request(ChunkRequest request) override;

 private:
  absl::StatusOr<Chunk> chunkAt(const ChunkPath& path) const;

  const BlockTypeTable& table_;
  const FractalTypes& types_;
  std::uint64_t seed_;
};

}  // namespace fractalray
