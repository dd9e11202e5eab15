// SPDX-License-Identifier: Apache-2.0
// Adds the members of options of queries (query/fields.h) to a command line.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../core/printable.h"
#include "../../formats/suggestion.h"
#include "../../query/fields.h"
#include "command_line.h"
#include "option_text.h"

namespace fractalray {

// Sets the value that the word means; returns why it means none, or "".
template <HasWords Enum>
std::string setByWord(const std::string& given, Enum& value) {
  std::vector<std::string> words;
  for (const auto& [word, meaning] : EnumWords<Enum>::kWords) {
    words.emplace_back(word);
    if (word != given) continue;
    value = meaning;
    return "";
  }
  return absl::StrCat(quotedText(given), " is not one of its values", alternatives(given, words));
}

// Adds the option of a member, by its type; none for a member that is not plain. The name of the
// channel goes to `channel`, since its number depends on the world.
struct OptionAdder {
  CommandOptions& options;
  std::string& channel;

  template <class Member>
  void operator()(const FieldName& field, Member& member) const {
    const std::string name = optionWords(field.name, '-');
    const std::string help(field.help);
    if constexpr (std::is_same_v<Member, ChannelId>) {
      options.add(absl::StrCat("--", name, " NAME"), channel, help);
    } else if constexpr (std::is_same_v<Member, bool>) {
      options.flag(absl::StrCat("--", member ? "no-" : "", name), member, help);
    } else if constexpr (HasWords<Member>) {
      options.addSetter(
          absl::StrCat("--", name, " WORD"),
          [&member](const std::string& word) { return setByWord(word, member); }, help,
          std::string(wordOf(member)));
    } else if constexpr (isPlain<Member>()) {
      options.add(absl::StrCat("--", name, " N"), member, help);
    }
  }
};

}  // namespace fractalray
