// SPDX-License-Identifier: Apache-2.0
// Stores of changes for tests, in a directory of their own.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../../formats/change_store.h"
#include "../../levels/block_type.h"
#include "luanti_fixture.h"

namespace fractalray {

class ChangeStoreTest : public testing::Test {
 protected:
  ChangeStoreTest() {
    for (const char* const name : {"stone", "glass", "water"})
      EXPECT_TRUE(types_.add({.name = name}).ok());
  }

  absl::StatusOr<std::unique_ptr<ChangeStore>> tryOpen() const {
    return ChangeStore::open(path_, types_);
  }
  void open() {
    store_.reset();
    auto opened = tryOpen();
    ASSERT_TRUE(opened.ok()) << opened.status();
    store_ = *std::move(opened);
  }
  static ChunkPath path(const std::string& text) { return ChunkPath::parse(text).value(); }
  static BlockChange change(const std::string& chunk, int block, std::optional<BlockTypeId> type,
                            std::optional<std::int64_t> reverts_at = std::nullopt) {
    return {.chunk = path(chunk), .block = block, .type = type, .reverts_at = reverts_at};
  }
  absl::Status record(const std::vector<BlockChange>& changes) { return store_->record(changes); }
  std::vector<ChangedBlock> changesOf(const std::string& chunk) {
    const auto changes = store_->changesOf(path(chunk));
    EXPECT_TRUE(changes.ok()) << changes.status();
    return changes.value_or(std::vector<ChangedBlock>());
  }

  static constexpr BlockTypeId kStone{1};
  static constexpr BlockTypeId kGlass{2};
  static constexpr BlockTypeId kWater{3};

  luanti_fixture::TempDirectory folder_;
  std::string path_ = folder_.file("world.changes");
  BlockTypeTable types_;
  std::unique_ptr<ChangeStore> store_;
};

}  // namespace fractalray
