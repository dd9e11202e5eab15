// SPDX-License-Identifier: Apache-2.0
// Runs the queries of sight of a log again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "../../../query/ray_query_service.h"
#include "../logged_answer.h"
#include "../query_log.h"

namespace fractalray::internal {

// Runs a query again, and returns the bytes of its answer (logged_answer.h). Pairs that a function
// of the engine left out of visibleBoxes() are those of the answer in the log, `recorded`.
// Requires: the query is one of sight.
std::string askSight(const RayQueryService& service, const LoggedQuery& query,
                     const LoggedAnswer& recorded);

// Returns the limit beyond which a query of sight ends with RESOURCE_EXHAUSTED; the largest number
// if there is none.
std::uint64_t limitOf(const LoggedSight& sight);

// Returns true if the answers of visibleBoxes() differ only in pairs for which max_steps sufficed
// with the history that the recorded call had.
bool differByHistory(const LoggedSight& sight, const LoggedAnswer& recorded,
                     std::string_view replayed);

}  // namespace fractalray::internal
