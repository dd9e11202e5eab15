// SPDX-License-Identifier: Apache-2.0
// The page of the playground (docs/playground) as a viewer of one scenario.
#pragma once

#include <string>
#include <string_view>

namespace fractalray {

// Returns true if the page is one that `./dev playground` has made.
bool isViewer(std::string_view page);
// Returns the page, which shows the scenario when it is opened. Requires: isViewer(page).
std::string viewerPage(std::string_view page, std::string_view scenario);

}  // namespace fractalray
