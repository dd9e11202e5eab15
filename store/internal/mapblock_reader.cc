// SPDX-License-Identifier: Apache-2.0
#include "mapblock_reader.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"

#include "../../core/printable.h"
#include "../../formats/input_limits.h"
#include "map_chunks.h"

namespace fractalray {
namespace {

// The columns of what it selects, after the position.
constexpr int kData = 3;
constexpr int kStoredBytes = 4;
constexpr const char* kBlobs = R"(
SELECT posx::int, posy::int, posz::int,
       CASE WHEN octet_length(data) <= $4::bigint THEN data END, octet_length(data)
FROM unnest($1::int[], $2::int[], $3::int[]) AS wanted (x, y, z)
JOIN blocks ON posx = x AND posy = y AND posz = z)";

// Both take a box, as the ends of x, y and z.
constexpr const char* kStoredInColumns = R"(
SELECT posx::int, posy::int, posz::int
FROM generate_series($1::int, $2::int) AS x, generate_series($3::int, $4::int) AS y, blocks
WHERE posx = x AND posy = y AND posz BETWEEN $5::int AND $6::int
  AND (posx, posy, posz) > ($7::int, $8::int, $9::int)
ORDER BY posx, posy, posz LIMIT $10::bigint)";
constexpr const char* kStoredInRange = R"(
SELECT posx::int, posy::int, posz::int FROM blocks
WHERE posx BETWEEN $1::int AND $2::int AND posy BETWEEN $3::int AND $4::int
  AND posz BETWEEN $5::int AND $6::int
  AND (posx, posy, posz) > ($7::bigint, $8::bigint, $9::bigint)
ORDER BY posx, posy, posz LIMIT $10::bigint)";
constexpr const char* kStoredChunks = R"(
SELECT DISTINCT (posx >> $7::int)::int, (posy >> $7::int)::int, (posz >> $7::int)::int FROM blocks
WHERE posx BETWEEN $1::int AND $2::int AND posy BETWEEN $3::int AND $4::int
  AND posz BETWEEN $5::int AND $6::int)";

// The most mapblocks along x for which columns are searched one by one.
constexpr std::int64_t kColumnsAlongX = 16;

// The steps from a block to its neighbours.
constexpr std::array<BlockCoord, 6> kSteps = {
    {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}};

std::vector<std::string> parametersOf(const ChunkBox& box) {
  std::vector<std::string> parameters;
  for (int axis = 0; axis < 3; ++axis) {
    parameters.push_back(absl::StrCat(box.min[axis]));
    parameters.push_back(absl::StrCat(box.max[axis]));
  }
  return parameters;
}

// Returns the position in the first three columns of a row; nothing if they are no numbers.
std::optional<ChunkCoord> positionOf(const Rows& rows, int row) {
  ChunkCoord at;
  for (int axis = 0; axis < 3; ++axis) {
    const std::optional<std::int32_t> index = rows.integer(row, axis);
    if (!index.has_value()) return std::nullopt;
    at[axis] = *index;
  }
  return at;
}

absl::Status noPosition(const StoreLink& link) {
  return absl::InternalError(absl::StrCat(link.name(), ": an answer without positions"));
}

}  // namespace

ChunkBox mapblocksOf(int level, const ChunkCoord& at) {
  const int shift = mapblockShift(level);
  const ChunkBox map = mapBox(kMapblockLevel);
  ChunkBox box;
  for (int axis = 0; axis < 3; ++axis) {
    box.min[axis] = std::max(at[axis] << shift, map.min[axis]);
    box.max[axis] = std::min(((at[axis] + 1) << shift) - 1, map.max[axis]);
  }
  return box;
}

absl::Status MapblockReader::read(std::span<const ChunkCoord> mapblocks, Visit visit) {
  while (!mapblocks.empty()) {
    const std::size_t count = std::min(at_once_, mapblocks.size());
    absl::Status status = readSome(mapblocks.first(count), visit);
    if (!status.ok()) return status;
    mapblocks = mapblocks.subspan(count);
  }
  return absl::OkStatus();
}

