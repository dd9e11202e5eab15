// SPDX-License-Identifier: Apache-2.0
// The token of a caller.
#pragma once

#include <grpcpp/server_context.h>

#include <string_view>

namespace fractalray::serve {

// Returns the token in `authorization: Bearer TOKEN`; empty if there is none.
inline std::string_view tokenOf(const grpc::CallbackServerContext& context) {
  const auto found = context.client_metadata().find("authorization");
  if (found == context.client_metadata().end()) return {};
  constexpr std::string_view kBearer = "Bearer ";
  std::string_view value(found->second.data(), found->second.size());
  if (!value.starts_with(kBearer)) return {};
  value.remove_prefix(kBearer.size());
  return value;
}

}  // namespace fractalray::serve
