// SPDX-License-Identifier: Apache-2.0
// Makes small random worlds, and segments that look for trouble in them, for property tests.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "../../core/segment.h"
#include "../../entities/entity_index.h"
#include "../../levels/world.h"
#include "rng.h"

namespace fractalray::oracle {

// The block types of every random world, in this order after air; channel 1 is "visible", in which
// glass is empty and mist, empty elsewhere, is permeable.
inline constexpr BlockTypeId kWater{1};  // permeable
inline constexpr BlockTypeId kReeds{2};  // permeable
inline constexpr BlockTypeId kGlass{3};  // solid
inline constexpr BlockTypeId kStone{4};  // solid
inline constexpr BlockTypeId kMist{5};   // empty
// With shapes: a slab, permeable; stairs, permeable, whole in channel 1; a grate, solid.
inline constexpr BlockTypeId kSlab{6};
inline constexpr BlockTypeId kStairs{7};
inline constexpr BlockTypeId kGrate{8};
inline constexpr ChannelId kVisible{1};

struct RandomScene {
  RandomScene(int levels, const Vec3i& at);

  World world;
  EntityIndex entities;
  Vec3i center;  // of the loaded and shot-at space, in units: a corner of chunks on every level
};

// Returns a table with the types above.
std::shared_ptr<BlockTypeTable> sceneTypes();

// Returns a scene with some chunks on every level around a point of the frame (the origin, or far
// from it), nested so that blocks defer, some proto, some missing; a few blocks in each; up to
// `entities` entities of all sizes. `block_density` is about how many blocks of a chunk are not
// air.
std::unique_ptr<RandomScene> randomScene(Rng& rng, int levels, int entities, int block_density);

// Returns the most steps of a vector that may be taken from a point within the frame; 2^61 for a
// zero vector.
std::int64_t mostSteps(const Vec3i& from, const Vec3i& step);

// Returns a segment on the scale of a random level: plain, or through corners and edges, along
// planes, from a plane, axis-parallel, diagonal, of length zero or of one unit.
FixedSegment randomSegment(Rng& rng, const RandomScene& scene);

// The mirror image of a segment in planes on its way, mostly between blocks of a level and at
// corners in two or three at once; the segment itself if it crosses none.
FixedSegment randomReflection(Rng& rng, FixedSegment segment, const Frame& frame);

}  // namespace fractalray::oracle
