// SPDX-License-Identifier: Apache-2.0
#include "change_types.h"

#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"

#include "../../core/internal/containers/vector_capacity.h"
#include "../../core/printable.h"
#include "change_keys.h"

namespace fractalray {
namespace {

constexpr std::size_t kMaxTypes = 65536;

}  // namespace

absl::StatusOr<ChangeTypes> ChangeTypes::load(const ChangeRows& rows, const BlockTypeTable& types) {
  ChangeTypes loaded(rows, types);
  absl::Status status = rows.forEachAfter(
      kTypeRows, kEndOfRows, [&](std::string_view key, std::string_view name) -> absl::Status {
        const auto number = static_cast<std::uint16_t>(loaded.size());
        if (loaded.size() == kMaxTypes || key != typeKey(number)) return rows.damage();
        loaded.push(std::string(name));
        return absl::OkStatus();
      });
  if (!status.ok()) return status;
  return loaded;
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
    return rows_->error(absl::StatusCode::kResourceExhausted,
                        "it has names of 65,536 block types, the most that it can have");
  }
  const auto number = static_cast<std::uint16_t>(size());
  if (absl::Status status = rows_->put(typeKey(number), name); !status.ok()) return status;
  push(name);
  return number;
}

absl::StatusOr<BlockTypeId> ChangeTypes::typeOf(std::uint16_t number) {
  if (number >= size()) return rows_->damage();
  std::optional<BlockTypeId>& found = found_[number];
  if (!found.has_value()) found = types_->find(names_[number]);
  if (found.has_value()) return *found;
  return rows_->error(
      absl::StatusCode::kFailedPrecondition,
      absl::StrCat("a change sets a block to ", quotedText(names_[number]),
                   ", which is not in the table of block types; add it to the table"));
}

}  // namespace fractalray
