// SPDX-License-Identifier: Apache-2.0
#include "runner.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "cost.h"
#include "entity_runner.h"
#include "instruction_count.h"
#include "measurement.h"
#include "reference.h"
#include "stream_runner.h"
#include "suite.h"
#include "systems.h"

namespace fractalray::bench {
namespace {

struct Built {
  const SystemMaker* maker = nullptr;
  std::unique_ptr<System> system{};
  std::size_t bytes = 0;
  double build_ms = 0;
};

Built build(const SystemMaker& maker, const Scene& scene) {
  Built built{.maker = &maker};
  const std::size_t heap_before = heapBytes();
  const Clock::time_point begin = Clock::now();
  built.system = maker.make(scene);
  const double took = millisSince(begin);
  built.build_ms = built.system->buildMs() > 0 ? built.system->buildMs() : took;
  const std::size_t heap_after = heapBytes();
  const std::size_t grown = heap_after > heap_before ? heap_after - heap_before : 0;
  built.bytes = built.system->bytes() > 0 ? built.system->bytes() : grown;
  return built;
}

class Runner {
 public:
  explicit Runner(const Options& options) : options_(options) {
    results_.quick = options.quick;
    results_.machine = describeMachine() + describePeers();
  }

  void run(ScenePlan plan) {
    std::erase_if(plan.sets, [&](SetPlan& set) { return !choose(set); });
    if (plan.sets.empty()) return;
    const Scene scene = plan.make();
    std::vector<Built> systems;
    for (const SystemMaker& maker : allSystems()) {
      const bool is_wanted = std::any_of(plan.sets.begin(), plan.sets.end(),
                                         [&](const SetPlan& set) { return isWanted(set, maker); });
      if (is_wanted) systems.push_back(build(maker, scene));
    }
    for (const SetPlan& set : plan.sets)
      runSet(scene, set, systems);
  }

  Results takeResults() { return std::move(results_); }

 private:
  // Narrows a set to the options; returns false if nothing is left.
  bool choose(SetPlan& set) const {
    if (!isChosen(options_.scenes, set.scene) || !isChosen(options_.rays, set.rays)) return false;
    std::erase_if(set.works, [&](Work work) {
      return !isChosen(options_.works, std::string(workName(work)));
    });
    if (options_.count.has_value()) set.count = std::min(set.count, *options_.count);
    return !set.works.empty();
  }

  bool takesPart(const SetPlan& set, const SystemMaker& maker) const {
    const bool is_listed = set.systems.empty() ? !maker.needs_shapes
                                               : std::find(set.systems.begin(), set.systems.end(),
                                                           maker.name) != set.systems.end();
    return is_listed && isChosen(options_.systems, std::string(maker.name));
  }

  bool isWanted(const SetPlan& set, const SystemMaker& maker) const {
    // Valgrind does not know all the instructions that the peers are compiled to.
    const bool can_run = maker.make != nullptr && (maker.is_ours || !options_.instructions);
    return can_run && takesPart(set, maker);
  }

  void runSet(const Scene& scene, const SetPlan& set, std::vector<Built>& systems) {
    const Rays rays = set.make(scene.grid, set.count);
    for (Built& built : systems) {
      if (isWanted(set, *built.maker)) built.system->prepare(rays);
    }
    for (const Work work : set.works) {
      std::vector<Built*> able;
      for (Built& built : systems) {
        if (isWanted(set, *built.maker) && isAble(*built.system, work)) able.push_back(&built);
      }
      if (able.empty()) continue;
      if (options_.instructions) {
        countInstructions(set, work, rays, able);
      } else {
        measure(scene, set, work, rays, able);
      }
    }
  }

  static bool isAble(const System& system, Work work) {
    return system.can(work) || system.can(oneByOne(work));
  }
  // Answers the rays in batches, if the system has them for the work, else one by one.
  static void answerAll(System& system, Work work, const Rays& rays, std::span<Answer> answers) {
    system.run(system.can(work) ? work : oneByOne(work), rays, answers);
  }

  static void countInstructions(const SetPlan& set, Work work, const Rays& rays,
                                const std::vector<Built*>& systems) {
    std::vector<Answer> answers(rays.size());
    for (Built* const built : systems) {
      answerAll(*built->system, work, rays, answers);  // warm
      startCounting();
      answerAll(*built->system, work, rays, answers);
      stopCounting(set.scene + " " + set.rays + " " + std::string(workName(work)) + " " +
                   std::string(built->maker->name) + " " + std::to_string(rays.size()));
    }
  }

