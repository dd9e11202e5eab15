// SPDX-License-Identifier: Apache-2.0
// The answer to a query of sight, with its reasons, as JSON.
#pragma once

#include <string>

#include "../../formats/answer_json.h"
#include "sight_report.h"

namespace fractalray {

// Returns the answer as `fractalray scenario` gives it, with the certificate, in one line with
// "exposure", "line", "hiding" and "unloaded" (null for what the answer does not have).
std::string sightReportJson(const SightReport& report, const QueryId& id, const ViewQuery& query,
                            TypeNamer name);

}  // namespace fractalray
