// SPDX-License-Identifier: Apache-2.0
#include "luanti_mapblock.h"

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "internal/listed_types.h"
#include "internal/luanti_block.h"
#include "internal/node_boxes.h"
#include "internal/node_types.h"
#include "internal/out_of_memory.h"

namespace fractalray {
namespace {

// The name of the work in the error if memory runs out.
constexpr std::string_view kMapblock = "the mapblock";

}  // namespace

struct MapblockDecoder::Parts {
  // A name of the mapblock, and its type if all of its nodes have the same.
  struct NameHere {
    NodeTypes::OfName* of_name = nullptr;
    std::optional<BlockTypeId> type;
  };

  Parts(BlockTypeTable& table, const NodeKinds& kinds, const MapblockOptions& options)
      : block_types(table),
        types(kinds, options.definitions, table),
        listed(options.block_type_names.size()),
        unpacker(options.max_bytes) {}

  // Turns the nodes of `block` into `ids`, and lists those that connect. Leaves out names that no
  // node has.
  absl::Status translate(std::vector<int>& connecting);
  absl::Status setType(const std::string& name, std::uint8_t param2, NameHere& here);
  // Returns FAILED_PRECONDITION if there is a list of names, and the table has other types.
  absl::Status checkListed() const {
    return listed == 0 ? absl::OkStatus() : checkListedTypes(listed, block_types);
  }

  BlockTypeTable& block_types;
  NodeTypes types;
  std::size_t listed;  // the number of names in the list; 0 without one
  LuantiBlockDecoder unpacker;
  LuantiBlock block;
  std::vector<NameHere> names_here;  // of `block`
  std::array<BlockTypeId, kBlocksPerChunk> ids{};
};

absl::Status MapblockDecoder::Parts::translate(std::vector<int>& connecting) {
  names_here.assign(block.names.size(), {});
  for (std::size_t i = 0; i < block.nodes.size(); ++i) {
    NameHere& name = names_here[block.nodes[i]];
    if (!name.type.has_value()) {
      absl::Status status = setType(block.names[block.nodes[i]], block.param2[i], name);
      if (!status.ok()) return status;
    }
    ids[i] = *name.type;
    if (name.of_name->isOne()) continue;
    name.type.reset();
    if (name.of_name->definition->connects) connecting.push_back(static_cast<int>(i));
  }
  return absl::OkStatus();
}

absl::Status MapblockDecoder::Parts::setType(const std::string& name, std::uint8_t param2,
                                             NameHere& here) {
  if (here.of_name == nullptr) here.of_name = &types.named(name);
  const absl::StatusOr<BlockTypeId> type = types.typeOf(*here.of_name, param2);
  if (type.ok()) here.type = *type;
  return type.status();
}

MapblockDecoder::MapblockDecoder(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
MapblockDecoder::~MapblockDecoder() = default;
MapblockDecoder::MapblockDecoder(MapblockDecoder&& other) noexcept = default;
MapblockDecoder& MapblockDecoder::operator=(MapblockDecoder&& other) noexcept = default;

absl::StatusOr<MapblockDecoder> MapblockDecoder::make(BlockTypeTable& types,
                                                      const MapblockOptions& options) {
  return internal::catchBadAlloc(kMapblock, [&]() -> absl::StatusOr<MapblockDecoder> {
    const NodeKinds& kinds =
        options.node_kinds != nullptr ? *options.node_kinds : NodeKinds::builtin();
    auto parts = std::make_unique<Parts>(types, kinds, options);
    absl::Status status = parts->types.addChannels();
    if (status.ok() && parts->listed > 0) {
      // Not the decoder's own, which counts the types that mapblocks have.
      NodeTypes nodes(kinds, options.definitions, types);
      status = nodes.addChannels();
      if (status.ok()) status = addListedTypes(options.block_type_names, nodes, types);
    }
    if (!status.ok()) return status;
    return MapblockDecoder(std::move(parts));
  });
}

absl::StatusOr<DecodedMapblock> MapblockDecoder::decode(std::span<const std::uint8_t> blob) {
  return internal::catchBadAlloc(kMapblock, [&]() -> absl::StatusOr<DecodedMapblock> {
    absl::Status status = parts_->unpacker.decode(blob, parts_->block);
    if (!status.ok()) return status;
    DecodedMapblock decoded{.generated = parts_->block.generated};
    if (!decoded.generated) return decoded;
    status = parts_->translate(decoded.connecting);
    if (status.ok()) status = parts_->checkListed();
    if (!status.ok()) return status;
    absl::StatusOr<Chunk> chunk = Chunk::copied(Chunk::Ids(parts_->ids), parts_->block_types);
    if (!chunk.ok()) return chunk.status();
    decoded.chunk = *std::move(chunk);
    return decoded;
  });
}

absl::StatusOr<BlockTypeId> MapblockDecoder::connected(
    BlockTypeId type, const BlockCoord& at,
    absl::FunctionRef<std::optional<BlockTypeId>(const BlockCoord& at)> block) {
  return internal::catchBadAlloc(kMapblock, [&]() -> absl::StatusOr<BlockTypeId> {
    const PlacedNode node = parts_->types.nodeOf(type);
    if (node.definition == nullptr || !node.definition->connects) return type;
    const std::uint8_t sides = connectedSides(*node.definition, [&](NodeSide side) {
      const Vec3i step = stepTo(side);
      const std::optional<BlockTypeId> neighbor = block(at + BlockCoord{step[0], step[1], step[2]});
      return neighbor.has_value() ? parts_->types.nodeOf(*neighbor) : PlacedNode{};
    });
    absl::StatusOr<BlockTypeId> connected = parts_->types.connected(type, sides);
    if (absl::Status status = parts_->checkListed(); !status.ok()) return status;
    return connected;
  });
}

std::vector<std::string> MapblockDecoder::defaultedNames() const {
  return parts_->types.defaultedNames();
}

std::size_t MapblockDecoder::cutTypes() const {
  return parts_->types.cutTypes();
}

}  // namespace fractalray
