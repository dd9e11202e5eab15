// SPDX-License-Identifier: Apache-2.0
#include "schema.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"

#include "../../core/printable.h"

namespace fractalray {
namespace {

constexpr std::uint64_t kTriggers = 4;

// Returns, for each table, its name, its columns, and 1 if they can be found by position.
constexpr const char* kTableQuery = R"(
SELECT t.name,
       coalesce((SELECT string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', '
                                   ORDER BY attnum)
                 FROM pg_attribute
                 WHERE attrelid = to_regclass(t.name) AND attnum > 0 AND NOT attisdropped), ''),
       (EXISTS (SELECT FROM pg_index
                WHERE indrelid = to_regclass(t.name) AND indisprimary AND indisvalid
                  AND (SELECT array_agg(attname::text ORDER BY attnum) FROM pg_attribute
                       WHERE attrelid = indrelid AND attnum = ANY (indkey::int2[]))
                      = ARRAY['posx', 'posy', 'posz']))::int
FROM (VALUES (1, 'blocks'), (2, 'fr_store'), (3, 'fr_log'), (4, 'fr_types')) AS t (number, name)
ORDER BY t.number)";

struct TableColumns {
  std::string_view name;
  std::string_view columns;
};
// The columns of Luanti's table since 5.12, if it made the table.
constexpr std::string_view kSmallBlocks = "posx smallint, posy smallint, posz smallint, data bytea";
// In the order of that query.
constexpr std::array<TableColumns, 4> kTables = {{
    {"blocks", "posx integer, posy integer, posz integer, data bytea"},
    {"fr_store", "world text, home text, format integer, cut_by xid8, cut xid8"},
    {"fr_log", "xid xid8, at timestamp with time zone, posx integer, posy integer, posz integer"},
    {"fr_types", "number integer, name text"},
}};

// The part that is done whether anything is missing or not. It ends within the transaction. Two at
// once wait for each other. Everything is made where the map is, also if the role has a schema of
// its own before that; nothing takes a lock that a writer would notice.
//
// fr_home() names the server, the database, the server's timeline, which another one follows when a
// standby is promoted or a backup restored, and the table: in another home the numbers of
// transactions mean others.
constexpr const char* kMakeTables = R"(
BEGIN;
SELECT pg_advisory_xact_lock(hashtext('fr_store'));
SELECT set_config('search_path', quote_ident(nspname), true)
FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE pg_class.oid = to_regclass('blocks');
CREATE TABLE IF NOT EXISTS blocks (
  posx int NOT NULL, posy int NOT NULL, posz int NOT NULL, data bytea,
  PRIMARY KEY (posx, posy, posz));
CREATE TABLE IF NOT EXISTS fr_store (
  world text NOT NULL, home text NOT NULL, format int NOT NULL, cut_by xid8 NOT NULL,
  cut xid8 NOT NULL);
CREATE TABLE IF NOT EXISTS fr_log (
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  posx int NOT NULL, posy int NOT NULL, posz int NOT NULL);
CREATE TABLE IF NOT EXISTS fr_types (number int PRIMARY KEY, name text NOT NULL UNIQUE);
DO $$ BEGIN  -- IF NOT EXISTS would lock the tables of indexes that exist
  IF to_regclass('fr_store_one') IS NULL THEN
    CREATE UNIQUE INDEX fr_store_one ON fr_store ((true));
  END IF;
  IF to_regclass('fr_log_xid') IS NULL THEN
    CREATE INDEX fr_log_xid ON fr_log (xid);
  END IF;
END $$;

CREATE OR REPLACE FUNCTION fr_home() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT (SELECT system_identifier FROM pg_control_system())::text || '/' ||
         (SELECT oid FROM pg_database WHERE datname = current_database())::text || '/' ||
         left(pg_walfile_name(pg_current_wal_lsn()), 8) || '/' ||
         to_regclass('blocks')::oid::text $$;
INSERT INTO fr_store VALUES (gen_random_uuid()::text, fr_home(), 1, '1', '1')
  ON CONFLICT DO NOTHING;
)";

