// SPDX-License-Identifier: Apache-2.0
#include "query_scope.h"

#include <array>
#include <cstddef>
#include <memory>

#include "../../core/check.h"
#include "../ray_query_service.h"
#include "sight/sight_memory.h"

namespace fractalray::internal {
namespace {

// The working memory of a query, and of the batch that is about to run at its depth.
struct Memory {
  PreparedShot shot;
  // Large, and made when they are first used.
  std::unique_ptr<PacketMemory> packets;
  std::unique_ptr<SightMemory> sight;
};

// The queries of a thread. Has no destructor, so that a query finds it without a test whether it
// has been made.
struct ThreadQueries {
  int depth = 0;
  std::array<Memory*, RayQueryService::kMaxNesting + 1> memory{};
};
constinit thread_local ThreadQueries thread_queries;

// Frees the memory of a thread at its end.
struct MemoryOwner {
  MemoryOwner() = default;
  ~MemoryOwner() {
    for (Memory*& memory : thread_queries.memory) {
      delete memory;
      memory = nullptr;
    }
  }
  MemoryOwner(const MemoryOwner&) = delete;
  MemoryOwner& operator=(const MemoryOwner&) = delete;
};

[[gnu::noinline]] Memory& makeMemory(Memory*& memory) {
  [[maybe_unused]] thread_local MemoryOwner owner;
  memory = std::make_unique<Memory>().release();
  return *memory;
}

Memory& memoryOf(ThreadQueries& queries) {
  FRACTALRAY_DCHECK(queries.depth <= RayQueryService::kMaxNesting, queries.depth);
  Memory*& memory = queries.memory[static_cast<std::size_t>(queries.depth)];
  if (memory == nullptr) [[unlikely]]
    return makeMemory(memory);
  return *memory;
}

}  // namespace

int queryDepth() {
  return thread_queries.depth;
}

PacketMemory& packetMemory() {
  std::unique_ptr<PacketMemory>& packets = memoryOf(thread_queries).packets;
  if (packets == nullptr) packets = std::make_unique<PacketMemory>();
  return *packets;
}

SightMemory& sightMemory() {
  std::unique_ptr<SightMemory>& sight = memoryOf(thread_queries).sight;
  if (sight == nullptr) sight = std::make_unique<SightMemory>();
  return *sight;
}

QueryScope::QueryScope() : depth_(thread_queries.depth), shot_(memoryOf(thread_queries).shot) {
  FRACTALRAY_DCHECK(depth_ <= RayQueryService::kMaxNesting, depth_);
  ++depth_;
}

}  // namespace fractalray::internal
