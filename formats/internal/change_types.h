// SPDX-License-Identifier: Apache-2.0
// The block types of a change store: a file has names, and numbers of its own for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"

#include "../../levels/block_type.h"
#include "change_rows.h"

namespace fractalray {

class ChangeTypes {
 public:
  // Reads the names. All arguments must outlive it.
  static absl::StatusOr<ChangeTypes> load(const ChangeRows& rows, const BlockTypeTable& types);

  // Returns the number of a type, and adds it to the file if it has none. RESOURCE_EXHAUSTED past
  // 65,536. Requires: the type is in the table.
  absl::StatusOr<std::uint16_t> numberOf(BlockTypeId type);
  // Returns the type of a number. FAILED_PRECONDITION if the table has no type of that name,
  // DATA_LOSS if the file has none.
  absl::StatusOr<BlockTypeId> typeOf(std::uint16_t number);

  // Returns the number of types in the file; and forgets all but the first, which have been rolled
  // back.
  std::size_t size() const { return names_.size(); }
  void keep(std::size_t size) noexcept;

 private:
  ChangeTypes(const ChangeRows& rows, const BlockTypeTable& types) : rows_(&rows), types_(&types) {}

  // Adds a name to the members, or changes nothing if memory runs out.
  void push(const std::string& name);

  const ChangeRows* rows_;
  const BlockTypeTable* types_;
  std::vector<std::string> names_;                 // by number
  std::vector<std::optional<BlockTypeId>> found_;  // by number; nothing until it is looked up
  std::unordered_map<std::string, std::uint16_t> numbers_;
};

}  // namespace fractalray
