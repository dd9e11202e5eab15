// SPDX-License-Identifier: Apache-2.0
#include "query_choice.h"

#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../core/printable.h"
#include "../../formats/suggestion.h"

namespace fractalray {

absl::StatusOr<std::size_t> chooseQuery(const Scenario& scenario, const std::string& file,
                                        const std::string& id, const ChoosableQueries& queries) {
  const std::string one(queries.one);
  std::vector<std::string> ids;
  std::optional<std::size_t> chosen;
  for (std::size_t i = 0; i < scenario.queries.size(); ++i) {
    const ScenarioQuery& query = scenario.queries[i];
    if (!queries.accepts(query)) continue;
    ids.push_back(query.id.text);
    if (id.empty() || ids.back() == id) chosen = i;
  }
  if (ids.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--scenario: ", file, " has no ", one, " to explain; give a file with a query whose op is ",
        std::string(queries.ops)));
  }
  if (chosen.has_value() && (!id.empty() || ids.size() == 1)) return *chosen;
  const std::string problem =
      id.empty() ? absl::StrCat(file, " has ", ids.size(), " ", std::string(queries.many),
                                "; choose one by --query")
                 : absl::StrCat("--query: ", quotedText(id), " is not a ", one, " of ", file);
  return absl::InvalidArgumentError(absl::StrCat(problem, alternatives(id, ids)));
}

}  // namespace fractalray
