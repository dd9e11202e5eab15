// SPDX-License-Identifier: Apache-2.0
// An explained shot as a web page: a view to turn, all in one file that needs no network.
#pragma once

#include <string>
#include <vector>

#include "../explain/explanation.h"
#include "cell_picture.h"

namespace fractalray {

// The page: the pictures' cells, marks and shapes as a view in 3 dimensions, level by level, and
// the words below it, which also show where no scripts run. The same bytes on every machine.
std::string shotPage(const Explanation& explanation, const std::vector<CellPicture>& pictures,
                     const std::vector<std::string>& lines, const std::string& words);

}  // namespace fractalray
