// SPDX-License-Identifier: Apache-2.0
#include "store_setup.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

#include "../formats/internal/out_of_memory.h"
#include "../formats/level_summary.h"
#include "../formats/luanti_mapblock.h"
#include "internal/change_reader.h"
#include "internal/map_chunks.h"
#include "internal/mapblock_reader.h"
#include "internal/schema.h"
#include "internal/store_link.h"

namespace fractalray {
namespace {

// The mapblocks that are read at once.
constexpr std::size_t kAtOnce = 256;

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

// Reads the map, in the open snapshot: completes the report, and fills a table with the types.
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
    MapblockReader reader(link_, *decoder, types_, definitions, kAtOnce);
    absl::Status status = count(report);
    if (status.ok()) status = readAll(reader, report.mapblocks);
    if (status.ok()) status = compareTypes(report);
    const MapblockCounts& counts = reader.counts();
    report.loaded = counts.loaded;
    report.not_generated = counts.not_generated;
    report.unsupported = counts.unsupported;
    report.damaged = counts.damaged;
    report.outside = report.mapblocks - std::min(report.mapblocks, read_);
    report.named_damages = reader.namedDamages();
    report.bytes = counts.bytes;
    return status;
  }

 private:
  absl::Status count(StoreReport& report) {
    const absl::StatusOr<std::vector<Rows>> answers =
        link_.run("SELECT (SELECT count(*) FROM blocks), (SELECT count(*) FROM fr_log)");
    if (!answers.ok()) return answers.status();
    report.mapblocks = answers->back().number(0, 0);
    report.logged = answers->back().number(0, 1);
    return absl::OkStatus();
  }

  absl::Status readAll(MapblockReader& reader, std::uint64_t total) {
    ChunkSummarizer summarizer(types_);
    const absl::StatusOr<BlockTypeId> unknown = summarizer.summaryOf(nullptr);
    if (!unknown.ok()) return link_.named(unknown.status());
    std::vector<BlockTypeId> coarse = {*unknown};
    const auto summarize = [&](const ChunkCoord& /*at*/, const std::optional<Chunk>& chunk) {
      if (!chunk.has_value()) return absl::OkStatus();
      const absl::StatusOr<BlockTypeId> type = summarizer.summaryOf(&*chunk);
      if (!type.ok()) return link_.named(type.status());
      if (std::find(coarse.begin(), coarse.end(), *type) == coarse.end()) coarse.push_back(*type);
      return absl::OkStatus();
    };
    std::optional<ChunkCoord> last;
    while (true) {
      const absl::StatusOr<std::vector<ChunkCoord>> stored =
          reader.stored(mapBox(kMapblockLevel), kAtOnce, last);
      if (!stored.ok()) return stored.status();
      absl::Status status = reader.read(*stored, summarize);
      if (!status.ok()) return status;
      read_ += stored->size();
      if (options_.progress) options_.progress(read_, std::max<std::size_t>(total, read_));
      if (stored->size() < kAtOnce) break;
      last = stored->back();
    }
    return link_.named(addCoarserTypes(types_, summarizer, std::move(coarse)));
  }

  // Finds the types that are not listed.
  absl::Status compareTypes(StoreReport& report) {
    const absl::StatusOr<std::vector<Rows>> answers =
        link_.run("SELECT name FROM fr_types ORDER BY number");
    if (!answers.ok()) return answers.status();
    const Rows& rows = answers->back();
    std::vector<std::string> listed;
    for (int row = 0; row < rows.size(); ++row)
      listed.emplace_back(rows.text(row, 0));
    report.types = listed.size();
    std::sort(listed.begin(), listed.end());
    for (std::size_t i = 0; i < types_.size(); ++i) {
      const std::string& name = types_.name(static_cast<BlockTypeId>(i));
      if (!std::binary_search(listed.begin(), listed.end(), name)) report.unlisted.push_back(name);
    }
    return absl::OkStatus();
  }

  StoreLink& link_;
  const StoreSetupOptions& options_;
  BlockTypeTable types_;
  std::uint64_t read_ = 0;
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
    return work(link);
  });
}

}  // namespace

absl::StatusOr<StoreReport> initStore(const StoreSetupOptions& options) {
  return withLink(options, [&](StoreLink& link) -> absl::StatusOr<StoreReport> {
    absl::Status status = link.connect();
    if (status.ok()) status = makeSchema(link);
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
