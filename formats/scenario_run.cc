// SPDX-License-Identifier: Apache-2.0
// Answers the queries of a scenario.
#include <span>
#include <type_traits>
#include <variant>

#include "absl/strings/str_cat.h"

#include "../core/check.h"
#include "../query/ray_query_service.h"
#include "../query/window.h"
#include "internal/out_of_memory.h"
#include "scenario.h"

namespace fractalray {
namespace {

// Makes the edits of queries.
class Editor {
 public:
  explicit Editor(Scenario& scenario, WindowObserver* observer = nullptr)
      : scenario_(scenario), window_(scenario.world, scenario.entities, scenario.anchor) {
    if (observer != nullptr) window_.addObserver(*observer);
  }

  absl::StatusOr<WindowMove> edit(const MoveQuery& query) {
    absl::StatusOr<WindowMove> move = moveBy(query);
    if (move.ok()) scenario_.anchor = window_.anchor();
    return move;
  }

  absl::Status edit(const LoadQuery& query) {
    World& world = scenario_.world;
    if (query.state == ChunkState::kLoaded) {
      return world.loadChunk(query.level, query.at, query.content);
    }
    if (world.chunk(query.level, query.at) != nullptr) {
      absl::Status unloaded = world.unloadChunk(query.level, query.at);
      if (!unloaded.ok()) return unloaded;
    }
    return world.placeProtoChunk(query.level, query.at);
  }

  absl::Status edit(const AddQuery& query) { return scenario_.entities.add(query.entity).status(); }

  const Window& window() const { return window_; }

 private:
  absl::StatusOr<WindowMove> moveBy(const MoveQuery& query) {
    if (query.kind == MoveQuery::Kind::kClimb) return window_.climb();
    return query.kind == MoveQuery::Kind::kDescend ? window_.descend(query.chunk)
                                                   : window_.recenter(query.chunk);
  }

  Scenario& scenario_;
  Window window_;
};

class Answerer {
 public:
  Answerer(Scenario& scenario, AnswerSink write, const InputLimits& limits, QueryObserver* observer,
           WindowObserver* move_observer)
      : scenario_(scenario),
        write_(write),
        limits_(limits),
        service_(scenario.world, scenario.entities),
        editor_(scenario, move_observer) {
    const auto stop = [](const Hit&) { return HitResponse::kStop; };
    const auto look_again = [](const Hit&) { return HitResponse::kAgain; };
    for (const BlockTypeId type : scenario.stopping_types)
      FRACTALRAY_CHECK(service_.onBlockHit(type, stop).ok());
    for (const BlockTypeId type : scenario.again_types)
      FRACTALRAY_CHECK(service_.onBlockHit(type, look_again).ok());
    service_.setObserver(observer);
    service_.onEntityHit(kStoppingEntity, stop);
    service_.onEntityHit(kAgainEntity, look_again);
  }

  absl::Status answer(const ScenarioQuery& query) {
    return std::visit([&](const auto& ask) { return this->answer(query.id, ask); }, query.ask);
  }

 private:
  absl::Status answer(const QueryId& id, const ShotQuery& query) {
    QueryOptions options = toOptions(query, scenario_.world.blockTypes());
    const bool is_limited = options.max_hits > limits_.hits;
    if (is_limited) options.max_hits = static_cast<std::size_t>(limits_.hits);
    const absl::StatusOr<ShotResult> result = std::visit(
        [&](const auto& line) { return service_.shootSegment(line, query.levels, options); },
        query.line);
    if (!result.ok()) return write_(errorAnswer(id, result.status()));
    if (is_limited && result->truncated) {
      return write_(errorAnswer(id, limitError("hits", "hits", limits_.hits)));
    }
    return write_(shotAnswer(scenario_.world, id, query, *result,
                             [&](BlockTypeId type) { return nameOf(type); }));
  }

  absl::Status answer(const QueryId& id, const WalkQuery& query) {
    return writeWalkAnswer(id, query, write_, limits_);
  }

