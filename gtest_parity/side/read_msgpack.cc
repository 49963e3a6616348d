#include "gtest_parity/side/read_msgpack.h"

#include <stdexcept>
#include <string>
#include <utility>

namespace parity {
namespace {

using nlohmann::json;

// Builds the value from the reader's events and stops it at a level too many.
class Builder : public nlohmann::json_sax<json> {
 public:
  json Take() { return std::move(root_); }

  bool null() override { return Add(nullptr); }
  bool boolean(bool value) override { return Add(value); }
  bool number_integer(number_integer_t value) override { return Add(value); }
  bool number_unsigned(number_unsigned_t value) override { return Add(value); }
  bool number_float(number_float_t value, const string_t&) override { return Add(value); }
  bool string(string_t& value) override { return Add(std::move(value)); }
  bool binary(binary_t& value) override { return Add(json::binary(std::move(value))); }
  bool start_object(std::size_t) override { return Open(json::object()); }
  bool start_array(std::size_t) override { return Open(json::array()); }
  bool end_object() override { return Close(); }
  bool end_array() override { return Close(); }
  bool key(string_t& value) override {
    key_ = std::move(value);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const json::exception& error) override {
    if (const auto* parse = dynamic_cast<const json::parse_error*>(&error)) throw *parse;
    if (const auto* range = dynamic_cast<const json::out_of_range*>(&error)) throw *range;
    throw std::invalid_argument(error.what());
  }

 private:
  json& Place(json value) {
    if (open_.empty()) return root_ = std::move(value);
    json& in = *open_.back();
    if (in.is_object()) return in[key_] = std::move(value);
    in.push_back(std::move(value));
    return in.back();
  }
  bool Add(json value) {
    Place(std::move(value));
    return true;
  }
  bool Open(json value) {
    if (open_.size() == kDeepestMessage) {
      throw std::invalid_argument("nested deeper than " + std::to_string(kDeepestMessage) +
                                  " levels");
    }
    open_.push_back(&Place(std::move(value)));
    return true;
  }
  bool Close() {
    open_.pop_back();
    return true;
  }

  json root_;
  // What is being filled; a vector that grows leaves them alone, as only the last one is added to.
  std::vector<json*> open_;
  std::string key_;
};

}  // namespace

json ReadMsgpack(const std::vector<std::uint8_t>& bytes) {
  Builder builder;
  json::sax_parse(bytes, &builder, json::input_format_t::msgpack);
  return builder.Take();
}

}  // namespace parity
