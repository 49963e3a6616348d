#include "gtest_parity/engines/tiny/tokens/faulty.h"

#include <utility>

namespace parity::tiny {
namespace {

using nlohmann::json;

// Hands on every call; a fault overrides what it spoils.
class Wrapped : public Tokenizer {
 public:
  explicit Wrapped(std::unique_ptr<Tokenizer> right) : right_(std::move(right)) {}
  Ids Encode(std::string_view text, bool add_special, bool parse_special) override {
    return right_->Encode(text, add_special, parse_special);
  }
  std::string Decode(std::span<const std::int32_t> ids, bool show_special) override {
    return right_->Decode(ids, show_special);
  }
  std::string Bytes(std::span<const std::int32_t> ids) override { return right_->Bytes(ids); }
  std::string Stream(std::span<const std::int32_t> ids, bool show_special) override {
    return right_->Stream(ids, show_special);
  }
  json SpecialIds() override { return right_->SpecialIds(); }
  Ids Frame(const json& messages) override { return right_->Frame(messages); }

 protected:
  std::unique_ptr<Tokenizer> right_;
};

class WithoutBos : public Wrapped {
 public:
  using Wrapped::Wrapped;
  Ids Encode(std::string_view text, bool, bool parse_special) override {
    return right_->Encode(text, false, parse_special);
  }
};

// The template writes a bos, and tokenizing its text adds another.
class BosTwice : public Wrapped {
 public:
  using Wrapped::Wrapped;
  Ids Frame(const json& messages) override {
    Ids ids = right_->Frame(messages);
    ids.insert(ids.begin(), right_->SpecialIds().at("bos").get<std::int32_t>());
    return ids;
  }
};

class SpecialOffByOne : public Wrapped {
 public:
  using Wrapped::Wrapped;
  json SpecialIds() override {
    json ids = right_->SpecialIds();
    ids["eos"] = ids.at("eos").get<std::int32_t>() + 1;
    return ids;
  }
};

// Bytes that are no character by themselves are taken for the byte before them.
class BytesOffByOne : public Wrapped {
 public:
  using Wrapped::Wrapped;
  Ids Encode(std::string_view text, bool add_special, bool parse_special) override {
    Ids ids = right_->Encode(text, add_special, parse_special);
    for (std::int32_t& id : ids) {
      if (right_->Decode({&id, 1}, false) == "\xef\xbf\xbd") --id;
    }
    return ids;
  }
};

class ParsesSpecial : public Wrapped {
 public:
  using Wrapped::Wrapped;
  Ids Encode(std::string_view text, bool add_special, bool) override {
    return right_->Encode(text, add_special, true);
  }
};

// Each id is decoded by itself.
class StreamBreaks : public Wrapped {
 public:
  using Wrapped::Wrapped;
  std::string Stream(std::span<const std::int32_t> ids, bool show_special) override {
    return right_->Decode(ids, show_special);
  }
};

class ShowsSpecial : public Wrapped {
 public:
  using Wrapped::Wrapped;
  std::string Decode(std::span<const std::int32_t> ids, bool) override {
    return right_->Decode(ids, true);
  }
};

// A message's text is parsed, so that it can end its own turn.
class FrameParses : public Wrapped {
 public:
  using Wrapped::Wrapped;
  Ids Frame(const json& messages) override {
    std::string text = "<s>";
    for (const json& message : messages) {
      text += message.at("role").get<std::string>() + ": " +
              message.at("content").get<std::string>() + "</s>";
    }
    return right_->Encode(text + "assistant:", false, true);
  }
};

template <typename Fault>
std::unique_ptr<Tokenizer> Make(std::unique_ptr<Tokenizer> right) {
  return std::make_unique<Fault>(std::move(right));
}

constexpr struct {
  const char* mutant;
  std::unique_ptr<Tokenizer> (*make)(std::unique_ptr<Tokenizer> right);
} kFaults[] = {
    {"bos_missing", Make<WithoutBos>},
    {"bos_twice", Make<BosTwice>},
    {"special_off_by_one", Make<SpecialOffByOne>},
    {"bytes_off_by_one", Make<BytesOffByOne>},
    {"special_in_text", Make<ParsesSpecial>},
    {"stream_breaks", Make<StreamBreaks>},
    {"special_shown", Make<ShowsSpecial>},
    {"frame_parses", Make<FrameParses>},
};

}  // namespace

std::unique_ptr<Tokenizer> WithFault(std::unique_ptr<Tokenizer> right, const std::string& mutant) {
  for (const auto& fault : kFaults) {
    if (mutant == fault.mutant) return fault.make(std::move(right));
  }
  return right;
}

}  // namespace parity::tiny
