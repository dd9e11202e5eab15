// SPDX-License-Identifier: Apache-2.0
// The arena in a window, by SDL2.
#pragma once

#include <string>

#include "arena.h"

namespace arena {

// Runs 60 ticks per second, as far as the machine keeps up, and shows pictures of them until
// `ticks` have run or the window is closed. The arrow keys turn and zoom, m changes to the map and
// back, Escape ends. Writes the last picture, as the window shows it, to `screenshot` unless that
// is empty. Returns the exit status of the program.
int runWindow(Arena& arena, int ticks, const std::string& screenshot);

}  // namespace arena
