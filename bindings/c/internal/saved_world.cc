// SPDX-License-Identifier: Apache-2.0
#include "saved_world.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"

#include "../../../formats/node_kinds.h"
#include "../../../formats/open_world.h"
#include "arguments.h"

namespace fractalray::capi {
namespace {

OpenOptions convert(const frOpenOptions& given) {
  OpenOptions options;
  if (given.has_box != 0) {
    options.chunks = ChunkBox{.min = chunkFrom(given.min_chunk), .max = chunkFrom(given.max_chunk)};
  }
  options.block_type_names.assign(given.block_types, given.block_types + given.block_type_count);
  setLimit(given.mapblocks, options.limits.mapblocks);
  setLimit(given.mapblock_bytes, options.limits.mapblock_bytes);
  setLimit(given.file_bytes, options.limits.file_bytes);
  setLimit(given.named_damages, options.max_named_damages);
  return options;
}

SavedWorldReport reportOf(OpenedWorld& opened) {
  LoadReport& from = opened.report;
  SavedWorldReport report;
  report.format = std::move(opened.format);
  for (const DamagedChunk& damage : from.named_damages)
    report.damages.push_back(absl::StrCat(damage.position, ": ", damage.reason));
  if (from.unsupported > 0) {
    report.damages.push_back(absl::StrCat(from.unsupported, " ", opened.chunk_name,
                                          "s are not loaded: ", from.unsupported_reason));
  }
  report.defaulted_names = std::move(from.defaulted_names);
  report.summary = {.struct_size = sizeof(frLoadSummary),
                    .reserved = 0,
                    .chunks = from.chunks,
                    .loaded = from.loaded,
                    .not_generated = from.not_generated,
                    .damaged = from.damaged,
                    .outside = from.outside,
                    .bytes = from.bytes,
                    .named_damages = report.damages.size(),
                    .defaulted_names = report.defaulted_names.size(),
                    .unsupported = from.unsupported};
  return report;
}

}  // namespace

absl::StatusOr<SavedWorld> readSavedWorld(const std::string& path, const frOpenOptions& options,
                                          const std::shared_ptr<BlockTypeTable>& types) {
  OpenOptions open = convert(options);
  open.block_types = types;
  std::optional<NodeKinds> kinds;
  if (options.node_kinds != nullptr) {
    absl::StatusOr<NodeKinds> parsed = NodeKinds::parse(options.node_kinds, "node_kinds");
    if (!parsed.ok()) return parsed.status();
    kinds = *std::move(parsed);
    open.node_kinds = &*kinds;
  }
  absl::StatusOr<OpenedWorld> opened = openWorld(path, open);
  if (!opened.ok()) return opened.status();
  SavedWorldReport report = reportOf(*opened);
  return SavedWorld{std::move(opened->world), std::move(report)};
}

}  // namespace fractalray::capi
