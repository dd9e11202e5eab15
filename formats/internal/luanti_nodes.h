// SPDX-License-Identifier: Apache-2.0
// The text of luanti_nodes.json, compiled in so that a program needs no data file when it runs.
#pragma once

#include <string_view>

namespace fractalray::internal {

std::string_view luantiNodesJson();

}  // namespace fractalray::internal
