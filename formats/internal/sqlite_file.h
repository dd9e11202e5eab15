// SPDX-License-Identifier: Apache-2.0
// SQLite databases from outside, opened for reading and never written.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "sqlite_guard.h"

struct sqlite3_stmt;

namespace fractalray {

// A row of a result. Requires, for all: the column exists. Valid during the visit.
class SqliteRow {
 public:
  explicit SqliteRow(sqlite3_stmt* statement) : statement_(statement) {}

  // Return nullopt if the value is of another kind. If memory runs out, forEachRow ends with the
  // error after the visit.
  std::optional<std::int64_t> integer(int column) const;
  std::optional<std::span<const std::uint8_t>> blob(int column) const;
  // Returns the value as text, whatever it is; for messages.
  std::string text(int column) const;

 private:
  void checkColumn(int column) const;

  sqlite3_stmt* statement_;
};

// Errors of all calls begin with the file's path: NOT_FOUND and PERMISSION_DENIED; INVALID_ARGUMENT
// for a file that is no database, and for a table that is a view; DATA_LOSS for a damaged one, such
// as one whose rows have no end; UNAVAILABLE for one that another program keeps locked for longer
// than a few seconds; RESOURCE_EXHAUSTED if memory runs out. Not thread-safe.
class SqliteFile {
 public:
  // Opens a file and begins to read: later writes of other programs are not seen.
  static absl::StatusOr<SqliteFile> open(const std::string& path);

  // Returns the size of the database: no more bytes are in its tables.
  std::uint64_t bytes() const { return bytes_; }

  // Returns the names of a table's columns, without those that are computed; empty if there is no
  // such table (a view is none).
  absl::StatusOr<std::vector<std::string>> columns(std::string_view table) const;
  // Calls `visit` with every row of the result, in order, until it returns an error; returns that
  // error.
  absl::Status forEachRow(const std::string& query,
                          absl::FunctionRef<absl::Status(const SqliteRow& row)> visit) const;

 private:
  struct Closer {
    void operator()(sqlite3* database) const;
  };

  explicit SqliteFile(std::string path) : path_(std::move(path)) {}

  // Returns the error that SQLite has just reported.
  absl::Status lastError() const;
  // Begins to read, and finds out the size.
  absl::Status begin();

  std::string path_;
  std::uint64_t bytes_ = 0;
  SqliteGuard guard_;
  std::unique_ptr<sqlite3, Closer> database_;
};

}  // namespace fractalray
