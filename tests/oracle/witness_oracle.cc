// SPDX-License-Identifier: Apache-2.0
#include "witness_oracle.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

#include "sight_oracle.h"

namespace fractalray::oracle {
namespace {

// The times [enter, exit] at which a line is in a box.
struct Stay {
  Rational enter;
  Rational exit;
};

// A line eye + t delta, t >= 0.
struct Line {
  const Vec3i& eye;
  const std::array<Integer, 3>& delta;

  Integer direction(int axis) const { return delta[static_cast<std::size_t>(axis)]; }
};

// Returns when the line is in the closed box; nullopt if it never is. Requires: delta is not zero.
std::optional<Stay> stayIn(const Line& line, const FixedBox& box) {
  std::optional<Stay> stay;
  for (int axis = 0; axis < 3; ++axis) {
    const Integer low = Integer(box.min[axis]) - line.eye[axis];
    const Integer high = Integer(box.max[axis]) - line.eye[axis];
    const Integer direction = line.direction(axis);
    if (direction == 0) {
      if (low > 0 || high < 0) return std::nullopt;
      continue;
    }
    Rational enter = fraction(low, direction);
    Rational exit = fraction(high, direction);
    if (enter > exit) std::swap(enter, exit);
    if (!stay.has_value()) stay = Stay{enter, exit};
    stay = Stay{std::max(stay->enter, enter), std::min(stay->exit, exit)};
  }
  if (stay->exit < 0 || stay->enter > stay->exit) return std::nullopt;
  return Stay{std::max(stay->enter, Rational(0)), stay->exit};
}

// Returns true if the line is in the interior of the box for a while.
bool crossesInside(const Line& line, const FixedBox& box, const Stay& stay) {
  if (stay.enter >= stay.exit) return false;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t at = line.eye[axis];
    if (line.direction(axis) == 0 && (at <= box.min[axis] || at >= box.max[axis])) return false;
  }
  return true;
}

bool contains(const FixedBox& box, const Vec3i& point, std::int64_t margin) {
  for (int axis = 0; axis < 3; ++axis) {
    if (point[axis] < box.min[axis] + margin || point[axis] > box.max[axis] - margin) return false;
  }
  return true;
}

// Returns true if the line touches a closed box of the occluder at a t in (0, end).
bool isTouched(const Line& line, const Occluder& occluder, const Rational& end) {
  return std::any_of(occluder.begin(), occluder.end(), [&](const FixedBox& box) {
    const std::optional<Stay> stay = stayIn(line, box);
    return stay.has_value() && stay->enter < end && stay->exit > 0;
  });
}

bool isCrossed(const Line& line, const Occluder& occluder, const Rational& end) {
  return std::any_of(occluder.begin(), occluder.end(), [&](const FixedBox& box) {
    const std::optional<Stay> stay = stayIn(line, box);
    return stay.has_value() && stay->enter < end && crossesInside(line, box, *stay);
  });
}

std::string textOf(const Occluder& occluder) {
  std::string text;
  for (const FixedBox& box : occluder) {
    for (const Vec3i& corner : {box.min, box.max})
      absl::StrAppend(&text, "(", corner[0], ", ", corner[1], ", ", corner[2], ") ");
  }
  return text;
}

// Returns the times at which the line is in loaded chunks of the levels.
std::vector<Stay> loadedStays(const WitnessCase& witness, const Line& line) {
  std::vector<Stay> stays;
  const Frame& frame = witness.world.frame();
  for (int level = 0; level < frame.levels(); ++level) {
    if (!witness.levels.contains(level)) continue;
    const std::int64_t width = frame.chunkWidth(level);
    witness.world.forEachLoaded(level, [&](const ChunkCoord& at, const Chunk& /*chunk*/) {
      const Vec3i min{at[0] * width, at[1] * width, at[2] * width};
      const std::optional<Stay> stay = stayIn(line, {min, min + Vec3i{width, width, width}});
      if (stay.has_value()) stays.push_back(*stay);
    });
  }
  return stays;
}

// Returns true if loaded chunks contain all of the line up to `end`.
bool isLoaded(const WitnessCase& witness, const Line& line, const Rational& end) {
  std::vector<Stay> stays = loadedStays(witness, line);
  std::sort(stays.begin(), stays.end(),
            [](const Stay& a, const Stay& b) { return a.enter < b.enter; });
  Rational known = 0;
  for (const Stay& stay : stays) {
    if (stay.enter > known) break;
    known = std::max(known, stay.exit);
  }
  return known >= end;
}

std::optional<std::string> faultOnTheWay(const WitnessCase& witness, const Line& line,
                                         const Rational& end) {
  std::uint64_t crossed = 0;
  for (const Occluder& occluder : witness.occluders) {
    if (!isBetween(occluder, witness.eye, witness.box)) continue;  // for speed
    if (witness.skip_start_inside && isAround(occluder, witness.eye)) continue;
    if (witness.through == 0 && isTouched(line, occluder, end)) {
      return absl::StrCat("it touches the occluder ", textOf(occluder));
    }
    if (isCrossed(line, occluder, end)) ++crossed;
  }
  if (crossed > witness.through) return absl::StrCat("it crosses ", crossed, " occluders");
  if (!witness.passes_unloaded && !isLoaded(witness, line, end)) return "it leaves loaded space";
  return std::nullopt;
}

}  // namespace

