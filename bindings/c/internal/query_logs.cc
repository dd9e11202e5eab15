// SPDX-License-Identifier: Apache-2.0
#include "query_logs.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../../core/printable.h"
#include "../../../formats/replay/logged_answer.h"
#include "../../../formats/replay/query_log_reader.h"
#include "../../../formats/replay/query_recorder.h"
#include "world_state.h"

namespace fractalray::capi {
namespace {

// Observes a world as long as it lives.
class ObservingLog : public QueryLog {
 public:
  ObservingLog(WorldState& world, std::unique_ptr<QueryRecorder> recorder)
      : world_(world), recorder_(std::move(recorder)) {
    // Comes first, as it may throw: the service must not keep a recorder that is then destroyed.
    if (!world_.isSnapshot()) world_.window().addObserver(*recorder_);
    world_.editService().setObserver(recorder_.get());
  }
  ~ObservingLog() override {
    world_.editService().setObserver(nullptr);
    if (!world_.isSnapshot()) world_.window().removeObserver(*recorder_);
  }
  ObservingLog(const ObservingLog&) = delete;
  ObservingLog& operator=(const ObservingLog&) = delete;

  absl::Status flush() override { return recorder_->flush(); }
  absl::Status close() override { return recorder_->close(); }
  std::uint64_t queries() const override { return recorder_->queries(); }

 private:
  WorldState& world_;
  std::unique_ptr<QueryRecorder> recorder_;
};

// Return blocks of a log in the types of the world; a type that it lacks is kAir.
template <class Block, class Logged>
std::vector<Block> typedBlocks(const std::vector<Logged>& logged, const BlockTypeTable& types) {
  std::vector<Block> blocks;
  for (const Logged& one : logged)
    blocks.emplace_back(one).type = types.find(one.type_name).value_or(kAir);
  return blocks;
}
VisibleBlocks loggedBlocksOf(const LoggedBlocks& logged, const BlockTypeTable& types) {
  VisibleBlocks seen;
  seen.visible = typedBlocks<FoundBlock>(logged.visible, types);
  seen.unknown = typedBlocks<FoundBlock>(logged.unknown, types);
  seen.undecided = typedBlocks<FoundBlock>(logged.undecided, types);
  return seen;
}
// Entities are the living ones of their ids.
Blast loggedBlastOf(const LoggedBlastAnswer& logged, const BlockTypeTable& types,
                    const EntityIndex& entities) {
  Blast blast;
  blast.blocks = typedBlocks<BrokenBlock>(logged.blocks, types);
  blast.entities = logged.entities;
  for (ExposedEntity& one : blast.entities)
    one.entity = entities.findId(one.id).value_or(EntityHandle{});
  blast.reaches_unknown = logged.reaches_unknown;
  return blast;
}

class OpenedReplay : public LogReplay {
 public:
  OpenedReplay(WorldState& world, QueryLogReader log, bool ask_all)
      : world_(world),
        log_(std::move(log)),
        replay_(world.editWorld(), world.editEntities(), log_.header(), ask_all) {}

  absl::StatusOr<bool> next() override {
    if (has_failed_) return none("an error has ended this replay; make another");
    replayed_ = {};
    has_query_ = false;
    // Also if memory runs out, and an exception passes.
    has_failed_ = true;
    absl::StatusOr<bool> more = log_.next(query_);
    if (more.ok() && *more) {
      replayed_ = replay_.replay(query_);
      has_query_ = true;
    }
    has_failed_ = !more.ok();
    return more;
  }

  absl::StatusOr<ReplayedAnswer> answer(bool of_replay) const override {
    if (!has_query_) return none("no query has been replayed; call frReplay_Next");
    if (of_replay && replayed_.answer.empty()) return none("the query has not been run again");
    if (!of_replay && !query_.answer.has_value())
      return none("the log has no answer, only its hash");
    const absl::StatusOr<LoggedAnswer> read =
        parseAnswer(of_replay ? replayed_.answer : *query_.answer);
    if (!read.ok()) return read.status();
    ReplayedAnswer answer;
    answer.status = read->status;
    answer.occlusion = read->occlusion;
    answer.sight = read->sight;
    answer.exposure = read->exposure;
    answer.sights = read->sights;
    const BlockTypeTable& types = world_.world().blockTypes();
    if (read->seen_blocks.has_value()) {
      answer.seen_blocks = loggedBlocksOf(*read->seen_blocks, types);
      answer.seen_blocks->version = query_.versions;
    }
    if (read->blast.has_value()) {
      answer.blast = loggedBlastOf(*read->blast, types, world_.entities());
      answer.blast->version = query_.versions;
    }
    ShotResult& shot = answer.shot;
    shot.segment = query_.segment;
    shot.version = query_.versions;
    shot.terminated = read->terminated;
    shot.truncated = read->truncated;
    shot.unknown_from = read->unknown_from;
    shot.stopped_at = read->stopped_at;
    shot.budgets = read->budgets;
    shot.level_spans = read->level_spans;
    for (const LoggedHit& logged : read->hits) {
      Hit& hit = shot.hits.emplace_back(replay_.hitOf(logged));
      hit.distance = query_.segment.lengthBlocks() * hit.t;
      hit.point = query_.segment.pointAt(hit.t);
      hit.normal = hit.face.normal();
    }
    return answer;
  }

 private:
  static absl::Status none(const char* why) { return absl::FailedPreconditionError(why); }

  WorldState& world_;
  QueryLogReader log_;
  QueryReplay replay_;
  bool has_query_ = false;
  bool has_failed_ = false;
};

}  // namespace

absl::StatusOr<std::unique_ptr<QueryLog>> beginQueryLog(WorldState& world, const std::string& path,
                                                        bool with_fingerprints) {
  absl::StatusOr<std::unique_ptr<QueryRecorder>> recorder = QueryRecorder::open(
      path, world.world(), world.entities(), {.fingerprints = with_fingerprints});
  if (!recorder.ok()) return recorder.status();
  return std::make_unique<ObservingLog>(world, *std::move(recorder));
}

absl::StatusOr<std::unique_ptr<LogReplay>> openLogReplay(WorldState& world, const std::string& path,
                                                         const ReplayOptions& options) {
  absl::StatusOr<QueryLogReader> log = QueryLogReader::open(path);
  if (!log.ok()) return log.status();
  const absl::Status same = checkRecordedWorld(log->header(), world.world(), world.entities());
  const bool has_levels = log->header().levels == world.world().frame().levels();
  if (!same.ok() && (!options.on_other_world || !has_levels)) {
    return absl::FailedPreconditionError(
        absl::StrCat(printablePath(path), ": ", same.message(),
                     has_levels ? "; options->on_other_world replays nevertheless" : ""));
  }
  return std::make_unique<OpenedReplay>(world, *std::move(log), options.ask_all);
}

}  // namespace fractalray::capi
