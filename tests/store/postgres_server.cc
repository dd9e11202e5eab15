// SPDX-License-Identifier: Apache-2.0
#include "postgres_server.h"

#include <fcntl.h>
#include <grp.h>
#include <libpq-fe.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <thread>

#include "gtest/gtest.h"

namespace fractalray::store_fixture {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kMostWait{60};

// Returns the folder of the newest server's programs, "" if there is none.
std::string programFolder() {
  std::string found;
  int newest = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/usr/lib/postgresql", error)) {
    const int version = std::atoi(entry.path().filename().c_str());
    if (version <= newest || !fs::exists(entry.path() / "bin" / "initdb", error)) continue;
    newest = version;
    found = (entry.path() / "bin").string();
  }
  return found;
}

// Returns the user who runs the server; null for the one who runs the test.
const passwd* serverUser() {
  if (::geteuid() != 0) return nullptr;
  const passwd* user = ::getpwnam("postgres");
  return user != nullptr ? user : ::getpwnam("nobody");
}

// Starts a program, the first of the words, in a folder, where its output is appended to `log`.
pid_t spawn(const std::vector<std::string>& words, const std::string& folder) {
  std::vector<char*> argv;
  for (const std::string& word : words)
    argv.push_back(const_cast<char*>(word.c_str()));  // NOLINT: execv() does not write to them
  argv.push_back(nullptr);
  const std::string log = folder + "/log";
  const passwd* const user = serverUser();
  const pid_t child = ::fork();
  if (child != 0) return child;
  const bool is_user =
      user == nullptr ||
      (::setgroups(0, nullptr) == 0 && ::setgid(user->pw_gid) == 0 && ::setuid(user->pw_uid) == 0);
  const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (!is_user || out < 0 || ::chdir(folder.c_str()) != 0) ::_exit(126);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(out, STDERR_FILENO);
  ::prctl(PR_SET_PDEATHSIG, SIGQUIT);
  ::execv(argv.front(), argv.data());
  ::_exit(127);
}

