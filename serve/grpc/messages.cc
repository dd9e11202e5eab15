// SPDX-License-Identifier: Apache-2.0
#include "messages.h"

#include <fractalray.pb.h>
#include <google/protobuf/io/coded_stream.h>
#include <grpcpp/support/proto_buffer_reader.h>

#include <array>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"

#include "../../bindings/c/internal/frame.h"

namespace fractalray::serve {
namespace {

using google::protobuf::io::CodedInputStream;
using google::protobuf::io::CodedOutputStream;

// The wire types of protobuf: how a field is written.
enum WireType : std::uint32_t { kVarint = 0, kEightBytes = 1, kLength = 2, kFourBytes = 5 };

constexpr std::uint32_t tagOf(int field, WireType type) {
  return static_cast<std::uint32_t>(field) << 3U | type;
}

// Reads the length of a field. Returns false if the message is shorter than that.
bool readLength(CodedInputStream& input, std::uint64_t size, int& length) {
  return input.ReadVarintSizeAsInt(&length) &&
         static_cast<std::uint64_t>(length) <=
             size - static_cast<std::uint64_t>(input.CurrentPosition());
}

bool readBody(CodedInputStream& input, std::uint64_t size, std::vector<std::byte>& body) {
  int length = 0;
  if (!readLength(input, size, length)) return false;
  body.resize(static_cast<std::size_t>(length));
  return input.ReadRaw(body.data(), length);
}

bool readText(CodedInputStream& input, std::uint64_t size, std::string& text) {
  int length = 0;
  return readLength(input, size, length) && input.ReadString(&text, length);
}

// Skips a field that is not known; false for the groups of old messages, of which Call has none.
bool skipField(CodedInputStream& input, std::uint64_t size, std::uint32_t tag) {
  std::uint64_t number = 0;
  int length = 0;
  switch (tag & 7U) {
    case kVarint:
      return input.ReadVarint64(&number);
    case kEightBytes:
      return input.Skip(8);
    case kLength:
      return readLength(input, size, length) && input.Skip(length);
    case kFourBytes:
      return input.Skip(4);
    default:
      return false;
  }
}

// Reads the field that a tag begins; skips one that is not known.
bool readField(CodedInputStream& input, std::uint64_t size, std::uint32_t tag, CallMessage& to) {
  std::uint64_t number = 0;
  switch (tag) {
    case tagOf(v1::Call::kVersionFieldNumber, kVarint):
      if (!input.ReadVarint64(&number)) return false;
      to.version = static_cast<std::int32_t>(number);
      return true;
    case tagOf(v1::Call::kVerbFieldNumber, kVarint):
      if (!input.ReadVarint64(&number)) return false;
      to.verb = static_cast<std::uint32_t>(number);
      return true;
    case tagOf(v1::Call::kBodyFieldNumber, kLength):
      return readBody(input, size, to.body);
    case tagOf(v1::Call::kWorldFieldNumber, kLength):
      return readText(input, size, to.world);
    case tagOf(v1::Call::kBlockTypesFieldNumber, kEightBytes):
      return input.ReadLittleEndian64(&to.block_types);
    default:
      return skipField(input, size, tag);
  }
}

}  // namespace

absl::Status readCall(grpc::ByteBuffer& message, CallMessage& to) {
  const std::uint64_t size = message.Length();
  if (size == 0) return absl::InvalidArgumentError("the message of the call is empty");
  grpc::ProtoBufferReader reader(&message);
  CodedInputStream input(&reader);
  while (const std::uint32_t tag = input.ReadTag()) {
    if (readField(input, size, tag, to)) continue;
    return absl::InvalidArgumentError(
        "the message is not a Call of fractalray.proto: a field is broken");
  }
  if (input.ConsumedEntireMessage()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "the message is not a Call of fractalray.proto: it has a wrong tag");
}

absl::Status readHello(grpc::ByteBuffer& message, std::int32_t& version) {
  constexpr std::size_t kMostBytes = 1024;  // whatever later versions add
  if (message.Length() > kMostBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("a Hello has ", message.Length(), " bytes; it has at most ", kMostBytes));
  }
  v1::Hello hello;
  grpc::ProtoBufferReader reader(&message);
  if (!hello.ParseFromZeroCopyStream(&reader)) {
    return absl::InvalidArgumentError("the message is not a Hello of fractalray.proto");
  }
  version = hello.version();
  return absl::OkStatus();
}

grpc::ByteBuffer descriptionOf(const std::vector<std::byte>& reply, const std::string& world) {
  v1::Answer answer;
  answer.set_world(world);
  answer.set_body(reply.data() + sizeof(wire::FrameHead), reply.size() - sizeof(wire::FrameHead));
  const grpc::Slice bytes(answer.SerializeAsString());
  return {&bytes, 1};
}

grpc::ByteBuffer answerOf(std::vector<std::byte> reply) {
  using Reply = std::vector<std::byte>;
  auto owner = std::make_unique<Reply>(std::move(reply));
  const std::size_t size = owner->size() - sizeof(wire::FrameHead);
  std::array<std::uint8_t, 16> begin{};
  std::uint8_t* end = CodedOutputStream::WriteTagToArray(
      tagOf(v1::Answer::kBodyFieldNumber, kLength), begin.data());
  end = CodedOutputStream::WriteVarint64ToArray(size, end);
  Reply* const kept = owner.release();  // the slice's
  const std::array<grpc::Slice, 2> parts = {
      grpc::Slice(begin.data(), static_cast<std::size_t>(end - begin.data())),
      grpc::Slice(
          kept->data() + sizeof(wire::FrameHead), size,
          [](void* done) { delete static_cast<Reply*>(done); }, kept)};
  return {parts.data(), parts.size()};
}

}  // namespace fractalray::serve
