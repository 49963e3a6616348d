#include "gtest_parity/engines/tiny/server/read/fields.h"
#include "gtest_parity/engines/tiny/server/read/readers.h"
#include "gtest_parity/engines/tiny/server/wire_error.h"

namespace parity::tiny_server {
namespace {

void ReadCommon(const Json& body, Intent& intent) {
  if (Has(body, "model")) intent.model = TextOf(body, "model", "body");
  intent.stream = FlagOf(body, "stream");
  intent.samples = SamplesIn(body);
  if (intent.surface != Surface::kCompletions) intent.think = ThinkModeOf(body);
  const Json& parity = Get(body, "parity");
  if (parity.is_null()) return;
  if (!parity.is_object() || parity.contains("do")) throw Bad("parity", "an object without \"do\"");
  intent.parity = parity;
}

}  // namespace

Intent ReadIntent(Surface surface, const std::string& text) {
  const Json body = Json::parse(text, nullptr, false);
  if (body.is_discarded()) throw WireError(400, "the body is not JSON");
  if (!body.is_object()) throw WireError(400, "the body is not a JSON object");
  Intent intent;
  intent.surface = surface;
  ReadCommon(body, intent);
  switch (surface) {
    case Surface::kChat:
      ReadChat(body, intent);
      break;
    case Surface::kCompletions:
      ReadCompletions(body, intent);
      break;
    case Surface::kMessages:
      ReadMessages(body, intent);
      break;
    case Surface::kResponses:
      ReadResponses(body, intent);
      break;
  }
  return intent;
}

}  // namespace parity::tiny_server