// Luanti saves mapblocks again for reasons that change no node: data that is equal is not logged.
// NOTIFY without a payload gives one notice a transaction. The triggers are also for sessions that
// have session_replication_role = replica, as those of a subscription do.
constexpr const char* kMakeTriggers = R"(
LOCK TABLE blocks, fr_log IN ACCESS EXCLUSIVE MODE;
CREATE OR REPLACE FUNCTION fr_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.* IS NOT DISTINCT FROM NEW.* THEN RETURN NULL; END IF;
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO fr_log (posx, posy, posz) VALUES (OLD.posx, OLD.posy, OLD.posz);
  END IF;
  IF TG_OP = 'INSERT' OR TG_OP = 'UPDATE' AND
     (OLD.posx, OLD.posy, OLD.posz) IS DISTINCT FROM (NEW.posx, NEW.posy, NEW.posz) THEN
    INSERT INTO fr_log (posx, posy, posz) VALUES (NEW.posx, NEW.posy, NEW.posz);
  END IF;
  NOTIFY fr_blocks;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION fr_cut() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE newest xid8 := pg_current_xact_id();
BEGIN
  IF TG_OP = 'DELETE' THEN
    SELECT xid INTO newest FROM gone ORDER BY xid DESC LIMIT 1;
    IF NOT FOUND THEN RETURN NULL; END IF;
  END IF;
  UPDATE fr_store SET cut_by = pg_current_xact_id(), cut = greatest(cut, newest);
  NOTIFY fr_blocks;
  RETURN NULL;
END $$;
DO $$
DECLARE path text := format('SET search_path = %I, pg_temp', current_schema());
BEGIN
  EXECUTE 'ALTER FUNCTION fr_changed() ' || path;
  EXECUTE 'ALTER FUNCTION fr_cut() ' || path;
END $$;
DROP TRIGGER IF EXISTS fr_changed ON blocks;
DROP TRIGGER IF EXISTS fr_emptied ON blocks;
DROP TRIGGER IF EXISTS fr_cut ON fr_log;
DROP TRIGGER IF EXISTS fr_emptied ON fr_log;
CREATE TRIGGER fr_changed AFTER INSERT OR UPDATE OR DELETE ON blocks
  FOR EACH ROW EXECUTE FUNCTION fr_changed();
CREATE TRIGGER fr_emptied AFTER TRUNCATE ON blocks FOR EACH STATEMENT EXECUTE FUNCTION fr_cut();
CREATE TRIGGER fr_cut AFTER DELETE ON fr_log REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION fr_cut();
CREATE TRIGGER fr_emptied AFTER TRUNCATE ON fr_log FOR EACH STATEMENT EXECUTE FUNCTION fr_cut();
ALTER TABLE blocks ENABLE ALWAYS TRIGGER fr_changed, ENABLE ALWAYS TRIGGER fr_emptied;
ALTER TABLE fr_log ENABLE ALWAYS TRIGGER fr_cut, ENABLE ALWAYS TRIGGER fr_emptied;
UPDATE fr_store SET cut_by = pg_current_xact_id(), cut = pg_current_xact_id();
)";

// Numbers of transactions of another database say nothing here.
constexpr const char* kMakeIdentity = R"(
TRUNCATE fr_log;
UPDATE fr_store SET world = gen_random_uuid()::text, home = fr_home(),
  cut_by = pg_current_xact_id(), cut = pg_current_xact_id();
)";

absl::Status wrongTable(const std::string& name, const TableColumns& table, std::string_view found,
                        std::string_view remedy) {
  return absl::FailedPreconditionError(absl::StrCat(
      name, ": the table ", std::string(table.name), " has ",
      found.empty() ? std::string("no columns") : absl::StrCat("the columns ", printable(found)),
      " instead of ", std::string(table.columns), "; ", std::string(remedy)));
}

// Checks the columns of the tables that are there; `missing` gets the names of the others.
absl::Status checkColumns(StoreLink& link, std::vector<std::string_view>& missing) {
  const absl::StatusOr<std::vector<Rows>> answers = link.run(kTableQuery);
  if (!answers.ok()) return answers.status();
  const Rows& rows = answers->back();
  for (std::size_t i = 0; i < kTables.size(); ++i) {
    const int row = static_cast<int>(i);
    const std::string_view columns = rows.text(row, 1);
    if (columns.empty()) {
      missing.push_back(kTables[i].name);
    } else if (columns != kTables[i].columns && !(i == 0 && columns == kSmallBlocks)) {
      return wrongTable(link.name(), kTables[i], columns,
                        i == 0 ? "it is not Luanti's" : "it is not a store's");
    } else if (i == 0 && rows.number(row, 2) == 0) {
      return absl::FailedPreconditionError(
          absl::StrCat(link.name(),
                       ": the table blocks is not Luanti's: its primary key is not "
                       "(posx, posy, posz)"));
    }
  }
  return absl::OkStatus();
}

