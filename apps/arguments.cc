// SPDX-License-Identifier: Apache-2.0
#include "fractalray/apps/arguments.h"

#include <charconv>
#include <optional>
#include <string>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace fractalray {
namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' '))
    text.remove_prefix(1);
  while (text.ends_with(' '))
    text.remove_suffix(1);
  return text;
}

std::optional<double> parseNumber(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
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
    return absl::InvalidArgumentError(
        absl::StrCat(std::string(option), ": ", reason, "; ", expectation(min_count, max_count)));
  };
  std::vector<double> numbers;
  std::string_view rest = text;
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    const std::optional<double> number = parseNumber(part);
    if (!number.has_value()) {
      return refuse(absl::StrCat("\"", std::string(part), "\" in \"", std::string(text),
                                 "\" is not a number"));
    }
    numbers.push_back(*number);
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  if (numbers.size() < min_count || numbers.size() > max_count) {
    return refuse(absl::StrCat("\"", std::string(text), "\" has ", numbers.size(),
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
      absl::StrCat(std::string(option), ": \"", std::string(text),
                   "\" is no policy; write both, neither or staircase"));
}

}  // namespace fractalray
