// SPDX-License-Identifier: Apache-2.0
#include "raw_client.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>

namespace fractalray::testing {
namespace {

wire::Clock::time_point soon() {
  return wire::Clock::now() + std::chrono::seconds(10);
}

}  // namespace

RawClient::RawClient(const std::string& address) {
  const absl::StatusOr<wire::SocketAddress> parsed = wire::parseAddress(address);
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  absl::StatusOr<wire::Descriptor> socket = wire::connectTo(*parsed, soon());
  EXPECT_TRUE(socket.ok()) << socket.status();
  if (socket.ok()) socket_ = *std::move(socket);
}

bool RawClient::send(std::string_view bytes) {
  iovec part{const_cast<char*>(bytes.data()), bytes.size()};
  return wire::sendAll(socket_.number(), {&part, 1}, soon()).ok();
}

std::string RawClient::receive(std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) {
    char byte = 0;
    iovec part{&byte, 1};
    if (!wire::receiveAll(socket_.number(), {&part, 1}, soon()).ok()) break;
    text += byte;
  }
  return text;
}

std::string RawClient::receiveAll() {
  return receive(std::string::npos);
}

bool RawClient::receiveFrame(wire::FrameHead& head, std::string& body) {
  const std::string begin = receive(sizeof head);
  if (begin.size() != sizeof head) return false;
  std::memcpy(&head, begin.data(), sizeof head);
  body = receive(head.bytes);
  return body.size() == head.bytes;
}

bool RawClient::sayHello() {
  wire::FrameHead head;
  std::string body;
  return send(frameOf(wire::kHello, "")) && receiveFrame(head, body) && head.result == FR_OK;
}

std::string frameOf(wire::Verb verb, const std::string& body) {
  wire::FrameHead head;
  head.verb = verb;
  head.number = 1;
  head.bytes = body.size();
  return bytesOf(head) + body;
}

std::string bodyOfLines(std::size_t count, std::uint64_t deadline_us) {
  wire::CallHead head;
  head.count = count;
  head.deadline_us = deadline_us;
  head.levels = FR_ALL_LEVELS;
  head.from_stride = 48;
  head.to_stride = 48;
  head.to_offset = 24;
  head.vector_bytes = 48 * count;
  std::string body = bytesOf(head);
  constexpr std::array<double, 6> kLine = {0.5, 1.5, 2.5, 60, 0.25, 2.5};
  for (std::size_t i = 0; i < count; ++i)
    body += bytesOf(kLine);
  return body;
}

}  // namespace fractalray::testing
