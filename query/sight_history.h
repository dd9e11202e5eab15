// SPDX-License-Identifier: Apache-2.0
// The memory of visibleBoxes(): its answers, kept for the next call.
#pragma once

#include <cstddef>
#include <memory>

namespace fractalray {

namespace internal {
class KeptSight;
}

// The answers of the last call of visibleBoxes() that was given this history, with a proof of each.
// The next call tries the proofs on the world, eyes and boxes as they are then, and searches only
// where they fail: answers are the same as without a history. A pair is known by the index of its
// viewer, eye and box, so a caller that reorders them loses time alone. Any service, world, options
// and arrays may follow one another.
//
// Kept are pairs that were asked in the last call, with about 50 bytes each, twice. A call that
// fails changes nothing. Can be moved, not copied, and belongs to one call at a time: a call from
// a function of the options gets FAILED_PRECONDITION.
class SightHistory {
 public:
  SightHistory();
  ~SightHistory();
  SightHistory(SightHistory&& other) noexcept;
  SightHistory& operator=(SightHistory&& other) noexcept;

  // Forgets all answers, and frees their memory. Requires: no call is using it.
  void clear();
  // Returns the number of answers kept, one for each eye and box.
  std::size_t size() const;

 private:
  friend class internal::KeptSight;

  std::unique_ptr<internal::KeptSight> kept_;  // null until it is first used
};

}  // namespace fractalray
