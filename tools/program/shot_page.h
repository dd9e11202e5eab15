// SPDX-License-Identifier: Apache-2.0
// The trace of a shot, or of a sight, as a web page with a 3D view to rotate, in one file that
// needs no network.
#pragma once

#include <string>

#include "trace.h"

namespace fractalray {

// Returns the page under a title: the trace as a view in 3 dimensions, grid by grid, with the
// blocks next to the cells faintly; and its lines and the words below, which are also shown without
// scripts. The same bytes on every machine.
std::string shotPage(const std::string& title, const Trace& trace, const std::string& words);
// Returns the usual title of a shot.
std::string titleOfShot(const FixedSegment& line);

}  // namespace fractalray
