// SPDX-License-Identifier: Apache-2.0
#include "open_world.h"

#include "internal/luanti_paths.h"
#include "luanti_map.h"

namespace fractalray {

absl::StatusOr<OpenedWorld> openWorld(const std::string& path, const OpenOptions& options) {
  return openLuantiWorld(path, options);
}

absl::StatusOr<std::string> findWorldFile(const std::string& path, const InputLimits& limits) {
  return findLuantiMap(path, limits);
}

}  // namespace fractalray
