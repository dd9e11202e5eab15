// SPDX-License-Identifier: Apache-2.0
// Describes the options of queries in words.
#pragma once

#include <string>
#include <string_view>

#include "../../query/query_options.h"
#include "../../query/sight.h"

namespace fractalray {

// Returns the name of an option with another character than '_' between its words.
std::string optionWords(std::string_view name, char between);

// Returns the plain options (query/fields.h) that differ from their defaults, each after a comma:
// ", no blocks, max hits 3".
std::string optionsText(const QueryOptions& options);
std::string optionsText(const SightOptions& options);

}  // namespace fractalray
