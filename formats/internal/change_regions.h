// SPDX-License-Identifier: Apache-2.0
// The chunk paths of a change store. Paths may be long and many begin alike, so they are cut into
// regions: rows of 16 steps each, which all chunks below them share. The last 6 to 21 steps are
// kept with the chunk: if regions went any deeper, chunks near each other would have regions of
// their own, which take three times as much space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

#include "../../levels/chunk_path.h"
#include "change_keys.h"
#include "change_rows.h"

namespace fractalray {

// Remembers the regions of the last path, since calls for neighbours follow each other. Cost of all
// calls: a comparison with the last path, and a look-up for each region that differs.
class ChangeRegions {
 public:
  static constexpr std::size_t kSteps = 16;
  static constexpr std::size_t kLeastOwnSteps = 6;  // of a chunk in a region other than the root

  // The rows must outlive it.
  explicit ChangeRegions(const ChangeRows& rows) : rows_(&rows) {}

  // Returns the key of a chunk; nothing if its region is not in the file.
  absl::StatusOr<std::optional<ChunkKey>> find(const ChunkPath& path);
  // The same, but adds its regions to the file.
  absl::StatusOr<ChunkKey> add(const ChunkPath& path);
  // Returns the text of the path of a region.
  absl::StatusOr<std::string> pathOf(std::int64_t region) const;

  // Forgets what it remembers: the regions may have been rolled back.
  void forget() noexcept;

 private:
  // Finds the key of a chunk, or adds its regions.
  absl::StatusOr<std::optional<ChunkKey>> locate(const ChunkPath& path, bool adds);
  // Forgets the regions that are not those of the path.
  void keepCommon(const ChunkPath& path);
  // Returns the id of a region; nothing if there is none.
  absl::StatusOr<std::optional<std::int64_t>> lookUp(std::int64_t parent,
                                                     std::string_view steps) const;
  // Adds a region and returns its id, the least that is free.
  absl::StatusOr<std::int64_t> insert(std::int64_t parent, std::string_view steps) const;
  std::int64_t last() const { return ids_.empty() ? 0 : ids_.back(); }

  const ChangeRows* rows_;
  // The regions of the last path, from the root down, and their steps.
  std::vector<std::int64_t> ids_;
  std::vector<ChunkPath::Step> steps_;
};

}  // namespace fractalray
