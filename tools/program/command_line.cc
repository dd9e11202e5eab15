// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>
#include <sstream>
#include <system_error>
#include <type_traits>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

#include "../../core/printable.h"
#include "../../core/version.h"
#include "../../formats/suggestion.h"
#include "arguments.h"
#include "command.h"
#include "output.h"
#include "text_table.h"

namespace fractalray {
namespace {

class WrappingFormatter : public CLI::Formatter {
 public:
  std::string make_option_desc(const CLI::Option* option) const override {
    return absl::StrJoin(wrapText(option->get_description(), kTextWidth - get_column_width()),
                         "\n");
  }
  // Leaves the names out where an option excludes so many that they do not fit: each of those names
  // this one.
  std::string make_option_opts(const CLI::Option* option) const override {
    constexpr std::size_t kMostNames = 9;
    std::string text = CLI::Formatter::make_option_opts(option);
    if (option->get_excludes().size() <= kMostNames) return text;
    constexpr std::string_view kExcludes = " Excludes:";
    return text.substr(0, text.find(kExcludes) + kExcludes.size()) + " many";
  }
};

// Return checks without a description, which leave nothing in the help. No option accepts the empty
// text: to treat it as an option that was not given would hide a mistake.
CLI::Validator notEmpty() {
  return {[](std::string& text) { return std::string(text.empty() ? "the value is empty" : ""); },
          ""};
}

// Rewrites the number too: CLI11 takes a leading zero for octal.
CLI::Validator wholeNumber(std::uint64_t max = std::numeric_limits<std::uint64_t>::max()) {
  return {[max](std::string& text) -> std::string {
            std::uint64_t number = 0;
            const char* const end = text.data() + text.size();
            const auto [read, error] = std::from_chars(text.data(), end, number);
            if (error != std::errc() || read != end || number > max) {
              return absl::StrCat(quotedText(text), " is not a whole number from 0 to ", max);
            }
            text = absl::StrCat(number);
            return "";
          },
          ""};
}

CLI::Validator realNumber() {
  return {[](std::string& text) {
            return std::string(parseNumbers(text, "", 1, 1).status().message());
          },
          ""};
}

// Splits "--svg FILE" into the name and the type of the value.
std::pair<std::string, std::string> split(std::string_view name) {
  const std::size_t space = std::min(name.find(' '), name.size());
  return {std::string(name.substr(0, space)),
          std::string(name.substr(std::min(space + 1, name.size())))};
}

template <class Value>
CLI::Option& addOption(CLI::App& command, std::string_view name, Value& value,
                       const std::string& help) {
  const auto [option, type] = split(name);
  return *command.add_option(option, value, help)->type_name(type);
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
      names.push_back(absl::StrCat("--", name));
  }
  return names;
}

std::vector<std::string> commandNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* const command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

// Returns one line about a command line that CLI11 refused.
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

// Returns the words with `help`, `help COMMAND` and `--help COMMAND` written as --help and COMMAND
// --help.
std::vector<const char*> helpAsOption(int argc, const char* const* argv) {
  std::vector<const char*> words(argv, argv + argc);
  const std::string_view first = words.size() > 1 ? words[1] : "";
  const bool is_before_command =
      (first == "-h" || first == "--help") && words.size() > 2 && words[2][0] != '-';
  if (first == "help" || is_before_command) {
    words.erase(words.begin() + 1);
    words.push_back("--help");
  }
  return words;
}

// Prints the text that --help and --version request.
int printRequested(const CLI::App& app, const CLI::ParseError& request) {
  std::ostringstream text;
  app.exit(request, text, text);
  absl::Status status = writeStdout(text.str());
  if (status.ok()) status = flushStdout();
  return status.ok() ? kExitOk : reportError("", status, kExitFailed);
}

// Returns the command that the words name, "" for none: that of `fractalray store` has two words.
std::string namedCommand(const CLI::App& app) {
  const std::vector<CLI::App*> named = app.get_subcommands();
  std::vector<std::string> words = absl::StrSplit(app.get_name(), ' ');
  if (!named.empty()) words.push_back(named.front()->get_name());
  return absl::StrJoin(words.begin() + 1, words.end(), " ");
}

int reportUsageError(const CLI::App& app, const CLI::ParseError& error) {
  const std::string command = namedCommand(app);
  reportError(command, absl::InvalidArgumentError(explainUsageError(app, error)), kExitUsage);
  std::fprintf(stderr, "Run fractalray %s%s--help for its options.\n", command.c_str(),
               command.empty() ? "" : " ");
  return kExitUsage;
}

}  // namespace

void CommandOptions::flag(const std::string& name, bool& value, const std::string& help) {
  command_.add_flag_callback(
      name, [&value] { value = !value; }, help);
}

template <class Value>
void CommandOptions::add(std::string_view name, Value& value, const std::string& help,
                         std::uint64_t max) {
  CLI::Option& option = addOption(command_, name, value, help);
  if constexpr (std::is_same_v<Value, std::string>) {
    option.check(notEmpty())->capture_default_str();
  } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
    option.check(notEmpty())->allow_extra_args(false);
  } else {
    constexpr bool kIsReal =
        std::is_same_v<Value, double> || std::is_same_v<Value, std::optional<double>>;
    if constexpr (std::is_integral_v<Value>) {
      max = std::min(max, static_cast<std::uint64_t>(std::numeric_limits<Value>::max()));
    }
    option.transform(kIsReal ? realNumber() : wholeNumber(max));
    if constexpr (std::is_arithmetic_v<Value>) {
      if (value != std::numeric_limits<Value>::max()) option.capture_default_str();
    }
  }
}

