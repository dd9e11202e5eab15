// SPDX-License-Identifier: Apache-2.0
#include "change_database.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "absl/strings/str_cat.h"

#include "change_keys.h"
#include "change_rows.h"

namespace fractalray {
namespace {

// In the header of the file: marks a store, and its version.
constexpr std::int64_t kApplicationId = 0x66726373;  // "frcs"
constexpr std::int64_t kVersion = 3;

constexpr std::size_t kPageBytes = 4096;  // as SQLite makes new files

// The tables that ANALYZE adds, a command that makes SQLite plan its queries better.
constexpr std::array<std::string_view, 2> kStatistics = {
    "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
    "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"};

// Returns DATA_LOSS for a file that has other tables than a store, or more: an index, a check or a
// trigger of somebody else's may run for ever.
absl::Status checkSchema(const SqliteDatabase& database) {
  bool is_found = false;
  bool has_others = false;
  absl::Status status = database.run(
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL", [&](const SqliteRow& row) {
        const bool is_own = row.text(0) == ChangeRows::kSchema;
        is_found |= is_own;
        has_others |= !is_own && std::ranges::find(kStatistics, row.text(0)) == kStatistics.end();
        return absl::OkStatus();
      });
  if (status.ok() && (!is_found || has_others)) {
    status = database.error(absl::StatusCode::kDataLoss,
                            "the file is damaged (its tables are not those of a store)");
  }
  return status;
}

absl::StatusOr<std::int64_t> readInteger(const SqliteDatabase& database, std::string_view query) {
  std::int64_t value = 0;
  absl::Status status = database.run(query, [&](const SqliteRow& row) {
    value = row.integer(0).value_or(0);
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  return value;
}

std::string setVersion() {
  return absl::StrCat("PRAGMA user_version = ", kVersion);
}

absl::Status createTables(const SqliteDatabase& database) {
  return database.transact([&] {
    absl::Status status = database.run(ChangeRows::kSchema);
    if (status.ok()) status = ChangeRows::addMarks(database, kRowMarks);
    if (status.ok()) {
      status = database.run(absl::StrCat("PRAGMA application_id = ", kApplicationId));
    }
    if (status.ok()) status = database.run(setVersion());
    return status;
  });
}

// Returns true if the file is a store, false if it is empty.
absl::StatusOr<bool> isStore(const SqliteDatabase& database) {
  using enum absl::StatusCode;
  const auto has_tables = readInteger(database, "SELECT 1 FROM sqlite_master LIMIT 1");
  if (!has_tables.ok()) return has_tables.status();
  const auto id = readInteger(database, "PRAGMA application_id");
  if (!id.ok()) return id.status();
  if (*has_tables == 0 && *id == 0) return false;
  if (*id != kApplicationId) {
    return database.error(kInvalidArgument, "a database, but no store of changes");
  }
  const auto version = readInteger(database, "PRAGMA user_version");
  if (!version.ok()) return version.status();
  if (*version != kVersion) {
    return database.error(
        kFailedPrecondition,
        absl::StrCat("a store of version ", *version, "; this library reads and writes version ",
                     kVersion, ": open it with the library that wrote it"));
  }
  if (absl::Status status = checkSchema(database); !status.ok()) return status;
  return true;
}

}  // namespace

absl::StatusOr<SqliteDatabase> openChangeDatabase(const std::string& path, bool sync,
                                                  std::size_t max_log_bytes) {
  absl::StatusOr<SqliteDatabase> database = SqliteDatabase::open(path);
  if (!database.ok()) return database.status();
  const absl::StatusOr<bool> is_store = isStore(*database);
  if (!is_store.ok()) return is_store.status();
  // Writes go to a log, which maintain() copies to the file; SQLite does so once it is large.
  absl::Status status = database->run("PRAGMA journal_mode = WAL", [&](const SqliteRow& row) {
    if (row.text(0) == "wal") return absl::OkStatus();
    return database->error(absl::StatusCode::kPermissionDenied,
                           "the file system allows no write-ahead log; use another one");
  });
  status.Update(database->run(absl::StrCat("PRAGMA journal_size_limit = ", max_log_bytes)));
  status.Update(
      database->run(absl::StrCat("PRAGMA wal_autocheckpoint = ", max_log_bytes / kPageBytes)));
  status.Update(database->run(absl::StrCat("PRAGMA synchronous = ", sync ? "FULL" : "NORMAL")));
  // Takes the lock for writing, and shows that the file can be written.
  if (status.ok()) {
    status =
        *is_store ? database->transact([] { return absl::OkStatus(); }) : createTables(*database);
  }
  if (!status.ok()) return status;
  return database;
}

absl::Status writeChangeVersion(const SqliteDatabase& database) {
  return database.run(setVersion());
}

}  // namespace fractalray
