// SPDX-License-Identifier: Apache-2.0
// The requests of a streamer to its source, the answers, and the chunks that are loaded and
// unloaded within the budgets of the options.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "absl/status/status.h"

#include "../../core/parallel_for.h"
#include "../../core/vec.h"
#include "../chunk_source.h"
#include "stream_edits.h"
#include "stream_ledger.h"
#include "stream_record.h"

namespace fractalray::internal {

// Every step leaves each chunk in one state: the world and the record of a chunk change together.
//
// stream_traffic.cc has the answers, stream_plan.cc the requests, stream_space.cc what is unloaded.
class StreamTraffic {
 public:
  // The arguments must outlive it.
  StreamTraffic(StreamLedger& ledger, ChunkSource& source, StreamEdits& edits)
      : ledger_(ledger), source_(source), edits_(edits) {}

  std::span<const ChunkOfLevel> loaded() const { return loaded_; }
  std::span<const ChunkOfLevel> unloaded() const { return unloaded_; }

  // The steps of a tick, in order, after the review of the ledger. Forgets the tick before.
  void begin() noexcept;
  void unloadOutOfReach();
  void failLateRequests();
  void evictDownTo(std::size_t bytes);
  // Finds the chunks to request, and requests them.
  void plan();
  bool hasPlan() const { return !plan_.empty(); }
  void ask(ParallelFor parallel_for);
  // Takes the answers of the source.
  void settle();
  // Puts placeholders where requests are open.
  void putProtos();

  // Calls ChunkSource::dropped for the chunks that were dropped since the last call.
  void reportDropped();

 private:
  // A request of this tick, until the source has it; and the exception of the source.
  struct Asked {
    StreamRecord* record;
    ChunkRequest request;
    absl::Status thrown{};
  };
  class LoadBudget;

  void planLevel(int level);
  // Shortens the plan to what has a slot and space, if need be those of requests that are late, and
  // the space of loaded chunks, that are needed less. Such requests time out at once.
  void leaveOutWhatDoesNotFit();
  // Lists the unanswered requests for chunks that have timed out before, the least needed first.
  void listLate();
  void timeOut(StreamRecord& record);
  // Drops a record that has no chunk of its own in the world, except for a proto chunk. Keeps the
  // name if the engine has unloaded a chunk that want() had named, and that can be loaded.
  void forget(StreamRecord& record);
  // Unloads a chunk that this has loaded, and drops its record.
  void unload(StreamRecord& record);
  void fail(StreamRecord& record, const absl::Status& error);
  void removeProto(const StreamRecord& record);
  // Take an answer, and load a chunk; do nothing with one for which there is no budget in this
  // tick.
  void take(StreamRecord& record, LoadBudget& budget);
  void load(StreamRecord& record, const Chunk& supplied, LoadBudget& budget);
  // Evicts chunks that are needed less than `need`, so that `bytes` more fit; or none, and returns
  // false.
  bool makeSpace(std::size_t bytes, const Need& need);
  // Returns the loaded record with `index` others that are needed less; null if there are not so
  // many. The first call in a tick lists all, and each further one sorts one more.
  const NeededRecord* leastNeeded(std::size_t index);

  StreamLedger& ledger_;
  ChunkSource& source_;
  StreamEdits& edits_;
  std::size_t largest_bytes_ = 0;  // the most that a chunk so far has needed

  // Working memory of a tick.
  std::vector<NeededRecord> unloading_;  // those with a chunk to unload
  std::vector<NeededRecord> answered_;   // those with an answer, the most needed first
  // The loaded ones, if they are listed: a heap with the least needed one at its front, and after
  // it those that were taken off, in the reverse order.
  std::vector<NeededRecord> loaded_records_;
  std::size_t sorted_ = 0;  // records after the heap
  bool is_listed_ = false;
  std::vector<Need> plan_;
  std::vector<Vec3i> settled_;  // no longer missing
  std::vector<NeededRecord> late_;
  std::vector<Asked> asked_;
  std::vector<ChunkOfLevel> loaded_;
  std::vector<ChunkOfLevel> unloaded_;
};

}  // namespace fractalray::internal
