// SPDX-License-Identifier: Apache-2.0
// Checks the witness of a query of sight, with fractions of any size: the line from the eye that is
// said to see the box. Shares nothing with the search for it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "../../core/fixed_box.h"
#include "../../core/level_mask.h"
#include "../../core/vec.h"
#include "../../levels/world.h"
#include "exact.h"

namespace fractalray::oracle {

// The closed boxes of a block, or one of an entity. It counts once, however many they are.
using Occluder = std::vector<FixedBox>;

// Returns the boxes of a block of a type, in units.
Occluder boxesOf(const World& world, ChannelId channel, int level, const BlockCoord& at,
                 BlockTypeId type);
// Returns the solid blocks of a channel in the loaded chunks of the levels, except those that
// defer, and those that `accepts` refuses.
std::vector<Occluder> solidBlocks(
    const World& world, LevelMask levels, ChannelId channel,
    const std::function<bool(int level, const BlockCoord& at)>& accepts = {});

// Returns true if the occluder and the smallest box around an eye and a box share a point, of their
// closed boxes: others are not before the box.
bool isBetween(const Occluder& occluder, const Vec3i& eye, const FixedBox& box);

// Returns the t at which a line eye + t delta, t >= 0, enters a closed box; nullopt if it never
// does. Requires: delta is not zero.
std::optional<Rational> entryInto(const FixedBox& box, const Vec3i& eye,
                                  const std::array<Integer, 3>& delta);

// A witness, and the query that it answers.
struct WitnessCase {
  const World& world;
  LevelMask levels;
  std::span<const Occluder> occluders;  // all of them
  Vec3i eye{};
  FixedBox box{};
  std::uint64_t through = 0;
  bool skip_start_inside = false;
  bool passes_unloaded = false;  // true if unloaded space is transparent
  std::array<Integer, 3> delta{};
  bool unit = false;
};

// Returns why the witness is wrong; nullopt for a right one: its line enters the box, before that
// it touches no closed occluder except in the eye (or crosses the interior of at most `through`),
// it runs through loaded space (unless that does not matter), and `unit` says if eye + delta is a
// point of the box.
std::optional<std::string> faultOfWitness(const WitnessCase& witness);

}  // namespace fractalray::oracle
