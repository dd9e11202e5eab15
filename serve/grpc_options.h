// SPDX-License-Identifier: Apache-2.0
// Says where and how a server speaks gRPC. Not every build has the door itself, serve/grpc.
#pragma once

#include <string>
#include <vector>

namespace fractalray::serve {

struct GrpcOptions {
  std::vector<std::string> listen{};  // "tcp:HOST:PORT", "unix:PATH"; one or more
  // Files in PEM format: the chain of the server's certificate and its key, both or none, for TLS
  // at TCP addresses; and the authorities of which clients must have a certificate, or none.
  std::string certificate{};
  std::string key{};
  std::string client_ca{};
};

}  // namespace fractalray::serve
