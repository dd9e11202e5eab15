// SPDX-License-Identifier: Apache-2.0
// Keeps a database from outside from running code of its own, or for ever.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

struct sqlite3;

namespace fractalray {

// Guards a connection from its first statement on:
//
// - Code of the file's schema is an error (SQLITE_AUTH): views, triggers and recursion. Functions
// with effects are refused too.
// - A statement that takes more than so many steps of SQLite's machine is ended (SQLITE_INTERRUPT):
//   pages of a damaged file may refer to each other in circles. A row that is read takes about ten.
//   An aggregate like count(*) of a whole table is one step, and is not ended: count a subquery.
class SqliteGuard {
 public:
  SqliteGuard() : steps_left_(std::make_unique<std::int64_t>(0)) {}

  // Begins to guard; must live as long as the connection is used. Can be moved.
  void attach(sqlite3* database);
  // Allows the next statement so many steps. Returns what was left before: a statement during whose
  // rows another one ran resumes with that.
  std::int64_t allow(std::int64_t steps) const { return std::exchange(*steps_left_, steps); }

 private:
  std::unique_ptr<std::int64_t> steps_left_;  // its address is known to SQLite
};

}  // namespace fractalray
