// SPDX-License-Identifier: Apache-2.0
// Prepares the structs of the C interface for tests in C++.
#pragma once

namespace fractalray::testing {

// Returns a struct of zeros with its own size in struct_size.
template <class T>
T sized() {
  T made{};
  made.struct_size = sizeof(T);
  return made;
}

}  // namespace fractalray::testing
