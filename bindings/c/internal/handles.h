// SPDX-License-Identifier: Apache-2.0
// Handles of objects: what the C interface gives out as pointers to opaque structs. A handle is a
// number and no address, so a handle of an object that was destroyed, of an object of another kind,
// or any other pointer is detected without reading memory that may not exist.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>

namespace fractalray::capi {

enum class ObjectKind : std::uint8_t {
  kWorld = 1,
  kRules,
  kIdLayout,
  kEngineChunks,
  kBindings,
  kLeftOver,
  kCursor,
  kShotBatch,
  kChunkCursor,
  kWalk,
  kExecutor,
  kStreamer,
  kVisibility,
  kLoadReport,
  kReplay,
  kSightHistory,
  kRemote,
};

// The objects that are alive, by handle. From its highest bit on a handle has the generation of its
// slot, the kind and the slot:
//   64 bits: 22 + 5 + 20, so that it fits into the 47 bits that scripting languages allow a pointer
//   32 bits: 13 + 5 + 14
// A slot that has had its last generation is used again only if no other slot is free, and after
// those that had theirs before: while few objects are alive, the handle of a destroyed one is that
// of another after some 2^42 objects, or 2^27. No handle is 0.
//
// Thread-safe; find() takes no lock.
class HandleTable {
 public:
  static constexpr int kSlotBits = sizeof(void*) == 8 ? 20 : 14;
  static constexpr int kKindBits = 5;
  static constexpr int kGenerationBits = sizeof(void*) == 8 ? 22 : 13;
  static constexpr std::size_t kSlots = std::size_t{1} << kSlotBits;
  static constexpr std::uintptr_t kGenerations = std::uintptr_t{1} << kGenerationBits;

  constexpr HandleTable() = default;
  ~HandleTable();
  HandleTable(const HandleTable&) = delete;
  HandleTable& operator=(const HandleTable&) = delete;

  // Returns a new handle of an object; 0 if all kSlots are taken. Throws std::bad_alloc, and has
  // then changed nothing. Requires: object is not null.
  std::uintptr_t add(ObjectKind kind, void* object);
  // Returns the object of a handle; null if there is none of that kind alive.
  void* find(ObjectKind kind, std::uintptr_t handle) const noexcept {
    constexpr std::uintptr_t kKindMask = (std::uintptr_t{1} << kKindBits) - 1;
    if ((handle >> kSlotBits & kKindMask) != static_cast<std::uintptr_t>(kind)) return nullptr;
    const std::size_t index = slotOf(handle);
    const Block* const block = blocks_[index / kSlotsInBlock].load(std::memory_order_acquire);
    if (block == nullptr) return nullptr;
    const Slot& found = (*block)[index % kSlotsInBlock];
    if (found.handle.load(std::memory_order_acquire) != handle) return nullptr;
    return found.object.load(std::memory_order_relaxed);
  }
  // Ends a handle. Requires: it is that of an object.
  void remove(std::uintptr_t handle) noexcept;

 private:
  static constexpr std::size_t kSlotsInBlock = 256;
  static constexpr std::size_t kNone = kSlots;

  struct Slot {
    std::atomic<std::uintptr_t> handle = 0;  // of its object; 0 if it has none
    std::atomic<void*> object = nullptr;
    // Protected by the mutex.
    std::uintptr_t generation = 0;  // of its next object
    std::size_t next_free = kNone;
  };
  using Block = std::array<Slot, kSlotsInBlock>;

  static std::size_t slotOf(std::uintptr_t handle) { return handle & (kSlots - 1); }
  Slot& slot(std::size_t index) const noexcept;
  // Returns a slot without an object, which is then in use; kNone if there is none.
  std::size_t takeSlot();

  // Blocks stay where they are until the table ends, so that find() may read them at any time.
  std::array<std::atomic<Block*>, kSlots / kSlotsInBlock> blocks_{};
  std::mutex mutex_;
  std::size_t used_slots_ = 0;  // those that have ever had an object
  std::size_t first_free_ = kNone;
  // A queue of slots that have had their last generation, by their next_free.
  std::size_t first_worn_ = kNone;
  std::size_t last_worn_ = kNone;
};

// Returns the table of all objects of the library.
inline HandleTable& handleTable() noexcept {
  static constinit HandleTable table;
  return table;
}
// Thrown if that table is full. The text says how many objects there are, and what to do.
class NoHandlesLeft : public std::bad_alloc {
 public:
  const char* what() const noexcept override;
};
// Returns a new handle of an object in that table. Throws std::bad_alloc, and NoHandlesLeft.
std::uintptr_t addHandle(ObjectKind kind, void* object);

}  // namespace fractalray::capi