template void CommandOptions::add(std::string_view, std::string&, const std::string&,
                                  std::uint64_t);
template void CommandOptions::add(std::string_view, int&, const std::string&, std::uint64_t);
template void CommandOptions::add(std::string_view, std::uint32_t&, const std::string&,
                                  std::uint64_t);
template void CommandOptions::add(std::string_view, std::uint64_t&, const std::string&,
                                  std::uint64_t);
template void CommandOptions::add(std::string_view, double&, const std::string&, std::uint64_t);
template void CommandOptions::add(std::string_view, std::optional<std::uint64_t>&,
                                  const std::string&, std::uint64_t);
template void CommandOptions::add(std::string_view, std::optional<double>&, const std::string&,
                                  std::uint64_t);
template void CommandOptions::add(std::string_view, std::vector<std::string>&, const std::string&,
                                  std::uint64_t);

void CommandOptions::addList(std::string_view name, std::vector<std::string>& values,
                             const std::string& help) {
  addOption(command_, name, values, help).delimiter(',')->check(notEmpty());
}

void CommandOptions::addList(std::string_view name, std::vector<std::uint64_t>& values,
                             const std::string& help) {
  addOption(command_, name, values, help)
      .delimiter(',')
      ->allow_extra_args(false)
      ->transform(wholeNumber());
}

void CommandOptions::addSetter(std::string_view name, const Setter& set, const std::string& help,
                               const std::string& default_text) {
  constexpr std::string_view kRepeats = " ...";
  const bool repeats = name.ends_with(kRepeats);
  if (repeats) name.remove_suffix(kRepeats.size());
  const auto [option, type] = split(name);
  CLI::Option& added = *command_.add_option(option, CLI::callback_t(), help);
  added.type_name(type)->default_str(default_text)->check(CLI::Validator(set, ""));
  if (repeats) added.expected(CLI::detail::expected_max_vector_size)->allow_extra_args(false);
}

void CommandOptions::require(const std::string& name) {
  command_.get_option(name)->required();
}

void CommandOptions::needs(const std::string& name, const std::string& other) {
  command_.get_option(name)->needs(command_.get_option(other));
}

void CommandOptions::excludes(const std::string& name, const std::string& other) {
  command_.get_option(name)->excludes(command_.get_option(other));
}

void CommandOptions::footer(const std::string& text) {
  command_.footer(text);
}

CommandLine::CommandLine(const ProgramHelp& help)
    : app_(std::make_unique<CLI::App>(std::string(help.purpose), std::string(help.name))) {
  app_->set_version_flag("--version",
                         absl::StrCat(std::string(help.name), " ", FRACTALRAY_VERSION_STRING),
                         "Print the version and exit");
  app_->footer(std::string(help.footer));
  app_->formatter(std::make_shared<WrappingFormatter>());
}

CommandLine::~CommandLine() = default;

CommandOptions CommandLine::addCommand(const std::string& name, const std::string& purpose,
                                       std::function<int()> execute) {
  CLI::App* const command = app_->add_subcommand(name, purpose);
  commands_.push_back({command, std::move(execute)});
  return CommandOptions(*command);
}

void CommandLine::addCommandOf(const OtherProgram& program, const std::string& name,
                               const std::string& purpose) {
  app_->add_subcommand(name, purpose);
  passed_on_.push_back({name, "", program});
}

void CommandLine::passOn(const std::string& command, const std::string& option,
                         const OtherProgram& program) {
  passed_on_.push_back({command, option, program});
}

const CommandLine::PassedOn* CommandLine::findPassedOn(std::span<const char* const> words) const {
  if (words.empty()) return nullptr;
  for (const PassedOn& each : passed_on_) {
    const bool has_option = std::ranges::any_of(words.subspan(1), [&each](std::string_view word) {
      return word == each.option || word.starts_with(absl::StrCat(each.option, "="));
    });
    if (words.front() == each.command && (each.option.empty() || has_option)) return &each;
  }
  return nullptr;
}

int CommandLine::run(int argc, const char* const* argv) {
  const std::vector<const char*> words = helpAsOption(argc, argv);
  const auto arguments = std::span(words).subspan(std::min<std::size_t>(words.size(), 1));
  if (const PassedOn* const other = findPassedOn(arguments); other != nullptr) {
    const absl::Status status =
        runInstead(other->program, arguments.subspan(other->option.empty() ? 1 : 0));
    return reportError(other->command, status, kExitFailed);
  }
  try {
    app_->parse(static_cast<int>(words.size()), words.data());
  } catch (const CLI::Success& request) {
    // Errors name words that are not commands, instead of ignoring them.
    return app_->remaining().empty() ? printRequested(*app_, request)
                                     : reportUsageError(*app_, request);
  } catch (const CLI::ParseError& error) {
    return reportUsageError(*app_, error);
  }
  for (const Command& command : commands_) {
    if (command.app->parsed()) return command.execute();
  }
  std::fputs(app_->help().c_str(), stderr);
  return kExitUsage;
}

}  // namespace fractalray
