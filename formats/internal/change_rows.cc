// SPDX-License-Identifier: Apache-2.0
#include "change_rows.h"

#include <zlib.h>

#include <cstddef>
#include <initializer_list>
#include <span>
#include <utility>

#include "little_endian.h"

namespace fractalray {
namespace {

constexpr std::size_t kSumBytes = sizeof(std::uint32_t);

// Returns the CRC-32 of two texts and of the length of the first.
std::uint32_t crc(std::string_view first, std::string_view second) {
  const auto length = littleBytes(static_cast<std::uint64_t>(first.size()));
  uLong sum = crc32_z(0, nullptr, 0);
  for (const std::string_view text :
       {std::string_view(length.data(), length.size()), first, second}) {
    // For null, which an empty text may be, zlib returns the initial value.
    if (text.empty()) continue;
    sum = crc32_z(sum, reinterpret_cast<const Bytef*>(text.data()), text.size());
  }
  return static_cast<std::uint32_t>(sum);
}

// Returns the link of a row to the one before it; one that proves nothing if `is_proven` is false.
// SQLite needs the fewest bytes for a signed number of 32 bits.
std::int64_t linkOf(std::string_view before, std::string_view key, bool is_proven) {
  const std::uint32_t sum = crc(before, key);
  return static_cast<std::int32_t>(is_proven ? sum : ~sum);
}

std::string withSum(std::string_view key, std::string_view value) {
  std::string bytes(value);
  appendLittle(bytes, crc(key, value));
  return bytes;
}

// Returns the value without its checksum; nothing if that is wrong.
std::optional<std::string_view> checkedValue(std::string_view key, std::string_view bytes) {
  if (bytes.size() < kSumBytes) return std::nullopt;
  const std::string_view value = bytes.substr(0, bytes.size() - kSumBytes);
  const auto sum = littleBytes(crc(key, value));
  if (bytes.substr(value.size()) != std::string_view(sum.data(), sum.size())) return std::nullopt;
  return value;
}

std::string_view textOf(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

absl::Status ChangeRows::addMarks(const SqliteDatabase& database,
                                  std::span<const std::string_view> marks) {
  const absl::StatusOr<ChangeRows> rows = load(database);
  if (!rows.ok()) return rows.status();
  std::string_view before;
  for (const std::string_view mark : marks) {
    absl::Status status =
        database.run(rows->insert_, {mark, linkOf(before, mark, true), withSum(mark, "")});
    if (!status.ok()) return status;
    before = mark;
  }
  return absl::OkStatus();
}

absl::StatusOr<ChangeRows> ChangeRows::load(const SqliteDatabase& database) {
  ChangeRows rows(database);
  absl::Status status = database.prepareAll({
      {&rows.at_or_after_,
       "SELECT key, link, CASE WHEN key = ?1 THEN value END FROM rows WHERE key >= ?1 "
       "ORDER BY key LIMIT 1"},
      {&rows.after_, "SELECT key, link, NULL FROM rows WHERE key > ? ORDER BY key LIMIT 1"},
      {&rows.before_, "SELECT key FROM rows WHERE key < ? ORDER BY key DESC LIMIT 1"},
      {&rows.all_after_, "SELECT key, link, value FROM rows WHERE key > ? ORDER BY key"},
      {&rows.insert_, "INSERT INTO rows(key, link, value) VALUES(?, ?, ?)"},
      {&rows.set_value_, "UPDATE rows SET value = ?2 WHERE key = ?1"},
      {&rows.set_link_, "UPDATE rows SET link = ?2 WHERE key = ?1"},
      {&rows.erase_, "DELETE FROM rows WHERE key = ?"},
  });
  if (!status.ok()) return status;
  return rows;
}

absl::Status ChangeRows::damage() const {
  return database_->error(absl::StatusCode::kDataLoss,
                          "the file is damaged; take the last copy that was whole");
}

bool ChangeRows::isLinked(std::string_view before, const Row& row) {
  return row.link == linkOf(before, row.key, true);
}

absl::StatusOr<ChangeRows::Row> ChangeRows::firstRow(const SqliteStatement& statement,
                                                     std::string_view key) const {
  std::optional<Row> found;
  absl::Status status = database_->run(statement, {key}, [&](const SqliteRow& row) {
    const auto at = row.blob(0);
    const auto link = row.integer(1);
    if (!at.has_value() || !link.has_value()) return damage();
    found = Row{.key = std::string(textOf(*at)), .value = std::nullopt, .link = *link};
    if (const auto value = row.blob(2)) found->value = textOf(*value);
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  if (!found.has_value() || found->key < key) return damage();
  return *std::move(found);
}

absl::StatusOr<std::string> ChangeRows::keyBefore(std::string_view key) const {
  std::optional<std::string> found;
  absl::Status status = database_->run(before_, {key}, [&](const SqliteRow& row) {
    if (const auto before = row.blob(0)) found = textOf(*before);
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  if (!found.has_value() || *found >= key) return damage();
  return *std::move(found);
}

absl::StatusOr<std::string> ChangeRows::lastBefore(std::string_view mark) const {
  const absl::StatusOr<Row> after = firstRow(at_or_after_, mark);
  if (!after.ok()) return after.status();
  absl::StatusOr<std::string> before = keyBefore(mark);
  if (before.ok() && !isLinked(*before, *after)) return damage();
  return before;
}

absl::StatusOr<std::optional<std::string>> ChangeRows::find(std::string_view key) const {
  const absl::StatusOr<Row> row = firstRow(at_or_after_, key);
  if (!row.ok()) return row.status();
  if (row->key == key) {
    const auto value = row->value.has_value() ? checkedValue(key, *row->value) : std::nullopt;
    if (!value.has_value()) return damage();
    return std::string(*value);
  }
  const absl::StatusOr<std::string> before = keyBefore(key);
  if (!before.ok()) return before.status();
  if (!isLinked(*before, *row)) return damage();
  return std::nullopt;
}

absl::Status ChangeRows::put(std::string_view key, std::string_view value) const {
  const absl::StatusOr<Row> row = firstRow(at_or_after_, key);
  if (!row.ok()) return row.status();
  const std::string bytes = withSum(key, value);
  if (row->key == key) return database_->run(set_value_, {key, bytes});
  const absl::StatusOr<std::string> before = keyBefore(key);
  if (!before.ok()) return before.status();
  const bool is_proven = isLinked(*before, *row);
  absl::Status status = database_->run(insert_, {key, linkOf(*before, key, is_proven), bytes});
  if (!status.ok()) return status;
  return database_->run(set_link_, {row->key, linkOf(key, row->key, is_proven)});
}

absl::Status ChangeRows::erase(std::string_view key) const {
  const absl::StatusOr<Row> row = firstRow(at_or_after_, key);
  if (!row.ok()) return row.status();
  if (row->key != key) return damage();
  const absl::StatusOr<Row> after = firstRow(after_, key);
  if (!after.ok()) return after.status();
  const absl::StatusOr<std::string> before = keyBefore(key);
  if (!before.ok()) return before.status();
  const bool is_proven = isLinked(*before, *row) && isLinked(key, *after);
  if (absl::Status status = database_->run(erase_, {key}); !status.ok()) return status;
  return database_->run(set_link_, {after->key, linkOf(*before, after->key, is_proven)});
}

absl::Status ChangeRows::forEachAfter(std::string_view mark, std::string_view end,
                                      Visit visit) const {
  std::string previous(mark);
  bool is_damaged = false;
  bool has_ended = false;
  absl::Status status =
      database_->run(all_after_, {mark}, [&](const SqliteRow& row) -> absl::Status {
        const auto blob = row.blob(0);
        const auto bytes = row.blob(2);
        if (!blob.has_value() || !bytes.has_value() || textOf(*blob) <= previous) return damage();
        const std::string_view key = textOf(*blob);
        if (row.integer(1) != linkOf(previous, key, true)) is_damaged = true;
        has_ended = key >= end;
        if (has_ended) return absl::CancelledError("");
        previous = std::string(key);
        const auto value = checkedValue(previous, textOf(*bytes));
        if (value.has_value()) return visit(previous, *value);
        is_damaged = true;
        return absl::OkStatus();
      });
  if (!has_ended && !status.ok()) return status;
  return is_damaged || !has_ended ? damage() : absl::OkStatus();
}

void appendOrdered(std::string& bytes, std::int64_t number) {
  const auto little = littleBytes(number);
  std::size_t length = little.size();
  while (length > 0 && little[length - 1] == 0)
    --length;
  bytes += static_cast<char>(length);
  bytes.append(little.rend() - static_cast<std::ptrdiff_t>(length), little.rend());
}

std::optional<std::int64_t> takeOrdered(std::string_view& bytes) {
  if (bytes.empty()) return std::nullopt;
  const auto length = std::size_t{static_cast<unsigned char>(bytes.front())};
  if (length > sizeof(std::int64_t) || length >= bytes.size()) return std::nullopt;
  std::uint64_t number = 0;
  for (const char byte : bytes.substr(1, length))
    number = number << 8 | static_cast<unsigned char>(byte);
  bytes.remove_prefix(1 + length);
  return static_cast<std::int64_t>(number);
}

}  // namespace fractalray
