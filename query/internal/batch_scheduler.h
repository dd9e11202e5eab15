// SPDX-License-Identifier: Apache-2.0
// A batch of shots under way. Shots are begun many at once, in waves, and told in order; one whose
// gathering an effect has made untrue by then is shot anew when its turn comes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"

#include "../../core/internal/edit_log.h"
#include "../../core/parallel_for.h"
#include "../batch.h"
#include "../ray_query_service.h"
#include "candidate.h"
#include "dispatcher.h"
#include "query_context.h"

namespace fractalray::internal {

// A shot of the wave, as the wave has left it.
struct BegunQuery {
  enum class State : std::uint8_t {
    kNotBegun,
    kRefused,  // an error of its arguments, whatever the world is like
    kBegun,
  };
  State state = State::kNotBegun;
  bool has_asked = false;  // a filter or a predicate
  LevelMask levels;
  double reach = 1;  // the time up to which the gathering has looked
  BegunShot shot;
  // Where it has an effect: the candidates from that hit on, in the task's, unless they cannot
  // matter.
  std::size_t candidates_begin = 0;
  std::size_t candidates_end = 0;

  // Makes it as new, but for what a shot that is begun always sets.
  void reset() {
    state = State::kNotBegun;
    has_asked = false;
    shot.reset();
    candidates_begin = 0;
    candidates_end = 0;
  }
};

// Neighbours of a wave, begun one after another by one thread.
struct BatchTask {
  ShotResult result;  // of the one that is being begun
  // Of all of them.
  std::vector<Hit> hits;
  std::vector<LevelPart> level_parts;
  std::vector<Candidate> candidates;
};

// What a batch keeps from run to run.
class BatchMemory {
 public:
  bool is_in_use = false;
  std::vector<BegunQuery> wave;
  std::vector<BatchTask> tasks;
  ShotResult shot;  // the one whose turn it is
};

// Gives query i, in units, or why there is none.
using QueryAt = absl::FunctionRef<absl::StatusOr<UnitQuery>(std::size_t i)>;

class ShotBatchRun {
 public:
  // Requires: batch.shots has one shot for each query, and all else of it is empty.
  ShotBatchRun(const RayQueryService& service, QueryAt query_at, const ShotOptions& options,
               ShotBatch& batch, BatchMemory& memory, ParallelFor parallel_for);

  // Runs the batch; batch.shots is cut to what was completed, also where an exception passes.
  void run();

 private:
  // A batch of a million keeps no more gatherings than these at once, which stay in a core's cache;
  // fewer where effects edit, since each gathering is held against each edit of its wave.
  static constexpr std::size_t kMostInWave = 1024;
  static constexpr std::size_t kMostAmongEdits = 512;
  static constexpr std::size_t kFirstWave = 256;
  static constexpr std::size_t kInTask = 32;

  // What may have changed since shots were begun, as numbers that grow.
  struct Version {
    std::uint64_t world_edits = 0;
    std::uint64_t entity_edits = 0;
    std::uint64_t callback_changes = 0;
    std::uint64_t types_and_channels = 0;

    friend bool operator==(const Version&, const Version&) = default;
  };
  enum class Freshness : std::uint8_t {
    kFresh,     // it would be gathered again as it was
    kStale,     // it might not
    kAllStale,  // nor might any other of the wave
  };

  Version version() const;
  // The query as it can be shot; else an error, with which the shot is then set anew.
  absl::StatusOr<UnitQuery> checkedQuery(std::size_t number, BatchShot& shot) const;

  // Begins `count` shots, from the first on that has not been told.
  void beginWave(std::size_t count);
  void beginTask(std::size_t number);
  void begin(BegunQuery& begun, std::size_t number, BatchTask& task);

  // Tells the shots of the wave as long as most of what was gathered is good; how many were shot in
  // turn.
  std::size_t tellWave();
  Freshness freshness(const BegunQuery& begun) const;
  // Each tells one shot more: what has been begun of it is good, or is not there.
  void tellBegun(const BegunQuery& begun, BatchTask& task);
  void shootInTurn();
  // Calls the effects of the shot whose turn it is, which is as it was begun: so what is known of
  // its hits is true until an effect changes something. The hits that the shot has in the end.
  std::span<const Hit> callEffects(const BegunQuery& begun, std::span<Hit> hits,
                                   std::span<const LevelPart> parts, const BatchTask& task);
  HitResponse callEffect(const Hit& hit) const;
  // Of the shot whose turn it is: what is left behind these hits, the first ones of it.
  void takeBackBudgets(std::span<const Hit> told);
  // Whether the box of any level is another one than when the wave was begun, on which the level
  // parts of a shot depend, however far from it.
  bool boundsHaveChanged();
  // Asks for what the wave has left of a shot to be brought near: it may be another thread's.
  void prefetch(std::size_t i) const;
  // Appends to the batch what the shot whose turn it is has told.
  void append(BatchShot& shot, std::span<const Hit> hits, std::span<const LevelPart> parts);

  const RayQueryService& service_;
  QueryAt query_at_;
  const ShotOptions& options_;
  ShotBatch& batch_;
  BatchMemory& memory_;
  ParallelFor parallel_for_;
  EditLog::Watch watch_world_;
  EditLog::Watch watch_entities_;
  std::size_t told_ = 0;        // queries told, the first ones
  std::size_t wave_begin_ = 0;  // the first query of the wave
  Version at_begin_;            // of the wave
  using Bounds = std::array<std::optional<std::pair<ChunkCoord, ChunkCoord>>, kMaxLevels>;
  Bounds bounds() const;
  Bounds bounds_at_begin_;
  std::uint64_t bounds_seen_at_ = 0;  // the count of world edits
  bool bounds_differ_ = false;        // then
};

}  // namespace fractalray::internal
