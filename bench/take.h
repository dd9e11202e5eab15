// SPDX-License-Identifier: Apache-2.0
// What a call of the library gives; the benchmarks make none that may fail.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace fractalray::bench {

// Ends the program, with a message, for an error.
inline void checkOk(const absl::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "fractalray_bench: %s\n", status.ToString().c_str());
  std::abort();
}

// The value, likewise.
template <class T>
T take(absl::StatusOr<T> value) {
  checkOk(value.status());
  return *std::move(value);
}

}  // namespace fractalray::bench
