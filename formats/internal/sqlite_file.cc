// SPDX-License-Identifier: Apache-2.0
#include "sqlite_file.h"

#include <sqlite3.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

#include "../../core/check.h"
#include "../../core/printable.h"
#include "../file_error.h"

namespace fractalray {
namespace {

// How long to wait for a program that is writing. Luanti holds its lock for moments.
constexpr int kLockTimeoutMs = 2000;
// Every database begins with these bytes, and with the rest of its header has 100 bytes at least.
constexpr std::string_view kMagic("SQLite format 3\0", 16);
constexpr std::size_t kHeaderBytes = 100;
// In the header, 16 bits: the size of a page, or 1 for 65536. A database is whole pages.
constexpr std::size_t kPageSizeAt = 16;
// Limit the steps of a statement, see SqliteGuard: a row of a table has several bytes.
constexpr std::int64_t kStepsPerByte = 16;
constexpr std::int64_t kStepsOfAny = std::int64_t{1} << 20;

absl::Status errorOf(const std::string& path, absl::StatusCode code, std::string_view reason) {
  // Cuts SQLite's messages, which may quote names from the file.
  return {code, absl::StrCat(printablePath(path), ": ", printable(reason, kMaxReasonBytes))};
}

struct FileCloser {
  void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
};

// Returns 0 if the header has no valid size; SQLite then refuses the file.
std::uintmax_t pageSize(const std::array<char, kHeaderBytes>& header) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(header[at]); };
  const std::uintmax_t size =
      static_cast<std::uintmax_t>(byte(kPageSizeAt) << 8) | byte(kPageSizeAt + 1);
  return size == 1 ? 65536 : size;
}

// Checks a file before SQLite opens it, whose words for other files help nobody; and opening
// something like a pipe would wait for ever.
absl::Status checkHeader(const std::string& path) {
  using enum absl::StatusCode;
  std::error_code error;
  const std::filesystem::file_status found = std::filesystem::status(path, error);
  if (found.type() == std::filesystem::file_type::not_found) {
    return errorOf(path, kNotFound, "no such file");
  }
  if (error) return fileError(error.value(), path, "");
  if (!std::filesystem::is_regular_file(found)) {
    return errorOf(path, kInvalidArgument, "not a file");
  }
  const std::unique_ptr<std::FILE, FileCloser> file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) return fileError(errno, path, "cannot be read");
  std::array<char, kHeaderBytes> header;
  const std::size_t count = std::fread(header.data(), 1, header.size(), file.get());
  if (std::ferror(file.get()) != 0) {
    return fileError(errno, path, "cannot be read");
  }
  if (count == 0) return errorOf(path, kInvalidArgument, "the file is empty; expected a database");
  if (!std::string_view(header.data(), count).starts_with(kMagic.substr(0, count))) {
    return errorOf(path, kInvalidArgument, "not an SQLite database, as map.sqlite is");
  }
  if (count < header.size()) return errorOf(path, kDataLoss, "the database is cut off");
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  const std::uintmax_t page = pageSize(header);
  // SQLite would fill the last page up with zeros.
  if (!error && page != 0 && size % page != 0) {
    return errorOf(path, kDataLoss, "the database is cut off within a page");
  }
  return absl::OkStatus();
}

