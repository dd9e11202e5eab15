// SPDX-License-Identifier: Apache-2.0
// The kinds of lines along which a query may run.
#pragma once

#include <concepts>

#include "../core/ray.h"
#include "../core/segment.h"

namespace fractalray {

// A line along which a query may run. Braces with .from and .to make a Segment.
template <class T>
concept QueryLine =
    std::same_as<T, Segment> || std::same_as<T, FixedSegment> || std::same_as<T, Ray>;

}  // namespace fractalray
