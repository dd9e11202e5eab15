// SPDX-License-Identifier: Apache-2.0
// SQLite databases: files from outside, which are only read, and this library's own, which it
// writes.
#pragma once

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "sqlite_error.h"
#include "sqlite_guard.h"

struct sqlite3_stmt;

namespace fractalray {

// A row of a result. Requires, for all: the column exists. Valid during the visit.
class SqliteRow {
 public:
  explicit SqliteRow(sqlite3_stmt* statement) : statement_(statement) {}

  // Return nullopt if the value is of another kind. If memory runs out, the statement ends with the
  // error after the visit.
  std::optional<std::int64_t> integer(int column) const;
  std::optional<std::span<const std::uint8_t>> blob(int column) const;
  // Returns the value as text, whatever it is; for messages.
  std::string text(int column) const;

 private:
  void checkColumn(int column) const;

  sqlite3_stmt* statement_;
};

// A value for a parameter of a statement: NULL, an integer or a blob.
using SqliteValue = std::variant<std::monostate, std::int64_t, std::string_view>;

// A prepared statement. Must not outlive its database.
class SqliteStatement {
 public:
  SqliteStatement() = default;

 private:
  friend class SqliteDatabase;
  struct Closer {
    void operator()(sqlite3_stmt* statement) const;
  };

  std::unique_ptr<sqlite3_stmt, Closer> statement_;
};

// Errors of all calls begin with the file's path: UNAVAILABLE for a database that another program
// keeps locked; DATA_LOSS for a damaged one; RESOURCE_EXHAUSTED if the disk is full or memory runs
// out; and those of opening. Not thread-safe.
class SqliteDatabase {
 public:
  // Opens a file from outside, and begins to read: later writes of other programs are not seen, and
  // wait, until letOthersWrite().
  // Errors: NOT_FOUND and PERMISSION_DENIED; INVALID_ARGUMENT for a file that is no database, and,
  // of a statement, for a table that is a view; DATA_LOSS also for rows without an end.
  static absl::StatusOr<SqliteDatabase> openToRead(const std::string& path);
  // Opens a database for writing, or makes an empty one. It is locked from the first access on
  // until it is closed. Errors: NOT_FOUND for a missing directory; INVALID_ARGUMENT for a file that
  // is no database; PERMISSION_DENIED for what cannot be written.
  static absl::StatusOr<SqliteDatabase> open(const std::string& path);

  // Returns the size of a database that is read: no more bytes are in its tables.
  std::uint64_t bytes() const { return bytes_; }
  // Returns true if programs that want to write to a database that is read may have waited for half
  // a second. Luanti's server gives up after three, and ends.
  bool keepsOthersWaiting() const;
  // Lets other programs write, and begins to read again. Returns true if one has written. Requires:
  // openToRead(), and no statement is running.
  absl::StatusOr<bool> letOthersWrite();
  // Ends reading, so that others can write. Requires: as above.
  absl::Status endReading() const { return run("COMMIT"); }
  // Returns the names of a table's columns, without those that are computed; empty if there is no
  // such table (a view is none).
  absl::StatusOr<std::vector<std::string>> columns(std::string_view table) const;

  absl::StatusOr<SqliteStatement> prepare(std::string_view sql) const;
  // Prepares several statements, each for its SQL.
  absl::Status prepareAll(
      std::initializer_list<std::pair<SqliteStatement*, std::string_view>> statements) const;
  // Runs a statement with values for its parameters; calls `visit` with every row, until it returns
  // an error; returns that error. `visit` must not run the same statement.
  using Visit = absl::FunctionRef<absl::Status(const SqliteRow& row)>;
  absl::Status run(const SqliteStatement& statement, std::initializer_list<SqliteValue> values,
                   Visit visit = ignoreRow) const;
  // Prepares and runs a statement without parameters.
  absl::Status run(std::string_view sql, Visit visit = ignoreRow) const;

  // Runs `work` in a transaction, which is committed if it returns OK. After an error, and if it
  // throws, nothing of it has happened. A transaction that could not be rolled back then is rolled
  // back by the next call. Requires: open().
  absl::Status transact(absl::FunctionRef<absl::Status()> work) const;

  // Returns an error that begins with the file's path.
  absl::Status error(absl::StatusCode code, std::string_view reason) const;

 private:
  struct Closer {
    void operator()(sqlite3* database) const;
  };

  SqliteDatabase(std::string path, SqliteAccess access) : path_(std::move(path)), access_(access) {}

  // Opens a file that has been checked, and guards it.
  static absl::StatusOr<SqliteDatabase> connect(const std::string& path, SqliteAccess access);
  static absl::Status ignoreRow(const SqliteRow& /*row*/) { return absl::OkStatus(); }
  // Begins to read, and finds out the size.
  absl::Status beginReading();
  // Returns the steps that a statement may take.
  std::int64_t mostSteps() const;
  // Returns the error that SQLite has just reported.
  absl::Status lastError() const;
  // Ends an open transaction, and returns true if there is none any more.
  bool rollBack() const noexcept;
  absl::Status bind(sqlite3_stmt* statement, std::initializer_list<SqliteValue> values) const;

  std::string path_;
  SqliteAccess access_;
  std::uint64_t bytes_ = 0;
  // When it began to read; and a number that changes with each write of another program.
  std::chrono::steady_clock::time_point began_{};
  std::int64_t version_ = 0;
  SqliteGuard guard_;
  std::unique_ptr<sqlite3, Closer> database_;
  // Prepared early: to end a transaction must not take memory.
  SqliteStatement begin_;
  SqliteStatement commit_;
  SqliteStatement rollback_;
};

}  // namespace fractalray
