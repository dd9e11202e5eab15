// SPDX-License-Identifier: Apache-2.0
// fractalray_bench: see --help.
#include <cstddef>
#include <cstdio>

#include "absl/status/status.h"

#include "options.h"
#include "results.h"
#include "runner.h"
#include "systems.h"

int main(int argc, char** argv) {
  using namespace fractalray::bench;
  const Options options = parseOptions(argc, argv);
  std::printf("%s%s\n", describeMachine().c_str(), describePeers().c_str());
  const Results results = runSuite(options);
  if (options.instructions) return 0;
  printTargets(results);
  if (!options.json.empty()) {
    const absl::Status written = writeJson(results, options.json);
    if (!written.ok()) {
      std::fprintf(stderr, "fractalray_bench: %s\n", written.ToString().c_str());
      return 1;
    }
  }
  const std::size_t wrong = countOurWrong(results);
  if (wrong == 0) return 0;
  std::fprintf(stderr, "fractalray_bench: %zu answers are wrong\n", wrong);
  return 1;
}
