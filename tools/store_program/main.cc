// SPDX-License-Identifier: Apache-2.0
// The program `fractalray-store`, which `fractalray store` runs: what needs PostgreSQL's client
// library.
#include <array>

#include "../program/run_commands.h"
#include "store_commands.h"

namespace fractalray {
namespace {

constexpr std::array kStoreCommands = {
    addInitCommand,
    addCheckCommand,
#ifdef FRACTALRAY_SERVE
    addServeStoreCommand,
#endif
};

}  // namespace
}  // namespace fractalray

int main(int argc, char** argv) {
  return fractalray::runCommands(
      argc, argv,
      {"fractalray store", "Make a Luanti map in PostgreSQL a store that caches read, or check it.",
       "Examples:\n"
       "  fractalray store init postgresql:///world\n"
       "  fractalray store check postgresql:///world --json\n"
       "Exit status: 0 all is well, 1 it is not a store, mapblocks are damaged, or the database "
       "does not\nanswer, 2 wrong command line or input. See docs/store.md."},
      fractalray::kStoreCommands);
}
