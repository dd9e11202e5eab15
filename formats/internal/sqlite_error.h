// SPDX-License-Identifier: Apache-2.0
// The errors of SQLite as they are reported to the user of a file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"

struct sqlite3;

namespace fractalray {

// The use of a database, on which the remedy of an error depends: to read a file from outside, or
// to write one of this library's own.
enum class SqliteAccess : std::uint8_t { kRead, kWrite };

// Returns an error that begins with the file's path.
absl::Status sqliteError(const std::string& path, absl::StatusCode code, std::string_view reason);
// Returns the error that SQLite has just reported.
absl::Status lastSqliteError(sqlite3* database, SqliteAccess access, const std::string& path);

}  // namespace fractalray
