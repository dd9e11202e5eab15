// SPDX-License-Identifier: Apache-2.0
// The command line: commands, their options, and the help and the errors of both.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "other_program.h"

namespace CLI {  // NOLINT(readability-identifier-naming): their name
class App;
}  // namespace CLI

namespace fractalray {

// The options of a command, each added with its name as the help shows it: "--svg FILE" for one
// with a value, "FILE" for an argument without a name. Values are set when the command line is
// parsed, and have to outlive it. The help shows a value that is set before as the default. A
// member that names another option requires that it has been added.
class CommandOptions {
 public:
  // Takes the text of an option; returns why it is refused, or "".
  using Setter = std::function<std::string(std::string& text)>;

  explicit CommandOptions(CLI::App& command) : command_(command) {}

  // Adds an option without a value, which turns `value` over.
  void flag(const std::string& name, bool& value, const std::string& help);
  // Adds an option whose value is a text that is not empty, or a number: a std::string, an int, a
  // std::uint64_t or a double, or a std::optional of a number. Whole numbers are of decimal digits,
  // at most `max`. A number that is the greatest of its type is not shown: it is no limit. A list
  // of texts takes one each time that the option is given.
  template <class Value>
  void add(std::string_view name, Value& value, const std::string& help,
           std::uint64_t max = std::numeric_limits<std::uint64_t>::max());
  // Adds an option of several texts or whole numbers, with commas between.
  void addList(std::string_view name, std::vector<std::string>& values, const std::string& help);
  void addList(std::string_view name, std::vector<std::uint64_t>& values, const std::string& help);
  // Adds an option that calls `set`, each time that it is given if its name ends with " ...".
  void addSetter(std::string_view name, const Setter& set, const std::string& help,
                 const std::string& default_text = "");

  // Refuses command lines without this option.
  void require(const std::string& name);
  // Refuses the first option without the other one; both options together.
  void needs(const std::string& name, const std::string& other);
  void excludes(const std::string& name, const std::string& other);

  // Sets the text at the end of the help.
  void footer(const std::string& text);

 private:
  CLI::App& command_;
};

// The help of a program itself, before and after the lists of its options and commands.
struct ProgramHelp {
  // As it is called: "fractalray store" for one that runs commands of another.
  std::string_view name;
  std::string_view purpose;
  std::string_view footer;
};

class CommandLine {
 public:
  explicit CommandLine(const ProgramHelp& help);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  // Adds a command. `execute` does its work and returns the exit status; its arguments are returned
  // too, for options that set them.
  template <class Arguments>
  std::pair<CommandOptions, Arguments&> addCommand(const std::string& name,
                                                   const std::string& purpose,
                                                   int (*execute)(const Arguments&)) {
    const auto arguments = std::make_shared<Arguments>();
    return {addCommand(name, purpose, [arguments, execute] { return execute(*arguments); }),
            *arguments};
  }

  // Adds a command that another program runs, with the words that follow the command.
  void addCommandOf(const OtherProgram& program, const std::string& name,
                    const std::string& purpose);
  // Makes another program run the command if it has this option, "--store", with all words, the
  // command first. Requires: the command has been added.
  void passOn(const std::string& command, const std::string& option, const OtherProgram& program);

  // Runs the command that the words name, or prints the help or the version that they request.
  // Errors quote the wrong value and name what is expected; an unknown option or command is named
  // before anything that is missing. Returns the exit status.
  int run(int argc, const char* const* argv);

 private:
  struct Command {
    CLI::App* app;
    std::function<int()> execute;
  };

  // A command that another program runs, with this option; with any if it is empty.
  struct PassedOn {
    std::string command;
    std::string option;
    OtherProgram program;
  };

  CommandOptions addCommand(const std::string& name, const std::string& purpose,
                            std::function<int()> execute);
  const PassedOn* findPassedOn(std::span<const char* const> words) const;

  std::unique_ptr<CLI::App> app_;
  std::vector<Command> commands_;
  std::vector<PassedOn> passed_on_;
};

}  // namespace fractalray
