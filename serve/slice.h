// SPDX-License-Identifier: Apache-2.0
// Parts of the lines of a batch.
#pragma once

#include <chrono>
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

// Returns how many lines to answer next: those for which there is time if they take as long as the
// `done` before, which took `spent`; from `least` to `most`.
// Requires: done > 0, least <= most.
std::size_t linesInTime(std::size_t done, std::chrono::nanoseconds spent,
                        std::chrono::nanoseconds left, std::size_t least, std::size_t most);

}  // namespace fractalray::serve
