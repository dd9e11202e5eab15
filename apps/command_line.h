// SPDX-License-Identifier: Apache-2.0
// Checks of the command line, whose errors quote what is wrong and say what is expected.
#pragma once

#include <string>
#include <vector>

#include "CLI/CLI.hpp"

namespace fractalray {

// Accepts the whole numbers of 64 bits, in decimal digits alone. For Option::transform(): the
// value is rewritten so that it is read back as decimal.
CLI::Validator wholeNumber();

// Accepts numbers as --from does, whatever the locale.
CLI::Validator realNumber();

// Accepts one of a few words.
CLI::Validator oneOf(std::vector<std::string> words);

// Makes the help of `app`, and of commands that are added to it later, wrap its descriptions within
// kTextWidth columns.
void wrapHelp(CLI::App& app);

// Refuses the empty text as a value of any option of `app` and its commands: no option means
// anything by it, and to take it for an option that was not given would hide a mistake.
void refuseEmptyValues(CLI::App& app);

// What is wrong with a command line that CLI11 refused, in one line: an option or a command that
// does not exist comes before all that is missing.
std::string explainUsageError(const CLI::App& app, const CLI::ParseError& error);

}  // namespace fractalray
