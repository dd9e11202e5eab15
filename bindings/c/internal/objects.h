// SPDX-License-Identifier: Apache-2.0
// The objects of the C interface, and how functions get at them by their handles.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

#include "../../../core/grid_walk.h"
#include "../../../core/thread_executor.h"
#include "../../../levels/engine_chunks.h"
#include "../../../levels/id_layout.h"
#include "../../../query/block_bindings.h"
#include "../../../query/line_chunks.h"
#include "../../../query/sight_history.h"
#include "../../../query/terminal_rules.h"
#include "../fractalray_c.h"
#include "arguments.h"
#include "callback_scope.h"
#include "errors.h"
#include "handles.h"
#include "query_input.h"
#include "query_logs.h"
#include "remote.h"
#include "saved_world.h"
#include "world_state.h"

namespace fractalray::capi {

// The object of a handle, which callers have as a pointer to an opaque struct.
template <class Handle>
struct Object;

template <>
struct Object<frWorld> {
  static constexpr ObjectKind kKind = ObjectKind::kWorld;
  std::shared_ptr<WorldState> state;
};

template <>
struct Object<frRules> {
  static constexpr ObjectKind kKind = ObjectKind::kRules;
  // Shared with the queries that run with these rules, which are then changed in a copy.
  std::shared_ptr<TerminalRules> rules = std::make_shared<TerminalRules>();
};

template <>
struct Object<frIdLayout> {
  static constexpr ObjectKind kKind = ObjectKind::kIdLayout;
  IdLayout layout;
};

template <>
struct Object<frEngineChunks> {
  static constexpr ObjectKind kKind = ObjectKind::kEngineChunks;
  bool is_busy = false;
  std::shared_ptr<WorldState> state;
  EngineChunks chunks;
};

template <>
struct Object<frBindings> {
  static constexpr ObjectKind kKind = ObjectKind::kBindings;
  explicit Object(std::shared_ptr<WorldState> world)
      : state(std::move(world)), bindings(state->editWorld(), state->editEntities()) {}

  bool is_busy = false;
  std::shared_ptr<WorldState> state;
  BlockBindings bindings;
};

template <>
struct Object<frLeftOver> {
  static constexpr ObjectKind kKind = ObjectKind::kLeftOver;
  std::array<std::shared_ptr<const void>, 2> memory;
};

template <>
struct Object<frCursor> {
  static constexpr ObjectKind kKind = ObjectKind::kCursor;
  bool is_busy = false;
  std::shared_ptr<WorldState> state;
  KeptQueryInput input;
  std::optional<HitCursor> cursor;
};

template <>
struct Object<frShotBatch> {
  static constexpr ObjectKind kKind = ObjectKind::kShotBatch;
  bool is_busy = false;
  std::vector<BatchQuery> queries;
  ShotBatch batch;
};

template <>
struct Object<frSightHistory> {
  static constexpr ObjectKind kKind = ObjectKind::kSightHistory;
  bool is_busy = false;
  SightHistory history;
};

template <>
struct Object<frChunkCursor> {
  static constexpr ObjectKind kKind = ObjectKind::kChunkCursor;
  std::shared_ptr<WorldState> state;
  LineChunks::Iterator next;
};

template <>
struct Object<frWalk> {
  static constexpr ObjectKind kKind = ObjectKind::kWalk;
  bool is_at_end = false;
  std::uint64_t crossings = 0;
  std::variant<GridWalk<2>, GridWalk<3>> walk;
};

template <>
struct Object<frExecutor> {
  static constexpr ObjectKind kKind = ObjectKind::kExecutor;
  explicit Object(int threads) : executor(threads) {}

