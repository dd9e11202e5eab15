// SPDX-License-Identifier: Apache-2.0
#include "metrics.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"

#include "../bindings/c/internal/frame.h"

namespace fractalray::serve {
namespace {

constexpr std::array<std::string_view, 3> kVerbNames = {"closest_hits", "compact_hits",
                                                        "occluded_many"};
constexpr std::array<std::string_view, Metrics::kReasons> kReasonNames = {
    "queue_full", "memory_full", "wrong_token", "wrong_frame", "too_slow", "too_many_connections"};

// Returns a text of ours for StrCat.
absl::string_view ours(std::string_view text) {
  return {text.data(), text.size()};
}

void addHead(std::string& text, std::string_view name, std::string_view type,
             std::string_view help) {
  absl::StrAppend(&text, "# HELP fractalray_", ours(name), " ", ours(help), "\n# TYPE fractalray_",
                  ours(name), " ", ours(type), "\n");
}

void addOne(std::string& text, std::string_view name, std::string_view type, std::string_view help,
            std::uint64_t value) {
  addHead(text, name, type, help);
  absl::StrAppend(&text, "fractalray_", ours(name), " ", value, "\n");
}

void addLabelled(std::string& text, std::string_view name, std::string_view label,
                 std::string_view label_value, std::uint64_t value) {
  absl::StrAppend(&text, "fractalray_", ours(name), "{", ours(label), "=\"", ours(label_value),
                  "\"} ", value, "\n");
}

}  // namespace

void Metrics::countCall(const Call& call) {
  const std::size_t verb = std::min<std::size_t>(call.request.verb - wire::kClosestHits, 2);
  const auto result = static_cast<std::size_t>(call.result);
  ++calls_[verb][result < kResults ? result : 2];  // 2 is UNKNOWN
  lines_[verb] += call.completed;
  worked_ns_ += static_cast<std::uint64_t>(call.worked.count());
}

std::string Metrics::text(const Gauges& gauges) const {
  std::string text;
  addHead(text, "calls_total", "counter", "Calls that workers have answered, by verb and result.");
  for (std::size_t verb = 0; verb < kVerbs; ++verb) {
    for (std::size_t result = 0; result < kResults; ++result) {
      const std::uint64_t calls = calls_[verb][result];
      if (calls == 0) continue;
      const std::string name = result == 1  // FR_OK is 0, and no frResult is 1
                                   ? "CANCELLED"
                                   : frGetResultName(static_cast<frResult>(result));
      absl::StrAppend(&text, "fractalray_calls_total{verb=\"", ours(kVerbNames[verb]),
                      "\",result=\"", name, "\"} ", calls, "\n");
    }
  }
  addHead(text, "lines_total", "counter", "Lines that were answered, by verb.");
  for (std::size_t verb = 0; verb < kVerbs; ++verb)
    addLabelled(text, "lines_total", "verb", kVerbNames[verb], lines_[verb]);
  addHead(text, "refused_total", "counter", "Calls refused and connections closed, by reason.");
  for (std::size_t reason = 0; reason < kReasons; ++reason)
    addLabelled(text, "refused_total", "reason", kReasonNames[reason], reasons_[reason]);
  addHead(text, "work_seconds_total", "counter", "Time that workers have spent on calls.");
  // With all digits: of six, the last would be ten seconds after two weeks.
  constexpr std::uint64_t kNsPerSecond = 1'000'000'000;
  const std::uint64_t worked_ns = worked_ns_;
  absl::StrAppend(&text, "fractalray_work_seconds_total ", worked_ns / kNsPerSecond, ".",
                  absl::Dec(worked_ns % kNsPerSecond, absl::kZeroPad9), "\n");
  addOne(text, "connections_total", "counter", "Connections that were made.", connections_);
  addOne(text, "received_bytes_total", "counter", "Bytes received from clients.", received_);
  addOne(text, "sent_bytes_total", "counter", "Bytes sent to clients.", sent_);
  addOne(text, "connections", "gauge", "Connections now.", gauges.connections);
  addOne(text, "queue_calls", "gauge", "Calls that wait or run.", gauges.queue_calls);
  addOne(text, "queue_lines", "gauge", "Lines of these calls.", gauges.queue_lines);
  addOne(text, "memory_bytes", "gauge", "Memory of requests and answers.", gauges.memory_bytes);
  addHead(text, "world", "gauge", "1, with the version of the world.");
  addLabelled(text, "world", "version", gauges.version, 1);
  for (const SourceMetric& each : gauges.source)
    addOne(text, each.name, each.type, each.help, each.value);
  return text;
}

}  // namespace fractalray::serve
