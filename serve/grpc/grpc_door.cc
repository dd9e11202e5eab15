// SPDX-License-Identifier: Apache-2.0
#include "grpc_door.h"

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../bindings/c/internal/sockets.h"
#include "../../formats/input_file.h"
#include "../listener.h"
#include "ask_call.h"

namespace fractalray::serve {
namespace {

constexpr std::string_view kTcp = "tcp:";
constexpr const char* kService = "fractalray.v1.Queries";
constexpr std::size_t kMostEnvelope = 4096;  // bytes of a message besides the body
constexpr std::size_t kTransportBytes = std::size_t{16} << 20;  // that gRPC takes for itself
constexpr std::chrono::milliseconds kKeepalive{60'000};

int asInt(std::uint64_t number) {
  constexpr std::uint64_t kMost = std::numeric_limits<int>::max();
  return static_cast<int>(std::min(number, kMost));
}

absl::Status ending() {
  return absl::UnavailableError("the server is ending; call another one, or again later");
}

// Answers calls, and refuses methods that there are not. Generic, so that the caller is checked,
// and memory reserved, before a message is taken.
class QueriesService final : public grpc::CallbackGenericService {
 public:
  explicit QueriesService(CallGate& gate) : gate_(gate) {}

  grpc::ServerGenericBidiReactor* CreateReactor(
      grpc::GenericCallbackServerContext* context) override {
    auto* const call = new AskCall(gate_, active_, *context);
    call->begin(is_draining_ ? ending() : absl::OkStatus());
    return call;
  }

  void drain() { is_draining_ = true; }
  ActiveCalls& active() { return active_; }
  const ActiveCalls& active() const { return active_; }

 private:
  CallGate& gate_;
  ActiveCalls active_;
  std::atomic<bool> is_draining_ = false;
};

// An address as gRPC and as clients write it.
struct GrpcAddress {
  std::string of_grpc;
  std::string of_client;  // without the port if it is chosen
  int port = 0;           // that gRPC listens at
  bool is_tcp = false;
};

class GrpcDoor final : public Door {
 public:
  GrpcDoor(std::vector<std::string> listen, std::optional<grpc::SslServerCredentialsOptions> tls)
      : listen_(std::move(listen)), tls_(std::move(tls)) {}
  ~GrpcDoor() override { close(); }

  absl::Status open(CallGate& gate) override {
    for (const std::string& address : listen_) {
      absl::Status status = add(address);
      if (!status.ok()) return status;
    }
    queries_.emplace(gate);
    grpc::EnableDefaultHealthCheckService(true);
    grpc::ServerBuilder builder;
    setLimits(builder, gate.limits());
    builder.RegisterCallbackGenericService(&*queries_);
    const std::shared_ptr<grpc::ServerCredentials> plain = grpc::InsecureServerCredentials();
    const std::shared_ptr<grpc::ServerCredentials> secure =
        tls_.has_value() ? grpc::SslServerCredentials(*tls_) : plain;
    for (GrpcAddress& address : addresses_)
      builder.AddListeningPort(address.of_grpc, address.is_tcp ? secure : plain, &address.port);
    server_ = builder.BuildAndStart();
    if (server_ == nullptr) return cannotListen();
    server_->GetHealthCheckService()->SetServingStatus(kService, true);
    return absl::OkStatus();
  }

  std::vector<std::string> addresses() const override {
    std::vector<std::string> addresses;
    for (const GrpcAddress& address : addresses_) {
      addresses.push_back(address.is_tcp ? absl::StrCat(address.of_client, ":", address.port)
                                         : address.of_client);
    }
    return addresses;
  }

  void drain() override {
    server_->GetHealthCheckService()->Shutdown();
    queries_->drain();
  }
  bool isDrained() const override { return queries_->active().count() == 0; }
  void cancel() override {
    if (server_ != nullptr) queries_->active().cancel();
  }
  void close() override {
    if (server_ == nullptr) return;
    server_->Shutdown(std::chrono::system_clock::now());
    server_ = nullptr;
  }

 private:
  // Takes an address, at which nothing may listen: gRPC itself would take the socket of a server
  // that runs, and reports no reasons.
  absl::Status add(const std::string& address) {
    absl::StatusOr<Listener> listener = Listener::open(address);
    if (!listener.ok()) return listener.status();
    listener->close();
    const bool is_tcp = address.starts_with(kTcp);
    if (!is_tcp) {
      addresses_.push_back({.of_grpc = address, .of_client = absl::StrCat("grpc+", address)});
      return absl::OkStatus();
    }
    const std::string host_port = address.substr(kTcp.size());
    addresses_.push_back({.of_grpc = host_port,
                          .of_client = absl::StrCat(tls_.has_value() ? "grpcs://" : "grpc://",
                                                    host_port.substr(0, host_port.rfind(':'))),
                          .is_tcp = true});
    return absl::OkStatus();
  }

  static void setLimits(grpc::ServerBuilder& builder, const ServeLimits& limits) {
    builder.SetMaxReceiveMessageSize(asInt(limits.frame_bytes + kMostEnvelope));
    builder.SetMaxSendMessageSize(-1);  // answers are as long as their lines make them
    builder.SetResourceQuota(
        grpc::ResourceQuota("fractalray").Resize(limits.memory_bytes + kTransportBytes));
    builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
    builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, asInt(limits.connections));
    builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_IDLE_MS,
                               asInt(static_cast<std::uint64_t>(limits.idle_time.count())));
    // Finds out that the machine of a client is gone.
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, static_cast<int>(kKeepalive.count()));
  }

