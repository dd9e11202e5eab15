// SPDX-License-Identifier: Apache-2.0
// Candidates, which passes gather: blocks and entities that a line hits, with their exact order.
#pragma once

#include <cstdint>
#include <limits>

#include "../../../core/face.h"
#include "../../../core/internal/geometry/hit_time.h"
#include "../../../core/units.h"
#include "../../../core/vec.h"
#include "../../../entities/entity.h"
#include "../../../levels/block_type.h"

namespace fractalray::internal {

// A block or an entity that the line of a shot hits, gathered but not yet dispatched.
struct Candidate {
  // Not an aggregate, so that creating one sets its members once.
  Candidate() {}  // NOLINT(modernize-use-equals-default)

  enum class Kind : std::uint8_t { kEntity, kBlock };  // at equal times in this order
  // Finer, and coarser, than every level.
  static constexpr int kBeforeAllLevels = kMaxLevels;
  static constexpr int kAfterAllLevels = -1;

  Kind kind = Kind::kBlock;
  bool terminal = false;  // as far as known without an effect: solid, or by a terminal test
  // A block's GridCell::step: 0 for the walk's first cell, and for a shape that is hit later than
  // its cell is entered.
  std::uint8_t step = 0;
  bool start_inside = false;  // of a block
  int level = 0;              // the block's, or the entity's own
  BlockTypeId type = kAir;
  Face face = Face::none();  // of a block: the face through which the line enters it
  BlockCoord block{};
  // The entity as it was when it was gathered, since one that moves keeps its hit.
  EntityHandle entity{};
  EntityId entity_id = 0;
  EntityClassId entity_class{};
  std::uint64_t categories = 0;
  FixedShape shape{};
  Vec3i position{};
  HitTime time{};

  // The order among candidates of equal time: entities before blocks, then the finer level first,
  // then blocks in walk order and entities by id.
  struct Rank {
    Kind kind = Kind::kBlock;
    int coarseness = 0;        // minus the level: the finer, the smaller
    std::uint64_t number = 0;  // a block's step, an entity's id

    // Returns the rank after all others.
    static Rank last() {
      return {Kind::kBlock, std::numeric_limits<int>::max(),
              std::numeric_limits<std::uint64_t>::max()};
    }
    friend auto operator<=>(const Rank&, const Rank&) = default;
  };
  static Rank rankOfBlock(int level, std::uint8_t step) { return {Kind::kBlock, -level, step}; }
  static Rank rankOfEntity(int level, EntityId id) { return {Kind::kEntity, -level, id}; }
  Rank rank() const {
    return isBlock() ? rankOfBlock(level, step) : rankOfEntity(level, entity_id);
  }

  // Returns a candidate that comes before all others of that time: a query that resumes after it
  // finds everything from that time on.
  static Candidate startOf(const HitTime& time) {
    Candidate start;
    start.kind = Kind::kEntity;
    start.level = kBeforeAllLevels;
    start.time = time;
    return start;
  }
  // Returns a candidate that comes after all others of that time: a query that resumes after it
  // finds only what is later.
  static Candidate endOf(const HitTime& time) {
    Candidate end;
    end.kind = Kind::kBlock;
    end.level = kAfterAllLevels;
    end.time = time;
    return end;
  }

  bool isBlock() const { return kind == Kind::kBlock; }
};

// The order of hits: by time, then by rank. ranksBefore() compares without a Candidate.
//
// Laws, each with its test in candidate_test.cc:
//   1. antisymmetric and irreflexive;
//   2. transitive, ties too: a strict weak order;
//   3. the contract's order: time, entities before blocks, the finer level first, then the walk's
//      order or the id. Only equal hits tie;
//   4. exact: times are compared as exact numbers, never as doubles.
inline bool ranksBefore(const HitTime& a_time, const Candidate::Rank& a, const HitTime& b_time,
                        const Candidate::Rank& b) {
  const auto by_time = a_time <=> b_time;
  return by_time != 0 ? by_time < 0 : a < b;
}
inline bool comesBefore(const Candidate& a, const Candidate& b) {
  return ranksBefore(a.time, a.rank(), b.time, b.rank());
}

}  // namespace fractalray::internal
