// SPDX-License-Identifier: Apache-2.0
// The review of a ledger: which of its records are no longer right, or out of reach.
#include <algorithm>

#include "../../core/internal/access.h"
#include "../../levels/internal/world_content.h"
#include "stream_ledger.h"

namespace fractalray::internal {

std::uint64_t StreamLedger::versionOf(int level) const {
  return level < 0
             ? 0
             : Access::content(window_.world()).level_versions[static_cast<std::size_t>(level)];
}

LevelMask StreamLedger::agreeingLevels() const {
  LevelMask agreeing;
  for (int level = 0; level < frame().levels(); ++level) {
    if (watches_[static_cast<std::size_t>(level)].version == versionOf(level)) agreeing.add(level);
  }
  return agreeing;
}

void StreamLedger::acknowledgeEdits(LevelMask levels) {
  for (int level = 0; level < frame().levels(); ++level) {
    if (levels.contains(level))
      watches_[static_cast<std::size_t>(level)].version = versionOf(level);
  }
}

bool StreamLedger::isVoid(const StreamRecord& record) const {
  const auto [level, at] = record.at();
  const ChunkState state = window_.world().chunkState(level, at);
  if ((state == ChunkState::kLoaded) != (record.progress == StreamProgress::kLoaded)) return true;
  // A named chunk that nobody has named lately, or whose level is no longer streamed.
  return record.progress == StreamProgress::kNamed &&
         (!record.isNamed() || !reach_.isStreamed(level));
}

bool StreamLedger::isOutOfReach(const StreamRecord& record) const {
  const ChunkOfLevel at = record.at();
  return !named_.contains(record) && !reach_.isKept(at.level, at.chunk);
}

void StreamLedger::review() {
  leaving_.clear();
  const LevelMask agreeing = agreeingLevels();
  for (int level = 0; level < frame().levels(); ++level) {
    // The bytes of a chunk depend on its finer chunks.
    const bool finer_agrees = level + 1 == frame().levels() || agreeing.contains(level + 1);
    if (!agreeing.contains(level) || !finer_agrees) reviewWorld(level);
    const bool coarser_agrees = level == 0 || agreeing.contains(level - 1);
    if (!agreeing.contains(level) || !coarser_agrees) watchOf(level).is_searched = false;
    if (watchOf(level).reach.isKnown()) {
      followReach(level);
    } else {
      reviewReach(level);
    }
  }
  reviewNames();
  reviewLeft();
  reviewMarks();
  std::sort(leaving_.begin(), leaving_.end());
  leaving_.erase(std::unique(leaving_.begin(), leaving_.end()), leaving_.end());
}

void StreamLedger::reviewWorld(int level) {
  records_.forEachOf(level, [this](const ChunkCoord& /*chunk*/, StreamRecord& record) {
    if (isVoid(record)) {
      leaving_.push_back(&record);
    } else if (record.progress == StreamProgress::kLoaded) {
      countBytes(record);
    }
  });
  watchOf(level).version = versionOf(level);
}

void StreamLedger::reviewReach(int level) {
  left_.reserve(records_.size(level));
  records_.forEachOf(level, [this](const ChunkCoord& /*chunk*/, StreamRecord& record) {
    if (isOutOfReach(record)) left_.add(record);
  });
  watchOf(level).is_searched = false;
  watchOf(level).reach.restart(reach_);
}

void StreamLedger::followReach(int level) {
  const auto left = [this, level](const ChunkRow& row) {
    for (std::int64_t x = row.min; x <= row.max; ++x) {
      StreamRecord* const record = records_.find(level, {x, row.y, row.z});
      if (record == nullptr) continue;
      left_.reserve();
      left_.add(*record);
    }
  };
  const auto entered = [this, level](const ChunkRow& row) {
    for (std::int64_t x = row.min; x <= row.max; ++x) {
      const ChunkCoord chunk{x, row.y, row.z};
      if (missing().isMissing(level, chunk)) addMissing(level, chunk);
    }
  };
  watchOf(level).reach.follow(reach_, level, left, entered);
}

void StreamLedger::reviewLeft() {
  for (std::size_t i = left_.size(); i-- > 0;) {
    StreamRecord& record = left_[i];
    if (isOutOfReach(record)) {
      leaving_.push_back(&record);  // and stays here, if it has to wait for a later tick
    } else {
      left_.remove(record);  // moves one here that has been reviewed
    }
  }
}

void StreamLedger::reviewNames() {
  for (std::size_t i = named_.size(); i-- > 0;) {
    StreamRecord& record = named_[i];
    const int level = record.home->level();
    if (now_ <= record.wanted_until) {
      const bool is_left = record.progress == StreamProgress::kNamed && !reach_.isStreamed(level);
      if (is_left) leaving_.push_back(&record);
      continue;
    }
    record.order = Need::kNotNamed;
    named_.remove(record);  // moves one here that has been reviewed
    if (isVoid(record)) {
      leaving_.push_back(&record);
    } else if (isOutOfReach(record)) {
      left_.reserve();
      left_.add(record);
    }
  }
}

void StreamLedger::reviewMarks() {
  const std::size_t before = leaving_.size();
  for (StreamRecord* const record : marked_) {
    if (missing().isInBarrenBlock(record->at())) leaving_.push_back(record);
  }
  // A chunk leaves before those in it. If none does, their blocks are fertile again.
  if (leaving_.size() == before) marked_.clear();
}

}  // namespace fractalray::internal
