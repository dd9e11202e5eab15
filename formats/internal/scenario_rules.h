// SPDX-License-Identifier: Apache-2.0
// The named rules of a scenario, and the shots that name them.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"

#include "../json.h"
#include "../named_rules.h"
#include "../query_json.h"

namespace fractalray {

// A shot may name rules that the file declares after it: its names are kept until all rules are
// known. Errors go to the status of the readers.
class ScenarioRules {
 public:
  // Reads the rules that a file declares, an object, name -> rules.
  void read(const JsonReader& rules, TypeFinder find);
  // Notes the rules that query number `query` names, and the budgets that it starts with, if any.
  void note(const JsonReader& shot, std::size_t query);
  // Calls `visit` with each query that names rules, the rules, and the budgets that it starts with,
  // if it has any of its own.
  using Visit = absl::FunctionRef<void(std::size_t query, std::shared_ptr<const NamedRules> rules,
                                       const std::optional<Budgets>& budgets)>;
  void resolve(absl::Status& error, Visit visit) const;

 private:
  // The names that a shot gives. Keeps no JSON: a copied list could not be destroyed if memory ran
  // out.
  struct Noted {
    std::size_t query = 0;
    std::string path;  // in the file
    std::string name;
    std::optional<std::vector<std::pair<std::string, double>>> budgets;
  };

  std::unordered_map<std::string, std::shared_ptr<const NamedRules>> rules_;
  std::vector<Noted> noted_;
};

}  // namespace fractalray
