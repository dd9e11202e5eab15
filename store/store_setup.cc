// SPDX-License-Identifier: Apache-2.0
#include "store_setup.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

#include "../formats/internal/out_of_memory.h"
#include "../formats/level_summary.h"
#include "../formats/luanti_mapblock.h"
#include "../levels/fingerprint.h"
#include "internal/change_reader.h"
#include "internal/map_chunks.h"
#include "internal/mapblock_reader.h"
#include "internal/schema.h"
#include "internal/store_link.h"

namespace fractalray {
namespace {

// The mapblocks that are read at once.
constexpr std::size_t kAtOnce = 256;
// The positions that a row can have.
constexpr std::int64_t kMinPosition = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t kMaxPosition = std::numeric_limits<std::int32_t>::max();
constexpr ChunkBox kAllPositions = {{kMinPosition, kMinPosition, kMinPosition},
                                    {kMaxPosition, kMaxPosition, kMaxPosition}};

// Adds the types that levels above blocks of these coarse types can have: of any two that differ,
// what they have in common, and so on.
absl::Status addCoarserTypes(BlockTypeTable& types, ChunkSummarizer& summarizer,
                             std::vector<BlockTypeId> coarse) {
  for (std::size_t i = 0; i < coarse.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      std::array<BlockTypeId, kBlocksPerChunk> ids{};
      ids.fill(coarse[i]);
      ids[0] = coarse[j];
      const absl::StatusOr<Chunk> both = Chunk::copied(Chunk::Ids(ids), types);
      if (!both.ok()) return both.status();
      const absl::StatusOr<BlockTypeId> common = summarizer.summaryOf(&*both);
      if (!common.ok()) return common.status();
      if (std::find(coarse.begin(), coarse.end(), *common) == coarse.end())
        coarse.push_back(*common);
    }
  }
  return absl::OkStatus();
}

// Numbers block types as the list of a store does: those that it lacks follow in their order.
class TypeNumbers {
 public:
  explicit TypeNumbers(const std::vector<std::string>& listed) : listed_(listed.size()) {
    for (const std::string& name : listed)
      numbers_.emplace(name, numbers_.size());
  }

  // Returns the number of a type.
  std::size_t numberOf(const BlockTypeTable& types, BlockTypeId type) {
    completeFrom(types);
    return by_type_[BlockTypeTable::index(type)];
  }
  // Numbers all types of a table, which may have grown.
  void completeFrom(const BlockTypeTable& types) {
    while (by_type_.size() < types.size()) {
      const std::string& name = types.name(static_cast<BlockTypeId>(by_type_.size()));
      const auto [found, is_new] = numbers_.try_emplace(name, numbers_.size());
      if (is_new) unlisted_.push_back(name);
      by_type_.push_back(found->second);
    }
  }

  std::size_t listed() const { return listed_; }
  const std::vector<std::string>& unlisted() const { return unlisted_; }

 private:
  std::size_t listed_;
  absl::flat_hash_map<std::string, std::size_t> numbers_;
  std::vector<std::string> unlisted_;
  std::vector<std::size_t> by_type_;
};

// Adds up fingerprints of chunks whose types have other numbers.
class FingerprintSum {
 public:
  absl::Status add(const ChunkCoord& at, const Chunk& chunk, const BlockTypeTable& types,
                   TypeNumbers& numbers) {
    std::array<BlockTypeId, kBlocksPerChunk> ids{};
    for (int index = 0; index < kBlocksPerChunk; ++index) {
      const std::size_t number = numbers.numberOf(types, chunk.block(index));
      // Only numbers count: names stand for them.
      while (world_.blockTypes().size() <= number) {
        const absl::StatusOr<BlockTypeId> added =
            world_.blockTypes().add({.name = absl::StrCat(world_.blockTypes().size())});
        if (!added.ok()) return added.status();
      }
      ids[static_cast<std::size_t>(index)] = static_cast<BlockTypeId>(number);
    }
    absl::StatusOr<Chunk> numbered = Chunk::copied(Chunk::Ids(ids), world_.blockTypes());
    if (!numbered.ok()) return numbered.status();
    absl::Status status = world_.loadChunk(kMapblockLevel, at, *std::move(numbered));
    if (!status.ok()) return status;
    sum_ += chunkFingerprint(world_, kMapblockLevel, at);
    return world_.unloadChunk(kMapblockLevel, at);
  }
  std::uint64_t value() const { return sum_; }

