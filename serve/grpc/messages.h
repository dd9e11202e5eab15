// SPDX-License-Identifier: Apache-2.0
// The messages of calls whose arrays are large: read into the memory of a call, and written from
// there without a copy.
#pragma once

#include <grpcpp/support/byte_buffer.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace fractalray::serve {

// The message Call of fractalray.proto.
struct CallMessage {
  std::int32_t version = 0;
  std::uint32_t verb = 0;
  std::vector<std::byte> body;
  std::string world;
  std::uint64_t block_types = 0;
};

// Reads a message, whatever its bytes are; INVALID_ARGUMENT if it is not a Call. Takes at most the
// memory of the message. Throws std::bad_alloc.
absl::Status readCall(grpc::ByteBuffer& message, CallMessage& to);

// Reads the version of a message Hello; INVALID_ARGUMENT if it is none, or too long.
absl::Status readHello(grpc::ByteBuffer& message, std::int32_t& version);

// Returns the message Answer of Describe. Requires: the reply is a frame.
grpc::ByteBuffer descriptionOf(const std::vector<std::byte>& reply, const std::string& world);
// Returns the message Answer whose body is that of a reply, which becomes gRPC's.
// Requires: the reply is a frame.
grpc::ByteBuffer answerOf(std::vector<std::byte> reply);

}  // namespace fractalray::serve
