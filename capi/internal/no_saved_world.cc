// SPDX-License-Identifier: Apache-2.0
#include "saved_world.h"

namespace fractalray::capi {

absl::StatusOr<SavedWorld> readSavedWorld(const std::string&, const frOpenOptions&,
                                          const std::shared_ptr<BlockTypeTable>&) {
  return absl::UnimplementedError(
      "this library was built without the readers of saved worlds; build it with "
      "-DFRACTALRAY_BUILD_FORMATS=ON -DFRACTALRAY_C_FORMATS=ON");
}

}  // namespace fractalray::capi
