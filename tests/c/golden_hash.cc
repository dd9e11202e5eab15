// SPDX-License-Identifier: Apache-2.0
#include "golden_hash.h"

#include <array>
#include <cmath>
#include <cstddef>

#include "golden_scene.h"

namespace fractalray::golden {
namespace {

void addHit(Hash& hash, const frHit& hit) {
  hash.add(hit.t);
  hash.add(hit.t_exit);
  hash.add(int{hit.face_axis});
  hash.add(int{hit.face_sign});
  addAll(hash, hit.normal, 3);
  hash.add(hit.start_inside != 0);
  addAll(hash, hit.point, 3);
  hash.add(hit.distance);
  hash.add(hit.terminal != 0);
  hash.add(int{hit.level});
  if (hit.kind == FR_HIT_BLOCK) {
    addAll(hash, hit.cell, 3);
    hash.add(int{hit.type});
  } else {
    hash.add(hit.id);
    hash.add(static_cast<int>(hit.entity_class));
  }
}

}  // namespace

void addShot(Hash& hash, const GoldenShot& answer) {
  const frQueryResult& shot = *answer.shot;
  std::array<frLevelPart, FR_MAX_LEVELS> parts{};
  std::size_t part_count = 0;
  require(frWorld_GetLevelParts(answer.world, answer.line, FR_ALL_LEVELS, parts.data(),
                                parts.size(), &part_count));
  addAll(hash, shot.line.from, 3);
  addAll(hash, shot.line.to, 3);
  for (const frHit& hit : answer.hits)
    addHit(hash, hit);
  hash.add(shot.terminated != 0);
  hash.add(shot.truncated != 0);
  hash.add(std::isnan(shot.unknown_from) ? -1 : shot.unknown_from);
  for (std::size_t i = 0; i < part_count; ++i) {
    hash.add(int{parts[i].level});
    hash.add(parts[i].t0);
    hash.add(parts[i].t1);
  }
}

}  // namespace fractalray::golden
