// SPDX-License-Identifier: Apache-2.0
// The queries in progress on a thread, each within a callback of the one before, and their working
// memory, which stays for later queries.
#pragma once

#include <array>

#include "../../core/level_mask.h"
#include "../../core/segment.h"
#include "search/ray_packet.h"
#include "shot/prepared_shot.h"

namespace fractalray::internal {

// Returns the number of queries in progress on this thread.
int queryDepth();

// The memory of a task of a batch, while it searches packets.
struct PacketMemory {
  PacketMemory() {}  // NOLINT(modernize-use-equals-default,cppcoreguidelines-pro-type-member-init)

  RayPacket packet;
  PacketAnswers answers;
  // The lines of the task's queries, in units; null for a query that is not searched ahead. They
  // point to the queries themselves, or to `converted`.
  std::array<const FixedSegment*, RayPacket::kMost> lines;
  std::array<LevelMask, RayPacket::kMost> levels;
  std::array<FixedSegment, RayPacket::kMost> converted;
};
// Returns such memory, of this thread and queryDepth(), as an earlier task has left it. Requires:
// queryDepth() <= RayQueryService::kMaxNesting.
PacketMemory& packetMemory();

// Marks a query as in progress on its thread, also when an exception passes through it.
// Requires: queryDepth() <= RayQueryService::kMaxNesting.
class QueryScope {
 public:
  QueryScope();
  ~QueryScope() { --depth_; }
  QueryScope(const QueryScope&) = delete;
  QueryScope& operator=(const QueryScope&) = delete;

  // Returns the working memory of this query, as an earlier query has left it.
  PreparedShot& shot() const { return shot_; }

 private:
  int& depth_;  // that of the thread: to find it again costs a call in a shared library
  PreparedShot& shot_;
};

}  // namespace fractalray::internal
