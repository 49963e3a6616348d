#include "gtest_parity/manifest/json_object.h"

namespace parity {

std::string Pointer(const std::string& parent, const std::string& token) {
  std::string pointer = parent + '/';
  for (const char c : token) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
  return pointer;
}

std::string Shown(const nlohmann::json& value) {
  constexpr std::size_t kLongest = 60;
  std::string text = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  return text;
}

JsonObject::JsonObject(const nlohmann::json& value, std::string pointer,
                       const std::vector<Key>& keys, JsonSource* source)
    : value_(&value), pointer_(std::move(pointer)), source_(source) {
  if (!value.is_object()) {
    source->Add(pointer_, "not an object", Shown(value), "an object");
    return;
  }
  for (const Key& key : keys) {
    if (key.required && !value.contains(key.name)) {
      source->Add(pointer_, "missing key " + Quoted(key.name), "", "");
    }
  }
  for (const auto& [name, unused] : value.items()) {
    const std::string& given = name;
    if (std::any_of(keys.begin(), keys.end(), [&](const Key& k) { return k.name == given; })) {
      continue;
    }
    std::vector<std::string> known;
    for (const Key& key : keys) known.push_back(key.name);
    source->Add(Pointer(pointer_, name), "unknown key", Quoted(name), ExpectedName(name, known));
  }
}

const nlohmann::json* JsonObject::Find(const std::string& key) const {
  if (!value_->is_object()) return nullptr;
  const auto found = value_->find(key);
  return found == value_->end() ? nullptr : &*found;
}

void JsonObject::Wrong(const std::string& key, const std::string& expected) const {
  source_->Add(PointerOf(key), "wrong value", Shown(*Find(key)), expected);
}

void JsonObject::Read(const std::string& key, std::string* out) const {
  const nlohmann::json* value = Find(key);
  if (value == nullptr) return;
  if (value->is_string() && !value->get_ref<const std::string&>().empty()) {
    *out = value->get<std::string>();
  } else {
    Wrong(key, "a string that is not empty");
  }
}

void JsonObject::Read(const std::string& key, bool* out) const {
  const nlohmann::json* value = Find(key);
  if (value == nullptr) return;
  value->is_boolean() ? void(*out = value->get<bool>()) : Wrong(key, "true or false");
}

void JsonObject::Read(const std::string& key, double* out) const {
  const nlohmann::json* value = Find(key);
  if (value == nullptr) return;
  value->is_number() ? void(*out = value->get<double>()) : Wrong(key, "a number");
}

void JsonObject::Read(const std::string& key, std::uint64_t least, std::uint64_t* out) const {
  const nlohmann::json* value = Find(key);
  if (value == nullptr) return;
  if (value->is_number_unsigned() && value->get<std::uint64_t>() >= least) {
    *out = value->get<std::uint64_t>();
  } else {
    Wrong(key, "a whole number of at least " + std::to_string(least));
  }
}

void JsonObject::Read(const std::string& key, std::vector<std::string>* out) const {
  const nlohmann::json& list = Array(key);
  out->reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].is_string()) {
      out->push_back(list[i].get<std::string>());
    } else {
      source_->Add(Pointer(PointerOf(key), std::to_string(i)), "wrong value", Shown(list[i]),
                   "a string");
    }
  }
}

const nlohmann::json& JsonObject::Object(const std::string& key) const {
  static const nlohmann::json empty = nlohmann::json::object();
  const nlohmann::json* value = Find(key);
  if (value != nullptr && value->is_object()) return *value;
  if (value != nullptr) Wrong(key, "an object");
  return empty;
}

const nlohmann::json& JsonObject::Array(const std::string& key) const {
  static const nlohmann::json empty = nlohmann::json::array();
  const nlohmann::json* value = Find(key);
  if (value != nullptr && value->is_array()) return *value;
  if (value != nullptr) Wrong(key, "an array");
  return empty;
}

}  // namespace parity
