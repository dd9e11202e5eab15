// SPDX-License-Identifier: Apache-2.0
// How often a program has asked for memory, and for how much, for tests of what should not.
#pragma once

#include <cstddef>

namespace fractalray::oracle {

// The calls of operator new so far, of all threads. A program that calls this has its operators new
// and delete replaced by ones that count.
std::size_t allocationCount();
// The bytes that they asked for, whether or not they have been given back.
std::size_t allocatedBytes();

}  // namespace fractalray::oracle
