// SPDX-License-Identifier: Apache-2.0
// The native library's side of `./dev bench web`: the same queries as
// tools/bench/web/module_part.mjs, on the same lines and with the same hash of all answers, through
// the C interface.
//
//   fractalray_web_native FILE    (written by tools/bench/web/bundled_world.mjs)
//
// Prints the machine; then reads commands, "time WORK SET" or "hash WORK SET", and prints a line
// for each: the nanoseconds of a line of that set, or the hash of the answers; and how many hits
// there were.
#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "../../bindings/c/fractalray_c.h"
#include "results.h"

namespace fractalray::bench {
namespace {

constexpr std::size_t kMostHits = 4096;  // of a shot, as JavaScript requests them

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fractalray_web_native: %s\n", what);
  std::exit(2);
}
void checkOk(frResult result) {
  require(result == FR_OK, frGetLastError());
}

// Returns a struct of zeros with its size.
template <class T>
T sized() {
  T made{};
  made.struct_size = sizeof made;
  return made;
}

// A file: how many numbers it has, with this one; the numbers; then the ids of blocks, a byte each.
class Input {
 public:
  explicit Input(const char* path) {
    std::ifstream file(path, std::ios::binary);
    double count = 0;
    file.read(reinterpret_cast<char*>(&count), sizeof count);
    require(file.good() && count >= 1 && count < 1e8, "the file cannot be read");
    numbers_.resize(static_cast<std::size_t>(count) - 1);
    file.read(reinterpret_cast<char*>(numbers_.data()),
              static_cast<std::streamsize>(sizeof(double) * numbers_.size()));
    require(file.good(), "the file is too short");
    ids_.assign(std::istreambuf_iterator<char>(file), {});
  }
  double number() {
    require(at_ < numbers_.size(), "the file has too few numbers");
    return numbers_[at_++];
  }
  std::size_t count() { return static_cast<std::size_t>(number()); }
  std::vector<double> list(std::size_t count) {
    std::vector<double> made(count);
    for (double& each : made)
      each = number();
    return made;
  }
  const std::vector<char>& ids() const { return ids_; }

 private:
  std::vector<double> numbers_;
  std::size_t at_ = 0;
  std::vector<char> ids_;
};

// The world of a file, and sets of lines, six numbers each.
struct Scene {
  explicit Scene(Input& input) {
    auto def = sized<frWorldDef>();
    def.version = FR_VERSION;
    checkOk(frCreateWorld(&def, &world));
    addBlocks(input);
    addEntities(input);
    for (std::size_t set = input.count(); set > 0; --set)
      sets.push_back(input.list(6 * input.count()));
  }
  ~Scene() { frDestroyWorld(world); }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  frWorld* world = nullptr;
  std::vector<std::vector<double>> sets;

 private:
  void addBlocks(Input& input) {
    std::vector<frBlockType> types(input.count(), FR_AIR);
    for (std::size_t i = 1; i < types.size(); ++i) {
      const std::string name = "type " + std::to_string(i);
      auto type = sized<frBlockTypeDef>();
      type.name = name.c_str();
      type.kind = static_cast<std::int32_t>(input.number());
      const double boxes = input.number();  // negative for a whole cube
      if (boxes >= 0) {
        const std::vector<double> corners = input.list(6 * static_cast<std::size_t>(boxes));
        checkOk(frWorld_AddShape(world, corners.data(), corners.size() / 6, &type.shape));
      }
      checkOk(frWorld_AddBlockType(world, &type, &types[i]));
    }
    std::array<std::int64_t, 3> low{};
    std::array<std::int64_t, 3> high{};
    for (std::int64_t& each : low)
      each = static_cast<std::int64_t>(input.number());
    auto ids = sized<frIdLayoutDef>();
    ids.id_bytes = 1;
    std::int64_t stride = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto size = static_cast<std::int64_t>(input.number());
      high[axis] = low[axis] + size - 1;
      ids.strides[axis] = stride;
      stride *= size;
    }
    require(static_cast<std::size_t>(stride) == input.ids().size(), "the file has too few ids");
    ids.types = types.data();
    ids.type_count = types.size();
    frIdLayout* layout = nullptr;
    checkOk(frCreateIdLayout(&ids, &layout));
    checkOk(frWorld_LoadBoxIds(world, 0, low.data(), high.data(), layout, input.ids().data()));
    checkOk(frDestroyIdLayout(layout));
  }
  void addEntities(Input& input) const {
    const std::size_t count = input.count();
    for (std::size_t i = 0; i < count; ++i) {
      auto def = sized<frEntityDef>();
      def.id = i + 1;
      for (double& each : def.position)
        each = input.number();
      def.shape = FR_SPHERE;
      def.half_extents[0] = input.number();
      frEntity entity = 0;
      checkOk(frWorld_AddEntities(world, &def, 1, &entity));
    }
  }
};

