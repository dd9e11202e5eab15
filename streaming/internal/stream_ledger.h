// SPDX-License-Identifier: Apache-2.0
// The book of a streamer: a record of each chunk that it has named, requested or loaded, how much
// each is needed, and where viewers are. Neither talks to the source nor edits the world.
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
#include "../../core/segment.h"
#include "../../core/vec.h"
#include "../../query/window.h"
#include "../stream_options.h"
#include "anchor_follower.h"
#include "chunk_reach.h"
#include "missing_chunks.h"
#include "reach_watch.h"
#include "stream_record.h"
#include "stream_records.h"

namespace fractalray::internal {

// Follows what has changed: the chunks that viewers come near or leave (ReachWatch), those that are
// loaded, and their blocks. Searches a level as a whole only if the engine has edited it, or the
// level has other radii. If memory runs out, each record is in one state.
//
// stream_ledger.cc has the records, stream_review.cc the review, stream_names.cc the names.
class StreamLedger {
 public:
  // Requires: valid options.
  StreamLedger(Window& window, const StreamOptions& options);

  World& world() const { return window_.world(); }
  const Window& window() const { return window_; }
  const Frame& frame() const { return world().frame(); }
  // Returns the path that the window's frame had when the ledger last followed it.
  const std::shared_ptr<const ChunkPath>& anchor() const { return anchor_.anchor(); }
  const StreamOptions& options() const { return options_; }
  // Requires: valid options.
  void setOptions(const StreamOptions& options);

  // Begins a tick: of no effect if memory runs out.
  void beginTick(std::span<const Vec3i> viewers);
  // Ends it. `is_settled`: a tick with the same viewers would do nothing.
  void endTick(bool is_settled);
  // Returns true if the next tick has nothing to do.
  bool isIdle(std::span<const Vec3i> viewers) const;
  std::uint64_t now() const { return now_; }

  // Makes records, watches and anchor those of the present frame. Cost: O(1) for each level, but
  // for what a move drops.
  void followWindow();
  // Returns the loaded chunks that a move of the window drops; notes what has to be known after it.
  std::vector<ChunkOfLevel> loadedThatLeave(const FrameMove& move);
  void expectMove(const FrameMove& move) { coming_ = comingMove(move); }
  // Makes the next tick search all levels again, and compare all records with the world.
  void forgetWatches() noexcept;

  // Returns the levels whose records agree with the world.
  LevelMask agreeingLevels() const;
  // Notes that the records of these levels agree with the world, which has been edited here.
  void acknowledgeEdits(LevelMask levels);

  // Finds the records to be dropped: those that are void or out of reach.
  void review();
  std::span<StreamRecord* const> leaving() const { return leaving_; }
  // Returns true if the world has no such chunk, or another one.
  bool isVoid(const StreamRecord& record) const;

  StreamRecords& records() { return records_; }
  RecordList<StreamList::kOpen>& open() { return open_; }
  RecordList<StreamList::kNamed>& named() { return named_; }
  RecordList<StreamList::kMarked>& marked() { return marked_; }
  const ChunkReach& reach() const { return reach_; }
  MissingChunks missing() const { return {world(), anchor_, reach_, options_.is_fertile}; }
  // Returns a superset of the chunks of a level that are missing around its viewers, if it has been
  // searched.
  CellTable<bool>& missingChunks(int level) { return watchOf(level).missing; }
  // Searches a level for missing chunks, if it has to be searched as a whole.
  void searchLevel(int level);
  // Notes a chunk that may be missing, unless the search of its level is still to come; and the
  // missing chunks in a chunk that is loaded now.
  void addMissing(int level, const ChunkCoord& chunk);
  void addMissingIn(const ChunkOfLevel& parent);

