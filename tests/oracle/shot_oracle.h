// SPDX-License-Identifier: Apache-2.0
// A shot, the obvious way: visit every loaded chunk of every level of the mask, every cell of the
// walk in it, and every living entity; sort all candidates, then dispatch them in order. Sections 3
// to 7 of the contract, for callbacks that change nothing. It reads the world and the index by
// their public look-ups alone.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "../../core/level_mask.h"
#include "../../core/segment.h"
#include "../../entities/entity_index.h"
#include "../../levels/world.h"
#include "../../query/query_options.h"
#include "exact.h"

namespace fractalray::oracle {

// The responses of the registered callbacks; all continue if empty.
struct Rules {
  std::function<bool(BlockTypeId)> block_stops;
  std::function<bool(EntityClassId)> entity_stops;
};

struct OracleHit {
  bool is_entity = false;
  int level = 0;
  BlockCoord block{};
  BlockTypeId type = kAir;
  EntityId id = 0;
  EntityHandle entity;
  EntityClassId entity_class{};
  ExactTime t;
  double t_exit = 0;
  Face face = Face::none();
  std::uint32_t plane = 0;  // blocks: of the face, in 1/65,536 of the block
  bool start_inside = false;
  bool terminal = false;
  int step = 0;  // blocks: ordinal in the walk among those of the same t
};

struct OracleSpan {
  int level = 0;
  Rational t0;
  Rational t1;
};

struct OracleShot {
  std::vector<OracleHit> hits;
  bool terminated = false;
  bool truncated = false;
  std::optional<Rational> unknown_from;  // set even if the query does not ask for it
  std::vector<OracleSpan> level_spans;
};

// Returns everything that the segment hits and the options accept, in the order of hits, whatever
// would end a shot; `terminal` is not set.
std::vector<OracleHit> candidates(const World& world, const EntityIndex& entities,
                                  const FixedSegment& segment, LevelMask levels,
                                  const QueryOptions& options);
// Returns the first t in [0, 1], from where the segment begins, just after which no chunk of any
// level of the mask is loaded.
std::optional<Rational> firstUnknown(const World& world, const FixedSegment& segment,
                                     LevelMask levels);
// Returns the same in [from, 1].
std::optional<ExactTime> firstUnknown(const World& world, const FixedSegment& segment,
                                      LevelMask levels, const ExactTime& from);
// Returns true if the first hit comes before the second.
bool isBefore(const OracleHit& a, const OracleHit& b);

OracleShot shoot(const World& world, const EntityIndex& entities, const FixedSegment& segment,
                 LevelMask levels, const QueryOptions& options, const Rules& rules);

}  // namespace fractalray::oracle
