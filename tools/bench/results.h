// SPDX-License-Identifier: Apache-2.0
// The results of the measurements, and their output.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace fractalray::bench {

// A row of a table.
struct Result {
  std::string scene;
  std::string rays;
  std::string work;
  std::string system;
  std::size_t count = 0;    // of entities
  double ns = 0;            // a segment, or a moved entity
  double instructions = 0;  // likewise; 0 if they cannot be counted
  std::size_t wrong = 0;    // answers
  std::size_t bytes = 0;
  double build_ms = 0;
};

// Returns the bytes for each entity. Requires: there are entities.
double bytesEach(const Result& row);

// Properties of a work on a set of rays, by the reference.
struct SetFacts {
  std::string scene;
  std::string rays;
  std::string work;
  std::size_t count = 0;  // of entities
  std::size_t segments = 0;
  std::size_t checked = 0;  // of the segments
  double hit_share = 0;
  double hits = 0;   // of a segment that hits
  double cells = 0;  // 0 if not known
};

struct Results {
  bool quick = false;
  std::string machine;
  std::vector<Result> rows;
  std::vector<SetFacts> sets;
};

// Returns "Intel Xeon ... (family 6, model 85), 2 cores, g++ 12.2": in virtual machines the name
// alone is often that of many processors.
std::string describeMachine();

// Prints one line above the rows of a work; one line for a row, with its ratio to ours (0: not
// known).
void printSet(const SetFacts& facts);
void printRow(const Result& row, double ours_ns);
// Prints the row of a system that was not installed.
void printMissing(const std::string& system);
// Prints the row of a system that a quick run leaves out of a large scene.
void printLeftOut(const std::string& system);
// Returns how many answers of our systems, "fractalray" and "fractalray-...", are wrong.
std::size_t countOurWrong(const Results& results);
// Prints which targets are reached, of those that were measured.
void printTargets(const Results& results);

absl::Status writeJson(const Results& results, const std::string& path);

}  // namespace fractalray::bench