// A hash of answers, as AnswerHash of tools/bench/web/answer_hash.mjs.
class AnswerHash {
 public:
  void add(std::uint32_t word) {
    low_ = (low_ ^ word) * kPrime;
    high_ = (high_ ^ word) * kPrime;
  }
  // Hit: frHit or frCompactHit. cell: the index of a block.
  template <class Hit>
  void addHit(const Hit& hit, const std::int64_t* cell, bool starts_inside) {
    add(hit.kind);
    if (hit.kind == FR_HIT_NONE) return;
    const auto bits = std::bit_cast<std::uint64_t>(hit.t);
    add(static_cast<std::uint32_t>(hit.level));
    add(static_cast<std::uint32_t>(hit.face_axis));
    add(static_cast<std::uint32_t>(hit.face_sign));
    add(static_cast<std::uint32_t>(bits));
    add(static_cast<std::uint32_t>(bits >> 32));
    add(starts_inside ? 1U : 0U);
    if (hit.kind == FR_HIT_ENTITY) {
      add(static_cast<std::uint32_t>(hit.id));
      return;
    }
    for (int axis = 0; axis < 3; ++axis)
      add(static_cast<std::uint32_t>(cell[axis]));
    add(hit.type);
  }
  std::uint64_t value() const { return std::uint64_t{high_} << 32 | low_; }

 private:
  static constexpr std::uint32_t kPrime = 16777619;
  std::uint32_t low_ = 2166136261;
  std::uint32_t high_ = 3141592653;
};

// Runs works on lines. With a hash the answers are added to it, which takes more time.
class Works {
 public:
  explicit Works(const frWorld* world) : world_(world) {}

  // Returns the hits of a work: of batches only their answers are counted.
  std::size_t run(const std::string& work, const std::vector<double>& ends, AnswerHash* hash) {
    auto options = sized<frQueryOptions>();
    if (work == "closestHit") return closestHits(ends, options, hash);
    if (work == "closestHitOfBlocks") {
      options.no_entities = 1;
      return closestHits(ends, options, hash);
    }
    if (work == "occluded") return occluded(ends, hash);
    if (work == "closestHits") return closestBatch(ends, hash);
    if (work == "occludedMany") return occludedBatch(ends, hash);
    require(work == "shoot", "there is no such work");
    return shots(ends, hash);
  }

 private:
  static frLine lineOf(const double* ends) {
    frLine line;
    checkOk(frMakeSegment(ends, ends + 3, &line));
    return line;
  }
  static frLines linesOf(const std::vector<double>& ends) {
    auto lines = sized<frLines>();
    lines.count = ends.size() / 6;
    lines.from.data = ends.data();
    lines.to.data = ends.data() + 3;
    lines.from.vector_stride = lines.to.vector_stride = 6 * sizeof(double);
    return lines;
  }

