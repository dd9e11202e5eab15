// SPDX-License-Identifier: Apache-2.0
// The worlds and lines of tests/golden, made by the C interface.
#pragma once

#include <array>
#include <cstdint>

#include "../../bindings/c/fractalray_c.h"
#include "../oracle/rng.h"

namespace fractalray::golden {

// Fails the test if a call of the interface has failed.
void require(frResult result);

// The scene of tests/golden, made by the same draws.
class Scene {
 public:
  explicit Scene(oracle::Rng& rng);
  ~Scene() { frDestroyWorld(world_); }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  const frWorld* world() const { return world_; }
  // Draws a line through it.
  frLine segment(oracle::Rng& rng) const;

 private:
  int blockShift(int level) const { return 16 + 4 * (levels_ - 1 - level); }
  void loadSome(oracle::Rng& rng, int level);
  void addEntity(oracle::Rng& rng, std::uint64_t id);

  int levels_;
  frWorld* world_ = nullptr;
  std::array<std::int64_t, 3> center_{};
  frBlockType water_ = 0;
  frBlockType stone_ = 0;
};

}  // namespace fractalray::golden
