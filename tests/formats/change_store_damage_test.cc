// SPDX-License-Identifier: Apache-2.0
// Flips each bit of each value of a store of changes, whatever its tables are, and bits of its
// file: what it answers is what was recorded, or an error. Then it records and reverts.
#include <sqlite3.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/cleanup/cleanup.h"

#include "../../formats/internal/change_keys.h"
#include "../oracle/long_run.h"
#include "../oracle/rng.h"
#include "change_store_fixture.h"

namespace fractalray {
namespace {

using luanti_fixture::contentOf;
using luanti_fixture::writeFile;
using oracle::Rng;

using Value = std::variant<std::monostate, std::int64_t, std::string>;
using Row = std::vector<Value>;

class Tables {
 public:
  explicit Tables(const std::string& path) {
    if (sqlite3_open(path.c_str(), &database_) != SQLITE_OK) std::abort();
  }
  ~Tables() { sqlite3_close(database_); }
  Tables(const Tables&) = delete;
  Tables& operator=(const Tables&) = delete;

  // Runs a statement with values for its parameters; returns nothing if it fails.
  std::optional<std::vector<Row>> run(const std::string& sql, const Row& values = {}) {
    sqlite3_stmt* statement = nullptr;
    const absl::Cleanup finalize = [&] { sqlite3_finalize(statement); };
    if (sqlite3_prepare_v2(database_, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) {
      return std::nullopt;
    }
    for (std::size_t i = 0; i < values.size(); ++i)
      bind(statement, static_cast<int>(i) + 1, values[i]);
    std::vector<Row> rows;
    int outcome = sqlite3_step(statement);
    for (; outcome == SQLITE_ROW; outcome = sqlite3_step(statement)) {
      Row row;
      for (int column = 0; column < sqlite3_column_count(statement); ++column)
        row.push_back(valueAt(statement, column));
      rows.push_back(std::move(row));
    }
    if (outcome != SQLITE_DONE) return std::nullopt;
    return rows;
  }

 private:
  static void bind(sqlite3_stmt* statement, int index, const Value& value) {
    if (const auto* const number = std::get_if<std::int64_t>(&value)) {
      sqlite3_bind_int64(statement, index, *number);
    } else if (const auto* const bytes = std::get_if<std::string>(&value)) {
      sqlite3_bind_blob(statement, index, bytes->c_str(), static_cast<int>(bytes->size()),
                        SQLITE_TRANSIENT);
    }
  }
  static Value valueAt(sqlite3_stmt* statement, int column) {
    if (sqlite3_column_type(statement, column) == SQLITE_NULL) return {};
    if (sqlite3_column_type(statement, column) == SQLITE_INTEGER) {
      return sqlite3_column_int64(statement, column);
    }
    const void* const bytes = sqlite3_column_blob(statement, column);
    return bytes == nullptr
               ? std::string()
               : std::string(static_cast<const char*>(bytes),
                             static_cast<std::size_t>(sqlite3_column_bytes(statement, column)));
  }

  sqlite3* database_ = nullptr;
};

std::size_t bitsOf(const Value& value) {
  if (std::holds_alternative<std::int64_t>(value)) return 64;
  const auto* const bytes = std::get_if<std::string>(&value);
  return bytes == nullptr ? 0 : bytes->size() * 8;
}

Value flipped(const Value& value, std::size_t bit) {
  if (const auto* const number = std::get_if<std::int64_t>(&value)) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(*number) ^ std::uint64_t{1} << bit);
  }
  std::string bytes = std::get<std::string>(value);
  bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
  return bytes;
}

// A statement that replaces one value of one row, with the values for it.
struct Edit {
  std::string sql;
  Row values;
};

// Returns an edit for each bit of each value of a file.
std::vector<Edit> allFlips(const std::string& path) {
  Tables tables(path);
  std::vector<Edit> edits;
  const auto text = [](const Value& value) { return std::get<std::string>(value); };
  const std::vector<Row> names =
      tables.run("SELECT name FROM sqlite_master WHERE type = 'table'").value();
  for (const Row& table : names) {
    std::vector<std::string> columns;
    std::string where;
    std::vector<std::size_t> keys;
    const std::vector<Row> infos = tables.run("PRAGMA table_info(" + text(table[0]) + ")").value();
    for (const Row& column : infos) {
      if (std::get<std::int64_t>(column[5]) > 0) {
        where += (keys.empty() ? " WHERE " : " AND ") + text(column[1]) + " IS ?";
        keys.push_back(columns.size());
      }
      columns.push_back(text(column[1]));
    }
    const std::vector<Row> rows = tables.run("SELECT * FROM " + text(table[0])).value();
    for (const Row& row : rows) {
      for (std::size_t column = 0; column < columns.size(); ++column) {
        for (std::size_t bit = 0; bit < bitsOf(row[column]); ++bit) {
          Edit edit{"UPDATE " + text(table[0]) + " SET " + columns[column] + " = ?" + where,
                    {flipped(row[column], bit)}};
          for (const std::size_t key : keys)
            edit.values.push_back(row[key]);
          edits.push_back(std::move(edit));
        }
      }
    }
  }
  return edits;
}

// The changes of chunks by path, and of each chunk by block.
using Content = std::map<std::string, std::map<int, ChangedBlock>>;

void recordIn(const std::vector<BlockChange>& changes, Content& content) {
  for (const BlockChange& change : changes) {
    auto& blocks = content[change.chunk.text()];
    if (change.type.has_value()) {
      blocks[change.block] = {change.block, *change.type, change.reverts_at};
    } else {
      blocks.erase(change.block);
    }
  }
}

// Returns a directory in memory if there is one: thousands of stores are opened and closed, which
// waits for the disk.
std::filesystem::path fastDirectory() {
  const std::filesystem::path memory = "/dev/shm";
  return std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
}

enum class Outcome { kSame, kRefused, kReported };

class ChangeStoreDamageTest : public ChangeStoreTest {
 protected:
  // Makes a store of chunks next to each other, deep ones whose regions differ in a bit, and
  // others.
  void SetUp() override {
    path_ = fast_folder_.file("world.changes");
    std::string begin;
    for (int step = 0; step < 15; ++step)
      begin += "5a3_";
    for (const std::string& chunk :
         {std::string(), std::string("888"), std::string("889"),
          begin + "5a2_111_222_333_444_555_666", begin + "5a3_111_222_333_444_555_666"}) {
      content_[chunk];
    }
    open();
    std::vector<BlockChange> changes;
    for (const auto& [chunk, blocks] : content_) {
      const int i = static_cast<int>(changes.size());
      changes.push_back(change(chunk, i, kStone));
      if (chunk != "889") changes.push_back(change(chunk, 100 + i, kGlass, kNow - i % 3));
    }
    content_.clear();
    recordIn(changes, content_);
    content_["88a"];  // without changes, next to the others
    content_[begin + "5a7_111_222_333_444_555_666"];
    ASSERT_TRUE(record(changes).ok());
    store_.reset();
    whole_ = contentOf(path_);
  }

