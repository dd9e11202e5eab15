// SPDX-License-Identifier: Apache-2.0
#include "cached_chunks.h"

#include <algorithm>
#include <utility>

namespace fractalray {
namespace {

// The bytes of an entry, of its turn, and of the world's own tables for a chunk: about.
constexpr std::size_t kEntryBytes = 128;
// Those of a witness in a hash table, of which half may be free.
constexpr std::size_t kWitnessBytes = 4 * sizeof(ChunkCoord);
// The coarsest level whose chunks are dropped.
constexpr int kFirstDropped = 2;
// The turns that may be no longer current, besides as many as there are entries.
constexpr std::size_t kSpareTurns = 4096;

}  // namespace

absl::Status CachedChunks::load(int level, const ChunkCoord& at, Chunk chunk) {
  const std::size_t bytes = chunk.bytes();
  absl::Status status = world_.loadChunk(level, at, std::move(chunk));
  if (status.ok()) set(level, at, Knowledge::kWhole, bytes);
  return status;
}

absl::Status CachedChunks::loadOutline(int level, const ChunkCoord& at, Chunk chunk,
                                       const ChunkCoord& witness) {
  const std::size_t bytes = chunk.bytes() + kWitnessBytes;
  absl::Status status = world_.loadChunk(level, at, std::move(chunk));
  if (!status.ok()) return status;
  set(level, at, Knowledge::kOutline, bytes);
  witnesses_[static_cast<std::size_t>(level)].insert_or_assign(at, witness);
  return status;
}

const ChunkCoord* CachedChunks::witness(int level, const ChunkCoord& at) const {
  const Witnesses& witnesses = witnesses_[static_cast<std::size_t>(level)];
  const auto found = witnesses.find(at);
  return found == witnesses.end() ? nullptr : &found->second;
}

void CachedChunks::setAbsent(int level, const ChunkCoord& at) {
  unload(level, at);
  set(level, at, Knowledge::kAbsent, 0);
}

bool CachedChunks::forget(int level, const ChunkCoord& at) {
  Entries& entries = entries_[static_cast<std::size_t>(level)];
  const auto found = entries.find(at);
  if (found == entries.end()) return false;
  if (found->second.known != Knowledge::kAbsent) unload(level, at);
  if (found->second.known == Knowledge::kOutline)
    witnesses_[static_cast<std::size_t>(level)].erase(at);
  setKnown(level, at, Knowledge::kNone);
  bytes_ -= found->second.bytes;
  entries.erase(found);
  return true;
}

void CachedChunks::forgetAll() {
  for (int level = 0; level < kLuantiLevels; ++level) {
    Entries& entries = entries_[static_cast<std::size_t>(level)];
    witnesses_[static_cast<std::size_t>(level)].clear();
    known_[static_cast<std::size_t>(level)] = {};
    for (auto& [at, entry] : entries) {
      // First, as there may be no memory to unload the next one.
      const Knowledge known = std::exchange(entry.known, Knowledge::kNone);
      if (known != Knowledge::kNone && known != Knowledge::kAbsent) unload(level, at);
    }
    entries.clear();
  }
  order_.clear();
  bytes_ = 0;
}

void CachedChunks::shrink(std::size_t max_bytes) {
  while (bytes() > max_bytes && !order_.empty()) {
    const Turn oldest = order_.front();
    order_.pop_front();
    if (!isCurrent(oldest)) continue;
    forget(oldest.level, oldest.at);
    ++dropped_;
  }
}

void CachedChunks::set(int level, const ChunkCoord& at, Knowledge known, std::size_t bytes) {
  Entry& entry = entries_[static_cast<std::size_t>(level)][at];
  if (entry.known == Knowledge::kOutline) witnesses_[static_cast<std::size_t>(level)].erase(at);
  setKnown(level, at, known);
  bytes_ -= entry.bytes;
  entry = {
      .known = known, .bytes = static_cast<std::uint32_t>(bytes + kEntryBytes), .turn = ++turn_};
  bytes_ += entry.bytes;
  if (level < kFirstDropped) return;
  order_.push_back({.level = level, .at = at, .turn = turn_});
  std::size_t droppable = 0;
  for (int each = kFirstDropped; each < kLuantiLevels; ++each)
    droppable += entries_[static_cast<std::size_t>(each)].size();
  if (order_.size() <= 2 * droppable + kSpareTurns) return;
  std::erase_if(order_, [this](const Turn& turn) { return !isCurrent(turn); });
}

void CachedChunks::setKnown(int level, const ChunkCoord& at, Knowledge known) {
  const Vec3i cell{at[0], at[1], at[2]};
  const std::array<bool, 2> is_known = {known == Knowledge::kWhole || known == Knowledge::kAbsent,
                                        known != Knowledge::kNone};
  for (std::size_t i = 0; i < is_known.size(); ++i) {
    SparseCellSet& cells = known_[static_cast<std::size_t>(level)][i];
    if (is_known[i]) {
      cells.insert(cell);
    } else {
      cells.erase(cell);
    }
  }
}

void CachedChunks::unload(int level, const ChunkCoord& at) {
  world_.unloadChunk(level, at).IgnoreError();  // NOT_FOUND if it is not loaded
}

bool CachedChunks::isCurrent(const Turn& turn) const {
  const Entries& entries = entries_[static_cast<std::size_t>(turn.level)];
  const auto found = entries.find(turn.at);
  return found != entries.end() && found->second.turn == turn.turn;
}

}  // namespace fractalray
