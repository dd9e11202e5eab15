// SPDX-License-Identifier: Apache-2.0
// Checks of the command line, with errors that quote the wrong value and name what is expected.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"

namespace fractalray {

// Accepts whole numbers of 64 bits, in decimal digits only. For Option::transform(): rewrites the
// value, so that CLI11 reads it as decimal.
CLI::Validator wholeNumber(std::uint64_t max = std::numeric_limits<std::uint64_t>::max());

// Accepts numbers as --from does, whatever the locale.
CLI::Validator realNumber();

// Accepts one of a few words.
CLI::Validator oneOf(std::vector<std::string> words);

// Makes the help of `app`, and of commands that are added to it later, wrap its descriptions within
// kTextWidth columns.
void wrapHelp(CLI::App& app);

// Refuses the empty text as a value of any option of `app` and its commands: no option accepts it,
// and treating it as an option that was not given would hide a mistake.
void refuseEmptyValues(CLI::App& app);

// Returns one line about a command line that CLI11 refused: an unknown option or command is named
// before anything that is missing.
std::string explainUsageError(const CLI::App& app, const CLI::ParseError& error);

}  // namespace fractalray
