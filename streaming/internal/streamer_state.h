// SPDX-License-Identifier: Apache-2.0
// The work of a ChunkStreamer, whose header has the rules.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../../core/internal/containers/cell_table.h"
#include "../../core/level_mask.h"
#include "../../core/parallel_for.h"
#include "../../core/segment.h"
#include "../../core/vec.h"
#include "../../query/window.h"
#include "../chunk_changes.h"
#include "../chunk_source.h"
#include "../stream_options.h"
#include "anchor_follower.h"
#include "chunk_reach.h"
#include "missing_chunks.h"
#include "reach_watch.h"
#include "stream_record.h"
#include "stream_records.h"

namespace fractalray::internal {

// Has the thread safety, and the guarantees if memory runs out, of ChunkStreamer. Every step leaves
// each chunk in one state: the world and the record of a chunk change together.
//
// A tick follows what has changed: the chunks that viewers come near or leave (ReachWatch), those
// that it loads itself, and their blocks. It searches a level as a whole only if the engine has
// edited it, or the level has other radii.
//
// streamer_state.cc has the tick and the records, the other sources a subject each: review,
// requests, answers, space, changes.
class StreamerState final : private WindowObserver {
 public:
  // Requires: valid options. `changes` may be null.
  StreamerState(Window& window, ChunkSource& source, const StreamOptions& options,
                ChunkChanges* changes);
  ~StreamerState() override;
  StreamerState(const StreamerState&) = delete;
  StreamerState& operator=(const StreamerState&) = delete;

  const Frame& frame() const { return window_.world().frame(); }
  const StreamOptions& options() const { return options_; }
  // Requires: valid options.
  void setOptions(const StreamOptions& options);

  absl::Status tick(std::span<const Vec3i> viewers, ParallelFor parallel_for);
  absl::StatusOr<std::vector<ChunkOfLevel>> want(const FixedSegment& segment, LevelMask levels,
                                                 std::size_t limit);
  absl::StatusOr<std::size_t> want(std::span<const ChunkOfLevel> chunks);

  absl::Status setBlocks(std::span<const BlockChange> changes);
  absl::StatusOr<BlockChange> changeOf(int level, const BlockCoord& block,
                                       std::optional<BlockTypeId> type,
                                       std::optional<std::int64_t> reverts_at) const;
  absl::StatusOr<std::size_t> revertChanges(std::int64_t now, std::size_t limit);

  absl::Status error(int level, const ChunkCoord& chunk);
  std::span<const ChunkOfLevel> loaded() const { return loaded_; }
  std::span<const ChunkOfLevel> unloaded() const { return unloaded_; }
  StreamStats stats() const;

 private:
  // A request of this tick, until the source has it; and the exception of the source.
  struct Asked {
    StreamRecord* record;
    ChunkRequest request;
    absl::Status thrown{};
  };
  class LoadBudget;
  class BlockEdits;
  struct ChangedChunk {
    Chunk chunk;
    std::vector<OriginalBlock> originals;
  };
  static constexpr std::uint64_t kNoVersion = std::numeric_limits<std::uint64_t>::max();
  // Holds what is known of a level.
  struct LevelWatch {
    // The version of the world's level with which its records agree.
    std::uint64_t version = kNoVersion;
    // All records are in the keep radius of one of these viewers, but for those that are named, or
    // in left_.
    ReachWatch reach;
    // Contains all chunks that are missing around these viewers, and others, if it is searched.
    CellTable<bool> missing;
    bool is_searched = false;
  };

  // Holds what is known before a move of the window, and needed after it.
  struct ComingMove {
    FrameMove move;
    LevelMask agreeing;               // of the levels, by their numbers before it
    std::optional<ChunkBox> parents;  // contains the chunks whose finer ones a climb drops
  };

  // Calls ChunkSource::unloading for the chunks that a move of the window drops.
  void beforeMove(const FrameMove& move) override;
  ComingMove comingMove(const FrameMove& move) const;
  absl::Status checkTick(std::span<const Vec3i> viewers) const;
  // Makes records, watches and anchor those of the present frame. Cost: O(1) for each level, but
  // for what a move drops.
  void followWindow();
  void followWatches() noexcept;
  // Recounts the bytes of the chunks that have lost their finer ones.
  void recountParents() noexcept;
  // Makes the next tick search all levels again.
  void searchAgain() noexcept;
  // The same, and makes it compare all records with the world.
  void forgetWatches() noexcept;
  bool isIdle(std::span<const Vec3i> viewers) const;

