// SPDX-License-Identifier: Apache-2.0
#include "arguments.h"

#include <charconv>
#include <string>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

#include "../../core/printable.h"

namespace fractalray {
namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' '))
    text.remove_prefix(1);
  while (text.ends_with(' '))
    text.remove_suffix(1);
  return text;
}

// Reads a number; returns why the text is not one, or "".
std::string_view parseNumber(std::string_view text, double& number) {
  text = trimmed(text);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) {
    return " is not a number";
  }
  return error == std::errc() ? "" : " is beyond the range of a double";
}

std::string expectation(std::size_t min_count, std::size_t max_count) {
  constexpr std::string_view kExample = "1.5,2,-3";
  std::string example;
  std::size_t shown = 0;
  for (const char c : kExample) {
    if (c == ',' && ++shown == max_count) break;
    example += c;
  }
  const std::string count =
      min_count == max_count
          ? absl::StrCat(min_count)
          : absl::StrCat(min_count, max_count == min_count + 1 ? " or " : " to ", max_count);
  return absl::StrCat("write ", count, max_count == 1 ? " number" : " numbers", " like ", example);
}

}  // namespace

absl::StatusOr<std::vector<double>> parseNumbers(std::string_view text, std::string_view option,
                                                 std::size_t min_count, std::size_t max_count) {
  const auto refuse = [&](const std::string& reason) {
    return absl::InvalidArgumentError(absl::StrCat(std::string(option), option.empty() ? "" : ": ",
                                                   reason, "; ",
                                                   expectation(min_count, max_count)));
  };
  std::vector<double> numbers;
  std::string_view rest = text;
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    double number = 0;
    const std::string_view problem = parseNumber(part, number);
    if (!problem.empty()) {
      const std::string whole = max_count == 1 ? "" : absl::StrCat(" in ", quotedText(text));
      return refuse(absl::StrCat(quotedText(part), whole, std::string(problem)));
    }
    numbers.push_back(number);
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  if (numbers.size() < min_count || numbers.size() > max_count) {
    return refuse(absl::StrCat(quotedText(text), " has ", numbers.size(),
                               numbers.size() == 1 ? " number" : " numbers"));
  }
  return numbers;
}

absl::StatusOr<Vec3d> parsePoint(std::string_view text, std::string_view option) {
  const absl::StatusOr<std::vector<double>> numbers = parseNumbers(text, option, 3, 3);
  if (!numbers.ok()) return numbers.status();
  return Vec3d{(*numbers)[0], (*numbers)[1], (*numbers)[2]};
}

absl::StatusOr<CornerPolicy> parseCornerPolicy(std::string_view text, std::string_view option) {
  if (text == "both") return CornerPolicy::kBoth;
  if (text == "neither") return CornerPolicy::kNeither;
  if (text == "staircase") return CornerPolicy::kStaircase;
  return absl::InvalidArgumentError(
      absl::StrCat(std::string(option), ": ", quotedText(text),
                   " is not a policy; write both, neither or staircase"));
}

}  // namespace fractalray
