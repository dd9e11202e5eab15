// SPDX-License-Identifier: Apache-2.0
// The gRPC door of `fractalray serve`, by a client whose messages protoc has made. Both encode and
// send what they would in processes of their own.
#include <fractalray.grpc.pb.h>
#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"

#include "../../bindings/c/internal/remote_request.h"
#include "../../serve/grpc/grpc_door.h"
#include "door_measures.h"
#include "scale.h"
#include "served_world.h"
#include "unwrap.h"

namespace fractalray::bench {
namespace {

class GrpcClient {
 public:
  explicit GrpcClient(const std::string& address)
      : stub_(v1::Queries::NewStub(grpc::CreateChannel(address.substr(address.find("://") + 3),
                                                       grpc::InsecureChannelCredentials()))) {}

  // Finds the first hits of lines as frRemote_CompactHits does.
  frResult ask(const frLines& lines, frCompactHit* hits) {
    v1::Call call;
    call.set_version(FR_VERSION);
    call.set_verb(v1::COMPACT_HITS);
    writeBody(lines, *call.mutable_body());
    v1::Answer answer;
    grpc::ClientContext context;
    const grpc::Status status = stub_->Ask(&context, call, &answer);
    if (!status.ok()) return fail(status.error_message());
    const std::size_t bytes = lines.count * sizeof(frCompactHit);
    if (answer.body().size() < sizeof(wire::AnswerHead) + bytes) return fail("short answer");
    std::memcpy(hits, answer.body().data() + sizeof(wire::AnswerHead), bytes);
    return FR_OK;
  }

 private:
  static void writeBody(const frLines& lines, std::string& body) {
    capi::RemoteCall call;
    call.verb = capi::RemoteVerb::kCompactHits;
    call.lines = &lines;
    call.levels = kBundledLevels;
    const std::string at_least;
    const wire::HelloAnswer server{.batch_lines = 1 << 20, .frame_bytes = 1 << 28};
    capi::RemoteRequest request;
    checkOk(request.make(call, 1, 0, at_least, server));
    for (const iovec& part : request.parts().subspan(1))  // without the head of the frame
      body.append(static_cast<const char*>(part.iov_base), part.iov_len);
  }
  static frResult fail(const std::string& error) {
    std::fprintf(stderr, "fractalray_scale: gRPC: %s\n", error.c_str());
    return FR_UNAVAILABLE;
  }

  std::unique_ptr<v1::Queries::Stub> stub_;
};

}  // namespace

void measureGrpc(serve::AnswerSource& source, const BundledLines& lines, AskHits local, int rounds,
                 TickReport& report) {
  serve::ServeOptions options;
  options.doors.push_back(unwrap(serve::makeGrpcDoor({.listen = {"tcp:127.0.0.1:0"}})));
  const ServedWorld served(source, options);
  GrpcClient client(served.addresses().back());
  const auto remote = [&](const frLines& asked, frCompactHit* hits) {
    return client.ask(asked, hits);
  };
  const double ratio = unwrap(leastCostRatio(lines.all(), local, remote, rounds));
  addRow(report, absl::StrCat("gRPC, ", lines.size(), " lines a call: CPU to that in process"),
         ratio, 1.6, false);
}

}  // namespace fractalray::bench
