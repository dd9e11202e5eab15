// SPDX-License-Identifier: Apache-2.0
// Encodes a query's answer so that equal answers have equal bytes: the form that a query log keeps
// and a replay compares. docs/query-log.md describes the bytes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../../levels/block_type.h"
#include "../../query/hit.h"
#include "../../query/query_observer.h"
#include "logged_sight.h"

namespace fractalray {

// Appends the bytes of the answer. `types` names the blocks; `channel`, in which they are solid or
// not, is the query's. Allocates only to grow `bytes`.
void appendAnswer(std::string& bytes, const ObservedAnswer& observed, const BlockTypeTable& types,
                  ChannelId channel);

// Returns the 64-bit FNV-1a hash of the bytes: the same on every machine and in every run.
std::uint64_t answerHash(std::string_view bytes);

// A hit as a log has it: without distance, point, normal, categories and the entity's handle, and
// with the name of the block's type in place of its number.
struct LoggedHit : Hit {
  std::string type_name;
  // True if a callback, a predicate or a terminal rule ended the shot here, and not a solid block.
  bool ended_by_callback = false;
};

// An answer as a log has it.
struct LoggedAnswer {
  absl::StatusCode status = absl::StatusCode::kOk;
  std::optional<Occlusion> occlusion;
  std::optional<Sight> sight;
  std::optional<std::array<double, 2>> exposure;
  std::optional<std::vector<Sight>> sights;  // of visibleBoxes
  std::optional<LoggedBlocks> seen_blocks;
  std::optional<LoggedBlastAnswer> blast;
  std::vector<LoggedHit> hits;
  bool terminated = false;
  bool truncated = false;
  std::optional<double> unknown_from;
  std::vector<LevelSpan> level_spans;
  std::optional<Budgets> budgets;
  std::optional<double> stopped_at;
};

// Reads the answer that appendAnswer wrote. Errors: DATA_LOSS, with the reason, for other bytes.
absl::StatusOr<LoggedAnswer> parseAnswer(std::string_view bytes);

}  // namespace fractalray
