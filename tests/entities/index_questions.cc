// SPDX-License-Identifier: Apache-2.0
#include "index_questions.h"

#include <cstddef>

#include "../oracle/shot_compare.h"

namespace fractalray {

IndexQuestions::IndexQuestions(oracle::Rng& rng, int levels, int count, const Vec3d& center,
                               double reach)
    : world_({.levels = levels}) {
  const auto part = [&](std::int64_t min) { return static_cast<double>(rng.in(min, 999)) / 999; };
  const auto position = [&] {
    return center + Vec3d{reach * part(-999), reach * part(-999), reach * part(-999)};
  };
  for (int i = 0; i < count; ++i) {
    segments_.push_back({position(), position()});
    const Vec3d extent{reach * part(0) / 2, reach * part(0) / 2, reach * part(0) / 2};
    searches_.push_back({position(), extent, reach * part(0) / 2});
  }
}

IndexQuestions::Answers IndexQuestions::ask(const EntityIndex& index, SearchPass pass) const {
  const RayQueryService service(world_, index);
  QueryOptions options;
  options.pass = pass;
  Answers answers;
  for (const Segment& segment : segments_)
    answers.shots.push_back(service.shootSegment(segment, LevelMask::all(), options).value());
  for (const Search& search : searches_) {
    answers.found.push_back(entitiesInSphere(index, search.point, search.radius).value());
    answers.found.push_back(
        entitiesInBox(index, search.point - search.extent, search.point + search.extent).value());
    answers.found.push_back(nearestEntities(index, search.point, 5).value());
  }
  return answers;
}

std::string IndexQuestions::difference(const Answers& answers, const Answers& others) {
  for (std::size_t i = 0; i < answers.shots.size(); ++i) {
    std::string difference = oracle::difference(answers.shots[i], others.shots[i]);
    if (!difference.empty()) return difference;
  }
  for (std::size_t i = 0; i < answers.found.size(); ++i) {
    if (answers.found[i] != others.found[i]) return "search " + std::to_string(i);
  }
  return {};
}

}  // namespace fractalray
