// SPDX-License-Identifier: Apache-2.0
// The content of a World besides its frame and its block types: the data that queries read and that
// edits keep consistent with it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "../../core/check.h"
#include "../../core/cow_ptr.h"
#include "../../core/internal/edit_log.h"
#include "../../core/owned_content.h"
#include "../../core/vec.h"
#include "../block_type.h"
#include "level.h"

namespace fractalray::internal {

// Has the thread safety of World.
struct WorldContent {
  std::vector<CowPtr<Level>> levels{};
  // The edits, for batches of queries. Stays empty in a snapshot.
  EditLog edits{};
  VersionCounter version{};
  // By level, the version that the last change of its chunks has made. A move of the frame changes
  // only levels that are new, that lose chunks, or whose finer level is dropped.
  std::vector<std::uint64_t> level_versions{};
  LastMove last_move{};
  // The chunks whose ids are read from the engine's memory, by level, until the next snapshot
  // copies them. Some of them may have been replaced by other chunks since.
  std::set<std::pair<int, ChunkCoord>> borrowed{};
  std::shared_ptr<BlockTypeTable> types_of_snapshots{};  // never changed once made

  ContentNumbers numbers() const {
    return {.version = version, .last_move = last_move, .edits = edits.count()};
  }
  // Becomes the content of a world after another one with these numbers.
  void follow(const ContentNumbers& before) noexcept {
    version.follow(before.version);
    last_move = before.last_move;
    edits.forget(before.edits);
    std::fill(level_versions.begin(), level_versions.end(), version.number());
  }

  // Requires: the level is active.
  const Level& level(int level) const {
    FRACTALRAY_DCHECK(level >= 0 && level < std::ssize(levels), level, levels.size());
    return *levels[static_cast<std::size_t>(level)];
  }
};

}  // namespace fractalray::internal
