// SPDX-License-Identifier: Apache-2.0
// Parts of the lines of a batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../bindings/c/fractalray_c.h"

namespace fractalray::serve {

class LineSlices {
 public:
  // Returns lines `first` to first + size - 1, with all that belongs to each of them. Refers to the
  // arrays of `lines`, and to this until the next call. Requires: these are lines of the batch, and
  // the ends of its lists ascend.
  frLines of(const frLines& lines, std::size_t first, std::size_t size);

 private:
  std::vector<std::uint64_t> ignore_ends_;
  std::vector<std::uint64_t> after_ends_;
};

}  // namespace fractalray::serve
