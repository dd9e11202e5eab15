// SPDX-License-Identifier: Apache-2.0
// Ends the program if a call of the library fails; the benchmarks make no call that may.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace fractalray::bench {

// Ends the program, with a message, if there is an error.
inline void checkOk(const absl::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "fractalray_bench: %s\n", status.ToString().c_str());
  std::abort();
}

// Returns the value; ends the program likewise.
template <class T>
T unwrap(absl::StatusOr<T> value) {
  checkOk(value.status());
  return *std::move(value);
}

}  // namespace fractalray::bench