  absl::Status answer(const QueryId& id, const ViewQuery& query) {
    const absl::StatusOr<PreparedView> view = prepareView(query, scenario_.world.blockTypes());
    if (!view.ok()) return write_(errorAnswer(id, view.status()));
    if (query.kind == ViewQuery::Kind::kVisible) {
      const absl::StatusOr<SightAnswer> seen =
          service_.visible(view->query, query.levels, view->options);
      return write_(seen.ok() ? sightAnswer(id, query, *seen)
                              : errorAnswer(id, view->errorOf(seen.status())));
    }
    const absl::StatusOr<ExposureAnswer> share =
        service_.exposure(view->query, query.levels, view->options);
    return write_(share.ok() ? exposureAnswer(id, *share)
                             : errorAnswer(id, view->errorOf(share.status())));
  }

  absl::Status answer(const QueryId& id, const BlastCase& query) {
    const absl::StatusOr<PreparedBlast> made =
        prepareBlast(query, scenario_.world.blockTypes(), limits_);
    if (!made.ok()) return write_(errorAnswer(id, made.status()));
    const absl::StatusOr<Blast> blast = service_.blast(made->query, query.levels, made->options);
    if (!blast.ok()) return write_(errorAnswer(id, blast.status()));
    return write_(blastAnswer(id, *blast, [&](BlockTypeId type) { return nameOf(type); }));
  }

  absl::Status answer(const QueryId& id, const EntityChunksQuery& query) {
    const std::optional<EntityHandle> entity = scenario_.entities.findId(query.entity);
    if (!entity.has_value()) {
      return write_(
          errorAnswer(id, absl::NotFoundError(absl::StrCat("there is no entity ", query.entity))));
    }
    const std::vector<ChunkCoord> chunks = scenario_.entities.chunks(*entity);
    return write_(entityChunksAnswer(id, scenario_.entities.find(*entity)->index_level,
                                     {chunks.data(), chunks.size()}));
  }

  absl::Status answer(const QueryId& id, const MoveQuery& query) {
    const absl::StatusOr<WindowMove> move = editor_.edit(query);
    return write_(move.ok() ? moveAnswer(id, *move) : errorAnswer(id, move.status()));
  }
  absl::Status answer(const QueryId& id, const LoadQuery& query) {
    return writeEdited(id, editor_.edit(query));
  }
  absl::Status answer(const QueryId& id, const AddQuery& query) {
    return writeEdited(id, editor_.edit(query));
  }
  absl::Status writeEdited(const QueryId& id, const absl::Status& edited) {
    return write_(edited.ok() ? editAnswer(id) : errorAnswer(id, edited));
  }

  absl::Status answer(const QueryId& id, const PathQuery& query) {
    const absl::StatusOr<ChunkPath> path = editor_.window().path(query.level, query.chunk);
    return write_(path.ok() ? pathAnswer(id, *path) : errorAnswer(id, path.status()));
  }

  std::string_view nameOf(BlockTypeId type) const {
    return scenario_.type_names[BlockTypeTable::index(type)];
  }

  const Scenario& scenario_;
  AnswerSink write_;
  const InputLimits& limits_;
  RayQueryService service_;
  Editor editor_;
};

template <class Query>
concept IsEdit = requires(Editor& editor, const Query& query) {
  editor.edit(query);
};

}  // namespace

absl::Status answerScenario(Scenario& scenario, AnswerSink write, const InputLimits& limits,
                            QueryObserver* observer, WindowObserver* move_observer) {
  return internal::catchBadAlloc("the answers", [&] {
    Answerer answerer(scenario, write, limits, observer, move_observer);
    absl::Status status;
    for (const ScenarioQuery& query : scenario.queries) {
      status = answerer.answer(query);
      if (!status.ok()) break;
    }
    return status;
  });
}

absl::Status editScenario(Scenario& scenario, std::size_t count) {
  return internal::catchBadAlloc("the edits", [&] {
    Editor editor(scenario);
    for (const ScenarioQuery& query : std::span(scenario.queries).first(count)) {
      std::visit(
          [&](const auto& ask) {
            if constexpr (IsEdit<std::decay_t<decltype(ask)>>) static_cast<void>(editor.edit(ask));
          },
          query.ask);
    }
    return absl::OkStatus();
  });
}

}  // namespace fractalray
