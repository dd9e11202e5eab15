// SPDX-License-Identifier: Apache-2.0
#include "change_types.h"

#include <utility>

#include "absl/strings/str_cat.h"

#include "../../core/internal/containers/vector_capacity.h"
#include "../printable.h"

namespace fractalray {
namespace {

constexpr std::size_t kMaxTypes = 65536;

}  // namespace

absl::StatusOr<ChangeTypes> ChangeTypes::load(const SqliteDatabase& database,
                                              const BlockTypeTable& types) {
  ChangeTypes loaded(database, types);
  absl::Status status =
      database.prepareAll({{&loaded.select_number_, "SELECT number FROM types WHERE name = ?"},
                           {&loaded.insert_, "INSERT INTO types(number, name) VALUES(?, ?)"}});
  if (!status.ok()) return status;
  status = database.run("SELECT number, name FROM types ORDER BY number",
                        [&](const SqliteRow& row) { return loaded.loadRow(row); });
  if (!status.ok()) return status;
  return loaded;
}

absl::Status ChangeTypes::loadRow(const SqliteRow& row) {
  const auto number = row.integer(0);
  const auto blob = row.blob(1);
  if (number != static_cast<std::int64_t>(size()) || !blob.has_value() || size() == kMaxTypes) {
    return damage();
  }
  const std::string name(reinterpret_cast<const char*>(blob->data()), blob->size());
  // The index has a copy of the name: a flipped bit makes the two differ.
  std::optional<std::int64_t> indexed;
  absl::Status status = database_->run(select_number_, {name}, [&](const SqliteRow& found) {
    indexed = found.integer(0);
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  if (indexed != number) return damage();
  push(name);
  return absl::OkStatus();
}

absl::Status ChangeTypes::damage() const {
  return database_->error(absl::StatusCode::kDataLoss, "the file is damaged (its block types)");
}

void ChangeTypes::push(const std::string& name) {
  internal::ensureCapacity(names_, names_.size() + 1);
  internal::ensureCapacity(found_, found_.size() + 1);
  std::string copy = name;
  numbers_.emplace(name, static_cast<std::uint16_t>(names_.size()));
  names_.push_back(std::move(copy));
  found_.emplace_back();
}

void ChangeTypes::keep(std::size_t size) noexcept {
  for (; names_.size() > size; names_.pop_back())
    numbers_.erase(names_.back());
  found_.resize(names_.size());
}

absl::StatusOr<std::uint16_t> ChangeTypes::numberOf(BlockTypeId type) {
  const std::string& name = types_->name(type);
  if (const auto found = numbers_.find(name); found != numbers_.end()) return found->second;
  if (size() == kMaxTypes) {
    return database_->error(absl::StatusCode::kResourceExhausted,
                            "it has names of 65,536 block types, the most that it can have");
  }
  const auto number = static_cast<std::int64_t>(size());
  if (absl::Status status = database_->run(insert_, {number, name}); !status.ok()) return status;
  push(name);
  return static_cast<std::uint16_t>(number);
}

absl::StatusOr<BlockTypeId> ChangeTypes::typeOf(std::uint16_t number) {
  if (number >= size()) {
    return database_->error(absl::StatusCode::kDataLoss, "the file is damaged (a block type)");
  }
  std::optional<BlockTypeId>& found = found_[number];
  if (!found.has_value()) found = types_->find(names_[number]);
  if (found.has_value()) return *found;
  return database_->error(
      absl::StatusCode::kFailedPrecondition,
      absl::StrCat("a change sets a block to ", quotedText(names_[number]),
                   ", which is not in the table of block types; add it to the table"));
}

}  // namespace fractalray
