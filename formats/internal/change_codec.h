// SPDX-License-Identifier: Apache-2.0
// The bytes of a change store: steps of paths, and the changes of a chunk.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../../levels/chunk_path.h"

namespace fractalray {

// Returns steps as 12 bits each, x first, filled up with zeros to whole bytes.
std::string packSteps(std::span<const ChunkPath::Step> steps);
// Appends the text of packed steps to that of a path. Returns false for bytes that packSteps() does
// not return.
bool appendSteps(std::string& path, std::string_view packed);

// A change as a store has it. Ordered by block.
struct StoredChange {
  int block = 0;
  std::uint16_t type = 0;  // the store's number
  std::optional<std::int64_t> reverts_at{};

  friend bool operator==(const StoredChange&, const StoredChange&) = default;
};

// Returns the bytes of the changes of a chunk: for each block, 16 bits with its index, bit 15 set
// if it reverts; 16 bits with its type; and if it reverts, 64 bits with the time. All numbers are
// little-endian. Requires: blocks ascend.
std::string encodeChanges(std::span<const StoredChange> changes);
// Returns the changes; nothing for bytes that are not those of any changes.
std::optional<std::vector<StoredChange>> decodeChanges(std::string_view bytes);
// Returns the least time at which one of the changes reverts; nothing if none does.
std::optional<std::int64_t> firstTime(std::span<const StoredChange> changes);

}  // namespace fractalray
