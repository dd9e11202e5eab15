// SPDX-License-Identifier: Apache-2.0
// The last stage of a shot: takes the candidates of a stream to callbacks and into the result, in
// order, in a world that the callbacks may change between two hits.
//
// Single shots, batches, resume and explain all end here; nothing else calls an effect. A candidate
// is judged again as the world is when it is reported:
//
//   candidate -- block as it is now --> gone, defers, refused by a filter: skipped
//             -- entity removed ------> skipped
//             -- max_hits reached ----> the shot is truncated
//             -- costs a budget ------> terminal if the budget does not cover it
//             -- effects -------------> terminal if on_hit or the callback returns kStop; not
//                                       terminal if kAgain, of a solid block that is open now
//
// If an effect moves the frame (Window), the shot ends: its line and its candidates are of the
// frame before. The hits so far stay.
//
// If the candidate that was to end the shot does not, the stream begins again after that candidate,
// in the world as it is now. If a callback returns kAgain, the stream begins again with everything
// that comes at the time of the hit or later and has not been hit. A candidate whose block has
// another shape by now may be hit earlier, later or not at all: the stream begins again after the
// last hit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"

#include "../../shot_result.h"
#include "../search/query_context.h"
#include "candidate_stream.h"
#include "panes.h"
#include "prepared_shot.h"
#include "spending.h"

namespace fractalray::internal {

// The charge of a hit by a terminal rule.
struct Charge {
  std::size_t hit = 0;  // its index in the result
  std::size_t budget = 0;
  double cost = 0;              // 0 for a block that is only touched, and whose rule exempts that
  bool continues_pane = false;  // true if its pane has been charged already
  double left = 0;              // the budget after the hit; before it, if that was too little
  bool is_too_much = false;
};

// Reports the candidates of a stream one by one. Not thread-safe.
class Dispatcher {
 public:
  // Requires: `stream` has begun; `result` has been started, and has the stats to which the stream
  // adds; the context has callbacks. The arguments must outlive the dispatcher.
  Dispatcher(const QueryContext& context, CandidateStream& stream, ShotResult& result,
             std::vector<Charge>* charges = nullptr);

  // Makes max_hits count the hits that the result had before, too.
  void countAllHits() { hits_before_ = 0; }

  // Reports all candidates, and sets the rest of the result. Returns the error of the shot, which
  // is that of the stream unless the shot has ended before it.
  absl::Status run();
  // Judges the next candidate, and reports it if it is a hit: appends it to the result, and calls
  // its effects, whose exceptions pass through. Returns false if the shot ends with it, has ended,
  // or has an error.
  bool reportNext();
  // Sets the rest of the result, up to the last hit. Returns the error of the shot, if it has come
  // to one: hits that were settled before the steps ran out come first.
  absl::Status finish();
  const absl::Status& status() const { return status_; }
  // Begins again after a candidate in the world as it is now.
  void beginAfter(const Candidate& candidate);

  // Returns true if the solid block of a hit is gone, no longer solid, or defers.
  bool isOpen(const Hit& hit) const;
  // Returns true if the frame has moved since the dispatcher was made; then nothing more is
  // reported.
  bool hasFrameMoved() const { return context_.frameMoves() != frame_moves_; }

 private:
  // Does the same as reportNext() for a shot without effects, during which nothing changes: the
  // candidate is as it was when it was found.
  bool reportQuietly();
  // Begins again after the last hit, or where the stream began if there has been none since.
  void beginAgain();
  // Each reports a candidate as it is now, and sets its `terminal` again; returns kStop if the shot
  // ends with it.
  HitResponse report(Candidate& candidate);
  // Sets is_reshaped_, and reports nothing, if the block has another shape than the candidate.
  HitResponse reportBlock(Candidate& candidate);
  HitResponse reportEntity(Candidate& candidate);
  template <class Key>
  HitResponse reportHit(const Candidate& candidate, const CallbackTable<Key>& callbacks, Key key);
  // Calls the shot's on_hit, then the registered effect; returns the stronger response.
  template <class Key>
  HitResponse callEffects(const Hit& hit, const CallbackTable<Key>& callbacks, Key key);
  // Charges a hit to its budget; the hit is terminal if the budget does not cover it.
  void charge(Hit& hit);
  // Returns true if a hit is a block of a pane that its rule has charged already.
  bool continuesPane(const TerminalRule& rule, const Hit& hit);
  // Records the charge that a hit is about to pay.
  void noteCharge(const Hit& hit, const TerminalRule* charged, bool continues_pane);

  const QueryContext& context_;
  CandidateStream& stream_;
  ShotResult& result_;
  std::vector<Charge>* charges_;
  std::optional<Spending> spending_;  // that of the result, once needed
  std::optional<Panes> panes_;        // those of the hits, once needed
  std::size_t hits_before_;           // hits of a shot that resumes
  std::size_t hits_at_begin_;         // hits when the stream began
  bool is_reshaped_ = false;
  std::uint64_t frame_moves_;  // when the dispatcher was made
  HitTime end_;                // of the shot
  absl::Status status_;
};

// Returns the error of a query that a move of the frame has ended.
absl::Status frameHasMoved();

// Empties a result and sets everything known before the first hit: versions, segment, budgets and
// level spans. Requires: the context has callbacks.
void startResult(const QueryContext& context, ShotResult& result);

// Reports all candidates of a stream, see Dispatcher. On an error the result holds the hits
// reported before it. Records the charges of hits in `charges` unless that is null.
absl::Status dispatch(const QueryContext& context, CandidateStream& stream, ShotResult& result,
                      std::vector<Charge>* charges = nullptr);

// Begins a shot, whose result has been started: searches directly for the block with which it ends.
// Returns true if that is the answer, and sets the rest of the result. If not, `direct` is what a
// stream begins with, valid as long as `shot` is; it has passed blocks, or others if the first one
// is permeable.
bool answerDirectly(const QueryContext& context, PreparedShot& shot, DirectResult& direct,
                    ShotResult& result);

// Runs a whole shot.
absl::Status runShot(const QueryContext& context, PreparedShot& shot, ShotResult& result,
                     std::vector<Charge>* charges = nullptr);

// Resumes a shot after its last hit: keeps its hits, hits none of their entities again, and appends
// new hits; a shot without hits is run again. max_hits counts the new hits; everything else in
// `result` describes the whole shot. INVALID_ARGUMENT, and no change, if the last hit is no hit of
// the line.
absl::Status resumeShot(const QueryContext& context, PreparedShot& shot, ShotResult& result);

// The part of a shot that earlier ticks have read.
struct TickRead {
  std::int64_t until = 0;  // a time, inclusive, in units of 2^-60; 0 if nothing has been read
  std::optional<double> unknown_before;  // the unknown_from of that part
  bool looks_again = false;              // PreparedShot::looks_again of the last tick
};

// Continues a shot of which that has been read: appends the hits that are later and follow its last
// hit. max_hits counts the new hits. INVALID_ARGUMENT, and no change, as above.
absl::Status advanceShot(const QueryContext& context, TickRead read, PreparedShot& shot,
                         ShotResult& result);

// Continues a shot that has run out of steps, as if it had not. The shot may itself have resumed
// after the context's `after`; `looks_again` is that of the PreparedShot of the earlier run.
// `version` and the level spans are unchanged, and max_hits counts all hits.
absl::Status continueShot(const QueryContext& context, bool looks_again, PreparedShot& shot,
                          ShotResult& result);

// Returns true if any of the candidates has an effect to be called.
bool hasEffects(const QueryContext& context, std::span<const Candidate> candidates);

}  // namespace fractalray::internal
