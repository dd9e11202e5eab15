// SPDX-License-Identifier: Apache-2.0
#include "sight_server.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>

#include "noise.h"

namespace sight_server {
namespace {

using fractalray::Vec3i;

constexpr double kEyeHeight = 1.62;
constexpr double kWidth = 0.6;   // of a player's box
constexpr double kHeight = 1.8;  // of a player's box
constexpr double kCameraDistance = 4;
constexpr double kHighestStep = 1.6;  // that a walker climbs, or falls

std::int64_t blockAt(double coordinate) {
  return static_cast<std::int64_t>(std::floor(coordinate));
}

Vec3i unitsOf(double x, double y, double z) {
  return fractalray::toUnits({x, y, z}, "a position").value();
}

// Returns true if the nearest point of the box is within a distance of the eye, in units.
bool isWithin(const fractalray::SightQuery& query, std::int64_t distance) {
  double squared = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t eye = query.eye[axis];
    const auto away =
        static_cast<double>(eye - std::clamp(eye, query.box.min[axis], query.box.max[axis]));
    squared += away * away;
  }
  return squared <= static_cast<double>(distance) * static_cast<double>(distance);
}

}  // namespace

SightServer::SightServer(Ground& ground, const Settings& settings)
    : ground_(ground),
      settings_(settings),
      no_entities_(ground.world().frame()),
      service_(ground.world(), no_entities_) {
  for (std::size_t i = 0; i < settings.players; ++i)
    players_.push_back(randomWalker());
  for (std::size_t i = 0; i < settings.entities; ++i)
    entities_.push_back(randomWalker());
  eyes_.resize(settings.players * settings.eyes);
  for (std::size_t i = 0; i < settings.players; ++i)
    viewers_.push_back({.eyes = std::span(eyes_).subspan(i * settings.eyes, settings.eyes)});
  boxes_.resize(settings.entities);
  options_.max_distance = fractalray::toUnits(settings.reach, "the reach").value();
  if (settings.has_history) options_.history = &history_;
  updateQuery();
}

void SightServer::step() {
  if (settings_.players_walk) {
    for (Walker& player : players_)
      walk(player);
  }
  if (settings_.entities_walk) {
    for (Walker& entity : entities_)
      walk(entity);
  }
  for (std::size_t i = 0; i < settings_.edits; ++i)
    edit();
  updateQuery();
}

const fractalray::SightTable& SightServer::look(fractalray::ParallelFor parallel_for) {
  FRACTALRAY_CHECK_OK(service_.visibleBoxes(viewers_, boxes_, fractalray::LevelMask::all(),
                                            options_, table_, parallel_for));
  return table_;
}

double SightServer::random(double min, double max) {
  random_ += 0x9e3779b97f4a7c15U;
  return min + (max - min) * static_cast<double>(mixed(random_) >> 11U) * 0x1p-53;
}

Walker SightServer::randomWalker() {
  const double first = static_cast<double>(ground_.width() - settings_.area) / 2;
  const double last = first + static_cast<double>(settings_.area);
  while (true) {
    Walker walker{.x = random(first, last), .z = random(first, last)};
    turn(walker);
    const std::optional<std::int64_t> floor = ground_.floorAt(
        blockAt(walker.x), blockAt(walker.z), static_cast<std::int64_t>(random(20, 80)));
    if (!floor.has_value()) continue;
    walker.y = static_cast<double>(*floor);
    return walker;
  }
}

// Takes a step ahead, or else in one of some other directions.
void SightServer::walk(Walker& walker) {
  for (int attempt = 0; attempt < 8; ++attempt) {
    const double x = walker.x + settings_.blocks_a_tick * walker.ahead_x;
    const double z = walker.z + settings_.blocks_a_tick * walker.ahead_z;
    const std::optional<std::int64_t> floor =
        ground_.floorAt(blockAt(x), blockAt(z), static_cast<std::int64_t>(walker.y));
    if (floor.has_value() && std::abs(static_cast<double>(*floor) - walker.y) < kHighestStep) {
      walker.x = x;
      walker.y = static_cast<double>(*floor);
      walker.z = z;
      return;
    }
    turn(walker);
  }
}

// Turns in any direction, by arithmetic that all machines round alike: not by sine and cosine.
void SightServer::turn(Walker& walker) {
  const double slope = random(-1, 1);  // the tangent of half an angle
  const double sign = random(-1, 1) < 0 ? -1 : 1;
  walker.ahead_x = sign * (1 - slope * slope) / (1 + slope * slope);
  walker.ahead_z = sign * 2 * slope / (1 + slope * slope);
}

// Breaks the floor next to a player, or puts a block there.
void SightServer::edit() {
  const auto number = static_cast<std::size_t>(random(0, static_cast<double>(players_.size())));
  const Walker& player = players_[number];
  const bool is_digging = random(0, 1) < 0.5;
  const fractalray::BlockCoord block{blockAt(player.x) + blockAt(random(-2, 3)),
                                     blockAt(player.y) - (is_digging ? 1 : 0),
                                     blockAt(player.z) + 2};
  const absl::Status status =
      ground_.world().setBlock(0, block, is_digging ? fractalray::kAir : ground_.stone());
  static_cast<void>(status);  // beyond the landscape nothing is built
}

void SightServer::updateQuery() {
  for (std::size_t i = 0; i < players_.size(); ++i) {
    const Walker& player = players_[i];
    // The player's own eye, the camera 4 blocks back, and its eye on the next tick.
    const std::array<double, 3> distances = {0, -kCameraDistance, settings_.blocks_a_tick};
    for (std::size_t k = 0; k < settings_.eyes; ++k) {
      eyes_[i * settings_.eyes + k] =
          unitsOf(player.x + distances[k] * player.ahead_x, player.y + kEyeHeight,
                  player.z + distances[k] * player.ahead_z);
    }
  }
  for (std::size_t i = 0; i < entities_.size(); ++i) {
    const Walker& entity = entities_[i];
    boxes_[i] = {.min = unitsOf(entity.x - kWidth / 2, entity.y, entity.z - kWidth / 2),
                 .max = unitsOf(entity.x + kWidth / 2, entity.y + kHeight, entity.z + kWidth / 2)};
  }
}

std::vector<SamplePair> pairsOf(const SightServer& server) {
  std::vector<SamplePair> pairs;
  for (const fractalray::SightViewer& viewer : server.viewers()) {
    for (const fractalray::FixedBox& box : server.boxes()) {
      const fractalray::SightQuery query{.eye = viewer.eyes.front(), .box = box};
      if (!isWithin(query, server.options().max_distance)) continue;
      const fractalray::Sight sight = server.service().visible(query)->sight;
      pairs.push_back({query, sight == fractalray::Sight::kVisible});
    }
  }
  return pairs;
}

}  // namespace sight_server
