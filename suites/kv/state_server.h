// An engine that saves and loads states of its slots, served by the harness.
#ifndef GTEST_PARITY_SUITES_KV_STATE_SERVER_H_
#define GTEST_PARITY_SUITES_KV_STATE_SERVER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/side/side.h"
#include "suites/kv/server.h"
#include "suites/kv/state_engine.h"
#include "suites/kv/state_request.h"

namespace parity::kv {

// The name of a record: what it is of, and nothing of who saved it.
std::string StateKey(const std::vector<std::int32_t>& tokens);
inline constexpr char kStateSuffix[] = ".state";

// A prompt that strictly goes on behind what its slot holds goes on there; any other behind the
// record of the most of its tokens that is in the folder, loaded into the slot; else it is computed
// whole. Decoding is greedy, the lowest id of equals. docs/kv.md has what it answers.
class StateServer : public Server {
 public:
  // `folder` is the server's alone.
  StateServer(std::unique_ptr<Side> side, StateDriving driving, std::string folder);

  std::string Ask(const nlohmann::json& request) override;
  nlohmann::json Counters() override { return engine_.Counters(); }
  // What is to be stored was asked for.
  void Stop() override {}
  std::string provenance() const override { return side_->provenance(); }
  std::vector<std::string> MappedObjects() const override { return side_->MappedObjects(); }
  std::string OutputTail() const override { return side_->OutputTail(); }
  std::vector<int> pids() const override { return side_->pids(); }

  // Throws NotOffered where the engine cannot load what another has saved.
  void ExpectStates();

 private:
  using Tokens = std::vector<std::int32_t>;
  struct Beginning {
    std::uint64_t tokens = 0;
    nlohmann::json restored;  // null: nothing was there
  };
  // What an answer generates.
  struct Continued {
    Tokens ids;
    std::vector<float> logits;  // rows that they were chosen from
    std::string finish;
  };

  Tokens PromptOf(const StateRequest& request);
  Beginning Begin(const StateRequest& request, const Tokens& prompt);
  std::optional<std::string> FindRecord(const Tokens& prompt, std::uint64_t* tokens) const;
  Beginning LoadRecord(std::uint32_t slot, const std::string& key, std::uint64_t tokens);
  Continued Continue(const StateRequest& request, std::vector<float> logits);
  void Store(std::uint32_t slot);
  void Tell(const char* event, const char* reason, const std::string& key, std::uint64_t tokens,
            const StateAnswer* refusal = nullptr);

  std::unique_ptr<Side> side_;
  StateEngine engine_;
  std::string folder_;
  std::map<std::uint32_t, Tokens> live_;  // by slot
  nlohmann::json events_ = nlohmann::json::array();
  bool names_refusals_ = true;
};

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_STATE_SERVER_H_