  void reports(const absl::Status& status) {
    if (only_data_loss_) {
      EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
    }
    has_error_ = true;
  }
  // Compares what can be read with what was recorded.
  void expectContent(ChangeStore& store, const Content& expected) {
    for (const auto& [chunk, blocks] : expected) {
      const auto read = store.changesOf(path(chunk));
      if (!read.ok()) {
        reports(read.status());
        continue;
      }
      std::map<int, ChangedBlock> found;
      for (const ChangedBlock& block : *read)
        found[block.block] = block;
      EXPECT_EQ(found, blocks) << "chunk " << chunk << ": " << read->size() << " changes";
    }
  }
  // Reverts what is due, until nothing is left or the rest is damaged.
  void revertAll(ChangeStore& store, Content& expected) {
    while (true) {
      const auto due = store.due(kNow, 2);
      if (!due.ok()) {
        reports(due.status());
        return;
      }
      for (const BlockChange& change : *due) {
        const auto& blocks = expected[change.chunk.text()];
        const auto found = blocks.find(change.block);
        ASSERT_TRUE(found != blocks.end() && found->second.reverts_at <= kNow &&
                    !change.type.has_value())
            << "due() returns what is not due: " << change.chunk.text();
      }
      if (due->empty()) break;
      if (absl::Status status = store.record(*due); !status.ok()) {
        reports(status);
        return;
      }
      recordIn(*due, expected);
    }
    for (const auto& [chunk, blocks] : expected) {
      for (const auto& [block, change] : blocks)
        EXPECT_FALSE(change.reverts_at.has_value()) << "not reverted, in " << chunk;
    }
  }
  void recordMore(ChangeStore& store, Content& expected) {
    for (const auto& [chunk, blocks] : Content(expected)) {
      const std::vector changes = {change(chunk, 100, kWater, kNow + 5), change(chunk, 7, kWater)};
      if (absl::Status status = store.record(changes); status.ok()) {
        recordIn(changes, expected);
      } else {
        reports(status);
      }
    }
  }
  // Uses the file as it is.
  Outcome use() {
    has_error_ = false;
    Content expected = content_;
    for (int round = 0; round < 2; ++round) {
      const auto opened = tryOpen();
      if (!opened.ok()) {
        reports(opened.status());
        return Outcome::kRefused;
      }
      expectContent(**opened, expected);
      if (round == 0) revertAll(**opened, expected);
      if (round == 0) recordMore(**opened, expected);
      expectContent(**opened, expected);
    }
    return has_error_ ? Outcome::kReported : Outcome::kSame;
  }
  void restore() {
    writeFile(path_, whole_);
    for (const char* const end : {"-wal", "-shm", "-journal"})
      std::filesystem::remove(path_ + end);
  }
  void printOutcomes(const std::map<Outcome, int>& outcomes) {
    RecordProperty("same", outcomes.at(Outcome::kSame));
    RecordProperty("reported", outcomes.at(Outcome::kReported));
    RecordProperty("refused", outcomes.at(Outcome::kRefused));
  }

