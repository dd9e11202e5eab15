// SPDX-License-Identifier: Apache-2.0
#include "luanti_map.h"

#include <bitset>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

#include "../core/printable.h"
#include "internal/listed_types.h"
#include "internal/luanti_paths.h"
#include "internal/luanti_rows.h"
#include "internal/out_of_memory.h"
#include "internal/sqlite_database.h"
#include "level_summary.h"
#include "luanti_mapblock.h"

namespace fractalray {
namespace {

constexpr int kNodeLevel = kLuantiLevels - 1;
// Mapblocks between two calls of the progress callback: some milliseconds.
constexpr std::size_t kProgressStep = 64;
// More than any table has, and the most that SQLite can count to.
constexpr std::uint64_t kMostRows = std::numeric_limits<std::int64_t>::max();

absl::Status tooManyMapblocks(const InputLimits& limits) {
  return limitError("mapblocks", "mapblocks", limits.mapblocks);
}

// The serialization versions of mapblocks, a byte each.
using Versions = std::bitset<256>;

// Returns which versions these are, which are read, and what turns older ones into such.
std::string reasonOf(const Versions& versions) {
  std::string text;
  bool has_older = false;
  for (std::size_t version = 0; version < versions.size(); ++version) {
    if (!versions.test(version)) continue;
    absl::StrAppend(&text, text.empty() ? "serialization version " : ", ", version);
    has_older = has_older || version < kOldestSerialization;
  }
  absl::StrAppend(&text, "; versions ", kOldestSerialization, " to ", kNewestSerialization,
                  " are read");
  if (has_older) {
    absl::StrAppend(&text, ". Luanti turns older ones into ", kNewestSerialization,
                    ": minetestserver --world FOLDER --recompress");
  }
  return text;
}

// Brings the mapblocks of one map into a world.
class Loader {
 public:
  // Loads from a database of `bytes` bytes.
  Loader(const OpenOptions& options, MapblockDecoder& decoder, std::uint64_t bytes,
         OpenedWorld& opened)
      : options_(options),
        decoder_(decoder),
        bytes_(bytes),
        world_(opened.world),
        report_(opened.report) {}

  // Notes that another program has written to the database, which has so many bytes now: mapblocks
  // that have been read may come again, and the newer ones count.
  void noteChange(std::uint64_t bytes) {
    is_changed_ = true;
    bytes_ += bytes;
  }

  // Loads a mapblock of the box to be read, or counts a row that holds no valid one as damage.
  // Errors: RESOURCE_EXHAUSTED if the cause does not depend on the mapblock; FAILED_PRECONDITION
  // for a block type that is not among those named; DATA_LOSS if the rows have read more than the
  // database has, which is then damaged: some share their pages.
  absl::Status load(const SqliteRow& row, const LuantiRows& rows) {
    const std::optional<ChunkCoord> at = rows.mapblock(row);
    if (at.has_value() && !isWanted(*at)) {
      ++report_.outside;
      return absl::OkStatus();
    }
    if (at.has_value() && is_changed_ && world_.chunk(kNodeLevel, *at) != nullptr) {
      absl::Status forgotten = world_.unloadChunk(kNodeLevel, *at);
      if (!forgotten.ok()) return forgotten;
      --report_.loaded;
      --report_.chunks;
    }
    if (report_.chunks >= options_.limits.mapblocks) return tooManyMapblocks(options_.limits);
    ++report_.chunks;
    const std::optional<std::span<const std::uint8_t>> blob = rows.data(row);
    if (blob.has_value()) report_.bytes += blob->size();
    if (report_.bytes > bytes_) {
      return absl::DataLossError("the database is damaged: mapblocks lie on top of each other");
    }
    if (!at.has_value()) {
      noteDamage(rows.position(row), "no mapblock of a Luanti map has this position");
      return absl::OkStatus();
    }
    absl::Status status = loadBlob(*at, blob);
    if (status.ok() || absl::IsResourceExhausted(status) || absl::IsFailedPrecondition(status))
      return status;
    if (absl::IsUnimplemented(status)) {
      ++report_.unsupported;
      unsupported_versions_.set(blob->front());
      return absl::OkStatus();
    }
    noteDamage(absl::StrCat("(", (*at)[0], ", ", (*at)[1], ", ", (*at)[2], ")"),
               std::string(status.message()));
    return absl::OkStatus();
  }

