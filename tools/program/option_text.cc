// SPDX-License-Identifier: Apache-2.0
#include "option_text.h"

#include <algorithm>
#include <type_traits>

#include "absl/strings/str_cat.h"

#include "../../query/fields.h"

namespace fractalray {
namespace {

std::string valueText(bool /*value*/) {
  return "";
}
template <class Number>
requires std::is_arithmetic_v<Number> std::string valueText(Number value) {
  return absl::StrCat(" ", value);
}
template <HasWords Enum>
std::string valueText(Enum value) {
  return absl::StrCat(" ", std::string(wordOf(value)));
}

template <class Options>
std::string changedOptions(const Options& options) {
  static const Options kUsual;
  std::string text;
  forEachField(
      [&]<class Member>(std::string_view name, const Member& member, const Member& usual) {
        if constexpr (isPlain<Member>()) {
          if (member == usual) return;
          const bool is_off = std::is_same_v<Member, bool> && usual != Member{};
          absl::StrAppend(&text, ", ", is_off ? "no " : "", optionWords(name, ' '),
                          valueText(member));
        }
      },
      options, kUsual);
  return text;
}

}  // namespace

std::string optionWords(std::string_view name, char between) {
  std::string words(name);
  std::replace(words.begin(), words.end(), '_', between);
  return words;
}

std::string optionsText(const QueryOptions& options) {
  return changedOptions(options);
}
std::string optionsText(const SightOptions& options) {
  SightOptions asked = options;
  asked.report_certificate = false;  // changes no answer
  std::string text = changedOptions(asked);
  if (!options.occluders.empty())
    absl::StrAppend(&text, ", further occluders ", options.occluders.size());
  return text;
}

}  // namespace fractalray
