// SPDX-License-Identifier: Apache-2.0
// Links the formats from outside, and with them the libraries that read maps.
#include <fractalray/formats/open_world.h>

bool canOpen(const std::string& path) {
  return fractalray::openWorld(path).ok();
}
