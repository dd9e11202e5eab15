// SPDX-License-Identifier: Apache-2.0
// Plain objects for what searches find.

import { exactNumber } from "./arguments.js";

export const foundEntity = ({ entity, idBig, distance }) => ({ entity, id: exactNumber(idBig), distance });

export function foundBlock(found) {
  const { level, type, kind, distance } = found;
  return { block: [found.block(0), found.block(1), found.block(2)], level, type, kind, distance };
}
