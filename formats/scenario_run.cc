// SPDX-License-Identifier: Apache-2.0
// Answers the queries of a scenario.
#include <span>

#include "absl/strings/str_cat.h"
#include "fractalray/formats/scenario.h"
#include "fractalray/query/ray_query_service.h"

namespace fractalray {
namespace {

class Answerer {
 public:
  Answerer(const Scenario& scenario, AnswerSink write)
      : scenario_(scenario), write_(write), service_(scenario.world, scenario.entities) {
    for (const BlockTypeId type : scenario.stopping_types) {
      service_.onBlockHit(type, [](const BlockHit&) { return HitResponse::kStop; });
    }
    service_.onEntityHit(kStoppingEntity, [](const EntityHit&) { return HitResponse::kStop; });
  }

  absl::Status answer(const ScenarioQuery& query) {
    return std::visit([&](const auto& ask) { return this->answer(query.id, ask); }, query.ask);
  }

 private:
  absl::Status answer(const Json& id, const ShotQuery& query) {
    const absl::StatusOr<ShotResult> result = service_.shootSegment(
        query.segment, query.levels, toOptions(query, scenario_.world.blockTypes()));
    if (!result.ok()) return write_(errorAnswer(id, result.status()));
    return write_(shotAnswer(id, query, *result, [&](BlockTypeId type) -> std::string_view {
      return scenario_.type_names[BlockTypeTable::index(type)];
    }));
  }

  absl::Status answer(const Json& id, const WalkQuery& query) {
    return writeWalkAnswer(id, query, write_);
  }

  absl::Status answer(const Json& id, const EntityChunksQuery& query) {
    const std::optional<EntityHandle> entity = scenario_.entities.findId(query.entity);
    if (!entity.has_value()) {
      return write_(
          errorAnswer(id, absl::NotFoundError(absl::StrCat("there is no entity ", query.entity))));
    }
    const EntityChunks chunks = scenario_.entities.chunks(*entity);
    return write_(entityChunksAnswer(id, scenario_.entities.find(*entity)->index_level,
                                     {chunks.data(), chunks.size()}));
  }

  const Scenario& scenario_;
  AnswerSink write_;
  RayQueryService service_;
};

}  // namespace

absl::Status answerScenario(const Scenario& scenario, AnswerSink write) {
  Answerer answerer(scenario, write);
  for (const ScenarioQuery& query : scenario.queries) {
    absl::Status status = answerer.answer(query);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace fractalray
