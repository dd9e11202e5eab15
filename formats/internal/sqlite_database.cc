// SPDX-License-Identifier: Apache-2.0
#include "sqlite_database.h"

#include <sqlite3.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"

#include "../../core/printable.h"
#include "../file_error.h"

namespace fractalray {
namespace {

// How long to wait for a process that is just ending.
constexpr int kLockTimeoutMs = 500;
// Limits the steps of a statement, see SqliteGuard: these take seconds.
constexpr std::int64_t kMaxSteps = std::int64_t{1} << 28;

// Checks what is at a path before SQLite opens it, whose words for a directory or a pipe help
// nobody.
absl::Status checkPath(const std::string& path) {
  if (path.empty()) return absl::InvalidArgumentError("the path of the database is empty");
  if (path.find('\0') != std::string::npos) {
    return absl::InvalidArgumentError(
        absl::StrCat(printablePath(path), ": a path cannot contain a zero byte"));
  }
  std::error_code error;
  const std::filesystem::file_status found = std::filesystem::status(path, error);
  if (found.type() == std::filesystem::file_type::not_found) {
    const std::filesystem::path folder = std::filesystem::absolute(path, error).parent_path();
    if (std::filesystem::is_directory(folder, error)) return absl::OkStatus();
    return absl::NotFoundError(
        absl::StrCat(printablePath(path), ": its directory does not exist; create it"));
  }
  if (error) return fileError(error.value(), path, "");
  if (!std::filesystem::is_regular_file(found)) {
    return absl::InvalidArgumentError(absl::StrCat(printablePath(path), ": not a file"));
  }
  return absl::OkStatus();
}

}  // namespace

void SqliteStatement::Closer::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

void SqliteDatabase::Closer::operator()(sqlite3* database) const {
  sqlite3_close_v2(database);
}

absl::StatusOr<SqliteDatabase> SqliteDatabase::open(const std::string& path) {
  if (absl::Status status = checkPath(path); !status.ok()) return status;
  SqliteDatabase opened(path);
  sqlite3* database = nullptr;
  // An absolute path: SQLite gives names like ":memory:" a meaning.
  std::error_code error;
  const std::string absolute = std::filesystem::absolute(path, error).string();
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  const int outcome = sqlite3_open_v2(absolute.c_str(), &database, flags, nullptr);
  opened.database_.reset(database);
  if (database == nullptr) return opened.error(absl::StatusCode::kResourceExhausted, "no memory");
  if (outcome != SQLITE_OK) return opened.lastError();
  if (sqlite3_db_readonly(database, "main") == 1) {
    return opened.error(absl::StatusCode::kPermissionDenied,
                        "cannot be written; change the permissions of the file");
  }
  sqlite3_busy_timeout(database, kLockTimeoutMs);
  opened.guard_.attach(database);
  if (absl::Status status = opened.run("PRAGMA locking_mode = EXCLUSIVE"); !status.ok()) {
    return status;
  }
  absl::Status status = opened.prepareAll({{&opened.begin_, "BEGIN IMMEDIATE"},
                                           {&opened.commit_, "COMMIT"},
                                           {&opened.rollback_, "ROLLBACK"}});
  if (!status.ok()) return status;
  return opened;
}

absl::Status SqliteDatabase::error(absl::StatusCode code, std::string_view reason) const {
  // Cuts SQLite's messages, which may quote names from the file.
  return {code, absl::StrCat(printablePath(path_), ": ", printable(reason, kMaxReasonBytes))};
}

absl::Status SqliteDatabase::lastError() const {
  using enum absl::StatusCode;
  const std::string reason = sqlite3_errmsg(database_.get());
  switch (sqlite3_extended_errcode(database_.get())) {
    case SQLITE_IOERR_NOMEM:
      return error(kResourceExhausted, reason);
    case SQLITE_IOERR_WRITE:  // a quota, or a limit on the size of files: SQLite keeps no errno
      return error(kResourceExhausted,
                   absl::StrCat("cannot be written (", reason,
                                "): the disk or a quota may be full; free some space and repeat "
                                "the call"));
    default:
      break;
  }
  switch (sqlite3_errcode(database_.get()) & 0xff) {  // the primary code
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return error(kUnavailable, "another program has it open; end that program first");
    case SQLITE_NOTADB:
      return error(kInvalidArgument, "not an SQLite database");
    case SQLITE_CORRUPT:
      return error(kDataLoss, absl::StrCat("the file is damaged or cut off (", reason, ")"));
    case SQLITE_INTERRUPT:
      return error(kDataLoss, "the file is damaged (rows without end)");
    case SQLITE_FULL:
      return error(kResourceExhausted, "the disk is full; free some space and repeat the call");
    case SQLITE_NOMEM:
    case SQLITE_TOOBIG:
      return error(kResourceExhausted, reason);
    case SQLITE_CANTOPEN:
      if (const int cause = sqlite3_system_errno(database_.get()); cause != 0 && cause != EACCES) {
        return fileError(cause, path_, "the file or its log cannot be opened");
      }
      [[fallthrough]];
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return error(kPermissionDenied,
                   absl::StrCat("cannot be written (", reason,
                                "); change the permissions of the file and of its directory"));
    default:
      return error(kDataLoss, absl::StrCat("cannot be read or written (", reason, ")"));
  }
}

absl::StatusOr<SqliteStatement> SqliteDatabase::prepare(std::string_view sql) const {
  guard_.allow(kMaxSteps);
  sqlite3_stmt* prepared = nullptr;
  const int outcome = sqlite3_prepare_v3(database_.get(), sql.data(), static_cast<int>(sql.size()),
                                         SQLITE_PREPARE_PERSISTENT, &prepared, nullptr);
  if (outcome != SQLITE_OK) return lastError();
  SqliteStatement statement;
  statement.statement_.reset(prepared);
  return statement;
}

absl::Status SqliteDatabase::prepareAll(
    std::initializer_list<std::pair<SqliteStatement*, std::string_view>> statements) const {
  for (const auto& [statement, sql] : statements) {
    absl::StatusOr<SqliteStatement> prepared = prepare(sql);
    if (!prepared.ok()) return prepared.status();
    *statement = *std::move(prepared);
  }
  return absl::OkStatus();
}

absl::Status SqliteDatabase::bind(sqlite3_stmt* statement,
                                  std::initializer_list<SqliteValue> values) const {
  int index = 0;
  for (const SqliteValue& value : values) {
    ++index;
    int outcome = SQLITE_OK;
    if (const auto* const integer = std::get_if<std::int64_t>(&value)) {
      outcome = sqlite3_bind_int64(statement, index, *integer);
    } else if (const auto* const blob = std::get_if<std::string_view>(&value)) {
      // A null pointer would be a NULL, not an empty blob.
      outcome = sqlite3_bind_blob64(statement, index, blob->empty() ? "" : blob->data(),
                                    blob->size(), SQLITE_STATIC);
    }
    if (outcome != SQLITE_OK) return lastError();
  }
  return absl::OkStatus();
}

absl::Status SqliteDatabase::run(const SqliteStatement& statement,
                                 std::initializer_list<SqliteValue> values, Visit visit) const {
  sqlite3_stmt* const prepared = statement.statement_.get();
  const std::int64_t steps_left = guard_.allow(kMaxSteps);
  const absl::Cleanup reset = [&] {
    sqlite3_reset(prepared);
    sqlite3_clear_bindings(prepared);
    guard_.allow(steps_left);
  };
  if (absl::Status status = bind(prepared, values); !status.ok()) return status;
  while (true) {
    const int outcome = sqlite3_step(prepared);
    if (outcome == SQLITE_DONE) return absl::OkStatus();
    if (outcome != SQLITE_ROW) return lastError();
    absl::Status visited = visit(SqliteRow(prepared));
    // A value that could not be read for want of memory looks like an empty one.
    if (sqlite3_errcode(database_.get()) == SQLITE_NOMEM) return lastError();
    if (!visited.ok()) return visited;
  }
}

absl::Status SqliteDatabase::run(std::string_view sql, Visit visit) const {
  const absl::StatusOr<SqliteStatement> statement = prepare(sql);
  return statement.ok() ? run(*statement, {}, visit) : statement.status();
}

bool SqliteDatabase::rollBack() const noexcept {
  const auto is_open = [this] { return sqlite3_get_autocommit(database_.get()) == 0; };
  if (!is_open()) return true;
  guard_.allow(kMaxSteps);
  sqlite3_step(rollback_.statement_.get());
  sqlite3_reset(rollback_.statement_.get());
  return !is_open();
}

absl::Status SqliteDatabase::transact(absl::FunctionRef<absl::Status()> work) const {
  if (!rollBack()) return lastError();
  if (absl::Status status = run(begin_, {}); !status.ok()) return status;
  // Some errors have rolled it back already. If this fails too, the log has no commit, which comes
  // to the same, and the next call tries again.
  const absl::Cleanup rollback = [this] { rollBack(); };
  absl::Status status = work();
  if (status.ok()) status = run(commit_, {});
  return status;
}

}  // namespace fractalray
