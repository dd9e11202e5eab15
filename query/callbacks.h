// SPDX-License-Identifier: Apache-2.0
// The callbacks of an engine, with hit_effect.h.
#pragma once

#include <functional>

#include "hit.h"
#include "hit_effect.h"  // IWYU pragma: export

namespace fractalray {

// Returns true if a hit is terminal; the predicate of docs/queries/shoot.md. Pure: may be called
// early, more than once, and again for a block whose type an effect has changed. Not called for
// hits that are terminal anyway: solid blocks, and hits at which a rule stops the shot.
using TerminalTest = std::function<bool(const Hit&)>;

}  // namespace fractalray
