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
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../../levels/chunk_path.h"
#include "sqlite_database.h"

namespace fractalray {

// The key of a chunk: its region, and the packed steps after that. Region 0 is the root.
struct ChunkKey {
  std::int64_t region = 0;
  std::string steps;

  friend bool operator==(const ChunkKey&, const ChunkKey&) = default;
};

// Remembers the regions of the last path, since calls for neighbours follow each other. Cost of all
// calls: a comparison with the last path, and two look-ups for each region that differs. The file
// has a region twice, in the table and in its index: a find reads both, and if one of them is
// damaged the error is DATA_LOSS.
class ChangeRegions {
 public:
  static constexpr std::size_t kSteps = 16;
  static constexpr std::size_t kLeastOwnSteps = 6;  // of a chunk in a region other than the root
  static constexpr const char* kSchema =
      "CREATE TABLE regions(id INTEGER PRIMARY KEY, parent INTEGER NOT NULL, steps BLOB NOT NULL, "
      "UNIQUE(parent, steps))";

  // The database must outlive it, and have the table of kSchema.
  static absl::StatusOr<ChangeRegions> load(const SqliteDatabase& database);

  // Returns the key of a chunk; nothing if its region is not in the file.
  absl::StatusOr<std::optional<ChunkKey>> find(const ChunkPath& path);
  // The same, but adds its regions to the file.
  absl::StatusOr<ChunkKey> add(const ChunkPath& path);
  // Returns the text of the path of a region, as the table has it: of a path that find() does not
  // find, or with another key, a region is damaged.
  absl::StatusOr<std::string> pathOf(std::int64_t region) const;

  // Forgets what it remembers: the regions may have been rolled back.
  void forget() noexcept;

 private:
  explicit ChangeRegions(const SqliteDatabase& database) : database_(&database) {}

  // Finds the key of a chunk, or adds its regions.
  absl::StatusOr<std::optional<ChunkKey>> locate(const ChunkPath& path, bool adds);
  // Forgets the regions that are not those of the path.
  void keepCommon(const ChunkPath& path);
  struct Region {
    std::int64_t parent = 0;
    std::string steps;
  };
  // Returns a region of the table.
  absl::StatusOr<Region> regionOf(std::int64_t id) const;
  // Returns the id of a region; nothing if there is none.
  absl::StatusOr<std::optional<std::int64_t>> lookUp(std::int64_t parent,
                                                     const std::string& steps) const;
  absl::Status damage() const;
  std::int64_t last() const { return ids_.empty() ? 0 : ids_.back(); }

  const SqliteDatabase* database_;
  SqliteStatement select_id_;
  SqliteStatement select_region_;
  SqliteStatement insert_;
  // The regions of the last path, from the root down, and their steps.
  std::vector<std::int64_t> ids_;
  std::vector<ChunkPath::Step> steps_;
};

}  // namespace fractalray
