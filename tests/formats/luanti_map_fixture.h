// SPDX-License-Identifier: Apache-2.0
// A folder for the map that a test writes, and what it opens as.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "../../formats/luanti_map.h"
#include "luanti_fixture.h"

namespace fractalray {

// Returns a mapblock of one kind of node.
inline luanti_fixture::BlockParts blockOf(const std::string& name, int version = 29) {
  luanti_fixture::BlockParts parts;
  parts.version = version;
  parts.names = {{7, name}};
  parts.ids.fill(7);
  return parts;
}

class LuantiMapTest : public testing::Test {
 protected:
  std::string map() const { return directory_.file("map.sqlite"); }

  OpenedWorld open(const OpenOptions& options = {}) const {
    absl::StatusOr<OpenedWorld> opened = openLuantiWorld(directory_.path(), options);
    EXPECT_TRUE(opened.ok()) << opened.status();
    return *std::move(opened);
  }

  // Expects that the path cannot be opened, for this reason, in an error that begins with `named`.
  static void expectError(const std::string& path, absl::StatusCode code, const std::string& named,
                          const std::string& message) {
    const absl::Status status = openLuantiWorld(path).status();
    EXPECT_EQ(status.code(), code) << status;
    EXPECT_THAT(std::string(status.message()), testing::StartsWith(named + ": "));
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr(message));
  }

  luanti_fixture::TempDirectory directory_;
};

}  // namespace fractalray
