// SPDX-License-Identifier: Apache-2.0
#include "luanti_rows.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

#include "luanti_paths.h"

namespace fractalray {
namespace {

// The bytes of a page of SQLite, unless a file says otherwise: a search for a line reads some.
constexpr std::uint64_t kBytesPerLine = 4096;

// Returns the axes of the lines of an index, the slowest first.
constexpr std::array<int, 3> axesOf(bool has_key) {
  return has_key ? std::array{2, 1, 0} : std::array{0, 2, 1};
}

// Returns the part of a box in which a map can have mapblocks; min exceeds max if there is none.
ChunkBox partInMap(const ChunkBox& box) {
  ChunkBox part;
  for (int axis = 0; axis < 3; ++axis) {
    part.min[axis] = std::max(box.min[axis], -kHalfMap);
    part.max[axis] = std::min(box.max[axis], kHalfMap - 1);
  }
  return part;
}

// Returns the lines of a box that partInMap() has returned.
std::size_t linesOf(const ChunkBox& part, const std::array<int, 3>& axes) {
  std::size_t lines = 1;
  for (const int axis : axes) {
    if (part.min[axis] > part.max[axis]) return 0;
    if (axis != axes[2]) lines *= static_cast<std::size_t>(part.max[axis] - part.min[axis] + 1);
  }
  return lines;
}

}  // namespace

absl::StatusOr<LuantiRows> LuantiRows::of(SqliteDatabase& map) {
  const absl::StatusOr<std::vector<std::string>> columns = map.columns("blocks");
  if (!columns.ok()) return columns.status();
  if (columns->empty()) {
    return absl::InvalidArgumentError("a database, but no Luanti map: it has no table 'blocks'");
  }
  const auto has = [&](std::string_view name) {
    return std::find(columns->begin(), columns->end(), name) != columns->end();
  };
  // A table may have a column of that name, or be WITHOUT ROWID.
  const bool has_numbers = !has("rowid") && map.prepare("SELECT rowid FROM blocks").ok();
  if (has("pos") && has("data")) return LuantiRows(map, true, has_numbers);
  if (has("x") && has("y") && has("z") && has("data")) return LuantiRows(map, false, has_numbers);
  return absl::InvalidArgumentError(
      "no Luanti map: its table 'blocks' has neither the columns pos and data nor x, y, z and "
      "data");
}

std::optional<ChunkCoord> LuantiRows::mapblock(const SqliteRow& row) const {
  if (has_key_) {
    const std::optional<std::int64_t> key = row.integer(0);
    return key.has_value() ? mapblockFromKey(*key) : std::nullopt;
  }
  ChunkCoord at;
  for (int axis = 0; axis < 3; ++axis) {
    const std::optional<std::int64_t> index = row.integer(axis);
    if (!index.has_value()) return std::nullopt;
    at[axis] = *index;
  }
  return isMapblock(at) ? std::optional(at) : std::nullopt;
}

std::optional<std::span<const std::uint8_t>> LuantiRows::data(const SqliteRow& row) const {
  return row.blob(has_key_ ? 1 : 3);
}

std::string LuantiRows::position(const SqliteRow& row) const {
  if (has_key_) return absl::StrCat("pos = ", row.text(0));
  return absl::StrCat("x, y, z = ", row.text(0), ", ", row.text(1), ", ", row.text(2));
}

absl::StatusOr<std::size_t> LuantiRows::count(std::uint64_t most) const {
  std::size_t rows = 0;
  // Counts row by row, so that SqliteGuard can end it.
  absl::Status status =
      map_->run(absl::StrCat("SELECT count(*) FROM (SELECT 1 FROM blocks LIMIT ", most, ")"),
                [&](const SqliteRow& row) {
                  rows = static_cast<std::size_t>(row.integer(0).value_or(0));
                  return absl::OkStatus();
                });
  if (!status.ok()) return status;
  return rows;
}

absl::Status LuantiRows::pause(Changed changed) const {
  if (!map_->keepsOthersWaiting()) return absl::OkStatus();
  const absl::StatusOr<bool> has_changed = map_->letOthersWrite();
  if (has_changed.ok() && *has_changed) changed();
  return has_changed.status();
}

absl::Status LuantiRows::forEach(Visit visit, Changed changed) const {
  const std::string columns = has_key_ ? "SELECT pos, data" : "SELECT x, y, z, data";
  if (!has_numbers_) return map_->run(columns + " FROM blocks", visit);
  const absl::StatusOr<SqliteStatement> rows_after =
      map_->prepare(columns + ", rowid FROM blocks WHERE rowid > ? ORDER BY rowid");
  if (!rows_after.ok()) return rows_after.status();
  const int number_column = has_key_ ? 2 : 4;
  std::int64_t last = std::numeric_limits<std::int64_t>::min();
  while (true) {
    const std::int64_t first = last;
    bool is_cut = false;
    absl::Status status = map_->run(*rows_after, {first}, [&](const SqliteRow& row) {
      absl::Status visited = visit(row);
      last = std::max(last, row.integer(number_column).value_or(last));
      is_cut = visited.ok() && map_->keepsOthersWaiting();
      return is_cut ? absl::CancelledError() : visited;
    });
    if (!is_cut) return status;
    if (last == first)
      return map_->error(absl::StatusCode::kDataLoss, "is damaged: rows without end");
    status = pause(changed);
    if (!status.ok()) return status;
  }
}

std::string LuantiRows::lineQuery() const {
  return has_key_ ? "SELECT pos, data FROM blocks WHERE pos BETWEEN ? AND ?"
                  : "SELECT x, y, z, data FROM blocks WHERE x = ? AND z = ? AND y BETWEEN ? AND ?";
}

absl::StatusOr<bool> LuantiRows::findsIn(const ChunkBox& box) const {
  const std::size_t lines = linesOf(partInMap(box), axesOf(has_key_));
  if (lines > map_->bytes() / kBytesPerLine) return false;
  // SQLite's own words: a search that its index narrows down to the line. If another version words
  // it differently, all rows are read.
  const std::string searched = has_key_ ? "(pos>? AND pos<?)" : "(x=? AND z=? AND y>? AND y<?)";
  bool has_index = false;
  absl::Status status =
      map_->run(absl::StrCat("EXPLAIN QUERY PLAN ", lineQuery()), [&](const SqliteRow& row) {
        const std::string step = row.text(3);
        has_index = absl::StartsWith(step, "SEARCH ") &&
                    (absl::EndsWith(step, searched) ||
                     (has_key_ && absl::EndsWith(step, "(rowid>? AND rowid<?)")));
        return absl::OkStatus();
      });
  if (!status.ok()) return status;
  return has_index;
}

absl::Status LuantiRows::forEachIn(const ChunkBox& box, Visit visit, Changed changed,
                                   const Progress& progress) const {
  const absl::StatusOr<SqliteStatement> statement = map_->prepare(lineQuery());
  if (!statement.ok()) return statement.status();
  const std::array<int, 3> axes = axesOf(has_key_);
  const auto [slow, middle, fast] = axes;
  const ChunkBox part = partInMap(box);
  const std::size_t total = linesOf(part, axes);
  ChunkCoord first = part.min;
  ChunkCoord last = part.max;
  std::size_t done = 0;
  while (done < total) {
    last[slow] = first[slow];
    last[middle] = first[middle];
    absl::Status status = readLine(*statement, first, last, visit);
    if (status.ok()) status = pause(changed);
    if (!status.ok()) return status;
    ++done;
    if (progress) progress(done, total);
    if (first[middle]++ < part.max[middle]) continue;
    first[middle] = part.min[middle];
    ++first[slow];
  }
  if (progress && total == 0) progress(0, 0);
  return absl::OkStatus();
}

absl::Status LuantiRows::readLine(const SqliteStatement& statement, const ChunkCoord& first,
                                  const ChunkCoord& last, Visit visit) const {
  if (has_key_) return map_->run(statement, {keyOfMapblock(first), keyOfMapblock(last)}, visit);
  return map_->run(statement, {first[0], first[2], first[1], last[1]}, visit);
}

}  // namespace fractalray
