// SPDX-License-Identifier: Apache-2.0
// The command line.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace fractalray::bench {

struct Options {
  bool quick = false;
  int repeats = 5;
  std::optional<std::size_t> count;     // of segments in a set, at most
  std::optional<std::size_t> entities;  // no scenes of more
  // Filters: everything is left out that none of the names of a non-empty list is for.
  std::vector<std::string> scenes;
  std::vector<std::string> rays;
  std::vector<std::string> works;
  std::vector<std::string> systems;
  std::string json;           // a file; empty for none
  bool instructions = false;  // under valgrind: count instead of measuring
};

// Returns true if a list leaves a name in.
bool isChosen(const std::vector<std::string>& names, const std::string& name);

// Parses the command line. Ends the program for --help (0) and for invalid arguments (2).
Options parseOptions(int argc, char** argv);

}  // namespace fractalray::bench
