// SPDX-License-Identifier: Apache-2.0
// What a query may run along.
#pragma once

#include <concepts>

#include "../core/ray.h"
#include "../core/segment.h"

namespace fractalray {

// What a query may run along. Braces with .from and .to make a Segment.
template <class T>
concept QueryLine =
    std::same_as<T, Segment> || std::same_as<T, FixedSegment> || std::same_as<T, Ray>;

}  // namespace fractalray
