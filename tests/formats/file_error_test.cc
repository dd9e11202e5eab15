// SPDX-License-Identifier: Apache-2.0
#include "../../formats/file_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <string>

#include "../../formats/input_file.h"
#include "../../formats/open_world.h"

namespace fractalray {
namespace {

using enum absl::StatusCode;
using testing::HasSubstr;

TEST(FileErrorTest, TheCodeSaysWhatTheCallerCanDo) {
  const struct {
    int error;
    absl::StatusCode code;
  } kCases[] = {{ENOENT, kNotFound},
                {ENOTDIR, kNotFound},
                {ENAMETOOLONG, kInvalidArgument},
                {ELOOP, kInvalidArgument},
                {EISDIR, kInvalidArgument},
                {EACCES, kPermissionDenied},
                {EROFS, kPermissionDenied},
                {ENOSPC, kResourceExhausted},
                {EFBIG, kResourceExhausted},
                {EMFILE, kResourceExhausted},
                {ENFILE, kResourceExhausted},
                {EDQUOT, kResourceExhausted},
                {EBUSY, kUnavailable},
                {EIO, kDataLoss}};
  for (const auto& test : kCases)
    EXPECT_EQ(fileError(test.error, "a", "b").code(), test.code) << test.error;
  EXPECT_EQ(fileError(ENOSPC, "a", "cannot be written").message(),
            "a: cannot be written: No space left on device");
  EXPECT_EQ(fileError(ENOENT, "a\x1b", "").message(), "a\\u001b: No such file or directory");
}

TEST(FileErrorTest, FilesThatCannotBeReadSayWhy) {
  const std::string folder = testing::TempDir() + "/file_error_test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  std::filesystem::create_symlink("loop", folder + "/loop");
  const struct {
    std::string path;
    absl::StatusCode code;
    std::string reason;
  } kCases[] = {
      {folder + "/" + std::string(300, 'x'), kInvalidArgument, "File name too long"},
      {folder + "/" + std::string(5000, 'x'), kInvalidArgument, "File name too long"},
      {folder + "/loop", kInvalidArgument, "symbolic links"},
      {"/dev/null/x", kNotFound, "Not a directory"},
      {folder + "/none", kNotFound, "No such file"},
  };
  for (const auto& test : kCases) {
    for (const absl::Status& status :
         {readFile(test.path).status(), openWorld(test.path).status()}) {
      EXPECT_EQ(status.code(), test.code) << status;
      const bool has_reason = status.message().find(test.reason) != absl::string_view::npos;
      // openWorld() says only that a path leads nowhere.
      EXPECT_TRUE(has_reason || test.code == kNotFound) << status;
    }
  }
  EXPECT_EQ(readFile(folder).status().code(), kInvalidArgument) << "a directory";
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace fractalray
