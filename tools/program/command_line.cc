// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include "../../core/printable.h"
#include "../../formats/suggestion.h"
#include "arguments.h"
#include "text_table.h"

namespace fractalray {
namespace {

// A check without a description leaves nothing in the help.
template <class Check>
CLI::Validator hiddenCheck(Check check) {
  return {std::move(check), ""};
}

class WrappingFormatter : public CLI::Formatter {
 public:
  std::string make_option_desc(const CLI::Option* option) const override {
    return absl::StrJoin(wrapText(option->get_description(), kTextWidth - get_column_width()),
                         "\n");
  }
};

std::string rewriteWholeNumber(std::string& text, std::uint64_t max) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || read != end || number > max) {
    return absl::StrCat(quotedText(text), " is not a whole number from 0 to ", max);
  }
  // CLI11 takes a leading zero for octal.
  text = absl::StrCat(number);
  return "";
}

// Returns "--wrld" for an argument that looks like an option but is not one.
std::string unknownOption(const CLI::App& app) {
  for (const std::string& argument : app.remaining(false)) {
    if (argument.size() > 1 && argument.front() == '-') {
      return argument.substr(0, argument.find('='));
    }
  }
  return "";
}

std::vector<std::string> optionNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* const option : app.get_options()) {
    for (const std::string& name : option->get_lnames())
      names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> commandNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* const command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

}  // namespace

CLI::Validator wholeNumber(std::uint64_t max) {
  return hiddenCheck([max](std::string& text) { return rewriteWholeNumber(text, max); });
}

CLI::Validator realNumber() {
  return hiddenCheck([](std::string& text) {
    const absl::StatusOr<std::vector<double>> number = parseNumbers(text, "", 1, 1);
    return number.ok() ? std::string() : std::string(number.status().message());
  });
}

CLI::Validator oneOf(std::vector<std::string> words) {
  return hiddenCheck([words = std::move(words)](std::string& text) {
    if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
    return absl::StrCat(quotedText(text), " is not one of its values", alternatives(text, words));
  });
}

void wrapHelp(CLI::App& app) {
  app.formatter(std::make_shared<WrappingFormatter>());
}

void refuseEmptyValues(CLI::App& app) {
  const auto check = [](std::string& text) {
    return std::string(text.empty() ? "the value is empty" : "");
  };
  for (CLI::Option* const option : app.get_options()) {
    if (option->get_items_expected_max() > 0) option->check(hiddenCheck(check));
  }
  for (CLI::App* const command : app.get_subcommands([](const CLI::App*) { return true; }))
    refuseEmptyValues(*command);
}

std::string explainUsageError(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> named = app.get_subcommands();
  if (const std::string option = unknownOption(app); !option.empty()) {
    return absl::StrCat("there is no option ", quotedText(option), " before the command",
                        alternatives(option, optionNames(app)));
  }
  if (named.empty()) {
    const std::vector<std::string> words = app.remaining(false);
    if (words.empty()) return error.what();
    return absl::StrCat("there is no command ", quotedText(words.front()),
                        alternatives(words.front(), commandNames(app)));
  }
  const std::string option = unknownOption(*named.front());
  if (option.empty()) return error.what();
  return absl::StrCat("there is no option ", quotedText(option),
                      alternatives(option, optionNames(*named.front())));
}

}  // namespace fractalray
