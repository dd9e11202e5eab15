// SPDX-License-Identifier: Apache-2.0
#include "entity_runner.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

#include "cost.h"
#include "entity_reference.h"
#include "entity_suite.h"
#include "entity_system.h"
#include "instruction_count.h"
#include "measurement.h"
#include "suite.h"

namespace fractalray::bench {
namespace {

// The reference tests every entity against every segment, so it gets at most this many pairs.
constexpr std::size_t kCheckedPairs = 1'000'000'000;
constexpr std::size_t kQuickCheckedPairs = 200'000'000;

// Warm-up moves, in measurements: enough that boxes that were enlarged together are no longer left
// together.
constexpr int kWarmingRounds = 3;

// A system and its measurements: the costs of an entity and of a segment.
struct Contender {
  const EntitySystemMaker* maker = nullptr;
  std::unique_ptr<EntitySystem> system{};
  std::ptrdiff_t grown = 0;
  double build_ms = 0;
  std::vector<Cost> moves{};
  std::vector<Cost> queries{};
  std::vector<Cost> ticks{};  // both, of each repetition

  std::size_t bytes() const {
    if (system->bytes() > 0) return system->bytes();
    return static_cast<std::size_t>(std::max(grown, std::ptrdiff_t{0}));
  }
};

// Runs an action and returns the growth of the heap, in bytes.
template <class Action>
std::ptrdiff_t growthBy(Action&& action) {
  const std::size_t before = heapBytes();
  action();
  return static_cast<std::ptrdiff_t>(heapBytes()) - static_cast<std::ptrdiff_t>(before);
}

class EntityRunner {
 public:
  EntityRunner(const Options& options, Results& results, const EntityPlan& plan)
      : options_(options), results_(results), plan_(plan), scene_(plan.spread, plan.entities) {
    for (const EntitySystemMaker& maker : allEntitySystems()) {
      if (!isWanted(maker)) continue;
      Contender built{.maker = &maker};
      const Clock::time_point begin = Clock::now();
      built.grown = growthBy([&] { built.system = maker.make(scene_); });
      built.build_ms = millisSince(begin);
      contenders_.push_back(std::move(built));
    }
  }

  void run(const EntityMoves& moves) {
    const bool shows_moves = isShown(Work::kEntityMove, moves.rays);
    const bool shows_queries = isShown(Work::kEntityQuery, moves.query_rays);
    if (!shows_moves && !shows_queries) return;
    const Rays rays = entityRays(std::min(moves.segments, options_.count.value_or(SIZE_MAX)));
    able_.clear();
    for (Contender& contender : contenders_) {
      if (moves.movement == Movement::kLittle || contender.maker->moves_far) {
        able_.push_back(&contender);
      }
    }
    if (able_.empty()) return;
    if (options_.instructions) return countInstructions(moves, rays, shows_moves, shows_queries);
    warm(moves);
    measure(moves, shows_queries ? rays : Rays{});
    report(moves, rays.size(), shows_moves, shows_queries);
  }

 private:
  bool isWanted(const EntitySystemMaker& maker) const {
    // Valgrind does not know all the instructions that the peers are compiled to.
    const bool can_run = maker.make != nullptr && (maker.is_ours || !options_.instructions);
    return can_run && !isLeftOut(maker) && isChosen(options_.systems, std::string(maker.name));
  }
  bool isLeftOut(const EntitySystemMaker& maker) const {
    return plan_.is_short && maker.takes_long;
  }

  bool isShown(Work work, const std::string& rays) const {
    return isChosen(options_.works, std::string(workName(work))) && isChosen(options_.rays, rays);
  }

  // Makes moves that are not timed; the growth of the systems is measured.
  void warm(const EntityMoves& moves) {
    for (int tick = 0; tick < kWarmingRounds * moves.ticks; ++tick) {
      scene_.tick(moves.movement);
      for (Contender* const contender : able_)
        contender->grown += growthBy([&] { contender->system->move(); });
    }
  }

  // Measures moves and queries. The systems run alternately in every tick, so that a slow moment of
  // the machine is shared.
  void measure(const EntityMoves& moves, const Rays& rays) {
    std::vector<EntityAnswer> answers(rays.size());
    for (Contender* const contender : able_) {
      contender->moves.clear();
      contender->queries.clear();
      contender->ticks.clear();
      contender->system->query(rays, answers);  // warm
    }
    for (int repeat = 0; repeat < options_.repeats; ++repeat) {
      for (Contender* const contender : able_)
        contender->moves.emplace_back();
      for (int tick = 0; tick < moves.ticks; ++tick) {
        scene_.tick(moves.movement);
        for (Contender* const contender : able_) {
          contender->moves.back() += costEach(scene_.size() * static_cast<std::size_t>(moves.ticks),
                                              [&] { contender->system->move(); });
        }
      }
      if (rays.size() == 0) continue;
      for (Contender* const contender : able_) {
        contender->queries.push_back(
            costEach(rays.size(), [&] { contender->system->query(rays, answers); }));
        contender->ticks.push_back(contender->moves.back());
        contender->ticks.back() += contender->queries.back();
      }
    }
  }