// Refuses a store of a newer format.
absl::Status checkFormat(StoreLink& link) {
  const absl::StatusOr<std::vector<Rows>> answers = link.run("SELECT format FROM fr_store");
  if (!answers.ok()) return answers.status();
  const Rows& rows = answers->back();
  if (rows.size() == 0 || rows.number(0, 0) <= kStoreFormat) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat(link.name(), ": the store is of the newer format ", printable(rows.text(0, 0))));
}

}  // namespace

const char* const kStoreStateQuery = R"(
SELECT pg_current_snapshot()::text, world, format, cut_by::text, cut::text,
  (SELECT count(*) FROM pg_trigger
   WHERE tgrelid IN (to_regclass('blocks'), to_regclass('fr_log')) AND tgenabled = 'A'
     AND tgname IN ('fr_changed', 'fr_emptied', 'fr_cut')),
  (home = fr_home())::int,
  (SELECT string_agg(format('%s %s', oid, xmin), ',' ORDER BY oid) FROM pg_trigger
   WHERE tgrelid IN (to_regclass('blocks'), to_regclass('fr_log'))
     AND tgname IN ('fr_changed', 'fr_emptied', 'fr_cut'))
FROM fr_store)";

absl::StatusOr<StoreState> readStoreState(const std::string& name, const Rows& answer) {
  constexpr const char* kRemedy = "run fractalray store init";
  if (answer.size() != 1) {
    return absl::FailedPreconditionError(
        absl::StrCat(name, ": the table fr_store has no row; ", kRemedy));
  }
  if (answer.number(0, 2) != kStoreFormat) {
    return absl::FailedPreconditionError(absl::StrCat(
        name, ": the store is of format ", printable(answer.text(0, 2)), ", and format ",
        kStoreFormat, " is read; use the version of fractalray that has made it"));
  }
  if (answer.number(0, 5) != kTriggers) {
    return absl::FailedPreconditionError(absl::StrCat(
        name, ": ", answer.number(0, 5), " of the ", kTriggers,
        " triggers are there and enabled ALWAYS, so that changes are not logged; ", kRemedy));
  }
  if (answer.number(0, 6) == 0) {
    return absl::FailedPreconditionError(absl::StrCat(
        name,
        ": the store is a copy or was restored from a backup: its log names transactions of "
        "another database; fractalray store init gives it a new identity"));
  }
  absl::StatusOr<DatabaseSnapshot> snapshot = DatabaseSnapshot::parse(answer.text(0, 0));
  if (!snapshot.ok()) return snapshot.status();
  return StoreState{
      .version = {.world = std::string(answer.text(0, 1)), .blocks = *std::move(snapshot)},
      .cut_by = answer.number(0, 3),
      .cut = answer.number(0, 4),
      .triggers = std::string(answer.text(0, 7))};
}

absl::Status makeSchema(StoreLink& link) {
  std::vector<std::string_view> missing;
  absl::Status status = checkColumns(link, missing);
  if (!status.ok()) return status;
  // Another format is refused before anything is changed.
  if (std::find(missing.begin(), missing.end(), "fr_store") == missing.end())
    status = checkFormat(link);
  if (!status.ok()) return status;
  absl::StatusOr<std::vector<Rows>> made = link.run(kMakeTables);
  if (!made.ok()) return made.status();
  made = link.run(kStoreStateQuery);
  if (!made.ok()) return made.status();
  const bool has_triggers = made->back().number(0, 5) == kTriggers;
  const bool is_home = made->back().number(0, 6) == 1;
  const std::string rest =
      absl::StrCat(has_triggers ? "" : kMakeTriggers, is_home ? "" : kMakeIdentity, "COMMIT");
  return link.run(rest).status();
}

absl::Status checkTables(StoreLink& link) {
  std::vector<std::string_view> missing;
  absl::Status status = checkColumns(link, missing);
  if (!status.ok()) return status;
  if (!missing.empty()) {
    return absl::FailedPreconditionError(absl::StrCat(link.name(), ": there is no table ",
                                                      std::string(missing.front()),
                                                      "; run fractalray store init"));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::string>> listedTypes(StoreLink& link) {
  const absl::StatusOr<std::vector<Rows>> answers =
      link.run("SELECT name FROM fr_types ORDER BY number");
  if (!answers.ok()) return answers.status();
  const Rows& rows = answers->back();
  std::vector<std::string> names(static_cast<std::size_t>(rows.size()));
  for (int row = 0; row < rows.size(); ++row)
    names[static_cast<std::size_t>(row)] = rows.text(row, 0);
  return names;
}

}  // namespace fractalray
