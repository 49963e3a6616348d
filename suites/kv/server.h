// A side as a server that keeps a KV store, however it is reached.
#ifndef GTEST_PARITY_SUITES_KV_SERVER_H_
#define GTEST_PARITY_SUITES_KV_SERVER_H_

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace parity::kv {

// The engine serves no requests. Of the reference that is BLOCKED, of the candidate alone FAIL.
class NotOffered : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The side is of a kind that cannot be asked this, whatever it would answer: BLOCKED.
class NotAskable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// One process (or one per rank), from its start to its end. All but the destructor throw
// SideFailure where the side died or failed.
class Server {
 public:
  virtual ~Server() = default;  // ends it, gracefully or not
  // A request of docs/serving.md, and the answer's text. What a side does not tell is left out of
  // it and listed in its `untold`. Throws NotOffered and NotAskable.
  virtual std::string Ask(const nlohmann::json& request) = 0;
  virtual nlohmann::json Counters() = 0;  // empty where it counts nothing
  // As its operator would: what it holds is stored, then it ends.
  virtual void Stop() = 0;
  virtual std::string provenance() const = 0;
  virtual std::vector<std::string> MappedObjects() const = 0;
  virtual std::string OutputTail() const = 0;
  // Of its processes; empty where the side is reached so that they are not known.
  virtual std::vector<int> pids() const { return {}; }
};

struct ServerStart {
  bool reference = false;
  nlohmann::json config = nlohmann::json::object();  // merged over the side's (RFC 7396)
  std::string folder;                                // of its KV store
  std::uint32_t ranks = 1;
  std::string description;  // of a plugin's engine, instead of the side's; empty: the side's
};

// The two sides. No two servers at once, but where a lane file asks for two in one folder: whoever
// starts one has ended the one before.
class Servers {
 public:
  virtual ~Servers() = default;
  // Throws SideFailure, SetupError, InvalidInput for a rank count that the side does not do, and
  // NotAskable for what its kind cannot be told.
  virtual std::unique_ptr<Server> Start(const ServerStart& start) = 0;
  // Before anything is asked. Throws NotOffered where the side serves nothing; what else is wrong
  // with it shows when it is started.
  virtual void ExpectServes(bool /*reference*/) {}
};

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_SERVER_H_
