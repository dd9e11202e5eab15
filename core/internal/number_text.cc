// SPDX-License-Identifier: Apache-2.0
#include "number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <version>

namespace fractalray::internal {

std::string numberTextByTrying(double value) {
  std::array<char, 64> scientific{};
  if (!std::isfinite(value)) {
    std::snprintf(scientific.data(), scientific.size(), "%g", value);
    return scientific.data();
  }
  int digits = 0;
  do {
    ++digits;
    std::snprintf(scientific.data(), scientific.size(), "%.*e", digits - 1, value);
  } while (digits < std::numeric_limits<double>::max_digits10 &&
           std::strtod(scientific.data(), nullptr) != value);
  std::string text = scientific.data();
  const int exponent = std::atoi(text.c_str() + text.find('e') + 1);
  // Beyond these the other notation is longer.
  constexpr int kMost = 22;
  if (exponent < -kMost || exponent > kMost) return text;
  std::array<char, 64> fixed{};
  std::snprintf(fixed.data(), fixed.size(), "%.*f", std::max(0, digits - 1 - exponent), value);
  const std::string_view plain = fixed.data();
  return plain.size() <= text.size() ? std::string(plain) : text;
}

void appendNumberText(std::string& text, double value) {
#if defined(__cpp_lib_to_chars)
  std::array<char, 32> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  text.append(digits.data(), end);
#else
  text += numberTextByTrying(value);
#endif
}

std::string numberText(double value) {
  std::string text;
  appendNumberText(text, value);
  return text;
}

absl::string_view axisName(int axis) {
  return absl::string_view("xyz").substr(static_cast<std::size_t>(axis), 1);
}

}  // namespace fractalray::internal
