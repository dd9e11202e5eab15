// SPDX-License-Identifier: Apache-2.0
// The file of a change store: its tables, its version and its log.
#pragma once

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "sqlite_database.h"

namespace fractalray {

// Opens the database of a store, and locks it; makes one if there is no such file or it is empty.
// It has the table of ChangeRows, and nothing else.
//
// `sync` and `max_log_bytes` are ChangeStoreOptions::sync and ChangeStore::kMaxLogBytes. Errors of
// ChangeStore::open.
absl::StatusOr<SqliteDatabase> openChangeDatabase(const std::string& path, bool sync,
                                                  std::size_t max_log_bytes);
// Writes the version, which is there already: a write that changes nothing.
absl::Status writeChangeVersion(const SqliteDatabase& database);

}  // namespace fractalray