  static constexpr std::int64_t kNow = 50;

  luanti_fixture::TempDirectory fast_folder_{fastDirectory()};
  Content content_;
  std::string whole_;
  bool only_data_loss_ = true;
  bool has_error_ = false;
};

TEST_F(ChangeStoreDamageTest, TheWholeFileIsAnsweredWithoutErrors) {
  EXPECT_EQ(use(), Outcome::kSame);
}

TEST_F(ChangeStoreDamageTest, AFlippedBitOfAnyValueIsNoOtherAnswer) {
  std::map<Outcome, int> outcomes;
  for (const Edit& edit : allFlips(path_)) {
    restore();
    // A key that another row has already cannot be written.
    if (!Tables(path_).run(edit.sql, edit.values).has_value()) continue;
    ++outcomes[use()];
    ASSERT_FALSE(HasFailure()) << edit.sql;
  }
  printOutcomes(outcomes);
  EXPECT_GT(outcomes[Outcome::kReported], 1000);
}

TEST_F(ChangeStoreDamageTest, ADamagedRegionKeepsNoOthersFromReverting) {
  int flips = 0;
  for (const Edit& edit : allFlips(path_)) {
    const auto* const key =
        edit.values.size() < 2 ? nullptr : std::get_if<std::string>(&edit.values[1]);
    if (key == nullptr || !key->starts_with(kRegionRows)) continue;
    restore();
    if (!Tables(path_).run(edit.sql, edit.values).has_value()) continue;
    const auto opened = tryOpen();
    if (!opened.ok()) continue;
    ++flips;
    std::set<std::string> reverted;
    while (true) {
      const auto due = (*opened)->due(kNow, 100);
      if (!due.ok() || due->empty()) break;
      for (const BlockChange& change : *due)
        reverted.insert(change.chunk.text());
      ASSERT_TRUE((*opened)->record(*due).ok()) << edit.sql;
    }
    EXPECT_TRUE(reverted.contains("") && reverted.contains("888")) << edit.sql;
  }
  EXPECT_GT(flips, 100);
}

TEST_F(ChangeStoreDamageTest, ALostRowIsNoOtherAnswer) {
  std::set<Row> erased;
  for (const Edit& edit : allFlips(path_)) {
    const std::size_t table = edit.sql.find(' ') + 1;
    const std::string erase = "DELETE FROM " +
                              edit.sql.substr(table, edit.sql.find(' ', table) - table) +
                              edit.sql.substr(edit.sql.find(" WHERE "));
    const Row keys(edit.values.begin() + 1, edit.values.end());
    if (!erased.insert(keys).second) continue;
    restore();
    ASSERT_TRUE(Tables(path_).run(erase, keys).has_value());
    // Some marks, whose keys have one byte, hold nothing together.
    const bool may_be_lost = std::get<std::string>(keys[0]).size() == 1;
    EXPECT_TRUE(use() != Outcome::kSame || may_be_lost) << erase;
    ASSERT_FALSE(HasFailure()) << erase;
  }
}

TEST_F(ChangeStoreDamageTest, AFlippedBitOfTheFileIsNoOtherAnswer) {
  only_data_loss_ = false;
  Rng rng("AFlippedBitOfTheFile");
  std::map<Outcome, int> outcomes;
  const bool all = oracle::isLongRun();
  const std::size_t bits = whole_.size() * 8;
  for (std::size_t bit = 0; bit < bits;
       bit += all ? 1 : 1 + static_cast<std::size_t>(rng.below(120))) {
    restore();
    std::string damaged = whole_;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    writeFile(path_, damaged);
    ++outcomes[use()];
    ASSERT_FALSE(HasFailure()) << "byte " << bit / 8 << ", bit " << bit % 8;
  }
  printOutcomes(outcomes);
  EXPECT_GT(outcomes[Outcome::kSame], 100) << "most of the file is empty";
  EXPECT_GT(outcomes[Outcome::kReported] + outcomes[Outcome::kRefused], 20);
}

}  // namespace
}  // namespace fractalray
