// SPDX-License-Identifier: Apache-2.0
// Answers in place of remote_connection.cc, in a library for a system without POSIX sockets.
#include "remote.h"

namespace fractalray::capi {

absl::StatusOr<std::unique_ptr<Remote>> connectRemote(const std::string&, const frConnectOptions&) {
  return absl::UnimplementedError(
      "this library was built for a system without POSIX sockets; open the world in this process");
}

}  // namespace fractalray::capi
