// SPDX-License-Identifier: Apache-2.0
#include "tick_report.h"

#include <cstdio>
#include <fstream>

#include "../../formats/json.h"
#include "../../formats/json_document.h"
#include "results.h"

namespace fractalray::bench {

void printTargets(const TickReport& report) {
  std::printf("\n  %-52s%9s %9s\n", "targets", "is", "target");
  for (const TickTarget& target : report.targets) {
    const bool is_reached =
        target.at_least ? target.value >= target.must : target.value <= target.must;
    std::printf("  %-52s%9.2f %2s%7.4g  %s\n", target.what.c_str(), target.value,
                target.at_least ? ">=" : "<=", target.must, is_reached ? "reached" : "MISSED");
  }
}

bool writeJson(const TickOptions& options, const TickReport& report, const char* program) {
  if (options.json.empty()) return true;
  Json json = {{"machine", describeMachine()}, {"quick", options.quick}};
  for (const TickFigure& figure : report.figures)
    json["figures"].push_back(
        {{"name", figure.name}, {"value", figure.value}, {"unit", figure.unit}});
  for (const TickTarget& target : report.targets) {
    json["targets"].push_back({{"what", target.what},
                               {"value", target.value},
                               {"must", target.must},
                               {"at_least", target.at_least}});
  }
  std::ofstream file(options.json);
  file << json.dump(1) << '\n';
  file.close();
  if (!file.fail()) return true;
  std::fprintf(stderr, "%s: cannot write %s\n", program, options.json.c_str());
  return false;
}

}  // namespace fractalray::bench