absl::Status MapblockReader::readSome(std::span<const ChunkCoord> mapblocks, Visit visit) {
  Decoded decoded;
  const absl::StatusOr<std::size_t> stored = fetch(mapblocks, decoded);
  if (!stored.ok()) return stored.status();
  counts_.not_stored += mapblocks.size() - *stored;
  if (has_definitions_) {
    const MapblockCounts counts = counts_;
    const std::size_t named = named_damages_.size();
    absl::Status status = connect(decoded);
    if (!status.ok()) return status;
    counts_ = counts;  // without the neighbours
    named_damages_.resize(named);
  }
  for (const ChunkCoord& at : mapblocks) {
    const auto found = decoded.find(at);
    absl::Status status =
        visit(at, found == decoded.end() ? std::optional<Chunk>()
                                         : std::optional(std::move(found->second.chunk)));
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::size_t> MapblockReader::fetch(std::span<const ChunkCoord> mapblocks,
                                                  Decoded& decoded) {
  std::array<std::string, 4> parameters;
  for (int axis = 0; axis < 3; ++axis) {
    std::string& list = parameters[static_cast<std::size_t>(axis)];
    for (const ChunkCoord& at : mapblocks)
      absl::StrAppend(&list, list.empty() ? "{" : ",", at[axis]);
    list += "}";
  }
  // As the server's bigint has it.
  constexpr std::uint64_t kMostBytes = std::numeric_limits<std::int64_t>::max();
  parameters.back() = absl::StrCat(std::min(max_bytes_, kMostBytes));
  const absl::StatusOr<Rows> rows = link_.run(kBlobs, parameters);
  if (!rows.ok()) return rows.status();
  for (int row = 0; row < rows->size(); ++row) {
    const std::optional<ChunkCoord> at = positionOf(*rows, row);
    if (!at.has_value()) return noPosition(link_);
    absl::StatusOr<std::optional<DecodedMapblock>> mapblock = decode(*at, *rows, row);
    if (!mapblock.ok()) return mapblock.status();
    if (mapblock->has_value()) decoded.insert_or_assign(*at, **std::move(mapblock));
  }
  return static_cast<std::size_t>(rows->size());
}

absl::StatusOr<std::optional<DecodedMapblock>> MapblockReader::decode(const ChunkCoord& at,
                                                                      const Rows& rows, int row) {
  const std::optional<std::span<const std::uint8_t>> blob = rows.bytes(row, kData);
  if (!blob.has_value()) {
    const std::optional<std::int32_t> bytes = rows.integer(row, kStoredBytes);
    noteDamage(at,
               absl::DataLossError(
                   bytes.has_value()
                       ? absl::StrCat("the data has ", *bytes, " bytes: ",
                                      limitError("bytes", "mapblock_bytes", max_bytes_).message())
                       : "the data is NULL"));
    return std::nullopt;
  }
  counts_.bytes += blob->size();
  absl::StatusOr<DecodedMapblock> mapblock = decoder_.decode(*blob);
  const absl::Status& status = mapblock.status();
  if (status.ok() && mapblock->generated) {
    ++counts_.loaded;
    return *std::move(mapblock);
  }
  // These say nothing about the mapblock: no memory, no free type, a type that is not listed.
  if (absl::IsResourceExhausted(status) || absl::IsFailedPrecondition(status))
    return link_.named(status);
  if (status.ok()) {
    ++counts_.not_generated;
  } else if (absl::IsUnimplemented(status)) {
    ++counts_.unsupported;
  } else {
    noteDamage(at, status);
  }
  return std::nullopt;
}

void MapblockReader::noteDamage(const ChunkCoord& at, const absl::Status& damage) {
  ++counts_.damaged;
  if (named_damages_.size() >= kMostNamed) return;
  named_damages_.push_back({.position = absl::StrCat("(", at[0], ", ", at[1], ", ", at[2], ")"),
                            .reason = printable(std::string(damage.message()), kMaxReasonBytes)});
}

absl::Status MapblockReader::connect(Decoded& decoded) {
  // The mapblocks next to nodes that connect, of those that are not there yet.
  absl::flat_hash_set<ChunkCoord> needed;
  for (const auto& [at, mapblock] : decoded) {
    for (const int index : mapblock.connecting) {
      for (const BlockCoord& step : kSteps) {
        const ChunkCoord next = chunkOf(blockOf(at, index) + step);
        if (!decoded.contains(next) && contains(mapBox(kMapblockLevel), next)) needed.insert(next);
      }
    }
  }
  const std::vector<ChunkCoord> neighbours(needed.begin(), needed.end());
  Decoded beyond;
  for (std::size_t i = 0; i < neighbours.size(); i += at_once_) {
    const std::size_t count = std::min(at_once_, neighbours.size() - i);
    absl::Status status = fetch(std::span(neighbours).subspan(i, count), beyond).status();
    if (!status.ok()) return status;
  }
  const auto type_at = [&](const BlockCoord& block) -> std::optional<BlockTypeId> {
    for (const Decoded* each : {&std::as_const(decoded), &std::as_const(beyond)}) {
      const auto found = each->find(chunkOf(block));
      if (found != each->end()) return found->second.chunk.block(indexInChunk(block));
    }
    return std::nullopt;
  };
  for (auto& [at, mapblock] : decoded) {
    if (mapblock.connecting.empty()) continue;
    std::array<BlockTypeId, kBlocksPerChunk> ids{};
    for (int index = 0; index < kBlocksPerChunk; ++index)
      ids[static_cast<std::size_t>(index)] = mapblock.chunk.block(index);
    for (const int index : mapblock.connecting) {
      const absl::StatusOr<BlockTypeId> type =
          decoder_.connected(mapblock.chunk.block(index), blockOf(at, index), type_at);
      if (!type.ok()) return link_.named(type.status());
      ids[static_cast<std::size_t>(index)] = *type;
    }
    absl::StatusOr<Chunk> connected = Chunk::copied(Chunk::Ids(ids), types_);
    if (!connected.ok()) return link_.named(connected.status());
    mapblock.chunk = *std::move(connected);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<ChunkCoord>> MapblockReader::positions(
    const char* statement, std::span<const std::string> parameters) {
  const absl::StatusOr<Rows> rows = link_.run(statement, parameters);
  if (!rows.ok()) return rows.status();
  std::vector<ChunkCoord> found;
  found.reserve(static_cast<std::size_t>(rows->size()));
  for (int row = 0; row < rows->size(); ++row) {
    const std::optional<ChunkCoord> at = positionOf(*rows, row);
    if (!at.has_value()) return noPosition(link_);
    found.push_back(*at);
  }
  return found;
}

absl::StatusOr<std::vector<ChunkCoord>> MapblockReader::stored(
    const ChunkBox& box, std::size_t limit, const std::optional<ChunkCoord>& after) {
  std::vector<std::string> parameters = parametersOf(box);
  // Without `after`, a position that is before all of the box.
  const ChunkCoord last = after.value_or(ChunkCoord{box.min[0] - 1, 0, 0});
  for (int axis = 0; axis < 3; ++axis)
    parameters.push_back(absl::StrCat(last[axis]));
  parameters.push_back(absl::StrCat(limit));
  const bool is_narrow = box.max[0] - box.min[0] < kColumnsAlongX;
  return positions(is_narrow ? kStoredInColumns : kStoredInRange, parameters);
}

absl::StatusOr<std::vector<ChunkCoord>> MapblockReader::storedChunks(const ChunkBox& box,
                                                                     int level) {
  std::vector<std::string> parameters = parametersOf(box);
  parameters.push_back(absl::StrCat(mapblockShift(level)));
  return positions(kStoredChunks, parameters);
}

}  // namespace fractalray
