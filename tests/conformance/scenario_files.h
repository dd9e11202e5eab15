// SPDX-License-Identifier: Apache-2.0
// Finds scenario files, each next to a file with its answers, for tests that run once for each.
#pragma once

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "gtest/gtest.h"

namespace fractalray::testing {

// Returns the scenarios of a folder in alphabetical order; none if there is no such folder.
inline std::vector<std::filesystem::path> scenariosIn(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(folder, missing)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Returns the scenarios of the repository, and those next to it that come with the contract.
inline std::vector<std::filesystem::path> allScenarios() {
  const std::filesystem::path root = FRACTALRAY_SOURCE_DIR;
  std::vector<std::filesystem::path> all = scenariosIn(root / "tests" / "scenarios");
  for (const char* const set : {"conformance", "conformance-rays", "conformance-shapes",
                                "conformance-sight", "conformance-window"}) {
    const std::vector<std::filesystem::path> files = scenariosIn(root / ".." / "shared" / set);
    all.insert(all.end(), files.begin(), files.end());
  }
  return all;
}

// Returns the file with the expected answers to a scenario.
inline std::string answersOf(std::filesystem::path scenario) {
  return scenario.replace_extension(".expected.jsonl").string();
}

// Returns the name of a test for a scenario, with that of its folder: two sets may have a "rays1".
inline std::string scenarioTestName(const ::testing::TestParamInfo<std::filesystem::path>& info) {
  std::string name = (info.param.parent_path().filename() / info.param.stem()).string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

}  // namespace fractalray::testing
