// Questions about text and ids, put to an engine and sent over the wire.
#include "gtest_parity/side/token_question.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/fake_engine.h"

namespace parity {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Call = TokenQuestion::Call;

// One id per byte; special ids as `special` says.
class BytesEngine : public FakeEngine {
 public:
  BytesEngine() {
    api().tokenize = [](parity_rank* rank, const char* text, std::uint64_t bytes,
                        std::uint32_t flags, const std::int32_t** ids, std::uint64_t* count) {
      auto* me = static_cast<BytesEngine*>(Me(rank));
      me->ids_.clear();
      if ((flags & PARITY_ADD_SPECIAL) != 0) me->ids_.push_back(0);
      for (std::uint64_t i = 0; i < bytes; ++i) {
        me->ids_.push_back(static_cast<unsigned char>(text[i]));
      }
      *ids = me->ids_.data();
      *count = me->ids_.size();
      return me->status;
    };
    api().detokenize = [](parity_rank* rank, const std::int32_t* ids, std::uint64_t count,
                          std::uint32_t flags, const char** text, std::uint64_t* bytes) {
      auto* me = static_cast<BytesEngine*>(Me(rank));
      me->text_.clear();
      for (std::uint64_t i = 0; i < count; ++i) me->text_ += static_cast<char>(ids[i]);
      if ((flags & PARITY_STREAM) != 0 && count == 0) me->text_ = "end";
      *text = me->text_.data();
      *bytes = me->text_.size();
      return me->status;
    };
    api().special_ids = [](parity_rank* rank, const char** json) {
      *json = static_cast<BytesEngine*>(Me(rank))->special.c_str();
      return PARITY_OK;
    };
  }

  parity_status status = PARITY_OK;
  std::string special = R"({"bos": 0, "eos": [1, 7]})";

 private:
  std::vector<std::int32_t> ids_;
  std::string text_;
};

class AskTest : public ::testing::Test {
 protected:
  TokenAnswer Ask(const TokenQuestion& question) {
    Rank rank(engine_.api(), engine_.args());
    return parity::Ask(rank, question);
  }
  BytesEngine engine_;
};

TEST_F(AskTest, TextOfAnyBytesComesToIds) {
  EXPECT_THAT(Ask({Call::kTokenize, std::string("a\0\xff", 3), {}, PARITY_ADD_SPECIAL}).ids,
              ElementsAre(0, 'a', 0, 255));
  EXPECT_THAT(Ask({Call::kTokenize, "", {}, 0}).ids, IsEmpty());
}

TEST_F(AskTest, IdsComeToTextPieceByPieceAndWithAnEnd) {
  EXPECT_THAT(Ask({Call::kDetokenize, "", {'a', 'b'}, 0}).texts, ElementsAre("ab"));
  EXPECT_THAT(Ask({Call::kStream, "", {'a', 'b'}, 0}).texts, ElementsAre("a", "b", "end"));
  EXPECT_THAT(Ask({Call::kRoundTrip, "", {'a', 200}, 0}).ids, ElementsAre('a', 200));
}

TEST_F(AskTest, ANameMayStandForSeveralIds) {
  const TokenAnswer answer = Ask({Call::kSpecialIds, "", {}, 0});
  EXPECT_THAT(answer.texts, ElementsAre("bos", "eos", "eos"));
  EXPECT_THAT(answer.ids, ElementsAre(0, 1, 7));
}

TEST_F(AskTest, SpecialIdsThatAreNoneAreAnError) {
  for (const char* text : {"[]", "no json", R"({"bos": "zero"})", R"({"bos": 1.5})",
                           R"({"bos": 4294967296})", R"({"bos": [1, -2147483649]})"}) {
    engine_.special = text;
    const TokenAnswer answer = Ask({Call::kSpecialIds, "", {}, 0});
    EXPECT_THAT(answer.error, HasSubstr("failed: special_ids")) << text;
    EXPECT_TRUE(answer.offered);
    EXPECT_THAT(answer.ids, IsEmpty());
  }
}

// It would be taken for id 5.
TEST(TokenAnswer, AnIdThatDoesNotFitIsRefused) {
  nlohmann::json wire = ToWire(TokenAnswer{.offered = true, .error = {}, .ids = {5}, .texts = {}});
  EXPECT_THAT(AnswerFromWire(wire).ids, ElementsAre(5));
  wire[2][0] = (std::int64_t{1} << 32) + 5;
  EXPECT_THROW(AnswerFromWire(wire), std::invalid_argument);
}

TEST_F(AskTest, WhatIsNotOfferedIsToldApartFromWhatFails) {
  const TokenAnswer none = Ask({Call::kFrame, "[]", {}, 0});
  EXPECT_FALSE(none.offered);
  EXPECT_THAT(none.error, HasSubstr("frame: the engine does not offer it"));
  engine_.status = PARITY_INVALID;
  const TokenAnswer invalid = Ask({Call::kTokenize, "a", {}, 0});
  EXPECT_TRUE(invalid.offered);
  EXPECT_EQ(invalid.error, "invalid: tokenize: no words");
  EXPECT_THAT(invalid.ids, IsEmpty());
  engine_.status = PARITY_UNSUPPORTED;
  EXPECT_FALSE(Ask({Call::kTokenize, "a", {}, 0}).offered);
}

// The table of an engine that was built before there were such functions.
TEST_F(AskTest, AShorterTableOffersNone) {
  engine_.api().struct_size = offsetof(parity_engine_api, tokenize);
  EXPECT_FALSE(Ask({Call::kTokenize, "a", {}, 0}).offered);
}

TEST(TokenWire, QuestionsAndAnswersSurviveIt) {
  const TokenQuestion question{Call::kFrame, std::string("\xff\0[]", 4), {1, -2}, 5};
  const std::vector<std::uint8_t> packed = nlohmann::json::to_msgpack(ToWire(question));
  const TokenQuestion read = QuestionFromWire(nlohmann::json::from_msgpack(packed));
  EXPECT_EQ(read.call, question.call);
  EXPECT_EQ(read.text, question.text);
  EXPECT_EQ(read.ids, question.ids);
  EXPECT_EQ(read.flags, question.flags);
  const TokenAnswer answer{false, "failed: \xff", {3, 4}, {"", std::string("\0\xfe", 2)}};
  const TokenAnswer got =
      AnswerFromWire(nlohmann::json::from_msgpack(nlohmann::json::to_msgpack(ToWire(answer))));
  EXPECT_EQ(got.offered, answer.offered);
  EXPECT_EQ(got.error, answer.error);
  EXPECT_EQ(got.ids, answer.ids);
  EXPECT_EQ(got.texts, answer.texts);
}

TEST(TokenWire, WhatIsNoQuestionIsRefused) {
  nlohmann::json wire = ToWire(TokenQuestion());
  wire[0] = 6;
  EXPECT_THROW(QuestionFromWire(wire), std::invalid_argument);
  wire[0] = -1;
  EXPECT_THROW(QuestionFromWire(wire), std::invalid_argument);
  EXPECT_THROW(QuestionFromWire(nlohmann::json("text")), nlohmann::json::exception);
  EXPECT_THROW(AnswerFromWire(nlohmann::json::array({true})), nlohmann::json::exception);
}

}  // namespace
}  // namespace parity
