// SPDX-License-Identifier: Apache-2.0
// Errors as gRPC has them: the same codes, and a text that fits into the metadata of an answer.
#pragma once

#include <grpcpp/support/status.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/status/status.h"

namespace fractalray::serve {

inline grpc::Status grpcStatus(const absl::Status& status) {
  // Clients take 8 KB of metadata by default, in which a byte may take three.
  constexpr std::size_t kMostBytes = 2048;
  const std::size_t size = std::min(status.message().size(), kMostBytes);
  return {static_cast<grpc::StatusCode>(status.code()),
          std::string(status.message().substr(0, size))};
}

}  // namespace fractalray::serve
