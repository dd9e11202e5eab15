// SPDX-License-Identifier: Apache-2.0
// Follows a Luanti server that edits its map, and compares the cache with the map in the end. Ten
// minutes if FRACTALRAY_LONG_TESTS is set.
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"

#include "../oracle/long_run.h"
#include "store_fixture.h"

namespace fractalray::store_fixture {
namespace {

namespace fs = std::filesystem;

// Loads a part of the map, sets nodes there twenty times a second, and ends the server.
constexpr const char* kMod = R"(
local min, max = {x = -40, y = -24, z = -40}, {x = 40, y = 24, z = 40}
local names = {"nodes:stone", "nodes:glass", "nodes:plant", "air"}
local function edit()
  for _ = 1, 10 do
    local at = {x = math.random(min.x, max.x), y = math.random(min.y, max.y), z = math.random(min.z, max.z)}
    minetest.set_node(at, {name = names[math.random(#names)]})
  end
  minetest.after(0.05, edit)
end
minetest.after(0, function()
  minetest.emerge_area(min, max, function(_, _, left) if left == 0 then edit() end end)
end)
minetest.after(tonumber(minetest.settings:get("fr_seconds")), function() minetest.request_shutdown() end)
)";

std::string findServer() {
  for (const char* path :
       {"/usr/games/minetestserver", "/usr/bin/minetestserver", "/usr/local/bin/minetestserver"}) {
    if (fs::exists(path)) return path;
  }
  return "";
}

// Returns a port of 127.0.0.1 that nobody uses.
int freePort() {
  const int socket = ::socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  ::bind(socket, reinterpret_cast<const sockaddr*>(&address), size);
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(socket);
  return ntohs(address.sin_port);
}

class StoreLiveTest : public StoreTest {
 protected:
  // Makes the server's world, which has its map in the store.
  void makeWorld(int seconds) const {
    const std::string mod = folder_.file("worldmods/edits");
    fs::create_directories(mod);
    fs::copy(FRACTALRAY_SOURCE_DIR "/tests/luanti/game", folder_.file("game"),
             fs::copy_options::recursive);
    luanti_fixture::writeFile(mod + "/init.lua", kMod);
    luanti_fixture::writeFile(mod + "/mod.conf", "name = edits\ndepends = nodes\n");
    luanti_fixture::writeFile(
        folder_.file("world.mt"),
        absl::StrCat("gameid = fractalray_test\nbackend = postgresql\nplayer_backend = sqlite3\n"
                     "auth_backend = sqlite3\nmod_storage_backend = sqlite3\n"
                     "pgsql_connection = host=",
                     theServer().folder(),
                     " user=postgres dbname=", url_.substr(14, url_.find('?') - 14), "\n"));
    luanti_fixture::writeFile(
        folder_.file("minetest.conf"),
        absl::StrCat("mg_name = singlenode\nbind_address = 127.0.0.1\nport = ", freePort(),
                     "\nserver_map_save_interval = 0.3\nserver_announce = false\nfr_seconds = ",
                     seconds, "\n"));
  }

  luanti_fixture::TempDirectory folder_;
};

TEST_F(StoreLiveTest, ACacheFollowsAServerThatWrites) {
  const std::string program = findServer();
  if (program.empty()) {
    GTEST_SKIP() << "NOT RUN: minetestserver is not installed; as root: apt-get install "
                    "minetest-server (./dev test does so)";
  }
  init();
  const int seconds = oracle::isLongRun() ? 600 : 12;
  makeWorld(seconds);
  const auto cache = open();
  std::atomic<bool> has_ended = false;
  int status = -1;
  std::jthread server([&] {
    status = std::system(absl::StrCat("HOME='", folder_.path(), "' timeout -s INT ", seconds + 120,
                                      " ", program, " --world '", folder_.path(), "' --config '",
                                      folder_.file("minetest.conf"), "' >'", folder_.file("log"),
                                      "' 2>&1")
                             .c_str());
    has_ended = true;
  });
  oracle::Rng rng("StoreLiveTest");
  const ChunkBox box{{-3, -2, -3}, {2, 1, 2}};
  const auto queries = randomQueries(rng, box, 300, allMasks());
  ClosestBatch batch;
  while (!has_ended) {
    const auto answered = cache->closestHits(queries, {}, batch);
    EXPECT_TRUE(answered.ok()) << answered.status();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(status, 0) << luanti_fixture::contentOf(folder_.file("log"));
  ASSERT_TRUE(cache->refresh().ok());
  MapModel map;
  map.readStore(*writer_);
  EXPECT_GT(map.rows().size(), 20U) << luanti_fixture::contentOf(folder_.file("log"));
  expectSame(*cache, map.whole(), queries);
  EXPECT_GT(cache->stats().changed, 20U);
  EXPECT_EQ(cache->stats().restarts, 0U);
}

}  // namespace
}  // namespace fractalray::store_fixture
