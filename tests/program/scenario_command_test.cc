// SPDX-License-Identifier: Apache-2.0
// `fractalray scenario` on good files and bad ones.
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "../../formats/json_document.h"
#include "../conformance/answers.h"
#include "program.h"

namespace fractalray::testing::scenario_command_test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const std::string kScenarios = FRACTALRAY_SOURCE_DIR "/tests/scenarios/";

// Expects that the file is refused whole, in one line that begins with `position` after its path.
void expectRefused(const std::string& path, const std::string& position,
                   const std::string& reason) {
  const ProgramRun run = runProgram({"scenario", path});
  EXPECT_EQ(run.exit_status, 2);
  EXPECT_THAT(run.out, IsEmpty());
  EXPECT_THAT(run.err, StartsWith("fractalray scenario: " + path + position));
  EXPECT_THAT(run.err, HasSubstr(reason));
  EXPECT_EQ(run.err.find('\n'), run.err.size() - 1) << "one line: " << run.err;
}

TEST(ScenarioCommandTest, AnswersALineAQuery) {
  const ProgramRun run = runProgram({"scenario", kScenarios + "first-steps.json"});
  EXPECT_EQ(run.exit_status, 0);
  EXPECT_THAT(run.err, IsEmpty());
  const absl::StatusOr<std::string> expected = readFile(kScenarios + "first-steps.expected.jsonl");
  ASSERT_TRUE(expected.ok()) << expected.status();
  const absl::StatusOr<std::vector<Json>> ours = parseLines(run.out, "ours");
  const absl::StatusOr<std::vector<Json>> theirs = parseLines(*expected, "expected");
  ASSERT_TRUE(ours.ok() && theirs.ok());
  ASSERT_EQ(ours->size(), theirs->size());
  for (std::size_t i = 0; i < ours->size(); ++i) {
    EXPECT_EQ(difference((*theirs)[i], (*ours)[i]), std::nullopt);
  }
}

TEST(ScenarioCommandTest, IdComesFirst) {
  const ProgramRun run = runProgram({"scenario", kScenarios + "first-steps.json"});
  EXPECT_THAT(run.out, StartsWith("{\"id\":\"along\",\"hits\":[{\"kind\":\"block\",\"level\":1,"));
}

TEST(ScenarioCommandTest, QueriesThatAreRefusedAreAnswered) {
  const ProgramRun run = runProgram({"scenario", kScenarios + "errors.json"});
  EXPECT_EQ(run.exit_status, 0);
  EXPECT_THAT(run.err, IsEmpty());
  EXPECT_THAT(run.out, HasSubstr("{\"id\":\"an empty mask\",\"error\":\"INVALID_ARGUMENT: "));
  EXPECT_THAT(run.out, HasSubstr("{\"id\":\"fine again\",\"hits\":"));
}

TEST(ScenarioCommandTest, FilesThatCannotBeReadAreRefused) {
  expectRefused(testFolder() + "/missing.json", ": ", "No such file or directory");
  expectRefused(testFolder(), ": ", "Is a directory");
}

TEST(ScenarioCommandTest, TextThatIsNoJsonIsRefusedWithLineAndColumn) {
  expectRefused(writeTestFile("empty.json", ""), ":1:1: ", "nothing in it");
  expectRefused(writeTestFile("blank.json", "\n\n"), ":3:1: ", "nothing in it");
  expectRefused(writeTestFile("cut.json", "{\"format\": \"fractalray-scenario/1\",\n\"levels\": "),
                ":2:11: ", "unexpected end of input");
  expectRefused(writeTestFile("comma.json", "{\n  \"levels\": 1,\n}\n"),
                ":3:1: ", "unexpected '}'");
  expectRefused(writeTestFile("binary.json", std::string("\x00\xff\x01\n\n", 5)),
                ":1:1: ", "NUL byte");
  expectRefused(writeTestFile("deep.json", std::string(5'000'000, '[')),
                ":1:101: ", "more than 100 arrays and objects within each other");
  expectRefused(writeTestFile("twice.json", "{\"levels\": 1,\n \"levels\": 2}"),
                ":2:9: ", "there twice");
}

TEST(ScenarioCommandTest, DocumentsThatAreNoScenariosAreRefusedWithThePath) {
  const std::string head = R"({"format": "fractalray-scenario/1", "levels": 1, )";
  expectRefused(writeTestFile("list.json", "[]"), ": expected an object", "");
  expectRefused(writeTestFile("other.json", R"({"format": "gltf"})"), ": format: ", "gltf");
  expectRefused(
      writeTestFile("types.json", head + R"("block_types": {"a\nb": "firm"}, "queries": []})"),
      R"(: block_types["a\nb"]: )", "expected one of");
  expectRefused(writeTestFile("chunks.json", head + R"("chunks": [{"level": 0, "at": [1, 2, 3]},
                  {"level": 0, "at": [1, 2, 3]}], "queries": []})"),
                ": chunks[1].at: ", "twice");
  expectRefused(writeTestFile("ids.json", head + R"("queries": [
                  {"id": "a", "op": "entity_chunks", "entity": 1},
                  {"id": "a", "op": "entity_chunks", "entity": 2}]})"),
                ": queries[1].id: ", "another query has this id");
  // Queries before the mistake are not answered either.
  expectRefused(writeTestFile("late.json", head + R"("queries": [
                  {"id": "a", "op": "walk", "from": [0, 0, 0], "to": [1, 1, 1]},
                  {"id": "b", "op": "walk", "from": [0, 0, 0], "to": [1, "1", 1]}]})"),
                ": queries[1].to[1]: ", "expected a number, got \"1\"");
}

}  // namespace
}  // namespace fractalray::testing::scenario_command_test