  static Expected reference(const Scene& scene, const SetPlan& set, Work work, const Rays& rays) {
    if (set.reference == Reference::kGrid) return expectedAnswers(scene.grid, rays, work);
    Expected expected;
    expected.answers.resize(rays.size());
    const std::unique_ptr<System> plain = makeFractalrayPlain(scene);
    plain->prepare(rays);
    plain->run(work, rays, expected.answers);
    const auto hits = std::count_if(expected.answers.begin(), expected.answers.end(),
                                    [](const Answer& answer) { return answer.hits != 0; });
    expected.hit_share = static_cast<double>(hits) / static_cast<double>(rays.size());
    return expected;
  }

  void measure(const Scene& scene, const SetPlan& set, Work work, const Rays& rays,
               const std::vector<Built*>& systems) {
    const Expected expected = reference(scene, set, work, rays);
    results_.sets.push_back({.scene = set.scene,
                             .rays = set.rays,
                             .work = std::string(workName(work)),
                             .segments = rays.size(),
                             .checked = rays.size(),
                             .hit_share = expected.hit_share,
                             .hits = expected.hits,
                             .cells = expected.cells});
    printSet(results_.sets.back());
    const bool has_cubes = std::any_of(systems.begin(), systems.end(),
                                       [](const Built* built) { return built->maker->sees_cubes; });
    const Expected of_cubes = has_cubes ? expectedAnswers(scene.grid, rays, work) : Expected();
    // The first run is not measured: it warms the caches, and its answers are checked.
    std::vector<Result> rows;
    std::vector<Answer> answers(rays.size());
    // The grid does not know at which points a shape is touched.
    const auto is_exact = [&](const SystemMaker& maker) {
      return maker.is_ours || scene.shapes.has_value();
    };
    for (Built* const built : systems) {
      answerAll(*built->system, work, rays, answers);
      rows.push_back({.scene = set.scene,
                      .rays = set.rays,
                      .work = std::string(workName(work)),
                      .system = std::string(built->maker->name),
                      .wrong = countWrong(scene.grid, rays, work,
                                          built->maker->sees_cubes ? of_cubes : expected, answers,
                                          is_exact(*built->maker) ? Ties::kExact : Ties::kFree),
                      .bytes = built->bytes,
                      .build_ms = built->build_ms});
    }
    const std::vector<Cost> costs = medians(work, rays, systems, answers);
    const double ours_ns = systems.front()->maker == &allSystems().front() ? costs.front().ns : 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].ns = costs[i].ns;
      rows[i].instructions = costs[i].instructions;
      printRow(rows[i], ours_ns);
    }
    results_.rows.insert(results_.rows.end(), rows.begin(), rows.end());
    for (const SystemMaker& maker : allSystems()) {
      // All systems that may be missing find the first hit.
      if (maker.make == nullptr && work == Work::kFirstHit && takesPart(set, maker)) {
        printMissing(std::string(maker.name));
      }
    }
  }

  // Returns the cost of a segment for each system. They run alternately, so that a slow moment of
  // the machine is shared.
  std::vector<Cost> medians(Work work, const Rays& rays, const std::vector<Built*>& systems,
                            std::vector<Answer>& answers) const {
    std::vector<std::vector<Cost>> costs(systems.size());
    for (int repeat = 0; repeat < options_.repeats; ++repeat) {
      for (std::size_t i = 0; i < systems.size(); ++i) {
        costs[i].push_back(
            costEach(rays.size(), [&] { answerAll(*systems[i]->system, work, rays, answers); }));
      }
    }
    std::vector<Cost> result;
    result.reserve(costs.size());
    for (const std::vector<Cost>& values : costs)
      result.push_back(median(values));
    return result;
  }

  const Options& options_;
  Results results_;
};

}  // namespace

Results runSuite(const Options& options) {
  Runner runner(options);
  for (ScenePlan& plan : makeSuite(options.quick))
    runner.run(std::move(plan));
  Results results = runner.takeResults();
  runEntities(options, results);
  runStreams(options, results);
  return results;
}

}  // namespace fractalray::bench
