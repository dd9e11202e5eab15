// SPDX-License-Identifier: Apache-2.0
// Runs `fractalray store` as a person would.
#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "nlohmann/json.hpp"

#include "../program/program.h"
#include "store_fixture.h"

namespace fractalray::store_fixture {
namespace {

using fractalray::testing::ProgramRun;
using fractalray::testing::runOther;
using fractalray::testing::runProgram;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class StoreCommandTest : public StoreTest {};

TEST_F(StoreCommandTest, TheExamplesOfItsHelpSucceed) {
  Sql(theServer().url("postgres")).run("CREATE DATABASE world");
  const std::string help = runProgram({"store", "--help"}).out;
  int examples = 0;
  for (std::size_t at = help.find("\n  fractalray store "); at != std::string::npos;
       at = help.find("\n  fractalray store ", at + 1)) {
    const std::string example = help.substr(at + 3, help.find('\n', at + 1) - at - 3);
    const std::string program = FRACTALRAY_PROGRAM;
    const ProgramRun run =
        runOther({"sh", "-c",
                  absl::StrCat("export PGHOST='", theServer().folder(), "' PGUSER=postgres PATH='",
                               program.substr(0, program.rfind('/')), "':\"$PATH\" && ", example)});
    EXPECT_EQ(run.exit_status, 0) << example << "\n" << run.err;
    EXPECT_EQ(run.err, "");
    EXPECT_NE(run.out, "");
    ++examples;
  }
  EXPECT_EQ(examples, 2);
  Sql(theServer().url("postgres")).run("DROP DATABASE world");
}

TEST_F(StoreCommandTest, ReportsWhatIsStored) {
  const ProgramRun before = runProgram({"store", "check", url_});
  EXPECT_EQ(before.exit_status, 1);
  EXPECT_THAT(before.err, HasSubstr("run fractalray store init"));
  const ProgramRun made = runProgram({"store", "init", url_});
  EXPECT_EQ(made.exit_status, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("0 mapblocks, 0 bytes"));
  writer_->put({0, 0, 0}, mapblockOf("test:one"));
  writer_->put({-1, 2, -3}, Bytes{29, 0, 1});
  const ProgramRun text = runProgram({"store", "check", url_});
  EXPECT_EQ(text.exit_status, 1);
  EXPECT_THAT(text.err, StartsWith("fractalray store: mapblock (-1, 2, -3) is damaged: "));
  EXPECT_THAT(text.out, HasSubstr("2 mapblocks, "));
  EXPECT_THAT(text.out, HasSubstr("2 changes are logged"));
  EXPECT_THAT(text.out, HasSubstr("test:one"));
  const ProgramRun json = runProgram({"store", "check", url_, "--json"});
  const auto report = nlohmann::json::parse(json.out, nullptr, false);
  ASSERT_FALSE(report.is_discarded()) << json.out;
  EXPECT_EQ(report["mapblocks"]["all"], 2);
  EXPECT_EQ(report["mapblocks"]["damaged"], 1);
  EXPECT_EQ(report["fingerprint"].get<std::string>().size(), 16U);
  EXPECT_EQ(report["damages"][0]["position"], "(-1, 2, -3)");
  EXPECT_EQ(report["world"], writer_->run("SELECT world FROM fr_store"));
}

TEST_F(StoreCommandTest, WrongWordsExitWith2) {
  EXPECT_EQ(runProgram({"store", "make", url_}).exit_status, 2);
  EXPECT_THAT(runProgram({"store", "make", url_}).err,
              StartsWith("fractalray store: there is no command \"make\"; there are init, check"));
  EXPECT_THAT(runProgram({"store", "check"}).err,
              AllOf(StartsWith("fractalray store check: URL is required"),
                    HasSubstr("Run fractalray store check --help")));
  EXPECT_EQ(runProgram({"store", "check", "postgresql://["}).exit_status, 2);
  EXPECT_EQ(runProgram({"store", "check"}).exit_status, 2);
  EXPECT_EQ(runProgram({"store", "check", url_, "--types", "nowhere.json"}).exit_status, 2);
}

}  // namespace
}  // namespace fractalray::store_fixture