  bool isDue(const StreamRecord& record) const {
    return record.progress == StreamProgress::kNamed ||
           (record.progress == StreamProgress::kFailed && record.due <= now_);
  }
  Need needOf(const StreamRecord& record) const;
  // Returns the tick that is so many ticks from now, doubled `times` times but not past `most`; the
  // last tick of all if it is later.
  std::uint64_t tickIn(std::uint64_t ticks, int times = 0,
                       std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) const;
  // Adds a record with progress kNamed.
  StreamRecord& makeRecord(int level, const ChunkCoord& chunk);
  // Requires: open() has space for it.
  void setProgress(StreamRecord& record, StreamProgress progress) noexcept;
  // Makes the bytes of a loaded record those of its chunk; does the same for the record of the
  // chunk that it is in, whose blocks know whether they are expanded.
  void countBytes(StreamRecord& record) noexcept;
  void countBytesAround(const ChunkOfLevel& chunk) noexcept;
  // Makes a record whose chunk the engine has unloaded one that is only named.
  void nameAgain(StreamRecord& record) noexcept;
  void eraseRecord(StreamRecord& record) noexcept;
  // Cancels a request, if there is one. If its answer is a chunk, it is in dropped() then.
  void giveUp(StreamRecord& record) noexcept;
  // Returns the answers that were dropped, a list linked by next_dropped.
  std::shared_ptr<PendingChunk>& dropped() { return dropped_; }

  absl::StatusOr<std::vector<ChunkOfLevel>> want(const FixedSegment& segment, LevelMask levels,
                                                 std::size_t limit);
  absl::StatusOr<std::size_t> want(std::span<const ChunkOfLevel> chunks);

  absl::Status error(int level, const ChunkCoord& chunk);
  std::size_t countOf(StreamProgress progress) const {
    return counts_[static_cast<std::size_t>(progress)];
  }
  std::size_t bytes() const { return bytes_; }
  // Returns the sums over all ticks, without the numbers of now; stats() has both.
  StreamStats& totals() { return totals_; }
  StreamStats stats() const;

 private:
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

  ComingMove comingMove(const FrameMove& move) const;
  void followWatches() noexcept;
  // Recounts the bytes of the chunks that have lost their finer ones.
  void recountParents() noexcept;
  // Makes the next tick search all levels again.
  void searchAgain() noexcept;
  // Returns the version that the last change of a level has made; 0 for level -1.
  std::uint64_t versionOf(int level) const;

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

  bool isOutOfReach(const StreamRecord& record) const;
  LevelWatch& watchOf(int level) { return watches_[static_cast<std::size_t>(level)]; }
  // Returns the record of the chunk that a chunk is in; null if there is none.
  StreamRecord* recordAround(const ChunkOfLevel& chunk);
  // Removes a record from all lists and sums.
  void leaveOut(StreamRecord& record) noexcept;
  // Names a chunk, if it has no record that says otherwise. Returns true if it is named now.
  bool name(const ChunkOfLevel& chunk);
  // Keeps a record for want_ticks.
  void keep(StreamRecord& record);
  // Keeps a chunk that is wanted and loaded here, and names it, unless it is named by no call yet
  // and within the load radius; the same for the chunks that it is in too, the coarsest first:
  // chunks are dropped in the reverse order.
  void keepLoaded(const ChunkOfLevel& chunk);
  void keepLoadedAround(const ChunkOfLevel& chunk);
  std::size_t& counterOf(StreamProgress progress) {
    return counts_[static_cast<std::size_t>(progress)];
  }

  Window& window_;
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
  std::size_t bytes_ = 0;  // of the loaded records
  std::shared_ptr<PendingChunk> dropped_;
  StreamStats totals_;
  std::uint64_t now_ = 0;  // the number of this tick, from 1
  std::uint64_t next_order_ = 0;
  std::uint64_t named_until_ = 0;  // the last tick in which any chunk counts as named

  // The state after the last tick, in which a tick with the same viewers would do nothing.
  bool is_settled_ = false;
  std::uint64_t settled_version_ = 0;

  std::vector<StreamRecord*> leaving_;  // out of reach or void, in this tick
};

}  // namespace fractalray::internal
