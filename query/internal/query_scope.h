// SPDX-License-Identifier: Apache-2.0
// The shots of one thread that are under way, one inside of a callback of the other, and their
// working memory, which stays for the shots to come.
#pragma once

#include "candidate_collector.h"

namespace fractalray::internal {

// Counts a query as under way on its thread, also where an exception passes through it.
class ShotUnderWay {
 public:
  ShotUnderWay();
  ~ShotUnderWay();
  ShotUnderWay(const ShotUnderWay&) = delete;
  ShotUnderWay& operator=(const ShotUnderWay&) = delete;

  ShotScratch& scratch() const { return scratch_; }

 private:
  ShotScratch& scratch_;
};

}  // namespace fractalray::internal