  absl::Status cannotListen() const {
    const std::string where = listen_.front();
    if (!tls_.has_value()) {
      return absl::UnavailableError(
          absl::StrCat("gRPC cannot listen at ", where, "; its log on standard error says why"));
    }
    return absl::InvalidArgumentError(
        absl::StrCat("gRPC cannot listen at ", where,
                     " with this certificate and key; give a certificate in PEM format and its own "
                     "key: openssl x509 -in CERTIFICATE -noout -text"));
  }

  const std::vector<std::string> listen_;
  const std::optional<grpc::SslServerCredentialsOptions> tls_;
  std::vector<GrpcAddress> addresses_;
  std::optional<QueriesService> queries_;
  std::unique_ptr<grpc::Server> server_;  // after the service, which outlives it
};

absl::StatusOr<grpc::SslServerCredentialsOptions> readTls(const GrpcOptions& options) {
  const absl::StatusOr<std::string> certificate = readFile(options.certificate);
  if (!certificate.ok()) return certificate.status();
  const absl::StatusOr<std::string> key = readFile(options.key);
  if (!key.ok()) return key.status();
  grpc::SslServerCredentialsOptions tls(GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE);
  tls.pem_key_cert_pairs.push_back({*key, *certificate});
  if (options.client_ca.empty()) return tls;
  absl::StatusOr<std::string> authorities = readFile(options.client_ca);
  if (!authorities.ok()) return authorities.status();
  tls.pem_root_certs = *std::move(authorities);
  tls.client_certificate_request = GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY;
  return tls;
}

}  // namespace

absl::StatusOr<std::shared_ptr<Door>> makeGrpcDoor(const GrpcOptions& options) {
  if (options.listen.empty()) {
    return absl::InvalidArgumentError("no address for gRPC; give tcp:HOST:PORT or unix:PATH");
  }
  if (options.certificate.empty() != options.key.empty()) {
    return absl::InvalidArgumentError(
        "TLS takes a certificate and its key; give both, or none of them");
  }
  if (options.certificate.empty()) {
    if (options.client_ca.empty()) return std::make_shared<GrpcDoor>(options.listen, std::nullopt);
    return absl::InvalidArgumentError(
        "certificates of clients are checked by TLS only; give the server's certificate and key");
  }
  absl::StatusOr<grpc::SslServerCredentialsOptions> tls = readTls(options);
  if (!tls.ok()) return tls.status();
  return std::make_shared<GrpcDoor>(options.listen, *std::move(tls));
}

}  // namespace fractalray::serve