  std::size_t closestHits(const std::vector<double>& ends, const frQueryOptions& options,
                          AnswerHash* hash) const {
    std::size_t count = 0;
    for (std::size_t at = 0; at < ends.size(); at += 6) {
      const frLine line = lineOf(&ends[at]);
      frHit hit;
      checkOk(frWorld_ClosestHit(world_, &line, FR_ALL_LEVELS, &options, &hit, nullptr));
      count += hit.kind != FR_HIT_NONE ? 1U : 0U;
      if (hash != nullptr) hash->addHit(hit, hit.cell, hit.start_inside != 0);
    }
    return count;
  }
  std::size_t occluded(const std::vector<double>& ends, AnswerHash* hash) const {
    std::size_t count = 0;
    for (std::size_t at = 0; at < ends.size(); at += 6) {
      const frLine line = lineOf(&ends[at]);
      std::int32_t answer = FR_CLEAR;
      checkOk(frWorld_Occluded(world_, &line, FR_ALL_LEVELS, nullptr, &answer, nullptr, nullptr));
      count += answer != FR_CLEAR ? 1U : 0U;
      if (hash != nullptr) hash->add(static_cast<std::uint32_t>(answer));
    }
    return count;
  }
  std::size_t closestBatch(const std::vector<double>& ends, AnswerHash* hash) {
    const frLines lines = linesOf(ends);
    hits_.resize(lines.count);
    unknown_from_.resize(lines.count);
    results_.resize(lines.count);
    auto batch = sized<frBatchResult>();
    checkOk(frWorld_CompactHits(world_, &lines, FR_ALL_LEVELS, nullptr, hits_.data(),
                                unknown_from_.data(), results_.data(), &batch));
    if (hash != nullptr) {
      for (const frCompactHit& hit : hits_)
        hash->addHit(hit, hit.block, (hit.flags & FR_HIT_START_INSIDE) != 0);
    }
    return batch.hits;
  }
  std::size_t occludedBatch(const std::vector<double>& ends, AnswerHash* hash) {
    const frLines lines = linesOf(ends);
    answers_.resize(lines.count);
    blockers_.resize(lines.count);
    results_.resize(lines.count);
    auto batch = sized<frBatchResult>();
    checkOk(frWorld_OccludedMany(world_, &lines, FR_ALL_LEVELS, nullptr, answers_.data(),
                                 blockers_.data(), results_.data(), &batch));
    if (hash != nullptr) {
      for (const std::uint8_t answer : answers_)
        hash->add(answer);
    }
    return batch.hits;
  }

  // The context of the callback.
  struct Counter {
    std::size_t count = 0;
    AnswerHash* hash = nullptr;
  };
  static std::int32_t onHit(void* context, const frHit* hit) {
    auto* const counter = static_cast<Counter*>(context);
    ++counter->count;
    if (counter->hash != nullptr) counter->hash->addHit(*hit, hit->cell, hit->start_inside != 0);
    return FR_CONTINUE;
  }
  std::size_t shots(const std::vector<double>& ends, AnswerHash* hash) {
    Counter counter{.hash = hash};
    auto options = sized<frQueryOptions>();
    options.on_hit = onHit;
    options.hit_context = &counter;
    options.max_hits = kMostHits;
    all_hits_.resize(kMostHits);
    for (std::size_t at = 0; at < ends.size(); at += 6) {
      const frLine line = lineOf(&ends[at]);
      auto result = sized<frQueryResult>();
      checkOk(frWorld_Shoot(world_, &line, FR_ALL_LEVELS, &options, all_hits_.data(), kMostHits,
                            &result));
    }
    return counter.count;
  }

  const frWorld* world_;
  std::vector<frCompactHit> hits_;
  std::vector<double> unknown_from_;
  std::vector<std::uint8_t> answers_;
  std::vector<frBlocker> blockers_;
  std::vector<frResult> results_;
  std::vector<frHit> all_hits_;
};

void answerCommands(Scene& scene) {
  Works works(scene.world);
  std::string command;
  std::string work;
  std::size_t set = 0;
  while (std::cin >> command >> work >> set) {
    require(set < scene.sets.size(), "there is no such set of lines");
    const std::vector<double>& ends = scene.sets[set];
    if (command == "hash") {
      AnswerHash hash;
      const std::size_t hits = works.run(work, ends, &hash);
      std::printf("%016llx %zu\n", static_cast<unsigned long long>(hash.value()), hits);
    } else {
      const auto begin = std::chrono::steady_clock::now();
      const std::size_t hits = works.run(work, ends, nullptr);
      const std::chrono::duration<double, std::nano> time =
          std::chrono::steady_clock::now() - begin;
      std::printf("%.3f %zu\n", 6 * time.count() / static_cast<double>(ends.size()), hits);
    }
    std::fflush(stdout);
  }
}

int run(int argc, char** argv) {
  require(argc == 2, "give the file of a world and lines");
  Input input(argv[1]);
  Scene scene(input);
  std::printf("%s\n", describeMachine().c_str());
  std::fflush(stdout);
  answerCommands(scene);
  return 0;
}

}  // namespace
}  // namespace fractalray::bench

int main(int argc, char** argv) {
  return fractalray::bench::run(argc, argv);
}
