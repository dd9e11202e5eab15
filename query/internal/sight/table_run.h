// SPDX-License-Identifier: Apache-2.0
// Answers a run of pairs of visibleBoxes(): those of a viewer and some boxes that follow one
// another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "absl/status/status.h"

#include "../../../core/fixed_box.h"
#include "../../../core/level_mask.h"
#include "../../sight_table.h"
#include "../query_scope.h"
#include "../service_state.h"
#include "kept_sight.h"
#include "sight_memory.h"

namespace fractalray::internal {

// A call of visibleBoxes() that has been checked.
struct TableQuery {
  const ServiceState& state;
  std::span<const SightViewer> viewers;
  std::span<const FixedBox> boxes;
  LevelMask levels;
  const SightTableOptions& options;
  KeptSight* kept = nullptr;  // null without a history
  // Say what has changed from the last call to this one: KeptScene.
  bool is_same = false;
  bool has_same_blocks = false;
  bool has_same_frame = false;
};

// Returns true if no point of the box is nearer to the eye than `most`, or as near. Exact.
bool isFarther(const Vec3i& eye, const FixedBox& box, std::int64_t most);

class TableRun {
 public:
  // Takes the working memory of this thread: another run may follow when it is destroyed.
  TableRun(const TableQuery& query, SightTableStats& stats)
      : query_(query), stats_(stats), memory_(sightMemory()) {}

  // Answers the pairs of a viewer, and of the boxes of a column: KeptSight::kBoxesInRun. Sets their
  // answers, and what the next call will know of them.
  void answer(std::size_t viewer, std::size_t column, std::span<Sight> answers);

 private:
  // How an answer was found, from cheap to costly.
  enum class Way { kUnchanged, kByRay, kByProof, kSearched };
  struct Question {
    std::size_t viewer = 0;
    std::size_t box = 0;
    std::size_t eye = 0;
  };

  Sight answerPair(std::size_t viewer, std::size_t box);
  // Moves `before_` to the answers that the last call had for a box.
  void findBefore(std::size_t box_in_run);
  Sight ask(const Question& question, Way& way);
  Sight search(const Question& question, const SightQuery& sight, const KeptPair* before, Way& way);
  // Returns what the answer of the last call suggests.
  SightHint hintOf(const KeptPair& before, const SightQuery& sight) const;
  // Sets answer_ and memory_ to an answer and its proof.
  absl::Status find(const SightQuery& sight, const SightHint& hint);
  // Returns how answer_ was found.
  Way wayOf(const SightHint& hint, const SightQuery& sight) const;

  void keep(const Question& question, Sight sight, std::span<const ProofPart> proof,
            bool has_proof);
  // Keeps what answer_ and memory_ have of a search.
  void keepFound(const Question& question, const SightQuery& sight);

  const TableQuery& query_;
  SightTableStats& stats_;
  SightMemory& memory_;
  QueryScope depth_;
  SightAnswer answer_;
  const KeptRun* last_ = nullptr;       // of the last call; null if it had none
  KeptRun* next_ = nullptr;             // null without a history
  std::size_t at_ = 0;                  // the first pair of the last call that is yet to come
  std::span<const KeptPair> before_{};  // those of the box
};

}  // namespace fractalray::internal
