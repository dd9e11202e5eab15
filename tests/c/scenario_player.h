// SPDX-License-Identifier: Apache-2.0
// Sets up the world of a scenario, and answers its queries, by the C interface alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "../../bindings/c/fractalray_c.h"
#include "../../formats/json_document.h"

namespace fractalray::testing {

// Requires: the scenario is valid (the library's own reader has read it).
class ScenarioPlayer {
 public:
  explicit ScenarioPlayer(const Json& scenario);
  virtual ~ScenarioPlayer();
  ScenarioPlayer(const ScenarioPlayer&) = delete;
  ScenarioPlayer& operator=(const ScenarioPlayer&) = delete;

  // Answers a query, as `fractalray scenario` does.
  Json answer(const Json& query);

 protected:
  const frWorld* world() const { return world_; }
  // Returns FR_STOP, FR_AGAIN or FR_CONTINUE: what the scenario answers to a hit.
  std::int32_t responseTo(const frHit& hit) const;
  // Finds the hits of a shot; another process may be asked in place of this one.
  virtual frResult findHits(const frLine& line, frLevelMask levels, const frQueryOptions& options,
                            std::vector<frHit>& hits, frQueryResult& shot) const;

 private:
  struct Rules {
    frRules* rules = nullptr;
    std::vector<std::string> budgets;
    std::vector<double> amounts;
  };
  // Holds what a shot's options refer to.
  struct ShotInput {
    std::vector<std::uint64_t> ignore;
    double budgets[FR_MAX_BUDGETS] = {};
    const Rules* rules = nullptr;
  };

  // Holds what the options of a query of sight refer to.
  struct SightInput {
    std::vector<std::uint64_t> ignore;
    std::vector<frFixedBox> occluders;
  };

  void addType(const std::string& name, const Json& kinds, const Json& all);
  // Returns the shape of a look, which is `usual` for a word.
  frShape addShape(const Json& look, frShape usual);
  void addRules(const std::string& name, const Json& rules);
  frRule ruleFrom(const Json& rule, const Rules& rules) const;
  frResult loadChunk(const Json& chunk);
  frResult addEntity(const Json& entity);
  std::vector<frBlockType> blocksOf(const Json& chunk) const;
  frQueryOptions optionsOf(const Json& query, ShotInput& input) const;
  frSightOptions sightOptionsOf(const Json& query, SightInput& input) const;

  // Each answers one kind of query, in `json`.
  frResult shoot(const Json& query, Json& json) const;
  Json spansJson(const frLine& line, const frQueryOptions& options, const frHit& hit) const;
  frResult walk(const Json& query, Json& json) const;
  frResult visible(const Json& query, Json& json) const;
  frResult exposure(const Json& query, Json& json) const;
  frResult blast(const Json& query, Json& json) const;
  frResult entityChunks(const Json& query, Json& json) const;
  frResult move(const Json& query, Json& json);
  frResult path(const Json& query, Json& json) const;
  frResult run(const std::string& op, const Json& query, Json& json);

  frWorld* world_ = nullptr;
  std::map<std::string, frBlockType> types_;
  std::vector<std::string> type_names_{"air"};
  std::map<std::string, std::int32_t> responses_;  // to hits of types
  std::map<std::string, Rules> rules_;
};

}  // namespace fractalray::testing
