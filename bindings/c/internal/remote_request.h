// SPDX-License-Identifier: Apache-2.0
// A call as the parts of a frame, most of them where the caller has them.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"

#include "../fractalray_c.h"
#include "frame.h"
#include "remote.h"

namespace fractalray::capi {

class RemoteRequest {
 public:
  RemoteRequest() = default;
  RemoteRequest(const RemoteRequest&) = delete;
  RemoteRequest& operator=(const RemoteRequest&) = delete;

  // Makes the request of a call, which must outlive it, as must `at_least`. `server` has its
  // limits: beyond them RESOURCE_EXHAUSTED. Requires: the call has been checked.
  absl::Status make(const RemoteCall& call, std::uint64_t number, std::uint64_t deadline_us,
                    const std::string& at_least, const wire::HelloAnswer& server);

  // Returns the parts of the frame, to be sent once: sending changes them.
  std::span<iovec> parts() { return parts_; }
  std::uint64_t number() const { return frame_.number; }

 private:
  // Vectors as they are sent.
  struct VectorPart {
    std::uint32_t stride = 0;
    std::uint64_t bytes = 0;
  };

  void add(const void* data, std::size_t bytes);
  void addOptions(const frQueryOptions& options);
  void addLines(const frLines& lines);
  void addVectors(const frLines& lines);
  VectorPart addVectorsOf(const frVectors& vectors, std::size_t count,
                          std::vector<std::byte>& memory);
  void addLists(const frLines& lines);

  wire::FrameHead frame_;
  wire::CallHead head_;
  frQueryOptions options_{};
  std::vector<std::byte> from_;  // vectors that are not dense in the caller's memory
  std::vector<std::byte> to_;
  std::vector<iovec> parts_;
};

}  // namespace fractalray::capi