  // Returns the version that the last change of a level has made; 0 for level -1.
  std::uint64_t versionOf(int level) const;
  // Returns the levels whose records agree with the world.
  LevelMask agreeingLevels() const;
  // Notes that the records of these levels agree with the world, which has been edited here.
  void acknowledgeEdits(LevelMask levels);

  // The steps of a tick, in order. Finds the records to be dropped.
  void review();
  // Compares the records of a level with the world.
  void reviewWorld(int level);
  // Notes the records of a level that viewers may have left, and the missing chunks near which they
  // have come: of the whole level; since the last review.
  void reviewReach(int level);
  void followReach(int level);
  // Finds the records that no viewer keeps, of those that one has left.
  void reviewLeft();
  // Forgets the names that have not been renewed.
  void reviewNames();
  // Finds the marked records whose blocks are still not fertile.
  void reviewMarks();
  void unloadOutOfReach();
  void failLateRequests();
  void timeOut(StreamRecord& record);
  void evictDownTo(std::size_t bytes);
  // Finds the chunks to request.
  void plan();
  void planLevel(int level);
  // Searches a level for missing chunks, if it has to be searched as a whole.
  void searchLevel(int level);
  // Notes a chunk that may be missing, unless the search of its level is still to come.
  void addMissing(int level, const ChunkCoord& chunk);
  // Notes the missing chunks in a chunk that is loaded now.
  void addMissingIn(const ChunkOfLevel& parent);
  // Shortens the plan to what has a slot and space, if need be those of requests that are late, and
  // the space of loaded chunks, that are needed less. Such requests time out at once.
  void leaveOutWhatDoesNotFit();
  // Lists the unanswered requests for chunks that have timed out before, the least needed first.
  void listLate();
  void ask(ParallelFor parallel_for);
  void settle();
  // Puts placeholders where requests are open; removes that of a record.
  void putProtos();
  void removeProto(const StreamRecord& record);

