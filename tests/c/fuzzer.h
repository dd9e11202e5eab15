// SPDX-License-Identifier: Apache-2.0
// Makes random calls of the C interface.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../../bindings/c/fractalray_c.h"
#include "fuzz_values.h"

namespace fractalray::testing {

// The objects that calls use, and the calls. Each checks that its result is one that exists and
// that an error has a text.
class Fuzzer {
 public:
  explicit Fuzzer(std::uint64_t seed);
  ~Fuzzer();
  Fuzzer(const Fuzzer&) = delete;
  Fuzzer& operator=(const Fuzzer&) = delete;

  // Makes a call, and perhaps others within its callbacks.
  void call();
  std::uint64_t calls() const { return calls_; }
  std::uint64_t successes() const { return successes_; }

 private:
  static constexpr std::size_t kWorlds = 4;

  void check(frResult result);
  void createWorld(frWorld*& world);
  void replaceWorld();
  // Returns a world or a snapshot, as given() does.
  frWorld* world();
  // Returns a handle; now and then null, one of an object of another kind or that was destroyed, or
  // any number.
  template <class Handle>
  Handle* given(Handle* handle) {
    return v_.wrong() ? static_cast<Handle*>(wrongHandle()) : handle;
  }
  void* wrongHandle();
  // Returns a handle, perhaps a stale one or none at all.
  frEntity* entity();
  frQueryOptions* options();
  frLines lines();

  // Makes any call within a callback.
  void nested();
  static std::int32_t filter(void* context, const frHit* hit);
  static std::int32_t effect(void* context, const frHit* hit);
  static frBlockType blockType(void* context, const std::int64_t* block);
  static void* findChunk(void* context, const std::int64_t* chunk);
  static void runTasks(void* context, std::size_t tasks, frTaskFcn* task, void* task_context);

  void editChunks();
  void editBlocks();
  void editEntities();
  void query();
  void orderHits();
  frSightQuery sightQuery();
  frSightOptions* sightOptions();
  void queryManySights();
  void querySightTable(const frVectors& vectors);
  void querySight();
  void queryBlast();
  void searchOrRead();
  void useExecutor();
  void readWorld();
  void readNames();
  void readReport();
  void useCursors();
  void useBindings();
  void useEngineChunks();
  static void onRequest(void* context, std::uint64_t request, const char* path);
  static void onUnloading(void* context, std::int32_t level, const std::int64_t* chunk);
  static void onDropped(void* context, const char* path);
  static std::int32_t isFertile(void* context, frBlockType type);
  frStreamOptions* streamOptions();
  void createStreamer();
  void answerRequest();
  void tickStreamer();
  void changeStreamed();
  void useStreamer();
  void tickVisibility();
  void useVisibility();
  void moveFrame();
  void convertMove();
  void batches();
  void walkMany(const frLines& batch_lines);
  void connect();
  void useRemote();
  void configure();
  void setRules();
  void openWorld();
  void createReplay();
  void useReplay();
  void useLogs();
  void destroyOne();

  FuzzValues v_;
  std::uint64_t calls_ = 0;
  std::uint64_t successes_ = 0;
  int depth_ = 0;
  std::array<frWorld*, kWorlds> worlds_{};  // the last one is a snapshot
  std::vector<frEntity> entities_;
  frEntity garbage_ = 0;
  std::vector<void*> stale_;  // handles of objects that were destroyed
  frShotBatch* batch_ = nullptr;
  frSightHistory* history_ = nullptr;
  frRules* rules_ = nullptr;
  frIdLayout* layout_ = nullptr;
  frCursor* cursor_ = nullptr;
  frChunkCursor* chunk_cursor_ = nullptr;
  frWalk* walk_ = nullptr;
  frBindings* bindings_ = nullptr;
  frEngineChunks* engine_chunks_ = nullptr;
  frStreamer* streamer_ = nullptr;
  frVisibility* visibility_ = nullptr;
  frReplay* replay_ = nullptr;
  frExecutor* executor_ = nullptr;
  std::uint64_t last_request_ = 0;
  std::string changes_file_;
  std::string log_file_;
  std::array<frStreamRadii, 2> stream_radii_{};
  frStreamOptions stream_options_{};
  frFrameMove last_move_{};
  frQueryOptions options_{};
  frSightOptions sight_options_{};
  std::array<std::uint64_t, 2> ignored_{3, 5};
  std::array<double, FR_MAX_BUDGETS> budgets_{1, 2};
  std::array<frHit, 4> hits_{};
  frLine last_line_{};  // of hits_
  frCompactHit compact_{};
  std::array<double, 30> coordinates_{};
  std::array<frLine, 5> lines_{};
};

}  // namespace fractalray::testing
