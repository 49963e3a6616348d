// One prompt's answer: admission, prefill, greedy decoding a token at a time, and what is told of
// it.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVE_GENERATION_H_
#define GTEST_PARITY_ENGINES_TINY_SERVE_GENERATION_H_

#include <cstdint>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gtest_parity/engines/tiny/serve/lane.h"
#include "gtest_parity/engines/tiny/serve/request.h"
#include "gtest_parity/engines/tiny/serve/session_driver.h"

namespace parity::tiny {

class Generation {
 public:
  struct Parts {
    const SessionDriver& driver;
    Tokenizer& tokenizer;
    ToolMap& tools;
    std::map<std::string, std::uint64_t>& counters;
  };
  // Admits `prompt`, which is the request's, rendered, and computes it. Throws RefusedError (guard
  // `context_limit`) where it does not leave room for a token.
  Generation(const Parts& parts, ServeRequest request, const std::string& prompt, Lane& lane);
  // Its session can be taken by others then.
  ~Generation();
  Generation(const Generation&) = delete;
  Generation& operator=(const Generation&) = delete;

  bool over() const { return over_; }
  // One token more, unless it is over: what that adds to the text.
  std::string Step();
  // The id that the last step told, unless the model ended the answer there.
  std::vector<std::int32_t> last_ids() const;

  // {usage, route, restored}: of the prompt.
  nlohmann::ordered_json Opening() const;
  // {finish, tool_calls, usage}, once it is over.
  nlohmann::ordered_json Ending() const;
  // All that `complete` answers of it, once it is over.
  nlohmann::ordered_json Answer() const;

 private:
  void CheckRoom(std::size_t tokens) const;
  std::int32_t Choose();
  std::int32_t BestOther() const;
  bool MayClose() const;
  void CloseThinking();
  bool IsComplete() const;
  void Finish();
  bool Called() const;
  std::string TextToTell() const;
  std::string Tell();
  nlohmann::ordered_json Usage() const;
  void Count(const Admission& admission);

  Parts parts_;
  ServeRequest request_;
  Lane& lane_;
  Session* session_ = nullptr;
  std::size_t cached_ = 0, computed_ = 0;
  nlohmann::ordered_json restored_;

  std::vector<std::int32_t> ids_;
  std::string bytes_;                 // theirs
  std::vector<float> logits_;         // a row for each id
  std::deque<std::int32_t> forced_;   // come before what the model chooses
  std::vector<std::int32_t> marker_;  // what closes the thinking; empty: there is none to close
  bool thinking_ = false;
  std::size_t thought_ids_ = 0, thought_bytes_ = 0;  // with the marker, once it is closed
  bool ended_ = false;                               // the model chose to
  bool over_ = false;
  std::string text_;  // told so far
  nlohmann::ordered_json tool_calls_ = nlohmann::ordered_json::array();
};

// What `restored` is in an answer.
nlohmann::ordered_json RestoredOf(const Admission& admission);

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_SERVE_GENERATION_H_
