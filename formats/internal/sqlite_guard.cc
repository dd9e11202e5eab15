// SPDX-License-Identifier: Apache-2.0
#include "sqlite_guard.h"

#include <sqlite3.h>

namespace fractalray {
namespace {

// Steps between two calls of endIfTooLong.
constexpr int kStepsPerCall = 1000;

// Decides, while a statement is prepared, whether it may do something: `origin` is the view or the
// trigger that would do it, null for the statement itself.
int authorize(void* /*guard*/, int action, const char* /*first*/, const char* /*second*/,
              const char* /*database*/, const char* origin) {
  return origin != nullptr || action == SQLITE_RECURSIVE ? SQLITE_DENY : SQLITE_OK;
}

// Ends a statement by returning another number than 0.
int endIfTooLong(void* steps_left) {
  auto& left = *static_cast<std::int64_t*>(steps_left);
  left -= kStepsPerCall;
  return left < 0 ? 1 : 0;
}

}  // namespace

void SqliteGuard::attach(sqlite3* database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_set_authorizer(database, authorize, nullptr);
  sqlite3_progress_handler(database, kStepsPerCall, endIfTooLong, steps_left_.get());
}

}  // namespace fractalray
