// SPDX-License-Identifier: Apache-2.0
// An engine's own chunks as chunks of a world: <fractalray/adapt.h>.
#pragma once

#include "levels/adapt.h"  // IWYU pragma: export
