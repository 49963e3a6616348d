#include "gtest_parity/side/token_question.h"

#include <stdexcept>

#include "gtest_parity/engine/error.h"
#include "gtest_parity/side/wire_json.h"

namespace parity {
namespace {

using nlohmann::json;
using Call = TokenQuestion::Call;

// A name may stand for several ids: it is repeated.
void ReadSpecialIds(const std::string& text, TokenAnswer& answer) {
  const json names = json::parse(text, nullptr, false);
  const auto fail = [&](const std::string& what) {
    throw EngineError(PARITY_FAILED, "special_ids: " + what + ", expected a JSON object of ids");
  };
  if (!names.is_object()) fail("it is no object");
  for (const auto& [name, value] : names.items()) {
    for (const json& id : value.is_array() ? value : json::array({value})) {
      answer.texts.push_back(name);
      try {
        answer.ids.push_back(Taken<std::int32_t>(id));
      } catch (const std::invalid_argument&) {
        fail("\"" + name + "\" is " + value.dump());
      }
    }
  }
}

void AskOf(Rank& rank, const TokenQuestion& question, TokenAnswer& answer) {
  switch (question.call) {
    case Call::kTokenize:
      answer.ids = rank.Tokenize(question.text, question.flags);
      return;
    case Call::kDetokenize:
      answer.texts = {rank.Detokenize(question.ids, question.flags)};
      return;
    case Call::kStream:
      for (const std::int32_t id : question.ids) {
        answer.texts.push_back(rank.Detokenize({id}, question.flags | PARITY_STREAM));
      }
      answer.texts.push_back(rank.Detokenize({}, question.flags | PARITY_STREAM));
      return;
    case Call::kRoundTrip:
      answer.ids = rank.Tokenize(rank.Detokenize(question.ids, question.flags), question.flags);
      return;
    case Call::kSpecialIds:
      ReadSpecialIds(rank.SpecialIds(), answer);
      return;
    case Call::kFrame:
      answer.ids = rank.Frame(question.text);
      return;
  }
}

// Text of any bytes: a JSON string would have to be UTF-8.
json Binary(const std::string& text) {
  return json::binary(std::vector<std::uint8_t>(text.begin(), text.end()));
}

std::string FromBinary(const json& wire) {
  const json::binary_t& bytes = wire.get_binary();
  return {bytes.begin(), bytes.end()};
}

}  // namespace

const char* FunctionOf(Call call) {
  switch (call) {
    case Call::kTokenize:
      return "tokenize";
    case Call::kDetokenize:
    case Call::kStream:
    case Call::kRoundTrip:
      return "detokenize";
    case Call::kSpecialIds:
      return "special_ids";
    case Call::kFrame:
      return "frame";
  }
  return "";
}

TokenAnswer Ask(Rank& rank, const TokenQuestion& question) {
  TokenAnswer answer;
  try {
    AskOf(rank, question, answer);
  } catch (const EngineError& error) {
    answer = {};
    answer.offered = error.status() != PARITY_UNSUPPORTED;
    answer.error = std::string(NameOf(error.status())) + ": " + error.what();
  }
  return answer;
}

json ToWire(const TokenQuestion& question) {
  return {static_cast<int>(question.call), Binary(question.text), question.ids, question.flags};
}

TokenQuestion QuestionFromWire(const json& wire) {
  TokenQuestion question;
  const int call = Taken<int>(wire.at(0));
  if (call < 0 || call > static_cast<int>(Call::kFrame)) {
    throw std::invalid_argument("no question " + std::to_string(call));
  }
  question.call = static_cast<Call>(call);
  question.text = FromBinary(wire.at(1));
  Take(wire.at(2), question.ids);
  Take(wire.at(3), question.flags);
  return question;
}

json ToWire(const TokenAnswer& answer) {
  json texts = json::array();
  for (const std::string& text : answer.texts) texts.push_back(Binary(text));
  return {answer.offered, Binary(answer.error), answer.ids, std::move(texts)};
}

TokenAnswer AnswerFromWire(const json& wire) {
  TokenAnswer answer;
  Take(wire.at(0), answer.offered);
  answer.error = FromBinary(wire.at(1));
  Take(wire.at(2), answer.ids);
  for (const json& text : wire.at(3)) answer.texts.push_back(FromBinary(text));
  return answer;
}

}  // namespace parity
