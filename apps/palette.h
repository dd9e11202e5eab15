// SPDX-License-Identifier: Apache-2.0
// Colours for block types that only have a name.
#pragma once

#include <string_view>

#include "../formats/image.h"

namespace fractalray {

// What a block looks like.
struct Material {
  Rgb color;
  // How much of a block's width of it hides what is beyond: light comes through by e^-density.
  double density = 0;
  bool is_smooth = false;  // reflects the sky
};

// Returns a colour that suits the name of a block type ("default:dirt_with_grass" is green), or one
// of its own, always the same, for a name that says nothing.
Rgb colorOfName(std::string_view name);

// The same with what is seen of permeable blocks: much is seen through glass and water, little
// through leaves and plants.
Material materialOfName(std::string_view name);

}  // namespace fractalray
