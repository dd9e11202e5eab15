// SPDX-License-Identifier: Apache-2.0
#include "color.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "absl/strings/str_cat.h"

#include "../../core/printable.h"

namespace fractalray {
namespace {

// The codes by Ink; the last one ends a colour.
constexpr std::array<std::string_view, 5> kCodes = {"\x1b[1m", "\x1b[4m", "\x1b[31m", "\x1b[1;31m",
                                                    "\x1b[0m"};

bool isSet(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

// Returns the code that the text begins with, or "".
std::string_view codeAtStart(std::string_view text) {
  const auto* const code = std::find_if(
      kCodes.begin(), kCodes.end(), [&](std::string_view each) { return text.starts_with(each); });
  return code == kCodes.end() ? "" : *code;
}

}  // namespace

Colors Colors::of(std::FILE* stream) {
  const char* const terminal = std::getenv("TERM");
  const bool is_dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  return Colors(::isatty(::fileno(stream)) != 0 && !is_dumb && !isSet("NO_COLOR"));
}

std::string Colors::operator()(Ink ink, std::string_view text) const {
  if (!on_ || text.empty()) return std::string(text);
  return absl::StrCat(std::string(kCodes[static_cast<std::size_t>(ink)]), std::string(text),
                      std::string(kCodes.back()));
}

std::string printableInColor(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view code = codeAtStart(text);
    out += code;
    text.remove_prefix(code.size());
    // Up to the next escape character, which may be the first one if it begins no code.
    const std::size_t end = code.empty() ? text.find('\x1b', 1) : text.find('\x1b');
    const std::string_view plain = text.substr(0, end);
    out += printableLines(plain);
    text.remove_prefix(plain.size());
  }
  return out;
}

}  // namespace fractalray