  // Replaces the nodes that grow towards their neighbours, once these are there.
  absl::Status connect() {
    const auto type_at = [&](const BlockCoord& at) { return typeAt(at); };
    for (const ChunkCoord& mapblock : connecting_) {
      for (int index = 0; index < kBlocksPerChunk; ++index) {
        const BlockCoord at = blockOf(mapblock, index);
        const BlockTypeId alone = typeAt(at).value_or(kAir);
        const absl::StatusOr<BlockTypeId> type = decoder_.connected(alone, at, type_at);
        if (!type.ok()) return type.status();
        if (*type == alone) continue;
        absl::Status status = world_.setBlock(kNodeLevel, at, *type);
        if (!status.ok()) return status;
      }
    }
    return absl::OkStatus();
  }

  // Completes the report.
  void finish() {
    report_.defaulted_names = decoder_.defaultedNames();
    report_.cut_types = decoder_.cutTypes();
    if (report_.unsupported > 0) report_.unsupported_reason = reasonOf(unsupported_versions_);
  }

 private:
  bool isWanted(const ChunkCoord& at) const {
    if (!options_.chunks.has_value()) return true;
    for (int axis = 0; axis < 3; ++axis) {
      if (at[axis] < options_.chunks->min[axis] || at[axis] > options_.chunks->max[axis])
        return false;
    }
    return true;
  }

  absl::Status loadBlob(const ChunkCoord& at,
                        const std::optional<std::span<const std::uint8_t>>& blob) {
    if (!blob.has_value()) return absl::DataLossError("the data is not a blob");
    if (world_.chunk(kNodeLevel, at) != nullptr) {
      return absl::DataLossError("this mapblock is in the map twice");
    }
    absl::StatusOr<DecodedMapblock> decoded = decoder_.decode(*blob);
    if (!decoded.ok()) return decoded.status();
    if (!decoded->generated) {
      ++report_.not_generated;
      return absl::OkStatus();
    }
    absl::Status status = world_.loadChunk(kNodeLevel, at, std::move(decoded->chunk));
    if (!status.ok()) return status;
    ++report_.loaded;
    if (!decoded->connecting.empty()) connecting_.push_back(at);
    return status;
  }

  // Returns the type of a node; nothing if its mapblock is not loaded.
  std::optional<BlockTypeId> typeAt(const BlockCoord& at) const {
    const absl::StatusOr<BlockTypeId> type = world_.block(kNodeLevel, at);
    return type.ok() ? std::optional(*type) : std::nullopt;
  }

  void noteDamage(std::string_view position, std::string_view reason) {
    ++report_.damaged;
    if (report_.named_damages.size() >= options_.max_named_damages) return;
    report_.named_damages.push_back({printable(position), printable(reason, kMaxReasonBytes)});
  }

