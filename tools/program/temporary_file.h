// SPDX-License-Identifier: Apache-2.0
// Temporary files that do not outlive the program, even if a signal ends it.
#pragma once

#include <string>

namespace fractalray {

// Makes and opens a file of which nobody else has the name: `name` ends in XXXXXX, which are
// replaced. Returns its descriptor, or -1 with errno set. Until the file is renamed or removed by
// the functions below, a signal that ends the program removes it.
int makeTemporaryFile(std::string& name);
// Does the same for a file that another library may make, of a name that nobody else has.
void keepTemporaryFile(const std::string& name);
// Rename and remove such a file, as std::rename and ::unlink do.
int renameTemporaryFile(const std::string& name, const std::string& target);
void removeTemporaryFile(const std::string& name);

// Removes all that are left. Safe to call from a signal handler, and when memory has run out.
void removeTemporaryFiles() noexcept;

// Makes SIGINT, SIGTERM and SIGHUP remove the files before they end the program as usual; those
// that are ignored stay ignored.
void removeTemporaryFilesOnSignals();

}  // namespace fractalray