std::string contentOf(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

std::string PostgresServer::whyNot() {
  if (!programFolder().empty()) return "";
  return "NOT RUN: PostgreSQL's server is not installed; as root: apt-get install postgresql "
         "(./dev test does so)";
}

PostgresServer::PostgresServer() {
  std::string name = (fs::temp_directory_path() / "fractalray-store-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    ADD_FAILURE() << "no folder " << name;
    return;
  }
  folder_ = name;
  const passwd* const user = serverUser();
  if (user != nullptr && ::chown(name.c_str(), user->pw_uid, user->pw_gid) != 0) {
    ADD_FAILURE() << "the folder cannot be given to " << user->pw_name;
    return;
  }
  const pid_t child =
      spawn({programFolder() + "/initdb", "-D", folder_ + "/data", "-A", "trust", "-U", "postgres",
             "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions"},
            folder_);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << contentOf(folder_ + "/log");
  start();
}

PostgresServer::~PostgresServer() {
  resume();
  stop();
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

std::string PostgresServer::create(const std::string& database) {
  Sql(url("postgres")).run("CREATE DATABASE " + database + " TEMPLATE template0");
  return url(database);
}

std::string PostgresServer::url(const std::string& database) const {
  return "postgresql:///" + database + "?host=" + folder_ + "&user=postgres";
}

void PostgresServer::askForPassword(const std::string& role) const {
  const std::string path = folder_ + "/data/pg_hba.conf";
  const std::string rules = contentOf(path);
  std::ofstream(path) << "local all " << role << " scram-sha-256\n" << rules;
  Sql(url("postgres")).run("SELECT pg_reload_conf()");
  // The server takes it over a moment later.
  const auto until = std::chrono::steady_clock::now() + kMostWait;
  const std::string wrong = "postgresql:///postgres?host=" + folder_ + "&user=" + role +
                            "&passfile=/dev/null&password=none";
  bool is_asked = false;
  while (!is_asked && std::chrono::steady_clock::now() < until) {
    pg_conn* const connection = PQconnectdb(wrong.c_str());
    is_asked = PQconnectionUsedPassword(connection) != 0;
    PQfinish(connection);
    if (!is_asked) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_TRUE(is_asked) << contentOf(folder_ + "/log");
}

void PostgresServer::start() {
  pid_ = spawn({programFolder() + "/postgres",
                "-D",
                folder_ + "/data",
                "-k",
                folder_,
                "-c",
                "listen_addresses=",
                "-c",
                "autovacuum=off",
                "-c",
                "fsync=off",
                "-c",
                "full_page_writes=off",
                "-c",
                "shared_buffers=32MB",
                "-c",
                "max_connections=40",
                "-c",
                "wal_level=minimal",
                "-c",
                "max_wal_senders=0"},
               folder_);
  const auto until = std::chrono::steady_clock::now() + kMostWait;
  while (!isReady() && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_TRUE(isReady()) << contentOf(folder_ + "/log");
}

void PostgresServer::stop() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGINT);  // ends sessions
  ::waitpid(pid_, nullptr, 0);
  pid_ = 0;
}

void PostgresServer::stall() {
  // The first one first: it would make new ones.
  for (const pid_t each : processes())
    ::kill(each, SIGSTOP);
  for (const pid_t each : processes())
    ::kill(each, SIGSTOP);  // those that were made meanwhile
}

void PostgresServer::resume() {
  for (const pid_t each : processes())
    ::kill(each, SIGCONT);
}

std::vector<pid_t> PostgresServer::processes() const {
  if (pid_ <= 0) return {};
  std::vector<pid_t> found = {pid_};
  const std::string id = std::to_string(pid_);
  std::istringstream children(contentOf("/proc/" + id + "/task/" + id + "/children"));
  for (pid_t child = 0; children >> child;)
    found.push_back(child);
  return found;
}

bool PostgresServer::isReady() const {
  return PQping(url("postgres").c_str()) == PQPING_OK;
}

PostgresServer& theServer() {
  static PostgresServer server;
  return server;
}

Sql::Sql(const std::string& url) : connection_(PQconnectdb(url.c_str())) {
  EXPECT_EQ(PQstatus(connection_), CONNECTION_OK) << PQerrorMessage(connection_);
}

Sql::~Sql() {
  PQfinish(connection_);
}

std::string Sql::run(const std::string& statements) {
  const std::unique_ptr<PGresult, decltype(&PQclear)> result(
      PQexec(connection_, statements.c_str()), &PQclear);
  const ExecStatusType status = PQresultStatus(result.get());
  EXPECT_TRUE(status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK)
      << statements << ": " << PQerrorMessage(connection_);
  return status == PGRES_TUPLES_OK && PQntuples(result.get()) > 0 ? PQgetvalue(result.get(), 0, 0)
                                                                  : "";
}

void Sql::put(const ChunkCoord& at, const std::vector<std::uint8_t>& blob) {
  const std::string x = std::to_string(at[0]);
  const std::string y = std::to_string(at[1]);
  const std::string z = std::to_string(at[2]);
  const std::vector<const char*> values = {x.c_str(), y.c_str(), z.c_str(),
                                           reinterpret_cast<const char*>(blob.data())};
  const std::vector<int> lengths = {0, 0, 0, static_cast<int>(blob.size())};
  const std::vector<int> formats = {0, 0, 0, 1};
  const std::unique_ptr<PGresult, decltype(&PQclear)> result(
      PQexecParams(connection_,
                   "INSERT INTO blocks VALUES ($1::int, $2::int, $3::int, $4::bytea) "
                   "ON CONFLICT ON CONSTRAINT blocks_pkey DO UPDATE SET data = EXCLUDED.data",
                   4, nullptr, values.data(), lengths.data(), formats.data(), 0),
      &PQclear);
  EXPECT_EQ(PQresultStatus(result.get()), PGRES_COMMAND_OK) << PQerrorMessage(connection_);
}

void Sql::erase(const ChunkCoord& at) {
  run("DELETE FROM blocks WHERE (posx, posy, posz) = (" + std::to_string(at[0]) + ", " +
      std::to_string(at[1]) + ", " + std::to_string(at[2]) + ")");
}

std::map<ChunkCoord, std::vector<std::uint8_t>> Sql::mapblocks() {
  const std::unique_ptr<PGresult, decltype(&PQclear)> result(
      PQexecParams(connection_, "SELECT posx::text, posy::text, posz::text, data FROM blocks", 0,
                   nullptr, nullptr, nullptr, nullptr, 1),
      &PQclear);
  EXPECT_EQ(PQresultStatus(result.get()), PGRES_TUPLES_OK) << PQerrorMessage(connection_);
  std::map<ChunkCoord, std::vector<std::uint8_t>> found;
  for (int row = 0; row < PQntuples(result.get()); ++row) {
    ChunkCoord at;
    for (int axis = 0; axis < 3; ++axis)
      at[axis] = std::atoll(PQgetvalue(result.get(), row, axis));
    const char* const data = PQgetvalue(result.get(), row, 3);
    found[at].assign(data, data + PQgetlength(result.get(), row, 3));
  }
  return found;
}

}  // namespace fractalray::store_fixture
