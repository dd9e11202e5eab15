// SPDX-License-Identifier: Apache-2.0
#include "example_world.h"

#include <filesystem>
#include <system_error>

#define BOOST_DLL_USE_STD_FS
#include "absl/strings/str_cat.h"
#include "boost/dll/runtime_symbol_info.hpp"

namespace fractalray {

absl::StatusOr<std::string> findExampleWorld() {
  std::error_code error;
  const std::filesystem::path program = boost::dll::program_location(error);
  if (error) {
    return absl::NotFoundError(absl::StrCat(
        "cannot find out where the program is, and so not the example world: ", error.message(),
        "; name a world by --world"));
  }
  const std::filesystem::path world =
      (program.parent_path() / FRACTALRAY_DATA_FOLDER / "worlds/w1").lexically_normal();
  if (std::filesystem::exists(world / "map.sqlite", error)) return world.string();
  return absl::NotFoundError(absl::StrCat("the example world is not in ", world.string(),
                                          ", where it is installed; name a world by --world, such "
                                          "as examples/worlds/w1 of the sources"));
}

}  // namespace fractalray
