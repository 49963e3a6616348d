#include "suites/tokens/token_questions.h"

#include <numeric>
#include <utility>

namespace parity {
namespace {

using Call = TokenQuestion::Call;
using Ids = TokenFixture::Ids;

constexpr char kByFixture[] = "the fixture";

TokenAnswer OfIds(Ids ids) { return {.ids = std::move(ids)}; }
TokenAnswer OfText(std::string text) { return {.texts = {std::move(text)}}; }

AskedCase EncodeCase(const TokenFixture::Text& text) {
  const auto encode = [&](std::uint32_t flags) {
    return TokenQuestion{Call::kTokenize, text.bytes, {}, flags};
  };
  return {
      "Encode",
      text.name,
      {{"encode", encode(0), OfIds(text.ids)},
       {"encode with special ids", encode(PARITY_ADD_SPECIAL), OfIds(text.with_special)},
       {"encode with special tokens parsed", encode(PARITY_PARSE_SPECIAL), OfIds(text.parsed)}}};
}

AskedCase DecodeCase(const TokenFixture::Text& text) {
  return {"Decode",
          text.name,
          {{"decode", {Call::kDetokenize, {}, text.ids, 0}, OfText(text.decoded)},
           {"decode and encode again", {Call::kRoundTrip, {}, text.ids, 0}, OfIds(text.ids)}}};
}

AskedCase DecodeCase(const TokenFixture::Decode& decode) {
  return {"Decode",
          decode.name,
          {{"decode", {Call::kDetokenize, {}, decode.ids, 0}, OfText(decode.decoded)},
           {"decode with special tokens shown",
            {Call::kDetokenize, {}, decode.ids, PARITY_SHOW_SPECIAL},
            OfText(decode.shown)}}};
}

AskedCase StreamCase(const std::string& name, const Ids& ids) {
  return {"Stream",
          name,
          {{"decode id by id", {Call::kStream, {}, ids, 0}, std::nullopt},
           {"decode", {Call::kDetokenize, {}, ids, 0}, std::nullopt}}};
}

AskedCase SpecialCase(const TokenFixture* fixture) {
  AskedCase asked{"SpecialIds", "all", {{"special ids", {Call::kSpecialIds, {}, {}, 0}, {}}}};
  if (fixture == nullptr) return asked;
  TokenAnswer& expected = asked.questions[0].expected.emplace();
  for (const TokenFixture::Special& special : fixture->special) {
    for (const std::int32_t id : special.ids) {
      expected.texts.push_back(special.name);
      expected.ids.push_back(id);
    }
  }
  return asked;
}

TokenAnswer Joined(const TokenAnswer& pieces) {
  TokenAnswer joined = pieces;
  joined.texts = {std::accumulate(pieces.texts.begin(), pieces.texts.end(), std::string())};
  return joined;
}

}  // namespace

std::vector<AskedCase> AskedCasesOf(const TokenFixture* fixture) {
  std::vector<AskedCase> cases = {SpecialCase(fixture)};
  if (fixture == nullptr) return cases;
  for (const TokenFixture::Text& text : fixture->texts) {
    cases.push_back(EncodeCase(text));
    cases.push_back(DecodeCase(text));
    cases.push_back(StreamCase(text.name, text.ids));
  }
  for (const TokenFixture::Decode& decode : fixture->decodes) {
    cases.push_back(DecodeCase(decode));
    cases.push_back(StreamCase(decode.name, decode.ids));
  }
  for (const TokenFixture::Frame& frame : fixture->frames) {
    cases.push_back({"Framing",
                     frame.name,
                     {{"frame", {Call::kFrame, frame.messages, {}, 0}, OfIds(frame.ids)}}});
  }
  return cases;
}

TokenEvidence EvidenceOf(const AskedCase& asked, const std::vector<TokenAnswers>& reference,
                         const std::vector<TokenAnswers>& candidate) {
  TokenEvidence evidence;
  evidence.name = asked.fixture + " " + asked.slug;
  const bool stream = asked.fixture == "Stream";
  for (std::size_t rank = 0; rank < candidate.size(); ++rank) {
    for (std::size_t i = 0; i < asked.questions.size(); ++i) {
      const AskedQuestion& question = asked.questions[i];
      evidence.checks.push_back({question.what, FunctionOf(question.question.call),
                                 static_cast<int>(rank), reference[rank][i], candidate[rank][i],
                                 question.expected, question.expected, kByFixture});
    }
    if (!stream) continue;
    evidence.checks.push_back({"pieces together", "detokenize", static_cast<int>(rank),
                               Joined(reference[rank][0]), Joined(candidate[rank][0]),
                               reference[rank][1], candidate[rank][1], "its own whole decode"});
  }
  evidence.expected = candidate.size() * (asked.questions.size() + (stream ? 1 : 0));
  return evidence;
}

}  // namespace parity
