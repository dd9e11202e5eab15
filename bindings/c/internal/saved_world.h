// SPDX-License-Identifier: Apache-2.0
// Reads saved worlds by the module formats. A library without it has no_formats.cc in place of
// saved_world.cc.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "../../../levels/world.h"
#include "../fractalray_c.h"

namespace fractalray::capi {

struct SavedWorldReport {
  std::string format;
  frLoadSummary summary{};
  std::vector<std::string> damages;  // "(2, 0, 0): the zstd data is cut off"
  std::vector<std::string> defaulted_names;
};

struct SavedWorld {
  World world;
  SavedWorldReport report;
};

// Reads the world at a path, with block types that are added to `types`. Errors: those of
// openWorld() and of the table of node kinds; UNIMPLEMENTED in a library without the readers.
absl::StatusOr<SavedWorld> readSavedWorld(const std::string& path, const frOpenOptions& options,
                                          const std::shared_ptr<BlockTypeTable>& types);

}  // namespace fractalray::capi
