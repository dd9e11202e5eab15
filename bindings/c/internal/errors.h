// SPDX-License-Identifier: Apache-2.0
// Results of the C functions: what fails becomes a number and a text, and no exception leaves.
#pragma once

#include <cstddef>
#include <string_view>

#include "absl/status/status.h"

#include "../fractalray_c.h"

namespace fractalray::capi {

// Thrown through the library when a callback has broken its contract, to end the query.
struct CallbackError {
  absl::Status status;
};

// Sets what frGetLastError() returns on this thread: "function: message", cut if it is too long.
void setLastError(const char* function, std::string_view message) noexcept;
// Sets it to the error of one of many: "function: element number: message". Allocates nothing: the
// call has succeeded.
void setElementError(const char* function, const char* element, std::size_t number,
                     const absl::Status& error) noexcept;

// Return the number of an error, and set the last error. The second is for the exception that is
// being handled.
frResult report(const char* function, const absl::Status& error) noexcept;
frResult reportException(const char* function) noexcept;
// Returns the number of a status.
frResult resultOf(const absl::Status& status);

// Runs the body of a C function, which returns a status.
template <class Body>
frResult guarded(const char* function, const Body& body) noexcept {
  try {
    const absl::Status status = body();
    return status.ok() ? FR_OK : report(function, status);
  } catch (...) {
    return reportException(function);
  }
}

}  // namespace fractalray::capi
