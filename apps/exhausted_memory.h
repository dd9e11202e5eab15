// SPDX-License-Identifier: Apache-2.0
// How the program ends where memory runs out: with one line and exit status 1, whatever was being
// done. A program that uses endOutOfMemory also ends by it where std::bad_alloc cannot be caught:
// thrown out of a destructor, a thread or an initialisation before main(), or with no memory for
// the exception itself; and it begins with memory for the ordinary work's stack.
#pragma once

namespace fractalray {

// Removes temporary files, says in a line on standard error that memory has run out, and ends the
// program with kExitFailed. Allocates nothing.
[[noreturn]] void endOutOfMemory() noexcept;

}  // namespace fractalray
