// SPDX-License-Identifier: Apache-2.0
#include "number_text.h"

#include <array>
#include <charconv>

namespace fractalray::internal {

std::string numberText(double value) {
  std::array<char, 32> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end};
}

}  // namespace fractalray::internal
