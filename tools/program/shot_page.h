// SPDX-License-Identifier: Apache-2.0
// An explained shot as a web page with a 3D view to rotate, in one file that needs no network.
#pragma once

#include <string>
#include <vector>

#include "../../formats/answer_json.h"
#include "../../query/explain/explanation.h"
#include "cell_picture.h"

namespace fractalray {

// Returns the page: the cells, marks and shapes of the pictures, one for each pass, as a view in 3
// dimensions, level by level, with the blocks next to the line faintly; and the text below it,
// which is also shown without scripts. The same bytes on every machine.
std::string shotPage(const Explanation& explanation, const std::vector<CellPicture>& pictures,
                     TypeNamer name, const std::vector<std::string>& lines,
                     const std::string& words);

}  // namespace fractalray