struct StatementCloser {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

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

void SqliteFile::Closer::operator()(sqlite3* database) const {
  sqlite3_close_v2(database);
}

absl::Status SqliteFile::lastError() const {
  using enum absl::StatusCode;
  const std::string reason = sqlite3_errmsg(database_.get());
  if (sqlite3_extended_errcode(database_.get()) == SQLITE_IOERR_NOMEM) {
    return errorOf(path_, kResourceExhausted, reason);
  }
  switch (sqlite3_errcode(database_.get()) & 0xff) {  // the primary code
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return errorOf(path_, kUnavailable,
                     "another program keeps the database locked; stop it, or read a copy");
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return errorOf(path_, kDataLoss,
                     absl::StrCat("the database is damaged or cut off (", reason, ")"));
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
      // A journal next to the file that only a writer may deal with.
      return errorOf(
          path_, kFailedPrecondition,
          absl::StrCat("cannot be opened for reading (", reason,
                       "); a program may have ended while it wrote: open the world in "
                       "Luanti once, or read a copy in a directory that can be written"));
    case SQLITE_PERM:
      return errorOf(path_, kPermissionDenied, reason);
    case SQLITE_AUTH:
      return errorOf(
          path_, kInvalidArgument,
          absl::StrCat("a table of it would run code of its own, as a view does (", reason, ")"));
    case SQLITE_INTERRUPT:
      return errorOf(path_, kDataLoss, "the database is damaged: its rows have no end");
    case SQLITE_NOMEM:
      return errorOf(path_, kResourceExhausted, reason);
    default:
      return errorOf(path_, kDataLoss, absl::StrCat("cannot be read (", reason, ")"));
  }
}

absl::StatusOr<SqliteFile> SqliteFile::open(const std::string& path) {
  absl::Status status = checkHeader(path);
  if (!status.ok()) return status;
  SqliteFile file(path);
  sqlite3* database = nullptr;
  const int outcome = sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr);
  file.database_.reset(database);
  if (database == nullptr) return errorOf(path, absl::StatusCode::kResourceExhausted, "no memory");
  if (outcome != SQLITE_OK) return file.lastError();
  sqlite3_busy_timeout(database, kLockTimeoutMs);
  file.guard_.attach(database);
  status = file.begin();
  if (!status.ok()) return status;
  return file;
}

absl::Status SqliteFile::begin() {
  absl::Status status = forEachRow("BEGIN", [](const SqliteRow&) { return absl::OkStatus(); });
  // The first query on a table takes the lock for reading, which lasts until the file is closed.
  status.Update(forEachRow("SELECT 1 FROM sqlite_master LIMIT 1",
                           [](const SqliteRow&) { return absl::OkStatus(); }));
  std::uint64_t bytes = 1;
  for (const char* const factor : {"PRAGMA page_count", "PRAGMA page_size"}) {
    status.Update(forEachRow(factor, [&](const SqliteRow& row) {
      bytes *= static_cast<std::uint64_t>(row.integer(0).value_or(0));
      return absl::OkStatus();
    }));
  }
  bytes_ = bytes;
  return status;
}

absl::StatusOr<std::vector<std::string>> SqliteFile::columns(std::string_view table) const {
  std::vector<std::string> tables;
  absl::Status status =
      forEachRow("SELECT name FROM sqlite_master WHERE type = 'table'", [&](const SqliteRow& row) {
        tables.push_back(row.text(0));
        return absl::OkStatus();
      });
  std::vector<std::string> names;
  for (const std::string& name : tables) {
    if (!absl::EqualsIgnoreCase(name, std::string(table))) continue;
    status.Update(
        forEachRow(absl::StrCat("PRAGMA table_info('", name, "')"), [&](const SqliteRow& row) {
          names.push_back(row.text(1));
          return absl::OkStatus();
        }));
  }
  if (!status.ok()) return status;
  return names;
}

absl::Status SqliteFile::forEachRow(
    const std::string& query, absl::FunctionRef<absl::Status(const SqliteRow& row)> visit) const {
  // Before it is prepared: that reads the schema.
  guard_.allow(kStepsOfAny + kStepsPerByte * static_cast<std::int64_t>(bytes_));
  sqlite3_stmt* prepared = nullptr;
  if (sqlite3_prepare_v2(database_.get(), query.c_str(), -1, &prepared, nullptr) != SQLITE_OK) {
    return lastError();
  }
  const std::unique_ptr<sqlite3_stmt, StatementCloser> statement(prepared);
  while (true) {
    const int outcome = sqlite3_step(prepared);
    if (outcome == SQLITE_DONE) return absl::OkStatus();
    if (outcome != SQLITE_ROW) return lastError();
    absl::Status visited = visit(SqliteRow(prepared));
    // A value that could not be converted for want of memory looks like an empty one.
    if (sqlite3_errcode(database_.get()) == SQLITE_NOMEM) return lastError();
    if (!visited.ok()) return visited;
  }
}

}  // namespace fractalray
