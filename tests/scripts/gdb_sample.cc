// SPDX-License-Identifier: Apache-2.0
// A program that gdb stops in, to show its values.
#include "../../core/internal/geometry/hit_time.h"
#include "../../core/level_mask.h"
#include "../../core/vec.h"
#include "../../levels/chunk_path.h"

namespace {

volatile bool is_stopped = false;

[[gnu::noinline]] void stop() {
  is_stopped = true;
}

}  // namespace

int main() {
  using fractalray::ChunkPath;
  using fractalray::Fraction;
  using fractalray::HitTime;
  using fractalray::LevelMask;
  [[maybe_unused]] const fractalray::Vec3i block{1, -2, 3};
  [[maybe_unused]] const fractalray::Vec3d point{0.5, 0, -1.25};
  [[maybe_unused]] const ChunkPath path = ChunkPath::parse("7a3_221").value();
  [[maybe_unused]] const ChunkPath root;
  [[maybe_unused]] const LevelMask levels{0, 2, 9};
  [[maybe_unused]] const LevelMask none;
  [[maybe_unused]] const Fraction fraction{3, 4};
  [[maybe_unused]] const HitTime plane{Fraction{-1, 8}};
  // t^2 - 5 t + 4 = 0, with numbers that need more than 64 bits.
  const absl::int128 scale = absl::int128{1} << 70;
  [[maybe_unused]] const HitTime sphere = HitTime::sphereEntry(2 * scale, -5 * scale, 8 * scale);
  stop();
  return 0;
}
