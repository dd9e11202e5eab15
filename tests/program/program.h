// SPDX-License-Identifier: Apache-2.0
// Runs the program as a person would, for tests of its command line.
#pragma once

#include <string>
#include <vector>

namespace fractalray::testing {

struct ProgramRun {
  int exit_status = -1;  // -1 if it did not end by itself
  std::string out;       // the text on standard output; below, that on standard error
  std::string err;
};

// Runs `fractalray <arguments>` without a shell and waits for its end.
ProgramRun runProgram(const std::vector<std::string>& arguments);
// Runs it with standard output going to an open file; `out` stays empty.
ProgramRun runProgramInto(int descriptor, const std::vector<std::string>& arguments);

// Runs another program, the first of the words; it is searched for as a shell does.
ProgramRun runOther(std::vector<std::string> words);

// Returns true if this build has the program that runs `fractalray store`.
bool hasStoreProgram();

// Returns the bytes of a file, none if it cannot be read.
std::string contentOf(const std::string& path);

// Returns a folder of the running test's own, created empty by the first call.
std::string testFolder();
// Writes a file in testFolder() and returns its path.
std::string writeTestFile(const std::string& name, const std::string& content);

}  // namespace fractalray::testing
