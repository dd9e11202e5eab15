// SPDX-License-Identifier: Apache-2.0
// Ends the program if memory runs out: with one line and exit status 1. A program that uses
// endOutOfMemory also ends so if std::bad_alloc cannot be caught, because it is thrown out of a
// destructor, a thread or an initialisation before main(), or because there is no memory for the
// exception itself. Such a program reserves the memory of its stack when it begins.
#pragma once

namespace fractalray {

// Removes temporary files, prints a line on standard error about exhausted memory, and ends the
// program with kExitFailed. Allocates nothing.
[[noreturn]] void endOutOfMemory() noexcept;

}  // namespace fractalray