bool isBetween(const Occluder& occluder, const Vec3i& eye, const FixedBox& box) {
  return std::any_of(occluder.begin(), occluder.end(), [&](const FixedBox& part) {
    for (int axis = 0; axis < 3; ++axis) {
      if (part.max[axis] < std::min(eye[axis], box.min[axis])) return false;
      if (part.min[axis] > std::max(eye[axis], box.max[axis])) return false;
    }
    return true;
  });
}

std::optional<Rational> entryInto(const FixedBox& box, const Vec3i& eye,
                                  const std::array<Integer, 3>& delta) {
  const std::optional<Stay> stay = stayIn({eye, delta}, box);
  if (!stay.has_value()) return std::nullopt;
  return stay->enter;
}

Occluder boxesOf(const World& world, ChannelId channel, int level, const BlockCoord& at,
                 BlockTypeId type) {
  const BlockTypeTable& types = world.blockTypes();
  const std::int64_t width = world.frame().blockWidth(level);
  const std::int64_t scale = width / kShapeUnits;
  Occluder boxes;
  for (const ShapeBox& box : types.boxes(types.shape(type, channel))) {
    FixedBox& in_units = boxes.emplace_back();
    for (int axis = 0; axis < 3; ++axis) {
      const auto i = static_cast<std::size_t>(axis);
      in_units.min[axis] = at[axis] * width + box.min[i] * scale;
      in_units.max[axis] = at[axis] * width + box.max[i] * scale;
    }
  }
  return boxes;
}

std::vector<Occluder> solidBlocks(
    const World& world, LevelMask levels, ChannelId channel,
    const std::function<bool(int level, const BlockCoord& at)>& accepts) {
  std::vector<Occluder> blocks;
  const BlockTypeTable& types = world.blockTypes();
  for (int level = 0; level < world.frame().levels(); ++level) {
    if (!levels.contains(level)) continue;
    world.forEachLoaded(level, [&](const ChunkCoord& at, const Chunk& chunk) {
      for (int index = 0; index < kBlocksPerChunk; ++index) {
        const BlockTypeId type = chunk.block(index);
        if (types.kind(type, channel) != BlockKind::kSolid) continue;
        const BlockCoord block = blockOf(at, index);
        const bool defers = levels.contains(level + 1) &&
                            world.chunk(level + 1, {block[0], block[1], block[2]}) != nullptr;
        if (defers || (accepts && !accepts(level, block))) continue;
        blocks.push_back(boxesOf(world, channel, level, block, type));
      }
    });
  }
  return blocks;
}

std::optional<std::string> faultOfWitness(const WitnessCase& witness) {
  const Line line{witness.eye, witness.delta};
  bool is_unit = true;
  for (int axis = 0; axis < 3; ++axis) {
    const Integer end = line.direction(axis) + witness.eye[axis];
    is_unit = is_unit && end >= witness.box.min[axis] && end <= witness.box.max[axis];
  }
  if (is_unit != witness.unit) return absl::StrCat("unit is ", witness.unit ? "true" : "false");
  const bool is_zero = std::all_of(witness.delta.begin(), witness.delta.end(),
                                   [](const Integer& each) { return each == 0; });
  const bool is_inside = contains(witness.box, witness.eye, 0);
  if (is_inside != is_zero) return std::string("it is zero if and only if the eye is in the box");
  if (is_inside) return std::nullopt;
  const std::optional<Stay> in_box = stayIn(line, witness.box);
  if (!in_box.has_value()) return std::string("it misses the box");
  return faultOnTheWay(witness, line, in_box->enter);
}

}  // namespace fractalray::oracle
