// SPDX-License-Identifier: Apache-2.0
// Parts that are not in use, kept so that what comes and goes does not allocate.
#pragma once

#include <new>
#include <utility>
#include <vector>

#include "../../cow_ptr.h"

namespace fractalray::internal {

// Parts as good as new, which nobody else holds. A copy begins with none: it would hold them too.
// Exceptions: only take() throws, std::bad_alloc where there is neither a spare part nor memory.
// Not thread-safe.
template <class Part>
class SpareParts {
 public:
  SpareParts() = default;
  ~SpareParts() = default;
  SpareParts(const SpareParts& /*other*/) {}
  SpareParts& operator=(const SpareParts& /*other*/) { return *this; }
  SpareParts(SpareParts&&) noexcept = default;
  SpareParts& operator=(SpareParts&&) noexcept = default;

  // A spare part, or a new one where there is none.
  SharedPart<Part> take() {
    if (parts_.empty()) return SharedPart<Part>::make();
    SharedPart<Part> part = std::move(parts_.back());
    parts_.pop_back();
    return part;
  }
  // Keeps a part, or frees it where there is no memory to list it. Requires: the part is as good as
  // new, and nobody else holds it.
  void keep(SharedPart<Part> part) noexcept {
    try {
      parts_.push_back(std::move(part));
    } catch (const std::bad_alloc&) {  // then it was not moved
    }
  }

 private:
  std::vector<SharedPart<Part>> parts_;
};

}  // namespace fractalray::internal
