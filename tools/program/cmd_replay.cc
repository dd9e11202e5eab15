// SPDX-License-Identifier: Apache-2.0
// `fractalray replay`: runs the queries of a log again and reports which are answered differently.
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"

#include "../../formats/json_document.h"
#include "../../formats/replay/query_log_reader.h"
#include "../../formats/replay/query_replay.h"
#include "../../formats/scenario.h"
#include "color.h"
#include "command.h"
#include "command_line.h"
#include "output.h"
#include "progress.h"
#include "replay_text.h"
#include "world_option.h"

namespace fractalray {
namespace {

struct ReplayArguments {
  std::string log;
  WorldArguments world;
  std::string scenario;
  std::uint64_t max_differences = 10;
  bool all = false;
  bool force = false;
  bool json = false;
};

// The outcomes of a log's queries.
struct Tally {
  std::uint64_t equal = 0;
  std::uint64_t different = 0;
  std::uint64_t world_had_changed = 0;
  std::map<std::string_view, std::uint64_t> not_replayable;  // by the reason
  absl::Status damage;

  std::uint64_t queries() const {
    std::uint64_t sum = equal + different + world_had_changed;
    for (const auto& [reason, count] : not_replayable)
      sum += count;
    return sum;
  }
};

int replayUsageError(const absl::Status& error) {
  return reportError("replay", error, kExitUsage);
}

std::string formatTally(const Tally& tally) {
  std::string text =
      absl::StrCat(tally.queries(), tally.queries() == 1 ? " query: " : " queries: ", tally.equal,
                   " answered as recorded, ", tally.different, " differently\n");
  if (tally.world_had_changed > 0) {
    absl::StrAppend(&text, tally.world_had_changed,
                    " not replayed: the world had changed by then; --all replays them too\n");
  }
  for (const auto& [reason, count] : tally.not_replayable) {
    absl::StrAppend(&text, count, " not replayed: ", std::string(reason), "\n");
  }
  return text;
}

Json tallyJson(const Tally& tally) {
  Json json = {{"queries", tally.queries()},
               {"equal", tally.equal},
               {"different", tally.different},
               {"world_had_changed", tally.world_had_changed},
               {"not_replayable", Json::object()},
               {"damage", tally.damage.ok() ? Json() : Json(std::string(tally.damage.message()))}};
  for (const auto& [reason, count] : tally.not_replayable)
    json["not_replayable"][std::string(reason)] = count;
  return json;
}

absl::Status writeDifference(const LoggedQuery& query, const Replayed& replayed, bool json) {
  const absl::StatusOr<LoggedAnswer> before = parseAnswer(*query.answer);
  const absl::StatusOr<LoggedAnswer> now = parseAnswer(replayed.answer);
  if (!before.ok()) return before.status();
  if (!now.ok()) return now.status();
  return writeStdout(json ? dumpJson(differenceJson(query, *before, *now)) + "\n"
                          : formatDifference(query, *before, *now, Colors::of(stdout)));
}

// Replays the queries one after another, up to the log's end or its damage. Returns errors of the
// output.
absl::Status replayAll(QueryLogReader& log, QueryReplay& replay, const ReplayArguments& arguments,
                       Tally& tally) {
  Progress progress("replaying", log.bytes());
  LoggedQuery query;
  while (true) {
    const absl::StatusOr<bool> more = log.next(query);
    if (!more.ok()) tally.damage = more.status();
    if (!more.ok() || !*more) return absl::OkStatus();
    const Replayed replayed = replay.replay(query);
    progress.update(log.bytesRead());
    switch (replayed.outcome) {
      case Replayed::Outcome::kEqual:
        ++tally.equal;
        break;
      case Replayed::Outcome::kWorldHadChanged:
        ++tally.world_had_changed;
        break;
      case Replayed::Outcome::kNotReplayable:
        ++tally.not_replayable[replayed.reason];
        break;
      case Replayed::Outcome::kDifferent:
        if (++tally.different > arguments.max_differences) break;
        absl::Status status = writeDifference(query, replayed, arguments.json);
        if (!status.ok()) return status;
        break;
    }
  }
}

int replayOn(World& world, EntityIndex& entities, QueryLogReader& log,
             const ReplayArguments& arguments) {
  const absl::Status same = checkRecordedWorld(log.header(), world, entities);
  if (!same.ok() && !arguments.force) {
    return replayUsageError(absl::FailedPreconditionError(
        absl::StrCat(arguments.log, ": ", same.message(),
                     "; --force replays all the same and reports what is answered differently")));
  }
  QueryReplay replay(world, entities, log.header(), arguments.all);
  Tally tally;
  absl::Status status = replayAll(log, replay, arguments, tally);
  if (status.ok()) {
    status = writeStdout(arguments.json ? dumpJson(tallyJson(tally)) + "\n" : formatTally(tally));
  }
  if (status.ok()) status = flushStdout();
  if (!status.ok()) return reportError("replay", status, kExitFailed);
  if (!tally.damage.ok()) return reportError("replay", tally.damage, kExitFailed);
  return tally.different > 0 ? kExitFailed : kExitOk;
}

int replayScenario(QueryLogReader& log, const ReplayArguments& arguments) {
  absl::StatusOr<Scenario> scenario = readScenario(arguments.scenario, arguments.world.limits);
  if (!scenario.ok()) return replayUsageError(scenario.status());
  return replayOn(scenario->world, scenario->entities, log, arguments);
}

int replayWorld(QueryLogReader& log, const ReplayArguments& arguments) {
  absl::StatusOr<OpenedWorld> opened = openWorldFor("replay", arguments.world);
  if (!opened.ok()) return replayUsageError(opened.status());
  EntityIndex entities(opened->world.frame());
  const int replayed = replayOn(opened->world, entities, log, arguments);
  return replayed != kExitOk ? replayed : statusOf(*opened);
}

int runReplay(const ReplayArguments& arguments) {
  if (arguments.scenario.empty() == arguments.world.world.empty()) {
    return replayUsageError(
        absl::InvalidArgumentError("give the recorded world by either --world or --scenario"));
  }
  absl::StatusOr<QueryLogReader> log = QueryLogReader::open(arguments.log);
  if (!log.ok()) {
    const bool is_damaged = absl::IsDataLoss(log.status());
    return reportError("replay", log.status(), is_damaged ? kExitFailed : kExitUsage);
  }
  return arguments.scenario.empty() ? replayWorld(*log, arguments)
                                    : replayScenario(*log, arguments);
}

}  // namespace

void addReplayCommand(CommandLine& line) {
  auto [options, arguments] = line.addCommand(
      "replay", "Run the queries of a log again and report those that are answered differently",
      runReplay);
  options.add("LOG", arguments.log, "A query log, written by an engine or by --record");
  options.require("LOG");
  addWorldOptions(options, arguments.world);
  options.add("--scenario FILE", arguments.scenario,
              "The scenario file whose world was recorded, instead of --world");
  options.add("--max-differences N", arguments.max_differences,
              "The most differences to show; all are counted");
  options.flag("--all", arguments.all,
               "Also replay queries that were recorded after the world had changed");
  options.flag("--force", arguments.force, "Replay even on a world that was not recorded");
  options.flag("--json", arguments.json,
               "Print the differences as JSON lines, and a summary at the end");
  options.footer(
      "Examples:\n"
      "  fractalray scenario tests/scenarios/ties.json --record ties.log\n"
      "  fractalray replay ties.log --scenario tests/scenarios/ties.json\n"
      "  fractalray shoot --world examples/worlds/w1 --from -184,80,-60 --to -183,72,-22 --record "
      "w1.log\n"
      "  fractalray replay w1.log --world examples/worlds/w1 --json\n"
      "Exit status: 0 all are answered as recorded, 1 some are not or the log is damaged, 2 wrong "
      "command\n"
      "line, not a query log, or not the recorded world. See docs/query-log.md.");
}

}  // namespace fractalray