 private:
  World world_{{.levels = kLuantiLevels}};
  std::uint64_t sum_ = 0;
};

// Reads the map, in the open snapshot.
class MapSurvey {
 public:
  MapSurvey(StoreLink& link, const StoreSetupOptions& options) : link_(link), options_(options) {}

  absl::Status run(StoreReport& report) {
    const bool has_definitions =
        options_.definitions != nullptr && options_.definitions->size() > 0;
    const NodeDefinitions* const definitions = has_definitions ? options_.definitions : nullptr;
    absl::StatusOr<MapblockDecoder> decoder =
        MapblockDecoder::make(types_, {.node_kinds = options_.node_kinds,
                                       .definitions = definitions,
                                       .max_bytes = options_.limits.mapblock_bytes});
    if (!decoder.ok()) return link_.named(decoder.status());
    MapblockReader reader(link_, *decoder, types_, definitions, kAtOnce,
                          options_.limits.mapblock_bytes);
    absl::Status status = count(report);
    absl::StatusOr<std::vector<std::string>> listed = std::vector<std::string>();
    if (status.ok()) listed = listedTypes(link_);
    if (status.ok()) status = listed.status();
    if (!status.ok()) return status;
    TypeNumbers numbers(*std::move(listed));
    status = readAll(reader, numbers);
    if (!status.ok()) return status;
    report.mapblocks = read_;
    report.outside = outside_;
    const MapblockCounts& counts = reader.counts();
    report.loaded = counts.loaded;
    report.not_generated = counts.not_generated;
    report.unsupported = counts.unsupported;
    report.damaged = counts.damaged;
    report.named_damages = reader.namedDamages();
    report.bytes = counts.bytes;
    report.fingerprint = fingerprint_.value();
    report.types = numbers.listed();
    report.unlisted = numbers.unlisted();
    return status;
  }

 private:
  // Counts the log, and estimates the rows of the map: to count them takes minutes on a large one.
  absl::Status count(StoreReport& report) {
    const absl::StatusOr<std::vector<Rows>> answers = link_.run(R"(
SELECT CASE WHEN reltuples > 0 THEN reltuples::bigint ELSE pg_relation_size(oid) / 1024 END,
  (SELECT count(*) FROM fr_log)
FROM pg_class WHERE oid = to_regclass('blocks'))");
    if (!answers.ok()) return answers.status();
    about_ = answers->back().number(0, 0);
    report.logged = answers->back().number(0, 1);
    return absl::OkStatus();
  }

  absl::Status readAll(MapblockReader& reader, TypeNumbers& numbers) {
    ChunkSummarizer summarizer(types_);
    const absl::StatusOr<BlockTypeId> unknown = summarizer.summaryOf(nullptr);
    if (!unknown.ok()) return link_.named(unknown.status());
    std::vector<BlockTypeId> coarse = {*unknown};
    const auto take = [&](const ChunkCoord& at, const std::optional<Chunk>& chunk) {
      if (!chunk.has_value()) return absl::OkStatus();
      const absl::StatusOr<BlockTypeId> type = summarizer.summaryOf(&*chunk);
      if (!type.ok()) return link_.named(type.status());
      if (std::find(coarse.begin(), coarse.end(), *type) == coarse.end()) coarse.push_back(*type);
      return fingerprint_.add(at, *chunk, types_, numbers);
    };
    std::optional<ChunkCoord> last;
    bool is_done = false;
    while (!is_done) {
      absl::StatusOr<std::vector<ChunkCoord>> stored = reader.stored(kAllPositions, kAtOnce, last);
      if (!stored.ok()) return stored.status();
      is_done = stored->size() < kAtOnce;
      if (!is_done) last = stored->back();
      read_ += stored->size();
      outside_ += std::erase_if(
          *stored, [](const ChunkCoord& at) { return !contains(mapBox(kMapblockLevel), at); });
      absl::Status status = reader.read(*stored, take);
      if (!status.ok()) return status;
      if (options_.progress)
        options_.progress(read_, is_done ? read_ : std::max<std::size_t>(about_, read_));
    }
    absl::Status status = addCoarserTypes(types_, summarizer, std::move(coarse));
    numbers.completeFrom(types_);
    return status.ok() ? status : link_.named(status);
  }

