// SPDX-License-Identifier: Apache-2.0
#include "shot_option.h"

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../core/printable.h"
#include "../../formats/suggestion.h"
#include "option_text.h"

namespace fractalray {
namespace {

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

// Adds the option of a member, by its type.
struct OptionAdder {
  CommandOptions& options;
  ShotQuery& shot;

  template <class Member>
  void operator()(const FieldName& field, Member& member) const {
    const std::string name = optionWords(field.name, '-');
    const std::string help(field.help);
    if constexpr (std::is_same_v<Member, ChannelId>) {
      options.add(absl::StrCat("--", name, " NAME"), shot.channel, help);
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

}  // namespace

void addShotOptions(CommandOptions& options, ShotQuery& shot) {
  forEachShotOption(OptionAdder{options, shot}, shot.options);
}

}  // namespace fractalray
