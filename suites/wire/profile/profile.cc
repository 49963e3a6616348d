#include "suites/wire/profile/profile.h"

#include "gtest_parity/manifest/diagnostics.h"
#include "gtest_parity/manifest/json_object.h"
#include "suites/wire/profile/places.h"

namespace parity::wire {
namespace {

using nlohmann::json;
using Places = std::map<std::string, PlaceProfile>;

constexpr int kVersion = 1;

std::string Listed(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void CheckKeys(const std::string& at, const PlaceProfile& known, const json& value,
               std::vector<ProfileError>* errors) {
  for (const auto& [key, part] : value.items()) {
    if (known.keys.contains(key)) continue;
    errors->push_back({ProfileError::Kind::kKeys, Pointer(at, key), "a key " + Quoted(key),
                       "one of the reference's keys"});
  }
  for (const auto& [key, times] : known.keys) {
    if (times != known.objects || value.contains(key)) continue;
    errors->push_back({ProfileError::Kind::kKeys, Pointer(at, key), "no key " + Quoted(key),
                       "it, as always in the reference"});
  }
}

void CheckPlace(const std::string& at, const PlaceProfile& known, const json& value,
                std::vector<ProfileError>* errors) {
  // A whole number is a number too.
  const std::string type = TypeNameOf(value);
  if (!known.types.contains(type) && !(type == "integer" && known.types.contains("number"))) {
    errors->push_back({ProfileError::Kind::kTypes, at, type, Listed(known.types)});
  } else if (value.is_object()) {
    CheckKeys(at, known, value, errors);
  } else if (value.is_string() && IsChoice(at) &&
             !known.values.contains(value.get<std::string>())) {
    errors->push_back(
        {ProfileError::Kind::kValues, at, value.get<std::string>(), Listed(known.values)});
  }
}

json JsonOf(const PlaceProfile& place) {
  json out = {{"seen", place.seen}, {"types", place.types}};
  if (place.objects != 0) {
    out["objects"] = place.objects;
    out["keys"] = place.keys;
  }
  if (!place.values.empty()) out["values"] = place.values;
  return out;
}

PlaceProfile PlaceOf(const json& value) {
  PlaceProfile place;
  value.at("seen").get_to(place.seen);
  value.at("types").get_to(place.types);
  place.objects = value.value("objects", std::size_t{0});
  place.keys = value.value("keys", place.keys);
  place.values = value.value("values", place.values);
  return place;
}

}  // namespace

void Profile::Learn(const std::string& kind, const json& value) {
  Places& places = kinds_[kind];
  EachPlace(value, [&](const std::string& at, const json& part) {
    PlaceProfile& place = places[at];
    ++place.seen;
    place.types.insert(TypeNameOf(part));
    if (part.is_object()) {
      ++place.objects;
      for (const auto& [key, unused] : part.items()) ++place.keys[key];
    }
    if (part.is_string() && IsChoice(at)) place.values.insert(part.get<std::string>());
  });
}

std::vector<ProfileError> Profile::Check(const std::string& kind, const json& value) const {
  std::vector<ProfileError> errors;
  const auto places = kinds_.find(kind);
  if (places == kinds_.end()) {
    return {{ProfileError::Kind::kKeys, "", Quoted(kind), "what the reference sends too"}};
  }
  EachPlace(value, [&](const std::string& at, const json& part) {
    const auto known = places->second.find(at);
    // Of a key that is not known its holder tells, of an element's type its list.
    if (known != places->second.end()) {
      CheckPlace(at, known->second, part, &errors);
    } else if (at.ends_with('}')) {
      errors.push_back({ProfileError::Kind::kValues, at, "an element of this type",
                        "types that the reference sends here"});
    }
  });
  return errors;
}

json Profile::ToJson() const {
  json out = {{"wire_profile", kVersion}, {"transitions", transitions_}, {"kinds", json::object()}};
  for (const auto& [kind, places] : kinds_) {
    for (const auto& [at, place] : places) out["kinds"][kind][at] = JsonOf(place);
  }
  return out;
}

Profile Profile::FromJson(const std::string& file, const std::string& text) {
  const JsonSource source(file, text);
  try {
    const json& root = source.root();
    if (root.at("wire_profile") != kVersion) {
      throw InvalidInput({{file,
                           {},
                           "wire_profile (the format's version)",
                           root.at("wire_profile").dump(),
                           std::to_string(kVersion)}});
    }
    Profile profile;
    root.at("transitions").get_to(profile.transitions_);
    for (const auto& [kind, places] : root.at("kinds").items()) {
      for (const auto& [at, place] : places.items()) profile.kinds_[kind][at] = PlaceOf(place);
    }
    return profile;
  } catch (const json::exception& error) {
    throw InvalidInput({{file, {}, "no profile", error.what(), "what a profile was saved as"}});
  }
}

}  // namespace parity::wire
