// SPDX-License-Identifier: Apache-2.0
#include "shot_option.h"

#include <string>
#include <type_traits>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"

#include "command_line.h"
#include "option_text.h"

namespace fractalray {
namespace {

std::string optionName(const FieldName& field, std::string_view prefix = "") {
  return absl::StrCat("--", std::string(prefix), optionWords(field.name, '-'));
}

// Add the option of a member, by its type.
void addOption(CLI::App& command, const FieldName& field, bool& member) {
  command.add_flag_callback(
      optionName(field, member ? "no-" : ""), [&member] { member = !member; },
      std::string(field.help));
}

template <class Number>
requires std::is_arithmetic_v<Number>
void addOption(CLI::App& command, const FieldName& field, Number& member) {
  command.add_option(optionName(field), member, std::string(field.help))
      ->type_name("N")
      ->transform(std::is_integral_v<Number> ? wholeNumber() : realNumber());
}

template <HasWords Enum>
void addOption(CLI::App& command, const FieldName& field, Enum& member) {
  std::vector<std::string> words;
  words.reserve(std::size(EnumWords<Enum>::kWords));
  for (const auto& [word, meaning] : EnumWords<Enum>::kWords)
    words.emplace_back(word);
  const auto set = [&member](const std::string& given) {
    for (const auto& [word, meaning] : EnumWords<Enum>::kWords) {
      if (word == given) member = meaning;
    }
  };
  command.add_option_function<std::string>(optionName(field), set, std::string(field.help))
      ->type_name("WORD")
      ->check(oneOf(words))
      ->default_str(std::string(wordOf(member)));
}

struct OptionAdder {
  CLI::App& command;
  ShotQuery& shot;

  void operator()(const FieldName& field, ChannelId& /*channel*/) const {
    command.add_option(optionName(field), shot.channel, std::string(field.help))
        ->type_name("NAME")
        ->capture_default_str();
  }
  template <class Member>
  void operator()(const FieldName& field, Member& member) const {
    if constexpr (isPlain<Member>()) addOption(command, field, member);
  }
};

}  // namespace

void addShotOptions(CLI::App& command, ShotQuery& shot) {
  forEachShotOption(OptionAdder{command, shot}, shot.options);
}

}  // namespace fractalray
