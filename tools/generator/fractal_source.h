// SPDX-License-Identifier: Apache-2.0
// The chunk source of a generated world (fractal_chunk.h).
#pragma once

#include <cstdint>

#include "../../levels/block_type.h"
#include "../../streaming/chunk_source.h"
#include "fractal_chunk.h"

namespace fractalray {

// Answers requests for chunks of the world with a seed, at once. Thread-safe.
class FractalSource : public ChunkSource {
 public:
  // The table must outlive the source, and not grow while requests are answered.
  FractalSource(const BlockTypeTable& table, const FractalTypes& types, std::uint64_t seed)
      : table_(table), types_(types), seed_(seed) {}

  void request(ChunkRequest request) override;

 private:
  const BlockTypeTable& table_;
  FractalTypes types_;
  std::uint64_t seed_;
};

}  // namespace fractalray
