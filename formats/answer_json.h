// SPDX-License-Identifier: Apache-2.0
// Answers of queries as JSON, one line each: what `fractalray scenario` and the --json of other
// commands print.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"

#include "../levels/block_type.h"
#include "../levels/chunk_path.h"
#include "../query/blast.h"
#include "../query/occlusion.h"
#include "../query/shot_result.h"
#include "../query/sight.h"
#include "../query/window.h"
#include "input_limits.h"
#include "query_json.h"
#include "view_json.h"

namespace fractalray {

// Takes the next piece of output. If it returns an error, the function that writes stops and
// returns that error.
using AnswerSink = absl::FunctionRef<absl::Status(std::string_view piece)>;
// Returns the name that an answer gives a block type.
using TypeNamer = absl::FunctionRef<std::string_view(BlockTypeId type)>;

// Returns a line with the hits of a shot, in order. The line also has `terminated`; `truncated` if
// the query limits its hits; `budgets`, by name, and `stopped_at` if it has rules; `unknown_from`
// and `level_parts` if it asks for them; `line`, {"from", "delta", "t_end"} in units, for a ray.
std::string shotAnswer(const World& world, const QueryId& id, const ShotQuery& query,
                       const ShotResult& result, TypeNamer name);

// Returns a line with the closest hit, or null if there is none, and with `unknown_from` if the
// query asks for it.
std::string closestAnswer(const QueryId& id, const ShotQuery& query, const ClosestHit& closest,
                          TypeNamer name);

// "clear", "blocked" or "unknown"; and a line that says so.
std::string_view occlusionName(Occlusion occlusion);
std::string occlusionAnswer(const QueryId& id, Occlusion occlusion);

// Returns a line with `sight`: "hidden", "unknown" or "visible"; with `witness`, {"delta", "unit"},
// of a box that is visible; and with `certificate`, boxes in units, of a hidden one, if the query
// asks for it. Components of the witness beyond 64 bits are strings.
std::string sightAnswer(const QueryId& id, const ViewQuery& query, const SightAnswer& answer);
// Returns a line with the share of a box that is seen, between `from` and `to`.
std::string exposureAnswer(const QueryId& id, const ExposureAnswer& answer);

// Returns a line with the `blocks` of a blast, in order, its `entities`, `samples` and
// `reaches_unknown`.
std::string blastAnswer(const QueryId& id, const Blast& blast, TypeNamer name);

// Returns a line with the chunks that an entity is indexed in, in the given order.
std::string entityChunksAnswer(const QueryId& id, int index_level,
                               std::span<const ChunkCoord> chunks);

// Return a line with the new anchor, the evicted entities and the number of dropped chunks; with
// the path of a chunk; with the id alone, of an edit that has nothing else to report.
std::string moveAnswer(const QueryId& id, const WindowMove& move);
std::string pathAnswer(const QueryId& id, const ChunkPath& path);
std::string editAnswer(const QueryId& id);

// Returns a line {"id", "error": "OUT_OF_RANGE: ..."}.
std::string errorAnswer(const QueryId& id, const absl::Status& error);

// Writes a line with the cells of a walk, in pieces, so that the line is never all in memory. A
// walk that makeWalk refuses is answered by a line with its error; returns only errors of the sink.
absl::Status writeWalkAnswer(const QueryId& id, const WalkQuery& query, AnswerSink write,
                             const InputLimits& limits = {});

}  // namespace fractalray
