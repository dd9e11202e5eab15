// SPDX-License-Identifier: Apache-2.0
// A free list of reset parts, so that load and unload churn does not allocate.
#pragma once

#include <new>
#include <utility>
#include <vector>

#include "../../check.h"
#include "../../cow_ptr.h"

namespace fractalray::internal {

// Reset parts that no other holder shares. A copy begins with none: it would share them.
// Exceptions: only take() throws, std::bad_alloc if there is neither a spare part nor memory. Not
// thread-safe.
template <class Part>
class FreeList {
 public:
  FreeList() = default;
  ~FreeList() = default;
  FreeList(const FreeList& /*other*/) {}
  FreeList& operator=(const FreeList& /*other*/) { return *this; }
  FreeList(FreeList&&) noexcept = default;
  FreeList& operator=(FreeList&&) noexcept = default;

  // Returns a spare part, or a new one if there is none.
  CowPtr<Part> take() {
    if (parts_.empty()) return CowPtr<Part>::make();
    CowPtr<Part> part = std::move(parts_.back());
    parts_.pop_back();
    return part;
  }
  // Keeps a part, or frees it if there is no memory to list it. Requires: the part is reset and has
  // no other holder.
  void keep(CowPtr<Part> part) noexcept {
    FRACTALRAY_DCHECK(part && !part->isShared());
    try {
      parts_.push_back(std::move(part));
    } catch (const std::bad_alloc&) {  // then it was not moved
    }
  }

 private:
  std::vector<CowPtr<Part>> parts_;
};

}  // namespace fractalray::internal
