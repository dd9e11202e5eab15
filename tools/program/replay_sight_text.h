// SPDX-License-Identifier: Apache-2.0
// Logged queries of sight, and the answers without hits, as text or as JSON.
#pragma once

#include <string>
#include <vector>

#include "../../core/vec.h"
#include "../../formats/json.h"
#include "../../formats/replay/logged_answer.h"
#include "../../formats/replay/logged_sight.h"

namespace fractalray {

// A part of an answer, by its name and in words; equal words mean equal parts.
struct AnswerLine {
  std::string name;
  std::string text;
};

// Formats a number with enough digits to read it back exactly, with the sign of a zero: numbers
// with other bits have another text.
std::string exactNumber(double value);
// Formats a point in units as one in finest-block widths.
std::string exactPoint(const Vec3i& units);
// Returns the name of a block type; a long one is cut, and has its hash.
std::string typeText(const std::string& type);

// Describes the question of each verb.
std::string sightQuestionText(const LoggedSight& sight);
Json sightQuestionJson(const LoggedSight& sight);

// Return an answer that has no hits, and is no error; empty, or null, for one with hits. `sight` is
// the query's own part, null for a line.
std::vector<AnswerLine> sightLines(const LoggedSight* sight, const LoggedAnswer& answer);
Json sightAnswerJson(const LoggedSight* sight, const LoggedAnswer& answer);

}  // namespace fractalray
