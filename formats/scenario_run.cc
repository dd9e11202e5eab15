// SPDX-License-Identifier: Apache-2.0
// Answers the queries of a scenario.
#include <span>

#include "absl/strings/str_cat.h"

#include "../core/check.h"
#include "../query/ray_query_service.h"
#include "out_of_memory.h"
#include "scenario.h"

namespace fractalray {
namespace {

class Answerer {
 public:
  Answerer(const Scenario& scenario, AnswerSink write, const InputLimits& limits,
           QueryObserver* observer)
      : scenario_(scenario),
        write_(write),
        limits_(limits),
        service_(scenario.world, scenario.entities) {
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
  absl::Status answer(const Json& id, const ShotQuery& query) {
    ShotOptions options = toOptions(query, scenario_.world.blockTypes());
    const bool is_limited = options.max_hits > limits_.hits;
    if (is_limited) options.max_hits = limits_.hits;
    const absl::StatusOr<FixedSegment> line = lineOf(query);
    if (!line.ok()) return write_(errorAnswer(id, line.status()));
    const absl::StatusOr<ShotResult> result = service_.shootSegment(*line, query.levels, options);
    if (!result.ok()) return write_(errorAnswer(id, result.status()));
    if (is_limited && result->truncated) {
      return write_(errorAnswer(id, limitError("hits", "hits", limits_.hits)));
    }
    return write_(shotAnswer(id, query, *result, [&](BlockTypeId type) -> std::string_view {
      return scenario_.type_names[BlockTypeTable::index(type)];
    }));
  }

  absl::Status answer(const Json& id, const WalkQuery& query) {
    return writeWalkAnswer(id, query, write_, limits_);
  }

  absl::Status answer(const Json& id, const EntityChunksQuery& query) {
    const std::optional<EntityHandle> entity = scenario_.entities.findId(query.entity);
    if (!entity.has_value()) {
      return write_(
          errorAnswer(id, absl::NotFoundError(absl::StrCat("there is no entity ", query.entity))));
    }
    const std::vector<ChunkCoord> chunks = scenario_.entities.chunks(*entity);
    return write_(entityChunksAnswer(id, scenario_.entities.find(*entity)->index_level,
                                     {chunks.data(), chunks.size()}));
  }

  const Scenario& scenario_;
  AnswerSink write_;
  const InputLimits& limits_;
  RayQueryService service_;
};

}  // namespace

absl::Status answerScenario(const Scenario& scenario, AnswerSink write, const InputLimits& limits,
                            QueryObserver* observer) {
  return internal::catchBadAlloc("the answers", [&] {
    Answerer answerer(scenario, write, limits, observer);
    absl::Status status;
    for (const ScenarioQuery& query : scenario.queries) {
      status = answerer.answer(query);
      if (!status.ok()) break;
    }
    return status;
  });
}

}  // namespace fractalray
