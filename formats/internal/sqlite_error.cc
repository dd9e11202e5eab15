// SPDX-License-Identifier: Apache-2.0
#include "sqlite_error.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

#include "../../core/printable.h"
#include "../file_error.h"

namespace fractalray {
namespace {

using enum absl::StatusCode;

constexpr std::string_view kLocked =
    "another program keeps the database locked; stop it, or read a copy";
constexpr std::string_view kInUse = "another program has it open; end that program first";
constexpr std::string_view kDamaged = "the database is damaged or cut off ($)";
// A journal next to the file that only a writer may deal with.
constexpr std::string_view kUnfinished =
    "cannot be opened for reading ($); a program may have ended while it wrote: open the world in "
    "Luanti once, or read a copy in a directory that can be written";
constexpr std::string_view kForbidden =
    "cannot be written ($); change the permissions of the file and of its directory";

// The access that a row is for.
enum class For : std::uint8_t { kRead, kWrite, kBoth };
// A code of SQLite, extended or primary, and what it means. The text has a $ for SQLite's message.
struct Reason {
  int sqlite_code;
  For access;
  absl::StatusCode code;
  std::string_view text;
};
constexpr int kAnyOther = -1;
constexpr auto kReasons = std::to_array<Reason>({
    {SQLITE_IOERR_NOMEM, For::kBoth, kResourceExhausted, "$"},
    {SQLITE_NOMEM, For::kBoth, kResourceExhausted, "$"},
    {SQLITE_TOOBIG, For::kWrite, kResourceExhausted, "$"},
    {SQLITE_BUSY, For::kRead, kUnavailable, kLocked},
    {SQLITE_LOCKED, For::kRead, kUnavailable, kLocked},
    {SQLITE_BUSY, For::kWrite, kUnavailable, kInUse},
    {SQLITE_LOCKED, For::kWrite, kUnavailable, kInUse},
    {SQLITE_NOTADB, For::kWrite, kInvalidArgument, "not an SQLite database"},
    {SQLITE_NOTADB, For::kRead, kDataLoss, kDamaged},
    {SQLITE_CORRUPT, For::kBoth, kDataLoss, kDamaged},
    {SQLITE_INTERRUPT, For::kBoth, kDataLoss, "the database is damaged: its rows have no end"},
    {SQLITE_AUTH, For::kRead, kInvalidArgument,
     "a table of it would run code of its own, as a view does ($)"},
    {SQLITE_CANTOPEN, For::kRead, kFailedPrecondition, kUnfinished},
    {SQLITE_READONLY, For::kRead, kFailedPrecondition, kUnfinished},
    {SQLITE_PERM, For::kRead, kPermissionDenied, "$"},
    {SQLITE_CANTOPEN, For::kWrite, kPermissionDenied, kForbidden},
    {SQLITE_READONLY, For::kWrite, kPermissionDenied, kForbidden},
    {SQLITE_PERM, For::kWrite, kPermissionDenied, kForbidden},
    {SQLITE_FULL, For::kWrite, kResourceExhausted,
     "the disk is full; free some space and repeat the call"},
    // A quota, or a limit on the size of files: SQLite keeps no errno.
    {SQLITE_IOERR_WRITE, For::kWrite, kResourceExhausted,
     "cannot be written ($): the disk or a quota may be full; free some space and repeat the call"},
    {kAnyOther, For::kRead, kDataLoss, "cannot be read ($)"},
    {kAnyOther, For::kWrite, kDataLoss, "cannot be read or written ($)"},
});

// Returns the reason of a code; null if it has none of its own.
const Reason* findReason(int sqlite_code, SqliteAccess access) {
  const For exact = access == SqliteAccess::kRead ? For::kRead : For::kWrite;
  const auto* const found = std::ranges::find_if(kReasons, [&](const Reason& reason) {
    return reason.sqlite_code == sqlite_code &&
           (reason.access == exact || reason.access == For::kBoth);
  });
  return found != kReasons.end() ? found : nullptr;
}

}  // namespace

absl::Status sqliteError(const std::string& path, absl::StatusCode code, std::string_view reason) {
  // Cuts SQLite's messages, which may quote names from the file.
  return {code, absl::StrCat(printablePath(path), ": ", printable(reason, kMaxReasonBytes))};
}

absl::Status lastSqliteError(sqlite3* database, SqliteAccess access, const std::string& path) {
  const std::string message = sqlite3_errmsg(database);
  const int primary = sqlite3_errcode(database) & 0xff;
  if (access == SqliteAccess::kWrite && primary == SQLITE_CANTOPEN) {
    const int cause = sqlite3_system_errno(database);
    if (cause != 0 && cause != EACCES) {
      return fileError(cause, path, "the file or its log cannot be opened");
    }
  }
  const Reason* reason = findReason(sqlite3_extended_errcode(database), access);
  if (reason == nullptr) reason = findReason(primary, access);
  if (reason == nullptr) reason = findReason(kAnyOther, access);
  const absl::string_view text(reason->text.data(), reason->text.size());
  return sqliteError(path, reason->code, absl::StrReplaceAll(text, {{"$", message}}));
}

}  // namespace fractalray
