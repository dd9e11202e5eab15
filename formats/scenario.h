// SPDX-License-Identifier: Apache-2.0
// Scenarios: a small world with queries in one JSON file, for tests, bug reports and examples.
// docs/scenario-format.md describes the format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../entities/entity_index.h"
#include "../levels/chunk_path.h"
#include "../levels/world.h"
#include "../query/query_observer.h"
#include "../query/query_options.h"
#include "../query/window.h"
#include "answer_json.h"
#include "blast_json.h"
#include "input_limits.h"
#include "query_json.h"
#include "view_json.h"

namespace fractalray {

// Asks in which chunks an entity is indexed.
struct EntityChunksQuery {
  EntityId entity = 0;
};

// Moves the frame, see Window.
struct MoveQuery {
  enum class Kind : std::uint8_t { kDescend, kClimb, kRecenter };

  Kind kind = Kind::kClimb;
  ChunkCoord chunk{};  // becomes (0, 0, 0); not used by a climb
};

// Loads a chunk, or a placeholder, and replaces the chunk that is there.
struct LoadQuery {
  int level = 0;
  ChunkCoord at{};
  ChunkState state = ChunkState::kLoaded;  // or kProto
  Chunk content{};
};

// Adds an entity.
struct AddQuery {
  EntitySpec entity;
};

// Returns the path of a chunk.
struct PathQuery {
  int level = 0;
  ChunkCoord chunk{};
};

struct ScenarioQuery {
  QueryId id;
  std::variant<ShotQuery, WalkQuery, ViewQuery, BlastCase, EntityChunksQuery, MoveQuery, LoadQuery,
               AddQuery, PathQuery>
      ask;
};

// The classes of a scenario's entities, by what their callback returns.
inline constexpr EntityClassId kContinuingEntity{0};
inline constexpr EntityClassId kStoppingEntity{1};
inline constexpr EntityClassId kAgainEntity{2};
constexpr EntityClassId classOf(HitResponse response) {
  if (response == HitResponse::kStop) return kStoppingEntity;
  return response == HitResponse::kAgain ? kAgainEntity : kContinuingEntity;
}

// A scenario as it was read: the world as it is set up, and the queries on it.
struct Scenario {
  explicit Scenario(int levels)
      : world({.levels = levels, .block_types = nullptr}), entities(world.frame()) {}

  World world;
  EntityIndex entities;
  ChunkPath anchor;  // of the level-0 chunk (0, 0, 0)
  // The name that the file gives each block type, by its number. The table may have another name
  // for "air" if the file's air is not empty.
  std::vector<std::string> type_names;
  // The types whose callback stops the shot, and those whose callback has it look again.
  std::vector<BlockTypeId> stopping_types;
  std::vector<BlockTypeId> again_types;
  std::vector<ScenarioQuery> queries;
};

// Reads a scenario, whole or not at all. Errors: INVALID_ARGUMENT, in one line that begins with
// `name` and the position (line and column, or the path of the member), for text that is not JSON
// or not a scenario; RESOURCE_EXHAUSTED beyond `limits`, and if memory runs out. Memory: the text,
// the world and the queries. Lists whose elements come before "levels", and chunks before
// "block_types", are held as JSON until the end of the file: up to 35 bytes a byte.
absl::StatusOr<Scenario> parseScenario(std::string_view text, std::string_view name,
                                       const InputLimits& limits = {});
// Reads a scenario from a file; errors of readFile too.
absl::StatusOr<Scenario> readScenario(const std::string& path, const InputLimits& limits = {});

// Writes the answer of each query, in order, as a line of JSON. A query with invalid
// arguments is answered with its error, and so is one that exceeds limits.hits or limits.cells; the
// others are still answered. Queries that edit (moves, loads, additions) change the scenario's
// world, entities and anchor, which the later ones see. Returns the sink's error, or
// RESOURCE_EXHAUSTED if memory runs out: then the answers so far are all there are. `observer` sees
// the shots, `move_observer` the moves; each may be null.
absl::Status answerScenario(Scenario& scenario, AnswerSink write, const InputLimits& limits = {},
                            QueryObserver* observer = nullptr,
                            WindowObserver* move_observer = nullptr);
// Makes the edits among the first `count` queries, without the answers: the world is then as query
// `count` sees it. Edits that are refused are left out. Returns RESOURCE_EXHAUSTED if memory runs
// out.
absl::Status editScenario(Scenario& scenario, std::size_t count);

}  // namespace fractalray
