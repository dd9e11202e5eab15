// SPDX-License-Identifier: Apache-2.0
// The rows of a change store: a map from keys to values, both bytes, that proves what it answers.
//
// SQLite does not notice a flipped bit: a row whose key has one is found under another key, and
// under its own there seems to be nothing. So each row has two checksums. One, at the end of its
// value, covers its key and value: it proves a row that is found. The other, its link, covers its
// key and that of the row before it: it proves that nothing lies between the two.
//
//   key:    c   <-- link --   c7...   <-- link --   d   <-- link --   d3...
//                  (nothing here)        (nor here)
//
// Some keys are marks, which are always there: one between each two kinds of rows, so that damage
// of one kind is none of another, one before all and one after all. So every key that is missing
// has two neighbours.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "sqlite_database.h"

namespace fractalray {

// Cost: look-ups of SQLite, one for a key that is there, two for one that is not, three writes to
// add or erase a row. Errors are those of SqliteDatabase; DATA_LOSS for what cannot be proven.
//
// A gap next to a damaged row stays unproven when a row is added to it, or erased next to it: so
// damage is reported until it is mended, and the rows around it can be used all the same.
class ChangeRows {
 public:
  static constexpr const char* kSchema =
      "CREATE TABLE rows(key BLOB PRIMARY KEY, link INTEGER NOT NULL, value BLOB NOT NULL) "
      "WITHOUT ROWID";
  // Adds the marks, in their order, to the new table of kSchema.
  static absl::Status addMarks(const SqliteDatabase& database,
                               std::span<const std::string_view> marks);

  // The database must outlive it, and have the table of kSchema.
  static absl::StatusOr<ChangeRows> load(const SqliteDatabase& database);

  // Requires, for all keys: they lie between the first mark and the last, and are none themselves.

  // Returns the value of a key, nothing if there is none.
  absl::StatusOr<std::optional<std::string>> find(std::string_view key) const;
  // Sets the value of a key.
  absl::Status put(std::string_view key, std::string_view value) const;
  // Erases a key. DATA_LOSS if it is not there.
  absl::Status erase(std::string_view key) const;
  // Returns the last key before a mark, which may be a mark too.
  absl::StatusOr<std::string> lastBefore(std::string_view mark) const;

  // Calls `visit` with each row after a mark whose key is less than `end`, in order, until it
  // returns an error; returns that error. Leaves out rows that are damaged, and returns DATA_LOSS
  // at the end if there is one, or one is missing. `visit` may use the map, but not change it or
  // call this.
  using Visit = absl::FunctionRef<absl::Status(std::string_view key, std::string_view value)>;
  absl::Status forEachAfter(std::string_view mark, std::string_view end, Visit visit) const;

  // Return an error that begins with the file's path, and DATA_LOSS for a row that holds something
  // impossible.
  absl::Status error(absl::StatusCode code, std::string_view reason) const {
    return database_->error(code, reason);
  }
  absl::Status damage() const;

 private:
  struct Row {
    std::string key;
    std::optional<std::string> value;  // with its checksum, if it was read
    std::int64_t link = 0;
  };

  explicit ChangeRows(const SqliteDatabase& database) : database_(&database) {}

  // Returns true if nothing lies between a key and a row.
  static bool isLinked(std::string_view before, const Row& row);
  // Returns the row that a statement finds for a key: at_or_after_, which reads the value of that
  // key alone, or after_.
  absl::StatusOr<Row> firstRow(const SqliteStatement& statement, std::string_view key) const;
  // Returns the key of the row before a key, not proven.
  absl::StatusOr<std::string> keyBefore(std::string_view key) const;

  const SqliteDatabase* database_;
  SqliteStatement at_or_after_;
  SqliteStatement after_;
  SqliteStatement before_;
  SqliteStatement all_after_;
  SqliteStatement insert_;
  SqliteStatement set_value_;
  SqliteStatement set_link_;
  SqliteStatement erase_;
};

// Appends a number to a key, or to a value: its length in 1 byte, then its bytes, the highest
// first, so that keys are in the order of their numbers. Requires: it is not negative.
void appendOrdered(std::string& bytes, std::int64_t number);
// Takes a number from the beginning of bytes; nothing if none is there.
std::optional<std::int64_t> takeOrdered(std::string_view& bytes);

}  // namespace fractalray
