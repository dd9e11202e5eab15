// SPDX-License-Identifier: Apache-2.0
// The block types of a scenario, and the blocks of its chunks.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "../../levels/block_type.h"
#include "../json.h"

namespace fractalray {

// The block types that a scenario declares, by name. Errors go to the status of the readers.
class ScenarioTypes {
 public:
  // Adds the types that a document declares to `table`, and the name of each to `names`, by number.
  // The table has an "air" of its own, empty in every channel. It stands for the file's "air" if
  // that is empty in every channel too; else the file's gets a name that the file does not use.
  void add(const JsonReader& types, BlockTypeTable& table, std::vector<std::string>& names);

  std::optional<BlockTypeId> find(std::string_view name) const;
  // Reads the name of a type; air after an error.
  BlockTypeId read(const JsonReader& value) const;
  // Returns the default fill of a chunk: the file's own "air", or kAir.
  BlockTypeId defaultFill() const { return find("air").value_or(kAir); }

 private:
  std::unordered_map<std::string, BlockTypeId> types_;
};

// Reads the content of a chunk: its fill, then boxes, then single blocks. In the order of
// indexInChunk().
std::vector<BlockTypeId> readBlocks(const JsonReader& chunk, const ScenarioTypes& types);

}  // namespace fractalray
