// One JSON object, read key by key; whatever is wrong is collected with its pointer.
#ifndef GTEST_PARITY_MANIFEST_JSON_OBJECT_H_
#define GTEST_PARITY_MANIFEST_JSON_OBJECT_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gtest_parity/manifest/json_source.h"

namespace parity {

// `parent` extended by one reference token, escaped as RFC 6901 has it.
std::string Pointer(const std::string& parent, const std::string& token);

// A JSON value for a message, shortened.
std::string Shown(const nlohmann::json& value);

class JsonObject {
 public:
  struct Key {
    std::string name;
    bool required = false;
  };
  // Reports what is no object, unknown keys (naming the nearest known) and missing ones.
  JsonObject(const nlohmann::json& value, std::string pointer, const std::vector<Key>& keys,
             JsonSource* source);

  // Null when the key is absent.
  const nlohmann::json* Find(const std::string& key) const;
  std::string PointerOf(const std::string& key) const { return Pointer(pointer_, key); }
  const std::string& pointer() const { return pointer_; }

  // Each leaves `out` alone when the key is absent or of another type, and reports the latter.
  void Read(const std::string& key, std::string* out) const;
  void Read(const std::string& key, bool* out) const;
  void Read(const std::string& key, double* out) const;
  void Read(const std::string& key, std::uint64_t least, std::uint64_t* out) const;
  void Read(const std::string& key, std::vector<std::string>* out) const;
  // The object or array of a key; an empty one when it is absent or of another type.
  const nlohmann::json& Object(const std::string& key) const;
  const nlohmann::json& Array(const std::string& key) const;

 private:
  void Wrong(const std::string& key, const std::string& expected) const;

  const nlohmann::json* value_;
  std::string pointer_;
  JsonSource* source_;
};

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_JSON_OBJECT_H_
