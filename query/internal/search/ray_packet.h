// SPDX-License-Identifier: Apache-2.0
// A packet: neighbouring rays from one eye, as an image has them, whose blocks are searched
// together.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "../../../core/level_mask.h"
#include "../../../core/segment.h"
#include "../../../core/vec.h"
#include "../../../levels/world.h"
#include "../../query_options.h"
#include "../../query_stats.h"
#include "direct_search.h"

namespace fractalray::internal {

// The rays of a packet start at the same point and run to the same octant. Distances are measured
// along the main axis, the longest one of the first ray, in units: a ray comes to a plane n units
// ahead of the eye at the distance n * inverse. The relative error of floats is below 2^-22.
class RayPacket {
 public:
  static constexpr std::size_t kMost = 64;
  using PerRay = std::array<float, kMost>;

  // Not set before begin(), since packets are large.
  RayPacket() {}  // NOLINT(modernize-use-equals-default,cppcoreguidelines-pro-type-member-init)

  // Starts with a ray, which is no point. Rays have to outlive the packet.
  void begin(const FixedSegment& ray);
  // Adds a ray; returns false, and adds nothing, if it does not fit: if the packet is full, or the
  // ray has another start or octant, a slope far from that of the first ray, or too long a line.
  bool add(const FixedSegment& ray);
  // Completes the packet, for the members below.
  void finish();

  std::size_t size() const { return size_; }
  // Returns a word with a bit for each ray.
  std::uint64_t all() const { return ~std::uint64_t{0} >> (kMost - size_); }
  const FixedSegment& ray(std::size_t i) const { return *rays_[i]; }

  // The common start. Not mirrored.
  const Vec3i& eye() const { return rays_[0]->from; }
  // -1 on an axis along which the rays run towards -, on which everything is mirrored; else 0.
  const Vec3i& sign() const { return sign_; }
  // On each axis, how far any ray runs until its end, in units, rounded up: by less than 2^-18.
  const Vec3i& longest() const { return longest_; }

  // By axis and ray, aligned for vectors. Lanes after the last ray, up to a whole vector of eight,
  // repeat it.
  const PerRay& inverse(int axis) const { return inverse_[static_cast<std::size_t>(axis)]; }
  // The least and the greatest of them.
  float leastInverse(int axis) const { return least_[static_cast<std::size_t>(axis)]; }
  float greatestInverse(int axis) const { return greatest_[static_cast<std::size_t>(axis)]; }
  // The distance at which each ray ends.
  const PerRay& ends() const { return ends_; }

  // Returns true if the rays are close enough to each other that a search together takes less time
  // than one by one, as a rule.
  bool isDense() const;

 private:
  void append(const FixedSegment& ray, const std::array<float, 3>& length);

  alignas(32) std::array<PerRay, 3> inverse_;  // lengths until finish()
  alignas(32) PerRay ends_;
  std::array<const FixedSegment*, kMost> rays_;
  std::size_t size_;
  Vec3i sign_;
  Vec3i longest_;
  std::array<float, 3> first_slope_;  // lengths of the first ray, to that on the main axis
  std::array<float, 3> least_;
  std::array<float, 3> greatest_;
  int main_axis_;
};

// The arguments that the queries of a packet have in common.
struct PacketQuery {
  const World& world;
  const QueryOptions& options;
  LevelMask levels;                  // active ones only
  HitMode mode = HitMode::kClosest;  // or kAny
};

// The outcomes of the rays of a packet, in words with a bit for each ray.
struct PacketAnswers {
  // Not set before begin().
  PacketAnswers() {}  // NOLINT(modernize-use-equals-default,cppcoreguidelines-pro-type-member-init)
  void begin() { found = unclear = loaded = 0; }

  std::uint64_t found;    // rays with a block; if they are unclear, too, it may not be the first
  std::uint64_t unclear;  // as DirectOutcome::kUnclear
  std::uint64_t loaded;   // as DirectBlock::is_line_loaded; only of rays that are neither
  std::array<DirectBlock, RayPacket::kMost> blocks;  // of the rays that are `found`
};

// Searches the blocks of each ray of a packet, as runDirectSearch() does for one line, and adds to
// `answers`. Counts the steps of all rays together, which share most of them. Requires, of each
// query: canSearchDirectly(); no bound of its steps. Thread-safe as QueryContext is.
void runPacketSearch(const PacketQuery& query, const RayPacket& packet, PacketAnswers& answers,
                     QueryStats& stats);
// The same by a given set. Requires: isSupported(set).
void runPacketSearch(InstructionSet set, const PacketQuery& query, const RayPacket& packet,
                     PacketAnswers& answers, QueryStats& stats);

}  // namespace fractalray::internal