  StoreLink& link_;
  const StoreSetupOptions& options_;
  BlockTypeTable types_;
  FingerprintSum fingerprint_;
  std::uint64_t about_ = 0;  // rows, by the database's statistics
  std::uint64_t read_ = 0;
  std::uint64_t outside_ = 0;  // of those read
};

absl::StatusOr<StoreReport> survey(StoreLink& link, const StoreSetupOptions& options) {
  ChangeReader changes(link);
  absl::StatusOr<StoreChanges> state =
      changes.begin(std::nullopt, StoreClock::now() + options.timeout);
  if (!state.ok()) return state.status();
  const absl::Cleanup end = [&] { changes.end(); };
  StoreReport report{.version = std::move(state->version)};
  absl::Status status = MapSurvey(link, options).run(report);
  if (!status.ok()) return status;
  return report;
}

// Returns an array of texts as PostgreSQL writes it.
std::string arrayOf(const std::vector<std::string>& texts) {
  std::string array = "{";
  for (const std::string& text : texts) {
    absl::StrAppend(&array, array.size() > 1 ? "," : "", "\"",
                    absl::StrReplaceAll(text, {{"\\", "\\\\"}, {"\"", "\\\""}}), "\"");
  }
  return array + "}";
}

// Adds names at the end of the list of types.
absl::Status listTypes(StoreLink& link, StoreReport& report) {
  if (report.unlisted.empty()) return absl::OkStatus();
  const std::array<std::string, 2> parameters = {arrayOf(report.unlisted),
                                                 absl::StrCat(report.types)};
  absl::Status status = link.connect();
  if (status.ok()) {
    status = link.run(
                     "INSERT INTO fr_types SELECT $2::int + ordinal - 1, name "
                     "FROM unnest($1::text[]) WITH ORDINALITY AS added (name, ordinal)",
                     parameters)
                 .status();
  }
  if (!status.ok()) return status;
  report.types += report.unlisted.size();
  report.unlisted.clear();
  return status;
}

// Does `work` with a link to the store.
template <class Work>
absl::StatusOr<StoreReport> withLink(const StoreSetupOptions& options, const Work& work) {
  const absl::StatusOr<std::string> name = storeName(options.url);
  if (!name.ok()) return name.status();
  if (options.timeout < std::chrono::milliseconds(1)) {
    return absl::InvalidArgumentError(
        absl::StrCat("timeout is ", options.timeout.count(), " ms; it must be 1 or more"));
  }
  return internal::catchBadAlloc(*name, [&]() -> absl::StatusOr<StoreReport> {
    StoreLink link(options.url, *name, options.timeout);
    absl::Status status = link.connect();
    if (!status.ok()) return status;
    return work(link);
  });
}

}  // namespace

absl::StatusOr<StoreReport> initStore(const StoreSetupOptions& options) {
  return withLink(options, [&](StoreLink& link) -> absl::StatusOr<StoreReport> {
    absl::Status status = makeSchema(link);
    if (!status.ok()) return status;
    absl::StatusOr<StoreReport> report = survey(link, options);
    if (!report.ok()) return report;
    status = listTypes(link, *report);
    if (!status.ok()) return status;
    return report;
  });
}

absl::StatusOr<StoreReport> checkStore(const StoreSetupOptions& options) {
  return withLink(options, [&](StoreLink& link) { return survey(link, options); });
}

}  // namespace fractalray
