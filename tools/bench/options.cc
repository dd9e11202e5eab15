// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <algorithm>
#include <cstdlib>

#include "CLI/CLI.hpp"

#include "entity_suite.h"
#include "entity_system.h"
#include "stream_runner.h"
#include "suite.h"
#include "systems.h"

namespace fractalray::bench {
namespace {

constexpr int kFullRepeats = 5;
constexpr int kQuickRepeats = 3;

// The valid names, in the order of the suite.
struct Known {
  std::vector<std::string> scenes;
  std::vector<std::string> rays;
  std::vector<std::string> works;
  std::vector<std::string> systems;
};

void addOnce(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

Known knownNames() {
  Known known;
  for (const ScenePlan& plan : makeSuite(false)) {
    for (const SetPlan& set : plan.sets) {
      addOnce(known.scenes, set.scene);
      addOnce(known.rays, set.rays);
    }
  }
  for (const EntityPlan& plan : makeEntitySuite(false)) {
    addOnce(known.scenes, plan.scene);
    for (const EntityMoves& moves : plan.moves) {
      addOnce(known.rays, moves.rays);
      addOnce(known.rays, moves.query_rays);
    }
  }
  for (const std::string& scene : streamScenes())
    addOnce(known.scenes, scene);
  for (const std::string& way : streamWays())
    addOnce(known.rays, way);
  for (const Work work : allWorks())
    known.works.emplace_back(workName(work));
  for (const SystemMaker& maker : allSystems())
    addOnce(known.systems, std::string(maker.name));
  for (const EntitySystemMaker& maker : allEntitySystems())
    addOnce(known.systems, std::string(maker.name));
  return known;
}

void addFilter(CLI::App& app, const std::string& option, std::vector<std::string>& chosen,
               const std::vector<std::string>& known) {
  app.add_option(option, chosen, "only these: " + CLI::detail::join(known, " "))
      ->delimiter(',')
      ->type_name("NAME,...")
      ->check(CLI::IsMember(known).description(""));
}

}  // namespace

bool isChosen(const std::vector<std::string>& names, const std::string& name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

Options parseOptions(int argc, char** argv) {
  Options options;
  options.repeats = 0;
  const Known known = knownNames();
  CLI::App app(
      "The same rays on the same scenes for fractalray and its peers, in one run and one thread.\n"
      "Prints ns a segment or a moved entity (the median), the ratio to fractalray, the "
      "instructions\n"
      "in user mode (- if the processor's counter cannot be read), and how many answers are wrong\n"
      "against an exact reference; in the end whether the targets are reached, with the costs of\n"
      "those that are missed. hit_groups and sight_groups are loads of games: explosions (1,352 "
      "rays\n"
      "each), 8 lines to a player's box, 12,100 to tiles. Their lines are made in the measured "
      "call.",
      "fractalray_bench");
  app.add_flag("--quick", options.quick, "fewer segments and repetitions: two minutes at most");
  addFilter(app, "--scene", options.scenes, known.scenes);
  addFilter(app, "--rays", options.rays, known.rays);
  addFilter(app, "--work", options.works, known.works);
  addFilter(app, "--system", options.systems, known.systems);
  app.add_option("--repeat", options.repeats, "measurements, of which the median counts (5; 3)")
      ->check(CLI::Range(1, 1000).description(""))
      ->type_name("N");
  app.add_option("--count", options.count, "at most so many segments in a set")
      ->check(CLI::Range(1, 100'000'000).description(""))
      ->type_name("N");
  app.add_option("--entities", options.entities, "no scenes of more than so many entities")
      ->check(CLI::Range(1, 100'000'000).description(""))
      ->type_name("N");
  app.add_option("--json", options.json, "also write the results to a file")->type_name("FILE");
  app.add_flag("--instructions", options.instructions,
               "do each of our works once, for tools/bench/callgrind.sh to count");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error) == 0 ? 0 : 2);
  }
  if (options.repeats == 0) options.repeats = options.quick ? kQuickRepeats : kFullRepeats;
  return options;
}

}  // namespace fractalray::bench
