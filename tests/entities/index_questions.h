// SPDX-License-Identifier: Apache-2.0
// Shots and searches around a position, put to one index after another, whose answers are compared
// to the last bit.
#pragma once

#include <string>
#include <vector>

#include "../../levels/world.h"
#include "../../query/entity_search.h"
#include "../../query/ray_query_service.h"
#include "../oracle/rng.h"

namespace fractalray {

class IndexQuestions {
 public:
  struct Answers {
    std::vector<ShotResult> shots;
    std::vector<std::vector<FoundEntity>> found;  // by searches
  };

  // Makes `count` random shots, and as many searches of each kind, within `reach` finest-block
  // widths of `center` on each axis.
  IndexQuestions(oracle::Rng& rng, int levels, int count, const Vec3d& center, double reach);

  // Safe to call from many threads.
  Answers ask(const EntityIndex& index, SearchPass pass) const;
  // Returns the differences as text; empty if there are none.
  static std::string difference(const Answers& answers, const Answers& others);

 private:
  struct Search {
    Vec3d point;
    Vec3d extent;
    double radius;
  };

  World world_;  // an empty world
  std::vector<Segment> segments_;
  std::vector<Search> searches_;
};

}  // namespace fractalray
