// SPDX-License-Identifier: Apache-2.0
// The rows of a Luanti map, one for each mapblock: all of them, or those of a box.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../../core/vec.h"
#include "../../levels/world.h"
#include "sqlite_database.h"

namespace fractalray {

// A map's table `blocks`, which identifies mapblocks up to Luanti 5.11 by one number, since then by
// three. Errors: those of the database.
//
// An index of a map has the mapblocks of a line one after another: those along x if it is of the
// number, which is z * 2^24 + y * 2^12 + x; those along y if it is of (x, z, y), as Luanti's is.
class LuantiRows {
 public:
  // Finds the columns of a map, which must outlive this. INVALID_ARGUMENT for a database that is no
  // map.
  static absl::StatusOr<LuantiRows> of(SqliteDatabase& map);

  // Returns the mapblock of a row; nullopt if no mapblock of a map has that position.
  std::optional<ChunkCoord> mapblock(const SqliteRow& row) const;
  // Returns the data of a row; nullopt if it is no blob.
  std::optional<std::span<const std::uint8_t>> data(const SqliteRow& row) const;
  // Returns the row's own text of the position. To be called after other reads: it turns the values
  // into text.
  std::string position(const SqliteRow& row) const;

  // Returns how many rows there are, at most `most`.
  absl::StatusOr<std::size_t> count(std::uint64_t most) const;
  // Calls `visit` with every row, until it returns an error; returns that error. Now and then lets
  // other programs write, and calls `changed` if one has: a mapblock that it has written may come
  // twice, the newer one last.
  using Visit = SqliteDatabase::Visit;
  using Changed = absl::FunctionRef<void()>;
  absl::Status forEach(Visit visit, Changed changed) const;

  // Returns true if forEachIn() reads no other rows than those of the box, and is worth it: there
  // is an index, and the box has no more lines than the file has pages, all of which forEach()
  // reads.
  absl::StatusOr<bool> findsIn(const ChunkBox& box) const;
  // Calls `visit` with the rows of a box, as forEach() does, and `progress`, unless it is empty,
  // with the lines that are done and all of them. Cost: a search for each line, and its rows.
  // Requires: findsIn(box), or it searches through all rows for each line.
  using Progress = std::function<void(std::size_t done, std::size_t total)>;
  absl::Status forEachIn(const ChunkBox& box, Visit visit, Changed changed,
                         const Progress& progress) const;

 private:
  LuantiRows(SqliteDatabase& map, bool has_key, bool has_numbers)
      : map_(&map), has_key_(has_key), has_numbers_(has_numbers) {}

  // Lets other programs write if they have waited for long.
  absl::Status pause(Changed changed) const;
  // Returns the statement that reads the rows of a line.
  std::string lineQuery() const;
  absl::Status readLine(const SqliteStatement& statement, const ChunkCoord& first,
                        const ChunkCoord& last, Visit visit) const;

  SqliteDatabase* map_;
  bool has_key_;
  bool has_numbers_;  // its rows are numbered by SQLite, as in all of Luanti's tables
};

}  // namespace fractalray
