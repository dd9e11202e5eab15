// SPDX-License-Identifier: Apache-2.0
// Colours for block types that only have a name.
#pragma once

#include <string_view>

#include "../../formats/image.h"

namespace fractalray {

// The appearance of a block.
struct Material {
  Rgb color;
  // The opacity per block width travelled inside: the part e^-density of the light passes through.
  double density = 0;
  bool is_smooth = false;   // reflects the sky
  bool is_glowing = false;  // is as bright in the dark
};

// Returns a colour that suits the name of a block type ("default:dirt_with_grass" is green), or one
// derived from the name, always the same, if no part of it is known.
Rgb colorOfName(std::string_view name);

// Returns the same with the opacity of permeable blocks: glass and water let most light through,
// leaves and plants little.
Material materialOfName(std::string_view name);

}  // namespace fractalray
