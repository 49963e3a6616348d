#include "gtest_parity/side/state_answer.h"

#include <vector>

#include "gtest_parity/side/wire_json.h"

namespace parity {
namespace {

using nlohmann::json;

template <typename Call>
StateAnswer AnswerTo(Call call) {
  StateAnswer answer;
  try {
    call(answer);
  } catch (const RefusedError& error) {
    answer.refused = true;
    answer.refusal = error.refusal();
  } catch (const EngineError& error) {
    answer.offered = error.status() != PARITY_UNSUPPORTED;
    answer.refused = error.status() == PARITY_REFUSED;
    if (answer.offered && !answer.refused) throw;
    answer.refusal.words = error.what();
  }
  return answer;
}

// Words of an engine may be any bytes.
json Binary(const std::string& text) {
  return json::binary(std::vector<std::uint8_t>(text.begin(), text.end()));
}

std::string FromBinary(const json& wire) {
  const json::binary_t& bytes = wire.get_binary();
  return {bytes.begin(), bytes.end()};
}

}  // namespace

StateAnswer SaveState(Rank& rank, std::uint32_t slot, const std::string& path) {
  return AnswerTo([&](StateAnswer&) { rank.SaveState(slot, path); });
}

StateAnswer LoadState(Rank& rank, std::uint32_t slot, const std::string& path) {
  return AnswerTo([&](StateAnswer& answer) { answer.tokens = rank.LoadState(slot, path); });
}

json ToWire(const StateAnswer& answer) {
  const Refusal& refusal = answer.refusal;
  return {answer.offered,
          answer.refused,
          Binary(refusal.guard),
          Binary(refusal.condition),
          Binary(refusal.operands),
          Binary(refusal.words),
          answer.tokens};
}

StateAnswer StateFromWire(const json& wire) {
  StateAnswer answer;
  Take(wire.at(0), answer.offered);
  Take(wire.at(1), answer.refused);
  answer.refusal = {FromBinary(wire.at(2)), FromBinary(wire.at(3)), FromBinary(wire.at(4)),
                    FromBinary(wire.at(5))};
  Take(wire.at(6), answer.tokens);
  return answer;
}

}  // namespace parity
