// SPDX-License-Identifier: Apache-2.0
#include "rows.h"

#include <libpq-fe.h>

#include <charconv>
#include <system_error>

namespace fractalray {

void Rows::Free::operator()(pg_result* result) const {
  PQclear(result);
}

int Rows::size() const {
  return PQntuples(result_.get());
}

std::optional<std::span<const std::uint8_t>> Rows::bytes(int row, int column) const {
  if (PQgetisnull(result_.get(), row, column) != 0) return std::nullopt;
  const auto* data = reinterpret_cast<const std::uint8_t*>(PQgetvalue(result_.get(), row, column));
  const int size = PQgetlength(result_.get(), row, column);
  return std::span(data, static_cast<std::size_t>(size));
}

std::string_view Rows::text(int row, int column) const {
  const int size = PQgetlength(result_.get(), row, column);
  return {PQgetvalue(result_.get(), row, column), static_cast<std::size_t>(size)};
}

std::optional<std::int32_t> Rows::integer(int row, int column) const {
  const std::optional<std::span<const std::uint8_t>> value = bytes(row, column);
  if (!value.has_value() || value->size() != sizeof(std::int32_t)) return std::nullopt;
  std::uint32_t number = 0;
  for (const std::uint8_t byte : *value)
    number = number << 8 | byte;
  return static_cast<std::int32_t>(number);
}

std::uint64_t Rows::number(int row, int column) const {
  const std::string_view digits = text(row, column);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc() && end == digits.data() + digits.size() ? number : 0;
}

}  // namespace fractalray
