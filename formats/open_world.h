// SPDX-License-Identifier: Apache-2.0
// Opens a saved world in any of the formats that can be read. A new format is a reader of its own
// (see luanti_map.h), and a row of the table in open_world.cc: see world_format.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "../levels/world.h"
#include "input_limits.h"
#include "node_definitions.h"
#include "node_kinds.h"

namespace fractalray {

struct OpenOptions {
  // Maps node names to block kinds; null for the format's built-in table. Not kept.
  const NodeKinds* node_kinds = nullptr;
  // The shapes of nodes, and the kinds of those that the table of kinds does not list. If null,
  // those of the file NodeDefinitions::kFileName next to the map; without it, nodes fill their
  // cube. Not kept.
  const NodeDefinitions* definitions = nullptr;
  // A table shared with other worlds; a new one if it is null.
  std::shared_ptr<BlockTypeTable> block_types = nullptr;
  // The names of all block types by number, "air" first; empty if types are added as they are
  // found. With them a type has the same number in every process, whatever it reads. The list that
  // the table of a whole world has is right for its parts: types of coarse blocks are in it, too. A
  // name that is none of the world's nodes gets the kinds of a node of that name.
  std::vector<std::string> block_type_names{};
  // The chunks of the finest level to read; nothing for all. An index of the saved world finds
  // them; without one, all others are skipped undecoded.
  std::optional<ChunkBox> chunks = std::nullopt;
  // Called now and then, and at the end, with the chunks read so far and all that there are; if an
  // index finds those to read, with lines of chunks.
  std::function<void(std::size_t done, std::size_t total)> progress{};
  // At most this many damaged chunks are named; all are counted.
  std::size_t max_named_damages = 20;
  InputLimits limits{};
};

struct DamagedChunk {
  std::string position;  // "(12, -1, 3)", in chunks, or the file's own text if that is not valid
  std::string reason;    // "the zstd data is cut off"
};

// The fate of the chunks of a saved world that are in the box to be read. Each is one of four:
// loaded, not generated, unsupported, or damaged.
struct LoadReport {
  std::size_t chunks = 0;
  std::size_t loaded = 0;
  // Absent from the world: its generator has not finished them.
  std::size_t not_generated = 0;
  // Absent from the world: in a version of the format that is not read. The reason names the
  // versions, those that are read, and the remedy; it is empty if there are none.
  std::size_t unsupported = 0;
  std::string unsupported_reason;
  // Absent from the world: they could not be decoded, have no position in a world of this format,
  // or are there twice (then the first one counts).
  std::size_t damaged = 0;
  // Not among `chunks`: those outside of OpenOptions::chunks that were skipped. 0 if an index has
  // found the others: then nothing is known of those outside, damage neither.
  std::size_t outside = 0;
  std::vector<DamagedChunk> named_damages;
  std::uint64_t bytes = 0;  // of all chunks, as stored
  // The node names, sorted, that the table of kinds does not list: its default holds for them.
  std::vector<std::string> defaulted_names;
  // The definitions that were read, of all nodes of the game; 0 if there were none, and nodes fill
  // their cube. Damaged ones are named with the reason: their nodes fill their cube, too.
  std::size_t definitions = 0;
  std::vector<std::string> damaged_definitions;
  // The block types whose boxes were cut at the cube, see splitAtCube().
  std::size_t cut_types = 0;

  // Returns true if chunks are absent that the saved world has.
  bool isPartial() const { return damaged > 0 || unsupported > 0; }
};

struct OpenedWorld {
  // Its format, and the format's word for its chunks: "Luanti", "mapblock".
  std::string format;
  std::string chunk_name;
  World world;
  LoadReport report;
};

// Opens a saved world. Its content decides on the format: a Luanti world, by its folder or its
// map.sqlite (openLuantiWorld). Writes nothing. Damaged chunks are no error: see the report.
//
// Errors, which begin with the path: NOT_FOUND; INVALID_ARGUMENT if no format that can be read
// matches, for a box of chunks whose min exceeds its max, and for a name of block types that is
// there twice, that none can have, or that the kinds and definitions give to no type;
// FAILED_PRECONDITION, which names it, for a block type of the world that is not among those named,
// and for names that are not those of the shared table; and those of the format's reader.
// Cost: that of the reader. Safe from several threads, each with its own block types.
absl::StatusOr<OpenedWorld> openWorld(const std::string& path, const OpenOptions& options = {});

// Returns the file from which openWorld() reads the chunks of that world, without opening it.
// Errors as above.
absl::StatusOr<std::string> findWorldFile(const std::string& path, const InputLimits& limits = {});

}  // namespace fractalray