  // Reports the rows of each system after the last move, with the number of queries that it then
  // answers wrongly.
  void report(const EntityMoves& moves, std::size_t segments, bool shows_moves,
              bool shows_queries) {
    const std::size_t pairs = options_.quick ? kQuickCheckedPairs : kCheckedPairs;
    const Rays checked = entityRays(std::min(segments, pairs / scene_.size()));
    const std::vector<EntityAnswer> expected = expectedAnswers(scene_, checked);
    std::vector<std::size_t> wrong;
    std::vector<EntityAnswer> answers(checked.size());
    for (Contender* const contender : able_) {
      contender->system->query(checked, answers);
      wrong.push_back(0);
      for (std::size_t i = 0; i < answers.size(); ++i)
        wrong.back() += answers[i] == expected[i] ? 0U : 1U;
    }
    SetFacts facts{.scene = plan_.scene,
                   .rays = moves.rays,
                   .work = std::string(workName(Work::kEntityMove)),
                   .count = plan_.entities,
                   .checked = checked.size()};
    if (shows_moves) addRow(facts, wrong, &Contender::moves);
    facts.rays = moves.query_rays;
    facts.work = workName(Work::kEntityQuery);
    facts.segments = segments;
    addHits(expected, facts);
    if (shows_queries) addRow(facts, wrong, &Contender::queries);
    if (!shows_moves || !shows_queries || !isShown(Work::kEntityTick, moves.rays)) return;
    facts.rays = moves.rays;
    facts.work = workName(Work::kEntityTick);
    addRow(facts, wrong, &Contender::ticks);
  }

  static void addHits(const std::vector<EntityAnswer>& expected, SetFacts& facts) {
    double hitting = 0;
    double hits = 0;
    for (const EntityAnswer& answer : expected) {
      hitting += answer.hits > 0 ? 1 : 0;
      hits += static_cast<double>(answer.hits);
    }
    facts.hit_share = hitting / static_cast<double>(expected.size());
    facts.hits = hits / std::max(hitting, 1.0);
  }

  void addRow(const SetFacts& facts, const std::vector<std::size_t>& wrong,
              std::vector<Cost> Contender::*costs) {
    results_.sets.push_back(facts);
    printSet(facts);
    const bool has_ours = able_.front()->maker == &allEntitySystems().front();
    const double ours_ns = has_ours ? median(able_.front()->*costs).ns : 0;
    for (std::size_t i = 0; i < able_.size(); ++i) {
      const Cost cost = median(able_[i]->*costs);
      results_.rows.push_back({.scene = facts.scene,
                               .rays = facts.rays,
                               .work = facts.work,
                               .system = std::string(able_[i]->maker->name),
                               .count = facts.count,
                               .ns = cost.ns,
                               .instructions = cost.instructions,
                               .wrong = wrong[i],
                               .bytes = able_[i]->bytes(),
                               .build_ms = able_[i]->build_ms});
      printRow(results_.rows.back(), ours_ns);
    }
    for (const EntitySystemMaker& maker : allEntitySystems()) {
      const std::string name(maker.name);
      if (!isChosen(options_.systems, name)) continue;
      if (maker.make == nullptr) {
        printMissing(name);
      } else if (isLeftOut(maker)) {
        printLeftOut(name);
      }
    }
  }

  void countInstructions(const EntityMoves& moves, const Rays& rays, bool shows_moves,
                         bool shows_queries) {
    std::vector<EntityAnswer> answers(rays.size());
    warm(moves);
    scene_.tick(moves.movement);
    for (Contender* const contender : able_) {
      const auto count = [&](Work work, const std::string& rays_name, std::size_t each,
                             auto&& action) {
        startCounting();
        action();
        stopCounting(absl::StrCat(plan_.scene, ":", plan_.entities, " ", rays_name, " ",
                                  std::string(workName(work)), " ",
                                  std::string(contender->maker->name), " ", each));
      };
      const auto move = [&] { contender->system->move(); };
      const auto query = [&] { contender->system->query(rays, answers); };
      if (shows_moves) {
        count(Work::kEntityMove, moves.rays, scene_.size(), move);
      } else {
        move();
      }
      if (!shows_queries) continue;
      query();  // warm
      count(Work::kEntityQuery, moves.query_rays, rays.size(), query);
    }
  }

  const Options& options_;
  Results& results_;
  const EntityPlan& plan_;
  EntityScene scene_;
  std::vector<Contender> contenders_;
  std::vector<Contender*> able_;
};

}  // namespace

void runEntities(const Options& options, Results& results) {
  for (const EntityPlan& plan : makeEntitySuite(options.quick)) {
    if (!isChosen(options.scenes, plan.scene)) continue;
    if (plan.entities > options.entities.value_or(SIZE_MAX)) continue;
    EntityRunner runner(options, results, plan);
    for (const EntityMoves& moves : plan.moves)
      runner.run(moves);
  }
}

}  // namespace fractalray::bench
