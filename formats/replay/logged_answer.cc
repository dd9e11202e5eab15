// SPDX-License-Identifier: Apache-2.0
#include "logged_answer.h"

#include "../../core/internal/stable_hash.h"
#include "internal/log_records.h"

namespace fractalray {

void appendAnswer(std::string& bytes, const ObservedAnswer& observed, const BlockTypeTable& types,
                  ChannelId channel) {
  internal::LogWriter writer(bytes, types, channel);
  internal::describeAnswer(writer, observed, observed.answer);
}

std::uint64_t answerHash(std::string_view bytes) {
  return internal::stableHashOf(bytes);
}

absl::StatusOr<LoggedAnswer> parseAnswer(std::string_view bytes) {
  internal::LogReader reader(bytes, "the answer");
  LoggedAnswer answer;
  internal::describeAnswer(reader, answer, answer);
  absl::Status status = reader.finish("an answer is");
  if (!status.ok()) return status;
  return answer;
}

}  // namespace fractalray
