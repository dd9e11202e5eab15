// SPDX-License-Identifier: Apache-2.0
// SQLite databases of this library's own, which it writes.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "sqlite_file.h"
#include "sqlite_guard.h"

namespace fractalray {

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

// Errors of all calls begin with the file's path: NOT_FOUND for a missing directory;
// INVALID_ARGUMENT for a file that is no database; PERMISSION_DENIED for what cannot be written;
// UNAVAILABLE for a database that another program keeps locked; DATA_LOSS for a damaged one;
// RESOURCE_EXHAUSTED if the disk is full or memory runs out. Not thread-safe.
class SqliteDatabase {
 public:
  // Opens a database for writing, or makes an empty one. It is locked from the first access on
  // until it is closed.
  static absl::StatusOr<SqliteDatabase> open(const std::string& path);

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
  // back by the next call.
  absl::Status transact(absl::FunctionRef<absl::Status()> work) const;

  // Returns an error that begins with the file's path.
  absl::Status error(absl::StatusCode code, std::string_view reason) const;

 private:
  struct Closer {
    void operator()(sqlite3* database) const;
  };

  explicit SqliteDatabase(std::string path) : path_(std::move(path)) {}

  static absl::Status ignoreRow(const SqliteRow& /*row*/) { return absl::OkStatus(); }
  // Returns the error that SQLite has just reported.
  absl::Status lastError() const;
  // Ends an open transaction, and returns true if there is none any more.
  bool rollBack() const noexcept;
  absl::Status bind(sqlite3_stmt* statement, std::initializer_list<SqliteValue> values) const;

  std::string path_;
  SqliteGuard guard_;
  std::unique_ptr<sqlite3, Closer> database_;
  // Prepared early: to end a transaction must not take memory.
  SqliteStatement begin_;
  SqliteStatement commit_;
  SqliteStatement rollback_;
};

}  // namespace fractalray
