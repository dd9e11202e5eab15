// SPDX-License-Identifier: Apache-2.0
// Which players does a server send to a client? Those of whom its eye may see any part. A wall with
// a slit of a thousandth of a block hides all of one and nearly all of another.
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

#include "fractalray/fractalray.h"

namespace {

using namespace fractalray;

struct Player {
  std::string name;
  Bounds box;
};

constexpr Vec3d kEye{2.5, 5.6, 8.9995};
constexpr Vec3d kSize{0.6, 1.8, 0.6};

Player player(const std::string& name, const Vec3d& corner) {
  return {.name = name, .box = {.min = corner, .max = corner + kSize}};
}

// Builds a wall of stone at x = 8 with a gap of a block, in which a pane leaves a slit open.
absl::Status build(World& world) {
  const auto stone = world.blockTypes().add({.name = "stone"});
  if (!stone.ok()) return stone.status();
  const auto box = shapeBox({0, 0, 0}, {1, 1, 0.999});
  if (!box.ok()) return box.status();
  const auto shape = world.blockTypes().addShape({&*box, 1});
  if (!shape.ok()) return shape.status();
  const auto pane = world.blockTypes().add({.name = "pane", .shape = *shape});
  if (!pane.ok()) return pane.status();
  absl::Status status = world.loadChunk(0, {0, 0, 0}, Chunk());
  if (status.ok()) status = world.fillBox(0, {8, 0, 0}, {8, 15, 15}, *stone);
  return status.ok() ? world.fillBox(0, {8, 0, 8}, {8, 15, 8}, *pane) : status;
}

void send(const Player& player) {
  std::cout << "sent: " << player.name << "\n";
}

absl::Status sendVisible(const World& world, const RayQueryService& service, const Vec3d& eye,
                         const std::vector<Player>& players) {
  for (const Player& player : players) {
    const absl::StatusOr<SightQuery> look = toSightQuery(eye, player.box);
    if (!look.ok()) return look.status();
    const absl::StatusOr<SightAnswer> answer = service.visible(*look, world.allLevels(), {});
    if (!answer.ok()) return answer.status();
    if (answer->sight != Sight::kHidden) send(player);
  }
  return absl::OkStatus();
}

// Prints the share of each player that the eye sees.
absl::Status printShares(const World& world, const RayQueryService& service, const Vec3d& eye,
                         const std::vector<Player>& players) {
  for (const Player& player : players) {
    const absl::StatusOr<SightQuery> look = toSightQuery(eye, player.box);
    if (!look.ok()) return look.status();
    const absl::StatusOr<ExposureAnswer> share = service.exposure(*look, world.allLevels(), {});
    if (!share.ok()) return share.status();
    std::cout << std::setprecision(3) << player.name << ": " << share->from * 100 << " % to "
              << share->to * 100 << " % seen\n";
  }
  return absl::OkStatus();
}

absl::Status run() {
  World world;
  absl::Status status = build(world);
  if (!status.ok()) return status;
  const EntityIndex entities(world.frame());
  const RayQueryService service(world, entities);
  const std::vector<Player> players = {
      player("in front", {6, 4, 5}), player("at the slit", {12, 4, 8.7}),
      player("past the wall", {12, 4, 3}), player("beyond what is loaded", {18, 4, 8.7})};
  status = sendVisible(world, service, kEye, players);
  return status.ok() ? printShares(world, service, kEye, players) : status;
}

}  // namespace

int main() {
  const absl::Status status = run();
  if (!status.ok()) std::cerr << status << "\n";
  return status.ok() ? 0 : 1;
}
