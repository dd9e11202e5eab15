// SPDX-License-Identifier: Apache-2.0
// The first stage of a shot: its candidates, the nearest first, found on demand. Calls no effect.
//
// One pass runs over the blocks of each level, and one over the entities of each index level. Each
// pass finds its candidates in the order of the line, so it can pause: once it has found a few, the
// passes over coarser levels, which run after it, read no further than it has. Everything up to the
// time that all passes have read, the horizon, is settled, and is returned in order. When the
// settled candidates are used up, the passes that are at the horizon, and only these, continue from
// there:
//
//   level 2   |==x===x|                              x  candidate        =  read
//   level 1   |=======|                              |  a pass has paused here
//   entities  |=====o====|       (whole chunks)      o  entity
//             0       ^ horizon                    1
//
// A pass has no state but the time up to which it has read: it descends the tree again, which costs
// about as much as a query for the closest hit. Slices grow from a few candidates to a few hundred,
// so all candidates together cost about as much as in one slice.
//
// A shot with a limit of steps is always read in slices, and a pass pauses after some steps too,
// whatever it has found. So if the steps run out, what has been settled until then, all of it
// before the horizon, is returned first, and then the error.
//
// The answer is that of the world as it was when the stream began. So before an effect edits
// anything, the stream reads the rest of the line (LazyReader). After a move of the frame, which
// ends the shot, it reads nothing more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"

#include "../../../core/internal/lazy_reader.h"
#include "../search/passes.h"
#include "prepared_shot.h"

namespace fractalray::internal {

// Returns the candidates of a shot in the order of hits, each entity once, up to the candidate that
// ends the shot. Only reads the world and the index, so many streams may run at once; runs filters
// and terminal tests, whose exceptions pass through. Not thread-safe.
class CandidateStream final : private LazyReader {
 public:
  // Adds to `stats`. The arguments must outlive the stream, which alone uses `shot`.
  CandidateStream(const QueryContext& context, PreparedShot& shot, QueryStats& stats);

  // Begins at the start of the shot, or after the last of its `after`; without the entities in the
  // query's and the options' `after`. If a direct search is decided, its blocks are those of the
  // shot, and passes look only for entities up to the solid one; if it is cut, they continue where
  // it ends. INVALID_ARGUMENT if `after` is no hit of its line;
  // RESOURCE_EXHAUSTED if the steps exceed options.max_steps before anything is settled.
  absl::Status begin(const DirectResult& direct = {});
  // Begins after `after` in the order of hits, and leaves out the entities in the present `hits`,
  // too. Keeps shot().unknown if it is before `unknown_from`, else searches for it from there on.
  // `hits` may grow, and must outlive the stream.
  absl::Status beginAfter(const Candidate& after, const HitTime& unknown_from,
                          const std::vector<Hit>& hits);
  // Begins again where it began, in the world as it is now.
  absl::Status beginAgain() { return hits_ == nullptr ? begin() : beginSlices(&*after_); }
  // Begins with candidates that another stream has found up to its horizon; or if `horizon` is
  // empty, to the end of the shot: to the last one if `ends_at_last`, else to that of the line.
  // Requires: shot().unknown is that of the other stream.
  void beginWith(std::span<const Candidate> candidates, bool ends_at_last,
                 const std::optional<Fraction>& horizon);

  // Returns the next candidate, valid until the next call; null after the last one, and after those
  // settled before an error, which status() then returns. Rethrows the exception that user code has
  // thrown when an edit made the stream read ahead.
  const Candidate* next() {
    const Candidate* const candidate = candidates().take(next_);
    if (candidate == nullptr) return nextOfSlices();
    ++next_;
    return candidate;
  }
  const absl::Status& status() const { return status_; }

  // Returns true if everything that matters has been read. If not, horizon() is the time up to
  // which, inclusive, the line has been read.
  bool isComplete() const { return !slices_.has_value() || slices_->progress.isComplete(); }
  std::optional<Fraction> horizon() const {
    return isComplete() ? std::nullopt : slices_->progress.horizon();
  }
  // From now on makes edits of this thread complete the stream first. Completes it at once if
  // chunks are borrowed: the engine announces its writes to them only afterwards.
  void awaitEdits() {
    if (!isComplete()) prepareForEdits();
  }

  // Searches what the stream has not read for the unknown, if it is wanted and was not found yet.
  // The part that has been read was searched in the world as it was.
  absl::Status findUnknownToEnd();

  PreparedShot& shot() { return shot_; }
  CandidateList& candidates() { return shot_.candidates(); }

 private:
  // The members needed only if there is more than one slice.
  struct Slices {
    Slices() {}  // NOLINT(modernize-use-equals-default): so that not all of it is set to 0 first

    CandidateCollector::Slice slice;
    PassProgress progress;
  };

  absl::Status beginSlices(const Candidate* after, const DirectResult& direct = {});
  const Candidate* nextOfSlices();
  void prepareForEdits();
  // Reads another slice, in which each pass pauses after `enough` candidates, or `most_steps`.
  void readSlice(std::size_t enough, std::uint64_t most_steps);
  void readAll() noexcept override;
  // Makes the candidates available that the slice has settled.
  void settle(CandidateCollector& collector);
  // The same for what has been read first.
  void settleFirst(const DirectResult& direct, CandidateCollector& collector);
  // The same for a slice that has run out of steps.
  void settleUnfinished(CandidateCollector& collector);
  void findUnknownOfSlice();
  // Returns the time up to which the line has been read: all that matters, if it is complete.
  HitTime readUntil();
  // Returns the error of a stream that has nothing to return before it.
  absl::Status statusOfBegin() const {
    return shot_.candidates().settled().empty() ? status_ : absl::OkStatus();
  }
  // Ends the reading: the rest of the line does not matter.
  void complete() {
    if (slices_.has_value()) slices_->progress.complete();
  }
  // Returns the earlier hits that the collector is to leave out.
  std::span<const Hit> earlierHits() const;

  const QueryContext& context_;
  PreparedShot& shot_;
  QueryStats& stats_;
  std::optional<CandidateCollector> collector_;
  std::optional<Candidate> after_;
  const std::vector<Hit>* hits_ = nullptr;
  std::size_t hits_count_ = 0;  // of hits_, when the stream began
  std::optional<Slices> slices_;
  std::size_t enough_ = 0;        // of the last slice
  std::uint64_t most_steps_ = 0;  // of each pass of the last slice
  // True if only one pass, over blocks, finds what is new; set for slices that may be unfinished.
  bool finds_in_order_ = false;
  std::size_t next_ = 0;                  // the index of the next candidate to return
  bool has_settled_ = false;              // true once a slice has been settled
  std::optional<HitTime> unknown_until_;  // the time up to which the unknown has been searched for
  absl::Status status_;
  std::exception_ptr exception_;  // of user code, while an edit waited
  bool is_reading_ = false;
  std::uint64_t frame_moves_ = 0;  // when scope_ began
  std::optional<Scope> scope_;
};

}  // namespace fractalray::internal
