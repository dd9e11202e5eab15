// SPDX-License-Identifier: Apache-2.0
// Edits on top of what the source of a streamer supplies.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "internal/convert.h"
#include "internal/saved_changes.h"
#include "internal/stream_objects.h"

namespace fractalray::capi {
namespace {

absl::StatusOr<BlockChange> changeByPath(const frBlockChange& change) {
  absl::StatusOr<ChunkPath> path = ChunkPath::parse(change.path);
  if (!path.ok()) return path.status();
  for (const std::int64_t index : change.block) {
    if (index >= 0 && index < kChunkSize) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("block has ", index, "; with a path it is the index in its chunk, 0 to 15"));
  }
  return BlockChange{.chunk = *std::move(path), .block = indexInChunk(blockFrom(change.block))};
}

absl::StatusOr<BlockChange> streamChangeFrom(const Object<frStreamer>& used,
                                             const frBlockChange& change) {
  absl::StatusOr<BlockChange> made =
      change.path != nullptr
          ? changeByPath(change)
          : used.streamer->changeOf(change.level, blockFrom(change.block), std::nullopt);
  if (!made.ok()) return made;
  if (change.is_removed == 0) made->type = typeFromC(change.type);
  if (change.reverts != 0) made->reverts_at = change.reverts_at;
  absl::Status status = checkBlockChange(*made, used.state->world().blockTypes());
  if (!status.ok()) return status;
  return made;
}

}  // namespace
}  // namespace fractalray::capi

using namespace fractalray::capi;
using fractalray::BlockChange;

extern "C" {

frResult frStreamer_SetBlocks(frStreamer* streamer, const frBlockChange* changes, size_t count) {
  return editingStreamer(__func__, streamer, {}, [&](Object<frStreamer>& used) -> absl::Status {
    absl::Status status = checkArray({changes, "changes"}, count);
    if (!status.ok()) return status;
    std::vector<BlockChange> made;
    for (std::size_t i = 0; i < count; ++i) {
      absl::StatusOr<BlockChange> change = streamChangeFrom(used, changes[i]);
      if (!change.ok()) return ofElement("changes", i, change.status());
      made.push_back(*std::move(change));
    }
    return used.streamer->setBlocks(made);
  });
}

frResult frStreamer_RevertChanges(frStreamer* streamer, int64_t now, size_t limit,
                                  size_t* reverted) {
  return editingStreamer(__func__, streamer, {}, [&](Object<frStreamer>& used) -> absl::Status {
    absl::Status status = checkOptional({reverted, "reverted"});
    if (!status.ok()) return status;
    const absl::StatusOr<std::size_t> changes = used.streamer->revertChanges(now, limit);
    if (!changes.ok()) return changes.status();
    if (reverted != nullptr) *reverted = *changes;
    return status;
  });
}

frResult frStreamer_MaintainChanges(frStreamer* streamer) {
  return editingStreamer(__func__, streamer, {}, [&](Object<frStreamer>& used) {
    return used.has_changes_in_file ? maintainSavedChanges(*used.changes) : absl::OkStatus();
  });
}

}  // extern "C"
