// SPDX-License-Identifier: Apache-2.0
#include "compact_hit.h"

namespace fractalray {

// One cache line.
static_assert(sizeof(CompactHit) == 64);

CompactHit toCompact(const Hit& hit) {
  CompactHit compact{.t = hit.t,
                     .t_exit = hit.t_exit,
                     .kind = hit.kind,
                     .level = static_cast<std::int8_t>(hit.level),
                     .face = hit.face,
                     .step = hit.step,
                     .terminal = hit.terminal,
                     .start_inside = hit.start_inside};
  if (hit.isBlock()) {
    compact.block = hit.block;
    compact.type = hit.type;
  } else if (hit.isEntity()) {
    compact.entity = hit.entity;
    compact.id = hit.id;
  }
  return compact;
}

}  // namespace fractalray
