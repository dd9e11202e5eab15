// SPDX-License-Identifier: Apache-2.0
#include "query_scope.h"

#include <array>
#include <cstddef>
#include <memory>

#include "../../core/check.h"
#include "../ray_query_service.h"

namespace fractalray::internal {
namespace {

constinit thread_local int depth = 0;

PreparedShot& memoryOfDepth() {
  FRACTALRAY_DCHECK(depth <= RayQueryService::kMaxNesting, depth);
  thread_local std::array<std::unique_ptr<PreparedShot>, RayQueryService::kMaxNesting + 1> memory;
  std::unique_ptr<PreparedShot>& shot = memory[static_cast<std::size_t>(depth)];
  if (shot == nullptr) shot = std::make_unique<PreparedShot>();
  return *shot;
}

}  // namespace

int queryDepth() {
  return depth;
}

QueryScope::QueryScope() : shot_(memoryOfDepth()) {
  ++depth;
}
QueryScope::~QueryScope() {
  --depth;
}

}  // namespace fractalray::internal
