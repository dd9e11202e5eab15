// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>

namespace fractalray::oracle {

// Returns whether random tests are to take many times as long: FRACTALRAY_LONG_TESTS is set, which
// `./dev check --long` does.
inline bool isLongRun() {
  return std::getenv("FRACTALRAY_LONG_TESTS") != nullptr;
}

}  // namespace fractalray::oracle
