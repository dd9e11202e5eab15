// SPDX-License-Identifier: Apache-2.0
// The chunks that want() names in a ledger.
#include <algorithm>
#include <bit>

#include "absl/strings/str_cat.h"

#include "../../query/line_chunks.h"
#include "stream_ledger.h"

namespace fractalray::internal {

bool StreamLedger::name(const ChunkOfLevel& chunk) {
  named_.reserve();
  StreamRecord* record = records_.find(chunk.level, chunk.chunk);
  if (record == nullptr) {
    record = &makeRecord(chunk.level, chunk.chunk);
  } else if (record->progress == StreamProgress::kNonexistent) {
    return false;
  }
  keep(*record);
  if (!record->isNamed()) record->order = next_order_++;
  return true;
}

void StreamLedger::keep(StreamRecord& record) {
  named_.reserve();
  named_.add(record);
  record.wanted_until = tickIn(options_.want_ticks);
  named_until_ = std::max(named_until_, record.wanted_until);
}

void StreamLedger::keepLoaded(const ChunkOfLevel& chunk) {
  const auto& [level, at] = chunk;
  StreamRecord* const record = records_.find(level, at);
  if (record == nullptr || record->progress != StreamProgress::kLoaded) return;
  if (!reach_.isStreamed(level)) return;
  // The order of need of what viewers are near stays that of distance.
  const bool is_near = reach_.isToLoad(level, reach_.distance(level, at));
  if (record->isNamed() || !is_near) {
    name(chunk);
  } else {
    keep(*record);
  }
}

void StreamLedger::keepLoadedAround(const ChunkOfLevel& chunk) {
  if (chunk.level > 0) keepLoadedAround({chunk.level - 1, chunkOf(parentBlock(chunk.chunk))});
  keepLoaded(chunk);
}

absl::StatusOr<std::vector<ChunkOfLevel>> StreamLedger::want(const FixedSegment& segment,
                                                             LevelMask levels, std::size_t limit) {
  if (limit == 0) {
    return absl::InvalidArgumentError("the limit is 0; it must be at least 1 chunk");
  }
  followWindow();
  auto chunks = missing().onLine(segment, levels, limit, [this](const ChunkOfLevel& chunk) {
    const StreamRecord* const record = records_.find(chunk.level, chunk.chunk);
    return record != nullptr && record->progress == StreamProgress::kNonexistent;
  });
  if (!chunks.ok()) return chunks.status();
  const int levels_down = static_cast<int>(std::bit_width(levels.activeIn(frame()).bits()));
  for (int level = 0; level < levels_down; ++level) {
    const auto loaded = chunksOn(window_.world(), segment, LevelMask{level}, {.loaded_only = true});
    for (const LineChunk& on_line : *loaded)
      keepLoaded({level, on_line.chunk});
  }
  for (const ChunkOfLevel& chunk : *chunks)
    name(chunk);
  return chunks;
}

absl::StatusOr<std::size_t> StreamLedger::want(std::span<const ChunkOfLevel> chunks) {
  for (const ChunkOfLevel& chunk : chunks) {
    if (frame().isActive(chunk.level)) continue;
    return absl::InvalidArgumentError(absl::StrCat("level ", chunk.level,
                                                   " is not active; this world has levels 0 to ",
                                                   frame().levels() - 1));
  }
  followWindow();
  std::size_t named = 0;
  for (const ChunkOfLevel& chunk : chunks) {
    keepLoadedAround(chunk);
    const auto missing_chunk = missing().coarsest(chunk);
    if (missing_chunk.has_value() && name(*missing_chunk)) ++named;
  }
  return named;
}

}  // namespace fractalray::internal
