// SPDX-License-Identifier: Apache-2.0
// Programs that run commands of this one. They link libraries that not every machine has, so that
// this one needs none of them.
#pragma once

#include <span>

#include "absl/status/status.h"

namespace fractalray {

struct OtherProgram {
  const char* name;    // of its file
  const char* absent;  // what to do if there is no such file
  const char* unable;  // what to do if a library that it needs is missing
};

// Runs what needs the client library of PostgreSQL.
inline constexpr OtherProgram kStoreProgram = {
    "fractalray-store",
    "a build of fractalray has it if FRACTALRAY_BUILD_STORE is on, for which Debian's package is "
    "libpq-dev",
    "it needs the client library of PostgreSQL; on Debian: apt-get install libpq5"};

// Runs what needs gRPC.
inline constexpr OtherProgram kGrpcProgram = {
    "fractalray-grpc",
    "a build of fractalray has it if FRACTALRAY_BUILD_GRPC is on, for which Debian's packages are "
    "libgrpc++-dev, libprotobuf-dev and protobuf-compiler-grpc",
    "it needs the libraries of gRPC; on Debian: apt-get install libgrpc++1.51 libprotobuf32"};

// Replaces this program by another one with these arguments, as execv() does: the one in the folder
// of this one, or else that of the PATH. Returns only if it cannot: NOT_FOUND if there is none,
// FAILED_PRECONDITION if it cannot start because a library is missing, which the loader has named
// on standard error, and UNAVAILABLE with the system's reason otherwise.
absl::Status runInstead(const OtherProgram& program, std::span<const char* const> arguments);

}  // namespace fractalray
