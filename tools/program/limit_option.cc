// SPDX-License-Identifier: Apache-2.0
#include "limit_option.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"

#include "../../core/check.h"

namespace fractalray {
namespace {

using Limit = std::uint64_t InputLimits::*;

constexpr std::array<std::pair<std::string_view, Limit>, 11> kLimits = {{
    {"file_bytes", &InputLimits::file_bytes},
    {"line_bytes", &InputLimits::line_bytes},
    {"depth", &InputLimits::depth},
    {"values", &InputLimits::values},
    {"chunks", &InputLimits::chunks},
    {"entities", &InputLimits::entities},
    {"queries", &InputLimits::queries},
    {"hits", &InputLimits::hits},
    {"cells", &InputLimits::cells},
    {"mapblocks", &InputLimits::mapblocks},
    {"mapblock_bytes", &InputLimits::mapblock_bytes},
}};

using Choice = std::pair<std::string_view, Limit>;

// Formats "file_bytes=67108864, depth=100": the limits with their defaults.
std::string listed(const std::vector<Choice>& choices) {
  const InputLimits defaults;
  std::string list;
  for (const auto& [name, limit] : choices) {
    absl::StrAppend(&list, list.empty() ? "" : ", ", std::string(name), "=", defaults.*limit);
  }
  return list;
}

// Sets the limit that the text names; returns the error, or "".
std::string setLimit(const std::string& text, const std::vector<Choice>& choices,
                     InputLimits& limits) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string_view name = std::string_view(text).substr(0, equals);
  const auto choice = std::ranges::find(choices, name, &Choice::first);
  std::uint64_t value = 0;
  const char* const begin = text.data() + std::min(equals + 1, text.size());
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (choice == choices.end() || error != std::errc() || stop != end || value == 0) {
    return absl::StrCat("\"", text, "\" is not a limit; write NAME=N, N above 0, for one of ",
                        listed(choices));
  }
  limits.*(choice->second) = value;
  return "";
}

}  // namespace

void addLimitOption(CLI::App& command, InputLimits& limits,
                    std::initializer_list<std::string_view> names) {
  std::vector<Choice> choices;
  for (const std::string_view name : names) {
    const auto* const limit = std::ranges::find(kLimits, name, &Choice::first);
    FRACTALRAY_CHECK(limit != kLimits.end());
    choices.push_back(*limit);
  }
  const auto set = [choices, &limits](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      const std::string problem = setLimit(text, choices, limits);
      if (!problem.empty()) throw CLI::ValidationError("--limit", problem);
    }
  };
  command
      .add_option_function<std::vector<std::string>>(
          "--limit", set,
          absl::StrCat("Change a limit on the size of the input; may be repeated. The limits and ",
                       "their defaults: ", listed(choices)))
      ->type_name("NAME=N")
      ->allow_extra_args(false);
}

}  // namespace fractalray
