// What one server's answers look like, learned from them: another server must stay inside.
#ifndef GTEST_PARITY_SUITES_WIRE_PROFILE_PROFILE_H_
#define GTEST_PARITY_SUITES_WIRE_PROFILE_PROFILE_H_

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace parity::wire {

// What was seen at one place of one kind of value.
struct PlaceProfile {
  std::size_t seen = 0;                     // times
  std::set<std::string> types;              // "string", "integer", "null"
  std::map<std::string, std::size_t> keys;  // of objects: how often each was there
  std::size_t objects = 0;       // times it was an object: a key seen as often is always there
  std::set<std::string> values;  // of keys that name one of a few: "type", "finish_reason"
};

struct ProfileError {
  enum class Kind { kKeys, kTypes, kValues };
  Kind kind;
  std::string pointer;  // with * for any element, {type} for an object of that type
  std::string got, expected;
};

class Profile {
 public:
  // `kind`: the name of its schema, as events of other types are other things.
  void Learn(const std::string& kind, const nlohmann::json& value);
  // "chat: role > finish > finished"
  void LearnTransition(const std::string& transition) { transitions_.insert(transition); }

  // Where `value` is not inside: a key that was never seen, one missing that was always there, a
  // type or a value never seen. A kind of which nothing was learned is one error.
  std::vector<ProfileError> Check(const std::string& kind, const nlohmann::json& value) const;
  bool KnowsTransition(const std::string& transition) const {
    return transitions_.contains(transition);
  }

  nlohmann::json ToJson() const;
  // Throws InvalidInput, naming `file`, where it is no profile.
  static Profile FromJson(const std::string& file, const std::string& text);

 private:
  std::map<std::string, std::map<std::string, PlaceProfile>> kinds_;
  std::set<std::string> transitions_;
};

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_PROFILE_PROFILE_H_
