// SPDX-License-Identifier: Apache-2.0
#include "limit_option.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <system_error>

#include "absl/strings/str_cat.h"

#include "../../core/fields.h"

namespace fractalray {
namespace {

// Formats "file_bytes=67108864, line_bytes=1048576 ...": the limits with their defaults.
std::string listedLimits() {
  const InputLimits defaults;
  std::string list;
  forEachField(
      [&list](std::string_view name, std::uint64_t limit) {
        absl::StrAppend(&list, list.empty() ? "" : ", ", std::string(name), "=", limit);
      },
      defaults);
  return list;
}

// Sets the limit that the text names; returns the error, or "".
std::string setLimit(const std::string& text, InputLimits& limits) {
  if (text.empty()) return "the value is empty";
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string_view wanted = std::string_view(text).substr(0, equals);
  std::uint64_t value = 0;
  const char* const begin = text.data() + std::min(equals + 1, text.size());
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(begin, end, value);
  bool is_set = false;
  if (error == std::errc() && stop == end && value > 0) {
    forEachField(
        [&](std::string_view name, std::uint64_t& limit) {
          if (name != wanted) return;
          limit = value;
          is_set = true;
        },
        limits);
  }
  if (is_set) return "";
  return absl::StrCat("\"", text, "\" is not a limit; write NAME=N, N above 0, for one of ",
                      listedLimits());
}

}  // namespace

void addLimitOption(CommandOptions& options, InputLimits& limits) {
  options.addSetter(
      "--limit NAME=N ...", [&limits](const std::string& text) { return setLimit(text, limits); },
      absl::StrCat("Change a limit on the size of the input; may be repeated. The limits and their "
                   "defaults: ",
                   listedLimits()));
}

}  // namespace fractalray
