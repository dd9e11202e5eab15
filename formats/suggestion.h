// SPDX-License-Identifier: Apache-2.0
// What an error offers in place of a word that nobody knows.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace fractalray {

// Returns `; did you mean "visible"? There are default, physical, visible`, to follow what an error
// says about `word`; without the question where no known word is within a few typing mistakes, and
// of many words only the first. "" where none is known. O(known words * their length).
std::string alternatives(std::string_view word, std::span<const std::string> known);

}  // namespace fractalray
