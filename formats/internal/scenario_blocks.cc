// SPDX-License-Identifier: Apache-2.0
#include "scenario_blocks.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

#include "../../core/internal/number_text.h"
#include "../../core/printable.h"
#include "../../levels/chunk.h"
#include "../json_document.h"
#include "block_kinds.h"

namespace fractalray {
namespace {

constexpr std::int64_t kLastInChunk = kChunkSize - 1;

std::string nameInTable(const BlockTypeSpec& spec, const JsonReader& types) {
  std::string name = spec.name;
  while (name == "air" || (name != spec.name && types.find(name).has_value()))
    name += '\'';
  return name;
}

bool isPlainAir(const BlockTypeSpec& spec) {
  if (spec.name != "air" || spec.kind != BlockKind::kEmpty) return false;
  return std::ranges::all_of(spec.channel_kinds, [](const auto& channel_kind) {
    return channel_kind.second == BlockKind::kEmpty;
  });
}

void readBox(const JsonReader& box, const ScenarioTypes& types, std::vector<BlockTypeId>& blocks) {
  if (!box.isArrayOf(3, "parts, two corners and a type")) return;
  const auto min = box.element(0).integers<BlockCoord>(0, kLastInChunk);
  const auto max = box.element(1).integers<BlockCoord>(0, kLastInChunk);
  const BlockTypeId type = types.read(box.element(2));
  for (int axis = 0; axis < 3; ++axis) {
    if (min[axis] > max[axis]) {
      return box.fail(absl::StrCat("the corners are not ordered: ", min[axis], " > ", max[axis],
                                   " on axis ", internal::axisName(axis)));
    }
  }
  for (std::int64_t z = min[2]; z <= max[2]; ++z) {
    for (std::int64_t y = min[1]; y <= max[1]; ++y) {
      for (std::int64_t x = min[0]; x <= max[0]; ++x) {
        blocks[static_cast<std::size_t>(indexInChunk({x, y, z}))] = type;
      }
    }
  }
}

}  // namespace

void ScenarioTypes::add(const JsonReader& types, BlockTypeTable& table,
                        std::vector<std::string>& names) {
  types.forEachMember([&](const std::string& name, const JsonReader& kinds) {
    BlockTypeSpec spec = readBlockKinds(kinds, name, table);
    if (isPlainAir(spec)) {
      types_.emplace(name, kAir);
      return;
    }
    spec.name = nameInTable(spec, types);
    kinds.failIfError(checkKinds(table.size() + 1, table.channels()));
    if (!kinds.ok()) return;
    const absl::StatusOr<BlockTypeId> type = table.add(spec);
    kinds.failIfError(type.status());
    if (!type.ok()) return;
    types_.emplace(name, *type);
    names.resize(table.size(), "air");
    names[BlockTypeTable::index(*type)] = name;
  });
}

std::optional<BlockTypeId> ScenarioTypes::find(std::string_view name) const {
  const auto type = types_.find(std::string(name));
  if (type == types_.end()) return std::nullopt;
  return type->second;
}

BlockTypeId ScenarioTypes::read(const JsonReader& value) const {
  const std::string name = value.text();
  const std::optional<BlockTypeId> type = find(name);
  if (type.has_value()) return *type;
  value.fail(absl::StrCat("unknown block type ", quotedText(name), "; declare it in block_types"));
  return kAir;
}

std::vector<BlockTypeId> readBlocks(const JsonReader& chunk, const ScenarioTypes& types) {
  const auto fill = chunk.find("fill");
  // The default may be given too, and need not be declared then either.
  const bool is_default = !fill.has_value() || isText(fill->value(), "air");
  std::vector<BlockTypeId> blocks(kBlocksPerChunk,
                                  is_default ? types.defaultFill() : types.read(*fill));
  if (const auto boxes = chunk.find("boxes")) {
    boxes->forEachElement([&](const JsonReader& box) { readBox(box, types, blocks); });
  }
  if (const auto singles = chunk.find("blocks")) {
    singles->forEachElement([&](const JsonReader& single) {
      if (!single.isArrayOf(2, "parts, the block's index and its type")) return;
      const auto block = single.element(0).integers<BlockCoord>(0, kLastInChunk);
      blocks[static_cast<std::size_t>(indexInChunk(block))] = types.read(single.element(1));
    });
  }
  return blocks;
}

}  // namespace fractalray