  std::atomic<int> running = 0;
  ThreadExecutor executor;
};

template <>
struct Object<frLoadReport> {
  static constexpr ObjectKind kKind = ObjectKind::kLoadReport;
  SavedWorldReport report;
};

template <>
struct Object<frReplay> {
  static constexpr ObjectKind kKind = ObjectKind::kReplay;
  std::shared_ptr<WorldState> state;  // before the replay, which uses it
  std::unique_ptr<LogReplay> replay;
};

template <>
struct Object<frRemote> {
  static constexpr ObjectKind kKind = ObjectKind::kRemote;
  bool is_busy = false;
  std::unique_ptr<Remote> remote;
};

absl::Status wrongObject(const void* handle, const char* name);
absl::Status isSnapshot();
// Returns INVALID_ARGUMENT for a level that a world does not have.
absl::Status checkLevel(const WorldState& state, std::int32_t level);
// Returns INVALID_ARGUMENT for a collision channel that the block types of a world do not have.
absl::Status checkChannel(const WorldState& state, frChannel channel);
// Returns INVALID_ARGUMENT for a block type that a world does not have.
absl::Status checkBlockType(const WorldState& state, frBlockType type);
absl::Status isBusy(const char* name);

// Returns the object of a handle; null if the handle is none of an object of that kind.
template <class Handle>
Object<std::remove_const_t<Handle>>* find(Handle* handle) noexcept {
  using Found = Object<std::remove_const_t<Handle>>;
  return static_cast<Found*>(
      handleTable().find(Found::kKind, reinterpret_cast<std::uintptr_t>(handle)));
}

// Checks that a handle is one of an object of that kind.
template <class Handle>
absl::Status checkObject(Handle* handle, const char* name) {
  return find(handle) != nullptr ? absl::OkStatus() : wrongObject(handle, name);
}

// A new object with its handle, destroyed unless it is given to the caller.
template <class Handle>
class NewObject {
 public:
  // Throws std::bad_alloc, also if there are no handles left.
  template <class... Args>
  explicit NewObject(Args&&... args)
      : object_(std::make_unique<Object<Handle>>(std::forward<Args>(args)...)),
        handle_(addHandle(Object<Handle>::kKind, object_.get())) {}
  ~NewObject() {
    if (object_ != nullptr) handleTable().remove(handle_);
  }
  NewObject(const NewObject&) = delete;
  NewObject& operator=(const NewObject&) = delete;

  Object<Handle>& operator*() const { return *object_; }
  Object<Handle>* operator->() const { return object_.get(); }
  void giveTo(Handle** caller) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a handle is no address
    *caller = reinterpret_cast<Handle*>(handle_);
    static_cast<void>(object_.release());
  }

 private:
  std::unique_ptr<Object<Handle>> object_;
  std::uintptr_t handle_;
};

// Runs the body of a function of an object, with its arguments checked.
template <class Handle, class Body>
frResult with(const char* function, Handle* handle, const char* name, Arguments arguments,
              const Body& body) noexcept {
  return guarded(function, [&]() -> absl::Status {
    auto* const object = find(handle);
    if (object == nullptr) return wrongObject(handle, name);
    absl::Status status = checkArguments(arguments);
    return status.ok() ? body(*object) : status;
  });
}

// Runs the body of a function that reads a world, given its state and with its arguments checked.
template <class Body>
frResult reading(const char* function, const frWorld* world, Arguments arguments,
                 const Body& body) noexcept {
  return with(function, world, "world", arguments, [&](const Object<frWorld>& object) {
    return body(static_cast<const WorldState&>(*object.state));
  });
}

// Returns FAILED_PRECONDITION for a world that cannot be changed.
inline absl::Status checkEditable(const WorldState& state) {
  return state.isSnapshot() ? isSnapshot() : checkEditsAllowed();
}

// Runs the body of a function that changes a world.
template <class Body>
frResult editing(const char* function, const frWorld* world, Arguments arguments,
                 const Body& body) noexcept {
  return with(function, world, "world", arguments, [&](const Object<frWorld>& object) {
    absl::Status status = checkEditable(*object.state);
    return status.ok() ? body(*object.state) : status;
  });
}

// Marks an object as in use, so that it is not destroyed or used by a callback of its own.
template <class Used>
class Busy {
 public:
  explicit Busy(Used& object) : object_(object) { object_.is_busy = true; }
  ~Busy() { object_.is_busy = false; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  Used& object_;
};

// Runs the body of a function of an object that calls back.
template <class Handle, class Body>
frResult withBusy(const char* function, Handle* handle, const char* name, Arguments arguments,
                  const Body& body) noexcept {
  return with(function, handle, name, arguments, [&](Object<Handle>& used) -> absl::Status {
    if (used.is_busy) return isBusy(name);
    const Busy busy(used);
    return body(used);
  });
}

// Destroys an object unless it is null.
template <class Handle>
frResult destroy(const char* function, Handle* handle, const char* name) noexcept {
  if (handle == nullptr) return FR_OK;
  return with(function, handle, name, {}, [&](Object<Handle>& object) -> absl::Status {
    if constexpr (requires { object.is_busy; }) {
      if (object.is_busy) return isBusy(name);
    }
    handleTable().remove(reinterpret_cast<std::uintptr_t>(handle));
    delete &object;
    return absl::OkStatus();
  });
}

}  // namespace fractalray::capi
