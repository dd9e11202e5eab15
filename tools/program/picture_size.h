// SPDX-License-Identifier: Apache-2.0
// --size: the size of a picture.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"

#include "picture.h"

namespace fractalray {

// Sets width and height from text like "960x540", each from 1 to 16384 pixels. INVALID_ARGUMENT,
// with the option's name, for anything else.
absl::Status readPictureSize(const std::string& text, std::string_view option,
                             PictureOptions& options);

}  // namespace fractalray
