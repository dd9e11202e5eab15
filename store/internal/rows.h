// SPDX-License-Identifier: Apache-2.0
// The rows of an answer of PostgreSQL.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

struct pg_result;  // libpq's

namespace fractalray {

// Owns the rows. Values are text, or binary if the statement had parameters. Can be moved.
// Requires, of all that take a row and a column: they exist.
class Rows {
 public:
  explicit Rows(pg_result* result) : result_(result) {}

  int size() const;
  // Return a value as it was sent; nothing, or an empty text, for NULL. Valid as long as the rows.
  std::optional<std::span<const std::uint8_t>> bytes(int row, int column) const;
  std::string_view text(int row, int column) const;
  // Returns an integer of a binary answer; nothing for any other value.
  std::optional<std::int32_t> integer(int row, int column) const;
  // Returns an integer of an answer in text; 0 for anything else.
  std::uint64_t number(int row, int column) const;

 private:
  struct Free {
    void operator()(pg_result* result) const;
  };

  std::unique_ptr<pg_result, Free> result_;
};

}  // namespace fractalray
