// SPDX-License-Identifier: Apache-2.0
#include "compact_hit.h"

namespace fractalray {

// One cache line.
static_assert(sizeof(CompactHit) == 64);

CompactHit toCompact(const Hit& hit) {
  CompactHit compact;
  compact.t = hit.t;
  compact.t_exit = hit.t_exit;
  compact.kind = hit.kind;
  compact.level = static_cast<std::int8_t>(hit.level);
  compact.face = hit.face;
  compact.terminal = hit.terminal;
  compact.start_inside = hit.start_inside;
  if (hit.isBlock()) {
    compact.step = hit.step & 7U;
    compact.plane = hit.plane & 0x1ffffU;
    compact.block = hit.block;
    compact.type = hit.type;
  } else if (hit.isEntity()) {
    compact.entity = hit.entity;
    compact.id = hit.id;
  }
  return compact;
}

}  // namespace fractalray