  MissingChunks missing() const { return {window_.world(), anchor_, reach_, options_.is_fertile}; }
  bool isVoid(const StreamRecord& record) const;
  bool isOutOfReach(const StreamRecord& record) const;
  LevelWatch& watchOf(int level) { return watches_[static_cast<std::size_t>(level)]; }
  bool isDue(const StreamRecord& record) const {
    return record.progress == StreamProgress::kNamed ||
           (record.progress == StreamProgress::kFailed && record.due <= now_);
  }
  Need needOf(const StreamRecord& record) const;
  // Adds a record with progress kNamed.
  StreamRecord& makeRecord(int level, const ChunkCoord& chunk);
  // Requires: open_ has space for it.
  void setProgress(StreamRecord& record, StreamProgress progress) noexcept;
  // Returns the record of the chunk that a chunk is in; null if there is none.
  StreamRecord* recordAround(const ChunkOfLevel& chunk);
  // Makes the bytes of a loaded record those of its chunk; does the same for the record of the
  // chunk that it is in, whose blocks know whether they are expanded.
  void countBytes(StreamRecord& record) noexcept;
  void countBytesAround(const ChunkOfLevel& chunk) noexcept;
  // Removes a record from all lists and sums.
  void leaveOut(StreamRecord& record) noexcept;
  // Drops a record that has no chunk of its own in the world, except for a proto chunk. Keeps the
  // name if the engine has unloaded a chunk that want() had named, and that can be loaded.
  void forget(StreamRecord& record);
  void nameAgain(StreamRecord& record) noexcept;
  void eraseRecord(StreamRecord& record) noexcept;
  // Unloads a chunk that this has loaded, and drops its record.
  void unload(StreamRecord& record);
  void fail(StreamRecord& record, const absl::Status& error);
  // Cancels a request, if there is one. If its answer is a chunk, reportDropped() reports it.
  void giveUp(StreamRecord& record) noexcept;
  // Calls ChunkSource::dropped for the chunks that were dropped since the last call.
  void reportDropped();
  // Take an answer, and load a chunk; do nothing with one for which there is no budget in this
  // tick.
  void take(StreamRecord& record, LoadBudget& budget);
  void load(StreamRecord& record, const Chunk& supplied, LoadBudget& budget);
  // Returns what the source has supplied, with the changes of that chunk.
  absl::StatusOr<ChangedChunk> withChanges(const StreamRecord& record, const Chunk& supplied) const;
  // Makes the changes of loaded chunks in the world.
  absl::Status edit(std::span<const BlockChange> changes, BlockEdits& edits);
  // Return those of the chunks, into which changed blocks expand, that have a record, and whose
  // blocks are not fertile; and those of a chunk that is about to be loaded: prepared for markIn().
  std::vector<ChunkOfLevel> barrenOf(const std::vector<ChunkOfLevel>& blocks);
  std::vector<ChunkOfLevel> barrenIn(const ChunkOfLevel& at, const ChangedChunk& changed);
  bool hasRecord(const ChunkOfLevel& at);
  // Sorts such chunks, and reserves space to mark all records in them.
  void prepareMarks(std::vector<ChunkOfLevel>& barren);
  // Marks the records of such chunks, and of all finer ones in them. Cost: a search for each record
  // of their levels and the finer ones.
  void markIn(const std::vector<ChunkOfLevel>& barren) noexcept;
  // Returns the record of the chunk with that path, if it is loaded, else null.
  // FAILED_PRECONDITION if the engine itself has loaded it.
  absl::StatusOr<StreamRecord*> findLoaded(const ChunkPath& path);
  // Evicts chunks that are needed less than `need`, so that `bytes` more fit; or none, and returns
  // false.
  bool makeSpace(std::size_t bytes, const Need& need);
  // Returns the loaded record with `index` others that are needed less; null if there are not so
  // many. The first call in a tick lists all, and each further one sorts one more.
  const NeededRecord* leastNeeded(std::size_t index);
  // Returns the tick that is so many ticks from now, doubled `times` times but not past `most`; the
  // last tick of all if it is later.
  std::uint64_t tickIn(std::uint64_t ticks, int times = 0,
                       std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) const;
  // Names a chunk, if it has no record that says otherwise. Returns true if it is named now.
  bool name(const ChunkOfLevel& chunk);
  // Names a chunk that is wanted and loaded here, for as long, unless it is named by no call yet
  // and within the load radius; the same for the chunks that it is in too, the coarsest first:
  // chunks are dropped in the reverse order.
  void keepLoaded(const ChunkOfLevel& chunk);
  void keepLoadedAround(const ChunkOfLevel& chunk);
  std::size_t& countOf(StreamProgress progress) {
    return counts_[static_cast<std::size_t>(progress)];
  }
  std::size_t countOf(StreamProgress progress) const {
    return counts_[static_cast<std::size_t>(progress)];
  }

  Window& window_;
  ChunkSource& source_;
  ChunkChanges* changes_;  // null if there are none
  StreamOptions options_;
  AnchorFollower anchor_;
  std::optional<ComingMove> coming_;  // the last move, unless it has failed
  ChunkReach reach_;
  StreamRecords records_;
  RecordList<StreamList::kOpen> open_;
  RecordList<StreamList::kNamed> named_;
  RecordList<StreamList::kMarked> marked_;
  RecordList<StreamList::kLeft> left_;
  std::array<LevelWatch, kMaxLevels> watches_{};
  std::array<std::size_t, kStreamProgresses> counts_{};
  std::size_t bytes_ = 0;                  // of the loaded records
  std::size_t largest_bytes_ = 0;          // the most that a chunk so far has needed
  std::shared_ptr<PendingChunk> dropped_;  // a list, linked by next_dropped
  StreamStats totals_;                     // without the numbers of now
  std::uint64_t now_ = 0;                  // the number of this tick, from 1
  std::uint64_t next_order_ = 0;
  std::uint64_t named_until_ = 0;  // the last tick in which any chunk counts as named
  bool is_ticking_ = false;
  bool is_whole_ = false;  // the last tick has ended, and not by an exception

  // The state after the last tick, in which a tick with the same viewers would do nothing.
  bool is_settled_ = false;
  std::uint64_t settled_version_ = 0;

  // Working memory of a tick.
  std::vector<StreamRecord*> leaving_;   // out of reach or void
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
