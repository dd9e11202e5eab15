// SPDX-License-Identifier: Apache-2.0
// The answer to a query of sight, with its reasons, in words.
#pragma once

#include <string>
#include <string_view>

#include "../../formats/answer_json.h"
#include "color.h"
#include "sight_report.h"

namespace fractalray {

// Returns "12.5 %", or "12.5 to 13 %" if the ends differ, of a share from 0 to 1.
std::string formatShare(double from, double to);
// Returns the occluders of a box of a certificate: "2 stone, entity 7", "space that is not loaded".
std::string formatContent(const HidingBox& hiding, TypeNamer name);

// Formats the answer: the line that sees the box, the boxes that hide it, or the end of what is
// loaded. `channel` is the name of the channel.
std::string formatSight(const SightReport& report, std::string_view channel, TypeNamer name,
                        Colors colors = {});

// Returns the title of a page that shows the report.
std::string titleOfSight(const SightReport& report);

}  // namespace fractalray
