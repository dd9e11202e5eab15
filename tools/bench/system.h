// SPDX-License-Identifier: Apache-2.0
// The interface of a measured system: built from a scene, it answers a set of rays, one at a time.
// A new peer is one file with one of these, and one line in systems.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "rays.h"

namespace fractalray::bench {

enum class Work : std::uint8_t {
  kFirstHit,    // the first block that is not empty
  kFirstSolid,  // the first solid block
  kConvert,     // the block in which the line starts, of a line converted to units
  kShoot,       // the first block that is not empty, out of a shot's whole result
  kAllHits,     // every block that is not empty up to the first solid one, each by a callback
  kOccluded,    // whether there is a solid block
  // Of ours as one batch on one thread; a peer may answer in packets.
  kClosestBatch,   // the first block that is not empty
  kCompactBatch,   // the same, with hits in brief
  kOccludedBatch,  // whether there is a solid block
  kCameraBatch,    // the first block that is not empty, of rays from one eye
  // Of lines in doubles, group by group (Rays::group): ours makes the lines and one batch of them;
  // a peer answers one by one, or in packets.
  kHitGroups,    // the first block that is not empty
  kSightGroups,  // whether there is a solid block
  // The first block on the n finest levels of a world of several.
  kOneLevel,
  kTwoLevels,
  kThreeLevels,
  kFourLevels,
  kFiveLevels,
  // Entity works (entity_system.h).
  kEntityMove,   // every entity, for one tick
  kEntityQuery,  // every entity that is hit
  kEntityTick,   // a move and a query: a tick with as many queries as entities, all of which move
  // A number of hits of a line that has 4,096 (stream_runner.h); pulled: all of them, one by one.
  kFirstOf4096,
  kTenthOf4096,
  kAllOf4096,
  kPull4096,
};

// Returns the work of a system without batches that answers lines of groups one by one; other works
// as they are.
constexpr Work oneByOne(Work work) {
  if (work == Work::kHitGroups) return Work::kFirstHit;
  return work == Work::kSightGroups ? Work::kOccluded : work;
}

// The outcome of a segment: the position of its last hit (none for lines of sight), and its number
// of hits.
struct Answer {
  static constexpr std::int32_t kNowhere = std::numeric_limits<std::int32_t>::min();

  std::int32_t x = kNowhere;
  std::int32_t y = kNowhere;
  std::int32_t z = kNowhere;
  std::int32_t hits = 0;

  friend bool operator==(const Answer&, const Answer&) = default;
};

// Returns an answer of one hit, in the block there.
inline Answer hitAt(std::int64_t x, std::int64_t y, std::int64_t z) {
  return {static_cast<std::int32_t>(x), static_cast<std::int32_t>(y), static_cast<std::int32_t>(z),
          1};
}

class System {
 public:
  System() = default;
  virtual ~System() = default;
  System(const System&) = delete;
  System& operator=(const System&) = delete;

  virtual bool can(Work work) const = 0;
  // Makes what an engine would keep from one run to the next. Called once before the runs of a set.
  virtual void prepare(const Rays&) {}
  // Answers all rays, one after another. Requires: can(work), and as many answers as rays.
  virtual void run(Work work, const Rays& rays, std::span<Answer> answers) = 0;
  // Returns the memory for the scene if the system knows it better than the heap does; else 0.
  virtual std::size_t bytes() const { return 0; }
  // Returns the time to build if it was not spent in the maker; else 0.
  virtual double buildMs() const { return 0; }
};

}  // namespace fractalray::bench
