// SPDX-License-Identifier: Apache-2.0
#include "number_text.h"

#include <array>
#include <charconv>
#include <cstddef>

namespace fractalray::internal {

std::string numberText(double value) {
  std::array<char, 32> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end};
}

absl::string_view axisName(int axis) {
  return absl::string_view("xyz").substr(static_cast<std::size_t>(axis), 1);
}

}  // namespace fractalray::internal
