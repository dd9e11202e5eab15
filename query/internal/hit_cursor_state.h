// SPDX-License-Identifier: Apache-2.0
// A shot in progress that a HitCursor holds.
#pragma once

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../query_options.h"
#include "../shot_result.h"
#include "search/query_context.h"
#include "service_state.h"
#include "shot/candidate_stream.h"
#include "shot/dispatcher.h"
#include "shot/prepared_shot.h"

namespace fractalray::internal {

// Finds hits one by one; see HitCursor. Not movable, since its members refer to each other.
class HitCursorState {
 public:
  // Requires: the query and the options' budgets have been checked. `service` must outlive this.
  HitCursorState(const ServiceState& service, const Query& query, QueryOptions options);
  // Reports the shot to the observer of the service, if there is one.
  ~HitCursorState();
  HitCursorState(const HitCursorState&) = delete;
  HitCursorState& operator=(const HitCursorState&) = delete;

  // Finds the first candidates.
  absl::Status begin();
  absl::StatusOr<const Hit*> next();
  const ShotResult& shot() const { return result_; }

 private:
  // The versions on which the candidates found so far depend, and the grids of entities that the
  // passes read.
  struct Scene {
    SceneVersion version;
    std::uint64_t callback_changes = 0;
    std::uint64_t entity_refinements = 0;

    friend bool operator==(const Scene&, const Scene&) = default;
  };

  Scene scene() const;
  // Begins after the last hit in the world as it is now.
  absl::Status beginAgain();
  absl::StatusOr<const Hit*> findNext();
  // Makes the result that of a shot that a callback has ended at the last hit. Requires: there is a
  // hit.
  void endAtLastHit();
  void observe();
  QueryContext contextOf(const Query& query) const;

  const ServiceState& service_;
  QueryOptions options_;
  QueryContext context_;
  PreparedShot shot_;
  ShotResult result_;
  CandidateStream stream_;
  Dispatcher dispatcher_;
  Scene seen_;
  SceneVersion first_version_{};  // when the cursor was made
  bool is_in_call_ = false;       // stays true after an exception of user code
  bool is_at_end_ = false;        // true if the last call of next() has found that no hit is left
};

}  // namespace fractalray::internal
