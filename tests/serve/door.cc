// SPDX-License-Identifier: Apache-2.0
#include "door.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "../c/sized.h"
#include "raw_client.h"

namespace fractalray::testing {

absl::StatusOr<serve::SourceView> TestSource::view(const serve::Question& /*question*/,
                                                   const serve::Freshness& fresh) {
  if (before_slice) before_slice();
  absl::Status status = serve::checkUnchanging(version(), fresh.at_least);
  if (!status.ok()) return status;
  return serve::SourceView{.world = world_, .version = version(), .hold = nullptr};
}

std::string newSocketPath() {
  static std::atomic<int> number = 0;
  return "/tmp/fractalray-" + std::to_string(::getpid()) + "-" + std::to_string(++number) + ".sock";
}

Door::Door(serve::AnswerSource& source, serve::ServeOptions options) {
  unix_ = "unix:" + newSocketPath();
  options.listen = {unix_, "tcp:127.0.0.1:0"};
  options.metrics = "tcp:127.0.0.1:0";
  auto server = serve::Server::open(options, source);
  EXPECT_TRUE(server.ok()) << server.status();
  if (!server.ok()) std::abort();
  server_ = *std::move(server);
  tcp_ = server_->addresses()[1];
  other_ = server_->addresses()[2];
  metrics_ = server_->addresses().back();
  thread_ = std::thread([this] {
    const absl::Status status = server_->run();
    EXPECT_TRUE(status.ok()) << status;
  });
}

Door::~Door() {
  server_->stop();
  thread_.join();
}

std::string Door::metrics(const std::string& path) const {
  RawClient client(metrics_);
  EXPECT_TRUE(client.send("GET " + path + " HTTP/1.1\r\nHost: test\r\n\r\n"));
  return client.receiveAll();
}

double Door::metric(const std::string& name) const {
  const std::string text = metrics();
  const std::string begin = "\nfractalray_" + name + " ";
  const std::size_t at = text.find(begin);
  return at == std::string::npos ? 0 : std::atof(text.c_str() + at + begin.size());
}

bool Door::reaches(const std::string& name, double value) const {
  for (int i = 0; i < 1000; ++i) {
    if (metric(name) >= value) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

Client::Client(const std::string& address, const char* token, std::uint64_t deadline_us) {
  frConnectOptions options = sized<frConnectOptions>();
  options.token = token;
  options.deadline_us = deadline_us;
  connected_ = frConnect(address.c_str(), &options, &remote_);
}

Client::Client(const std::string& address, const frConnectOptions& options)
    : connected_(frConnect(address.c_str(), &options, &remote_)) {}

frRemoteInfo Client::info() const {
  frRemoteInfo info = sized<frRemoteInfo>();
  EXPECT_EQ(frRemote_GetInfo(remote_, &info), FR_OK) << frGetLastError();
  return info;
}

std::string Client::version() const {
  std::array<char, 256> text{};
  EXPECT_EQ(frRemote_GetVersion(remote_, text.data(), text.size(), nullptr), FR_OK)
      << frGetLastError();
  return text.data();
}

SmallWorld::SmallWorld() {
  frWorldDef def = sized<frWorldDef>();
  def.version = FR_VERSION;
  EXPECT_EQ(frCreateWorld(&def, &world_), FR_OK) << frGetLastError();
  frBlockTypeDef type = sized<frBlockTypeDef>();
  type.name = "stone";
  frBlockType stone = 0;
  EXPECT_EQ(frWorld_AddBlockType(world_, &type, &stone), FR_OK);
  for (std::int64_t x = 0; x < 4; ++x) {
    frChunkDef chunk = sized<frChunkDef>();
    chunk.chunk[0] = x;
    EXPECT_EQ(frWorld_LoadChunks(world_, 0, &chunk, 1), FR_OK) << frGetLastError();
  }
  constexpr std::array<std::int64_t, 3> kLow = {0, 0, 0};
  constexpr std::array<std::int64_t, 3> kHigh = {63, 0, 15};
  EXPECT_EQ(frWorld_FillBox(world_, 0, kLow.data(), kHigh.data(), stone), FR_OK)
      << frGetLastError();
  for (std::uint64_t id = 1; id <= 3; ++id) {
    frEntityDef entity = sized<frEntityDef>();
    entity.id = id;
    entity.half_extents[0] = 0.5;
    entity.position[0] = 10.0 * static_cast<double>(id);
    entity.position[1] = 5;
    entity.position[2] = 5;
    frEntity added = 0;
    EXPECT_EQ(frWorld_AddEntities(world_, &entity, 1, &added), FR_OK) << frGetLastError();
  }
}

FloorCall::FloorCall(std::size_t count)
    : numbers_(6 * count), lines_(sized<frLines>()), hits_(count), results_(count) {
  for (std::size_t i = 0; i < count; ++i) {
    double* const line = &numbers_[6 * i];
    line[0] = 1 + static_cast<double>(i % 60);
    line[1] = 9;
    line[3] = line[0] + 0.25;
    line[4] = -1;
    line[2] = line[5] = 2.5;
  }
  lines_.count = count;
  lines_.from = {numbers_.data(), 48, 0, FR_F64, 0};
  lines_.to = {numbers_.data() + 3, 48, 0, FR_F64, 0};
}

frResult FloorCall::ask(frRemote* remote, const frQueryOptions* options) {
  batch_ = sized<frBatchResult>();
  return frRemote_CompactHits(remote, &lines_, FR_ALL_LEVELS, options, hits_.data(), nullptr,
                              results_.data(), &batch_);
}

frResult FloorCall::askHere(const frWorld* world, const frQueryOptions* options) {
  batch_ = sized<frBatchResult>();
  return frWorld_CompactHits(world, &lines_, FR_ALL_LEVELS, options, hits_.data(), nullptr,
                             results_.data(), &batch_);
}

}  // namespace fractalray::testing
