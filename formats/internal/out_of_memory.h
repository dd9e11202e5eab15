// SPDX-License-Identifier: Apache-2.0
// Turns std::bad_alloc into a status. For the library's own use: not part of the interface.
#pragma once

#include <new>
#include <string_view>
#include <type_traits>

#include "absl/status/status.h"

namespace fractalray::internal {

// Returns RESOURCE_EXHAUSTED "<name>: out of memory", without the message if there is no memory for
// it.
absl::Status outOfMemory(std::string_view name);

// Returns what `work` returns, or outOfMemory(name) if it throws std::bad_alloc. `name` is what the
// work is about: a path.
template <class Work>
std::invoke_result_t<const Work&> catchBadAlloc(std::string_view name, const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return outOfMemory(name);
  }
}

}  // namespace fractalray::internal