  const OpenOptions& options_;
  MapblockDecoder& decoder_;
  std::uint64_t bytes_;
  World& world_;
  LoadReport& report_;
  std::vector<ChunkCoord> connecting_;  // the mapblocks with nodes that connect
  Versions unsupported_versions_;
  bool is_changed_ = false;
};

// Returns how many mapblocks there are; if all are to be read, at most the limit.
absl::StatusOr<std::size_t> countRows(const LuantiRows& rows, const OpenOptions& options) {
  const bool is_limited = !options.chunks.has_value();
  const std::uint64_t limit = options.limits.mapblocks;
  // Counts no more than needed.
  absl::StatusOr<std::size_t> total =
      rows.count(is_limited && limit < kMostRows ? limit + 1 : kMostRows);
  if (total.ok() && is_limited && *total > limit) return tooManyMapblocks(options.limits);
  return total;
}

absl::Status loadRows(const SqliteDatabase& file, const LuantiRows& rows,
                      const OpenOptions& options, Loader& loader) {
  const auto load = [&](const SqliteRow& row) { return loader.load(row, rows); };
  const auto changed = [&] { loader.noteChange(file.bytes()); };
  if (options.chunks.has_value()) {
    const absl::StatusOr<bool> finds = rows.findsIn(*options.chunks);
    if (!finds.ok()) return finds.status();
    if (*finds) return rows.forEachIn(*options.chunks, load, changed, options.progress);
  }
  const absl::StatusOr<std::size_t> total = countRows(rows, options);
  if (!total.ok()) return total.status();
  std::size_t done = 0;
  const auto visit = [&](const SqliteRow& row) {
    absl::Status loaded = load(row);
    ++done;
    if (options.progress && done < *total && done % kProgressStep == 0) {
      options.progress(done, *total);
    }
    return loaded;
  };
  absl::Status status = rows.forEach(visit, changed);
  if (status.ok() && options.progress) options.progress(done, *total);
  return status;
}

// Returns the definitions of the file next to a map; none if the options have them, or without that
// file.
absl::StatusOr<NodeDefinitions> definitionsNextTo(const std::string& map,
                                                  const OpenOptions& options) {
  if (options.definitions != nullptr) return NodeDefinitions();
  const std::filesystem::path file =
      std::filesystem::path(map).replace_filename(std::string(NodeDefinitions::kFileName));
  absl::StatusOr<NodeDefinitions> read = NodeDefinitions::read(file.string(), options.limits);
  return absl::IsNotFound(read.status()) ? NodeDefinitions() : std::move(read);
}

absl::StatusOr<OpenedWorld> openMap(const std::string& map, const OpenOptions& options) {
  absl::StatusOr<SqliteDatabase> file = SqliteDatabase::openToRead(map);
  if (!file.ok()) return file.status();
  const absl::StatusOr<LuantiRows> rows = LuantiRows::of(*file);
  if (!rows.ok()) return rows.status();

  OpenedWorld opened{.format = "Luanti",
                     .chunk_name = "mapblock",
                     .world = World({.levels = kLuantiLevels, .block_types = options.block_types}),
                     .report = {}};
  const absl::StatusOr<NodeDefinitions> own = definitionsNextTo(map, options);
  if (!own.ok()) return own.status();
  const NodeDefinitions& definitions = options.definitions != nullptr ? *options.definitions : *own;
  opened.report.definitions = definitions.size();
  opened.report.damaged_definitions = definitions.damages();
  const MapblockOptions mapblocks{.node_kinds = options.node_kinds,
                                  .definitions = definitions.size() > 0 ? &definitions : nullptr,
                                  .block_type_names = options.block_type_names,
                                  .max_bytes = options.limits.mapblock_bytes};
  absl::StatusOr<MapblockDecoder> decoder =
      MapblockDecoder::make(opened.world.blockTypes(), mapblocks);
  if (!decoder.ok()) return decoder.status();
  Loader loader(options, *decoder, file->bytes(), opened);
  absl::Status status = loadRows(*file, *rows, options, loader);
  if (status.ok()) status = file->endReading();  // what follows takes long, too
  if (status.ok()) status = loader.connect();
  loader.finish();
  if (status.ok()) status = summarizeCoarserLevels(opened.world);
  if (status.ok() && !options.block_type_names.empty())
    status = checkListedTypes(options.block_type_names.size(), opened.world.blockTypes());
  if (!status.ok()) return status;
  return opened;
}

// Returns INVALID_ARGUMENT for a box that is empty.
absl::Status checkBox(const std::optional<ChunkBox>& box) {
  if (!box.has_value()) return absl::OkStatus();
  for (int axis = 0; axis < 3; ++axis) {
    if (box->min[axis] > box->max[axis]) {
      return absl::InvalidArgumentError(
          absl::StrCat("the box of mapblocks to read ends at ", box->max[axis], " on axis ", axis,
                       ", before its begin at ", box->min[axis], "; its min must not exceed max"));
    }
  }
  return absl::OkStatus();
}

// Returns the error with the path before its message, unless it is there already.
absl::Status withPath(const std::string& path, const absl::Status& error) {
  if (absl::StartsWith(error.message(), printablePath(path))) return error;
  return {error.code(), absl::StrCat(printablePath(path), ": ", error.message())};
}

}  // namespace

absl::StatusOr<OpenedWorld> openLuantiWorld(const std::string& path, const OpenOptions& options) {
  return internal::catchBadAlloc(path, [&]() -> absl::StatusOr<OpenedWorld> {
    const absl::StatusOr<std::string> map = findLuantiMap(path, options.limits);
    if (!map.ok()) return map.status();
    const absl::Status box = checkBox(options.chunks);
    if (!box.ok()) return withPath(*map, box);
    absl::StatusOr<OpenedWorld> opened = openMap(*map, options);
    if (!opened.ok()) return withPath(*map, opened.status());
    return opened;
  });
}

}  // namespace fractalray
