// SPDX-License-Identifier: Apache-2.0
// Parts that are not in use, kept so that what comes and goes does not allocate.
#pragma once

#include <new>
#include <utility>
#include <vector>

#include "../../check.h"
#include "../../cow_ptr.h"

namespace fractalray::internal {

// Parts as good as new, which nobody else holds. A copy begins with none: it would hold them too.
// Exceptions: only take() throws, std::bad_alloc where there is neither a spare part nor memory.
// Not thread-safe.
template <class Part>
class FreeList {
 public:
  FreeList() = default;
  ~FreeList() = default;
  FreeList(const FreeList& /*other*/) {}
  FreeList& operator=(const FreeList& /*other*/) { return *this; }
  FreeList(FreeList&&) noexcept = default;
  FreeList& operator=(FreeList&&) noexcept = default;

  // A spare part, or a new one where there is none.
  CowPtr<Part> take() {
    if (parts_.empty()) return CowPtr<Part>::make();
    CowPtr<Part> part = std::move(parts_.back());
    parts_.pop_back();
    return part;
  }
  // Keeps a part, or frees it where there is no memory to list it. Requires: the part is as good as
  // new, and nobody else holds it.
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
