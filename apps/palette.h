// SPDX-License-Identifier: Apache-2.0
// Colours for block types that only have a name.
#pragma once

#include <string_view>

#include "../formats/image.h"

namespace fractalray {

// A colour that suits the name of a block type ("default:dirt_with_grass" is green), or one of its
// own, always the same, for a name that says nothing.
Rgb colorOfName(std::string_view name);

// How much of what is behind a permeable block of that name is hidden by a block's width of it, 0
// to 1: little for glass and water, more for leaves and plants.
double opacityOfName(std::string_view name);

}  // namespace fractalray
