// SPDX-License-Identifier: Apache-2.0
// Suggests known words in errors about an unknown one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace fractalray {

// Returns `; did you mean "visible"? There are default, physical, visible`, to follow an error's
// text about `word`. Leaves out the question if no known word is within a few typing mistakes, and
// lists only the first of many words. Returns "" if none is known. Cost: O(known words * their
// length).
std::string alternatives(std::string_view word, std::span<const std::string> known);

}  // namespace fractalray
