// SPDX-License-Identifier: Apache-2.0
// A scenario that is in order, ways to spoil it, and what the reader makes of it.
#pragma once

#include <string>
#include <string_view>

#include "../../formats/json_document.h"
#include "../../formats/scenario.h"

namespace fractalray {

// A scenario that is in order, as a document to spoil.
inline Json sound() {
  return Json::parse(R"({
    "format": "fractalray-scenario/1", "levels": 2,
    "block_types": {"air": "empty", "glass": {"default": "permeable", "sight": "empty"}, "stone": "solid"},
    "responses": {"glass": "stop"},
    "chunks": [{"level": 1, "at": [0, 0, 0], "state": "loaded", "fill": "air",
                "boxes": [[[0, 0, 0], [15, 0, 15], "stone"]], "blocks": [[[5, 0, 3], "glass"]]},
               {"level": 1, "at": [1, 0, 0], "state": "proto"}],
    "entities": [{"id": 1, "level": 1, "shape": "sphere", "center": [3, 0.5, 3.5], "radius": 1},
                 {"id": 2, "level": 0, "shape": "box", "center": [20, 0, 3], "half_extents": [1, 1, 2]}],
    "queries": [{"id": "s", "op": "shoot", "from": [0, 0, 0], "to": [9, 0, 0], "levels": [0, 1]},
                {"id": "w", "op": "walk", "dimensions": 2, "from": [0, 0], "to": [3, 3]},
                {"id": "e", "op": "entity_chunks", "entity": 1},
                {"id": "r", "op": "shoot", "from": [0, 0, 0], "to": [9, 0, 0], "levels": [0, 1],
                 "rules": "bullet", "budgets": {"panes": 1}}],
    "rules": {"bullet": {"budgets": {"panes": 2},
                         "blocks": [{"type": "glass", "levels": [1], "budget": "panes", "per_hit": 1}],
                         "entities": [{"categories": 2, "response": "stop"}]}}
  })");
}

// Returns the sound scenario with the value at a JSON pointer set to something else.
inline std::string spoiled(const std::string& pointer, std::string_view value) {
  Json document = sound();
  document[Json::json_pointer(pointer)] = Json::parse(value);
  return document.dump();
}

// Returns the sound scenario without a member of an object.
inline std::string without(const std::string& parent, const std::string& name) {
  Json document = sound();
  document[Json::json_pointer(parent)].erase(name);
  return document.dump();
}

// Returns the error of a scenario, "not refused" if it has none.
inline std::string refusal(std::string_view text) {
  const absl::StatusOr<Scenario> scenario = parseScenario(text, "f.json");
  return scenario.ok() ? "not refused" : std::string(scenario.status().message());
}

// Returns the answers of a scenario, or its error.
inline std::string answers(std::string_view text) {
  absl::StatusOr<Scenario> scenario = parseScenario(text, "f.json");
  if (!scenario.ok()) return scenario.status().ToString();
  std::string out;
  const absl::Status status = answerScenario(*scenario, [&](std::string_view piece) {
    out += piece;
    return absl::OkStatus();
  });
  return status.ok() ? out : status.ToString();
}

}  // namespace fractalray
