// SPDX-License-Identifier: Apache-2.0
#include "map_model.h"

#include <algorithm>
#include <sstream>

#include "gtest/gtest.h"

#include "../../formats/internal/luanti_paths.h"
#include "../../formats/internal/sqlite_database.h"
#include "../../formats/luanti_map.h"

namespace fractalray::store_fixture {
namespace {

constexpr std::uint16_t kAirId = 126;

luanti_fixture::BlockParts partsOf(const std::string& node) {
  luanti_fixture::BlockParts parts;
  parts.names = {{kAirId, node}};
  return parts;
}

bool isSame(const Hit& a, const BlockTypeTable& a_types, const Hit& b,
            const BlockTypeTable& b_types) {
  if (a.kind != b.kind) return false;
  if (a.kind == Hit::Kind::kNone) return true;
  const bool is_same = a.t == b.t && a.t_exit == b.t_exit && a.face == b.face && a.step == b.step &&
                       a.level == b.level && a.terminal == b.terminal &&
                       a.start_inside == b.start_inside && a.plane == b.plane;
  if (!a.isBlock()) return is_same && a.id == b.id;
  return is_same && a.block == b.block && a_types.name(a.type) == b_types.name(b.type);
}

std::string describe(const Hit& hit, const BlockTypeTable& types) {
  std::ostringstream text;
  if (hit.kind == Hit::Kind::kNone) return "nothing";
  text << "level " << hit.level << ", t " << hit.t << ", ";
  if (hit.isBlock()) {
    text << types.name(hit.type) << " at " << hit.block;
  } else {
    text << "entity " << hit.id;
  }
  return text.str();
}

}  // namespace

Bytes mapblockOf(const std::string& node) {
  return luanti_fixture::encode(partsOf(node));
}

Bytes randomMapblock(oracle::Rng& rng) {
  const std::vector<std::string> nodes = {"air", "default:stone", "default:glass",
                                          "default:water_source", "test:unheard_of"};
  const auto pick = [&] { return nodes[static_cast<std::size_t>(rng.below(5))]; };
  if (rng.oneIn(3)) return mapblockOf(pick());
  luanti_fixture::BlockParts parts;
  parts.names.clear();
  for (std::size_t i = 0; i < nodes.size(); ++i)
    parts.names.emplace_back(static_cast<std::uint16_t>(i), nodes[i]);
  const int one_in = rng.pick({2, 40, 1000});
  for (std::uint16_t& id : parts.ids)
    id = static_cast<std::uint16_t>(rng.oneIn(one_in) ? rng.below(5) : 0);
  return luanti_fixture::encode(parts);
}

void MapModel::put(const ChunkCoord& at, const Bytes& blob, Sql* store) {
  rows_[at] = blob;
  if (store != nullptr) store->put(at, blob);
}

void MapModel::erase(const ChunkCoord& at, Sql* store) {
  if (store != nullptr) store->erase(at);
  rows_.erase(at);  // last: it may have the position
}

void MapModel::fill(oracle::Rng& rng, const ChunkBox& box, Sql* store) {
  if (store != nullptr) store->run("BEGIN");
  ChunkCoord at;
  for (at.x() = box.min.x(); at.x() <= box.max.x(); ++at.x()) {
    for (at.y() = box.min.y(); at.y() <= box.max.y(); ++at.y()) {
      for (at.z() = box.min.z(); at.z() <= box.max.z(); ++at.z()) {
        if (rng.oneIn(3)) continue;
        Bytes blob = randomMapblock(rng);
        luanti_fixture::BlockParts parts = partsOf("default:stone");
        if (rng.oneIn(12)) {
          parts.flags = 0x08;  // not generated
          blob = luanti_fixture::encode(parts);
        } else if (rng.oneIn(30)) {
          blob.front() = 25;  // a version that is not read
        } else if (rng.oneIn(30)) {
          blob.resize(blob.size() / 2);
        }
        put(at, blob, store);
      }
    }
  }
  if (store != nullptr) store->run("COMMIT");
}

void MapModel::readBundled(Sql* store) {
  const absl::StatusOr<SqliteDatabase> file =
      SqliteDatabase::openToRead(FRACTALRAY_SOURCE_DIR "/examples/worlds/w1/map.sqlite");
  ASSERT_TRUE(file.ok()) << file.status();
  if (store != nullptr) store->run("BEGIN");
  const absl::Status status = file->run("SELECT pos, data FROM blocks", [&](const SqliteRow& row) {
    const auto blob = row.blob(1);
    put(*mapblockFromKey(*row.integer(0)), Bytes(blob->begin(), blob->end()), store);
    return absl::OkStatus();
  });
  if (store != nullptr) store->run("COMMIT");
  ASSERT_TRUE(status.ok()) << status;
}

OpenedWorld MapModel::whole(const OpenOptions& options) const {
  const luanti_fixture::TempDirectory folder;
  {
    luanti_fixture::Database file(folder.file("map.sqlite"));
    file.createKeyed();
    file.run("BEGIN");
    for (const auto& [at, blob] : rows_)
      file.putKeyed(at, blob);
    file.run("COMMIT");
  }
  absl::StatusOr<OpenedWorld> opened = openLuantiWorld(folder.path(), options);
  EXPECT_TRUE(opened.ok()) << opened.status();
  return *std::move(opened);
}

ChunkBox MapModel::box() const {
  ChunkBox box{rows_.begin()->first, rows_.begin()->first};
  for (const auto& [at, blob] : rows_) {
    for (int axis = 0; axis < 3; ++axis) {
      box.min[axis] = std::min(box.min[axis], at[axis]);
      box.max[axis] = std::max(box.max[axis], at[axis]);
    }
  }
  return box;
}

std::vector<BatchQuery> randomQueries(oracle::Rng& rng, const ChunkBox& box, std::size_t count,
                                      const std::vector<LevelMask>& masks) {
  // In sixteenths of a block, so that corners and faces of mapblocks are often hit exactly.
  const auto point = [&](std::int64_t beyond, std::int64_t step) {
    Vec3d at;
    for (int axis = 0; axis < 3; ++axis) {
      const std::int64_t min = (box.min[axis] * 16 - beyond) * 16 / step;
      const std::int64_t max = (box.max[axis] * 16 + 16 + beyond) * 16 / step;
      at[axis] = static_cast<double>(rng.in(min, max) * step) / 16;
    }
    return at;
  };
  std::vector<BatchQuery> queries;
  while (queries.size() < count) {
    const std::int64_t step = rng.pick<std::int64_t>({1, 16, 256});
    const Vec3d from = point(8, step);
    Vec3d to = point(rng.oneIn(20) ? 100'000 : 8, step);
    if (rng.oneIn(6)) {
      const int axis = rng.below(3);
      for (int other = 0; other < 3; ++other) {
        if (other != axis) to[other] = from[other];
      }
    }
    BatchQuery query;
    query.levels = masks[static_cast<std::size_t>(rng.below(static_cast<int>(masks.size())))];
    query.line = Segment{.from = from, .to = to};
    if (rng.oneIn(5) && from != to)
      query.line = Ray{.origin = from, .direction = to - from, .max_distance = 70};
    queries.push_back(query);
  }
  return queries;
}

std::vector<LevelMask> allMasks() {
  return {LevelMask{3},    LevelMask{2},       LevelMask{1},    LevelMask{0},
          LevelMask{2, 3}, LevelMask{1, 2},    LevelMask{1, 3}, LevelMask{0, 2},
          LevelMask{0, 3}, LevelMask{0, 1, 2}, LevelMask::all()};
}

std::size_t countDifferent(const ClosestBatch& expected, const BlockTypeTable& expected_types,
                           const ClosestBatch& got, const BlockTypeTable& got_types) {
  EXPECT_EQ(expected.answers.size(), got.answers.size());
  EXPECT_EQ(expected.unknown_from.size(), got.unknown_from.size());
  std::size_t different = 0;
  const std::size_t count = std::min(expected.answers.size(), got.answers.size());
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_same = isSame(expected.answers[i], expected_types, got.answers[i], got_types) &&
                         (expected.unknown_from.empty() || got.unknown_from.empty() ||
                          expected.unknown_from[i] == got.unknown_from[i]);
    if (is_same) continue;
    if (different++ == 0) {
      ADD_FAILURE() << "query " << i << ": " << describe(got.answers[i], got_types)
                    << " instead of " << describe(expected.answers[i], expected_types)
                    << "; unknown from "
                    << (got.unknown_from.empty() ? -1 : got.unknown_from[i].value_or(-1))
                    << " instead of "
                    << (expected.unknown_from.empty() ? -1 : expected.unknown_from[i].value_or(-1));
    }
  }
  return different;
}

}  // namespace fractalray::store_fixture
