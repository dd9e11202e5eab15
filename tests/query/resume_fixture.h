// SPDX-License-Identifier: Apache-2.0
// A corridor in which shots are resumed.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "shot_fixture.h"

namespace fractalray {

class ResumeTest : public CorridorTest {
 protected:
  // Resumes after the last hit of shoot(); returns the hits as text.
  std::string resume(const QueryOptions& options = {}) {
    return resume(result_.hits.back(), options);
  }
  std::string resume(const Hit& hit, const QueryOptions& options = {}) {
    return textOf(shotAfter(result_.segment, hit, options));
  }
  // Shoots a line again, after a hit of it.
  absl::StatusOr<ShotResult> shotAfter(const FixedSegment& line, const Hit& hit,
                                       QueryOptions options = {}) const {
    options.after = {&hit, 1};
    return service_.shootSegment(line, world_.allLevels(), options);
  }
  std::string textOf(const absl::StatusOr<ShotResult>& shot) const {
    return shot.ok() ? CorridorTest::textOf(*shot) : std::string(shot.status().message());
  }
  // Resumes result_ itself; returns all of its hits as text, whatever ended it.
  std::string resumed(const QueryOptions& options = {}) {
    const absl::Status status = service_.resume(result_, world_.allLevels(), options);
    EXPECT_TRUE(status.ok()) << status;
    std::vector<std::string> hits;
    for (const Hit& hit : result_.hits)
      hits.push_back(textOf(hit));
    return join(hits);
  }
  using CorridorTest::textOf;
};

}  // namespace fractalray
