#include "gtest_parity/manifest/diff_descriptions.h"

#include <set>
#include <vector>

#include "gtest_parity/manifest/json_object.h"

namespace parity {
namespace {

class Differ {
 public:
  void Diff(const nlohmann::json& ours, const nlohmann::json& theirs, const std::string& at) {
    if (ours.is_object() && theirs.is_object()) {
      DiffObjects(ours, theirs, at);
    } else if (ours.is_array() && theirs.is_array()) {
      const char* key = KeyOf(ours, theirs);
      key != nullptr ? DiffKeyed(ours, theirs, at, key) : DiffLists(ours, theirs, at);
    } else if (ours != theirs) {
      Add(at, "checked in " + Shown(ours) + ", the engine says " + Shown(theirs));
    }
  }

  std::string Text() const {
    constexpr std::size_t kShown = 40;
    std::string text;
    for (std::size_t i = 0; i < lines_.size() && i < kShown; ++i) text += lines_[i] + "\n";
    if (lines_.size() > kShown) {
      text += "and " + std::to_string(lines_.size() - kShown) + " more differences\n";
    }
    return text;
  }

 private:
  void Add(const std::string& at, const std::string& what) {
    lines_.push_back((at.empty() ? "/" : at) + ": " + what);
  }

  void OnlyOurs(const nlohmann::json& value, const std::string& at) {
    Add(at, "checked in " + Shown(value) + ", the engine has none");
  }

  void OnlyTheirs(const nlohmann::json& value, const std::string& at) {
    Add(at, "not checked in, the engine says " + Shown(value));
  }

  void DiffObjects(const nlohmann::json& ours, const nlohmann::json& theirs,
                   const std::string& at) {
    for (const auto& [key, value] : ours.items()) {
      const auto other = theirs.find(key);
      other == theirs.end() ? OnlyOurs(value, Pointer(at, key))
                            : Diff(value, *other, Pointer(at, key));
    }
    for (const auto& [key, value] : theirs.items()) {
      if (!ours.contains(key)) OnlyTheirs(value, Pointer(at, key));
    }
  }

  void DiffLists(const nlohmann::json& ours, const nlohmann::json& theirs, const std::string& at) {
    for (std::size_t i = 0; i < std::max(ours.size(), theirs.size()); ++i) {
      const std::string here = Pointer(at, std::to_string(i));
      if (i >= theirs.size()) {
        OnlyOurs(ours[i], here);
      } else if (i >= ours.size()) {
        OnlyTheirs(theirs[i], here);
      } else {
        Diff(ours[i], theirs[i], here);
      }
    }
  }

  // The member that tells the entries of both lists apart; null where there is none.
  static const char* KeyOf(const nlohmann::json& ours, const nlohmann::json& theirs) {
    for (const char* key : {"label", "name"}) {
      if (IsKeyedBy(ours, key) && IsKeyedBy(theirs, key)) return key;
    }
    return nullptr;
  }

  static bool IsKeyedBy(const nlohmann::json& list, const char* key) {
    std::set<std::string> seen;
    for (const nlohmann::json& one : list) {
      if (!one.is_object() || !one.contains(key) || !one[key].is_string()) return false;
      if (!seen.insert(one[key].get<std::string>()).second) return false;
    }
    return true;
  }

  void DiffKeyed(const nlohmann::json& ours, const nlohmann::json& theirs, const std::string& at,
                 const char* key) {
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < theirs.size(); ++i) places[theirs[i][key]] = i;
    std::vector<std::size_t> order;
    for (const nlohmann::json& one : ours) {
      const std::string name = one[key];
      const auto place = places.find(name);
      if (place == places.end()) {
        OnlyOurs(one, Pointer(at, name));
        continue;
      }
      Diff(one, theirs[place->second], Pointer(at, name));
      order.push_back(place->second);
      places.erase(place);
    }
    for (const nlohmann::json& one : theirs) {
      if (places.contains(one[key])) OnlyTheirs(one, Pointer(at, one[key]));
    }
    if (!std::is_sorted(order.begin(), order.end())) Add(at, "in another order");
  }

  std::vector<std::string> lines_;
};

}  // namespace

std::string DiffDescriptions(const nlohmann::json& checked_in, const nlohmann::json& from_engine) {
  Differ differ;
  differ.Diff(checked_in, from_engine, "");
  return differ.Text();
}

}  // namespace parity
