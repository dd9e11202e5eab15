// SPDX-License-Identifier: Apache-2.0
#include "sqlite_database.h"

#include <sqlite3.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

#include "../../core/check.h"
#include "sqlite_path.h"

namespace fractalray {
namespace {

// How long to wait for a program that is writing: Luanti holds its lock for moments; and for one
// that is just ending.
constexpr int kReadTimeoutMs = 2000;
constexpr int kWriteTimeoutMs = 500;
// The longest time for which a database that is read keeps others from writing.
constexpr std::chrono::milliseconds kMostHeld(500);
// Limit the steps of a statement, see SqliteGuard: in a file from outside, where a row of a table
// has several bytes; and in our own, where these take seconds.
constexpr std::int64_t kStepsPerByte = 16;
constexpr std::int64_t kStepsOfAny = std::int64_t{1} << 20;
constexpr std::int64_t kMaxSteps = std::int64_t{1} << 28;

}  // namespace

void SqliteRow::checkColumn([[maybe_unused]] int column) const {
  FRACTALRAY_DCHECK(column >= 0 && column < sqlite3_column_count(statement_), column);
}

std::optional<std::int64_t> SqliteRow::integer(int column) const {
  checkColumn(column);
  if (sqlite3_column_type(statement_, column) != SQLITE_INTEGER) return std::nullopt;
  return sqlite3_column_int64(statement_, column);
}

std::optional<std::span<const std::uint8_t>> SqliteRow::blob(int column) const {
  checkColumn(column);
  if (sqlite3_column_type(statement_, column) != SQLITE_BLOB) return std::nullopt;
  const auto* const bytes =
      static_cast<const std::uint8_t*>(sqlite3_column_blob(statement_, column));
  return std::span(bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
}

std::string SqliteRow::text(int column) const {
  checkColumn(column);
  const unsigned char* const text = sqlite3_column_text(statement_, column);
  if (text == nullptr) return "NULL";
  return {reinterpret_cast<const char*>(text),
          static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

void SqliteStatement::Closer::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

void SqliteDatabase::Closer::operator()(sqlite3* database) const {
  sqlite3_close_v2(database);
}

absl::StatusOr<SqliteDatabase> SqliteDatabase::connect(const std::string& path,
                                                       SqliteAccess access) {
  SqliteDatabase opened(path, access);
  sqlite3* database = nullptr;
  // An absolute path: SQLite gives names like ":memory:" a meaning.
  std::error_code error;
  const std::string absolute = std::filesystem::absolute(path, error).string();
  const bool is_read = access == SqliteAccess::kRead;
  const int flags = is_read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  const int outcome =
      sqlite3_open_v2(absolute.c_str(), &database, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  opened.database_.reset(database);
  if (database == nullptr) return opened.error(absl::StatusCode::kResourceExhausted, "no memory");
  if (outcome != SQLITE_OK) return opened.lastError();
  sqlite3_busy_timeout(database, is_read ? kReadTimeoutMs : kWriteTimeoutMs);
  opened.guard_.attach(database);
  return opened;
}

absl::StatusOr<SqliteDatabase> SqliteDatabase::openToRead(const std::string& path) {
  if (absl::Status status = checkPathToRead(path); !status.ok()) return status;
  absl::StatusOr<SqliteDatabase> opened = connect(path, SqliteAccess::kRead);
  if (!opened.ok()) return opened;
  if (absl::Status status = opened->beginReading(); !status.ok()) return status;
  return opened;
}

absl::StatusOr<SqliteDatabase> SqliteDatabase::open(const std::string& path) {
  if (absl::Status status = checkPathToWrite(path); !status.ok()) return status;
  absl::StatusOr<SqliteDatabase> opened = connect(path, SqliteAccess::kWrite);
  if (!opened.ok()) return opened;
  if (sqlite3_db_readonly(opened->database_.get(), "main") == 1) {
    return opened->error(absl::StatusCode::kPermissionDenied,
                         "cannot be written; change the permissions of the file");
  }
  absl::Status status = opened->run("PRAGMA locking_mode = EXCLUSIVE");
  if (!status.ok()) return status;
  status = opened->prepareAll({{&opened->begin_, "BEGIN IMMEDIATE"},
                               {&opened->commit_, "COMMIT"},
                               {&opened->rollback_, "ROLLBACK"}});
  if (!status.ok()) return status;
  return opened;
}

absl::Status SqliteDatabase::beginReading() {
  absl::Status status = run("BEGIN");
  // The first query on a table takes the lock for reading, which lasts as long as the transaction.
  status.Update(run("SELECT 1 FROM sqlite_master LIMIT 1"));
  began_ = std::chrono::steady_clock::now();
  status.Update(run("PRAGMA data_version", [&](const SqliteRow& row) {
    version_ = row.integer(0).value_or(0);
    return absl::OkStatus();
  }));
  std::uint64_t bytes = 1;
  for (const char* const factor : {"PRAGMA page_count", "PRAGMA page_size"}) {
    status.Update(run(factor, [&](const SqliteRow& row) {
      bytes *= static_cast<std::uint64_t>(row.integer(0).value_or(0));
      return absl::OkStatus();
    }));
  }
  bytes_ = bytes;
  return status;
}

bool SqliteDatabase::keepsOthersWaiting() const {
  return std::chrono::steady_clock::now() - began_ > kMostHeld;
}

absl::StatusOr<bool> SqliteDatabase::letOthersWrite() {
  const std::int64_t version = version_;
  absl::Status status = endReading();
  if (status.ok()) status = beginReading();
  if (!status.ok()) return status;
  return version_ != version;
}

absl::StatusOr<std::vector<std::string>> SqliteDatabase::columns(std::string_view table) const {
  std::vector<std::string> tables;
  absl::Status status =
      run("SELECT name FROM sqlite_master WHERE type = 'table'", [&](const SqliteRow& row) {
        tables.push_back(row.text(0));
        return absl::OkStatus();
      });
  std::vector<std::string> names;
  for (const std::string& name : tables) {
    if (!absl::EqualsIgnoreCase(name, std::string(table))) continue;
    status.Update(run(absl::StrCat("PRAGMA table_info('", name, "')"), [&](const SqliteRow& row) {
      names.push_back(row.text(1));
      return absl::OkStatus();
    }));
  }
  if (!status.ok()) return status;
  return names;
}

std::int64_t SqliteDatabase::mostSteps() const {
  if (access_ == SqliteAccess::kWrite) return kMaxSteps;
  return kStepsOfAny + kStepsPerByte * static_cast<std::int64_t>(bytes_);
}

absl::Status SqliteDatabase::error(absl::StatusCode code, std::string_view reason) const {
  return sqliteError(path_, code, reason);
}

absl::Status SqliteDatabase::lastError() const {
  return lastSqliteError(database_.get(), access_, path_);
}

absl::StatusOr<SqliteStatement> SqliteDatabase::prepare(std::string_view sql) const {
  guard_.allow(mostSteps());  // to prepare it reads the schema
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
  const std::int64_t steps_left = guard_.allow(mostSteps());
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
  guard_.allow(mostSteps());
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
