#include "gtest_parity/judge/star.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

namespace parity {
namespace {

FailureSignature Signature() {
  FailureSignature signature;
  signature.check = Check::kDomain;
  signature.kind = "above";
  signature.program = "decode";
  signature.span_or_row = "row 3";
  signature.tensor = "next_token";
  signature.run = "b1/decode#0";
  signature.rank = 1;
  signature.first_index = 7;
  return signature;
}

TEST(Star, EqualSignaturesMatch) { EXPECT_TRUE(FailTheSameWay(Signature(), Signature())); }

TEST(Star, OnlyForChecksThatOneSideCanFailAlone) {
  for (const Check check : {Check::kElements, Check::kRows}) {
    FailureSignature signature = Signature();
    signature.check = check;
    EXPECT_FALSE(FailTheSameWay(signature, signature));
  }
  FailureSignature replicated = Signature();
  replicated.check = Check::kReplicated;
  EXPECT_TRUE(FailTheSameWay(replicated, replicated));
}

struct FieldCase {
  const char* name;
  std::function<void(FailureSignature&)> change;
};

class StarField : public ::testing::TestWithParam<FieldCase> {};

TEST_P(StarField, EveryFieldMatters) {
  FailureSignature other = Signature();
  GetParam().change(other);
  EXPECT_FALSE(FailTheSameWay(Signature(), other));
  EXPECT_FALSE(FailTheSameWay(other, Signature()));
}

INSTANTIATE_TEST_SUITE_P(
    Fields, StarField,
    ::testing::Values(FieldCase{"check", [](auto& s) { s.check = Check::kReplicated; }},
                      FieldCase{"kind", [](auto& s) { s.kind = "below"; }},
                      FieldCase{"program", [](auto& s) { s.program = "prefill"; }},
                      FieldCase{"span_or_row", [](auto& s) { s.span_or_row = "row 4"; }},
                      FieldCase{"tensor", [](auto& s) { s.tensor = "draft"; }},
                      FieldCase{"run", [](auto& s) { s.run = "b1/decode#1"; }},
                      FieldCase{"rank", [](auto& s) { s.rank = 0; }},
                      FieldCase{"first_index", [](auto& s) { s.first_index = 8; }}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Star, KindOfADomainViolationComesFromItsFirstValue) {
  const auto kind = [](double value) {
    DomainViolation violation{.count = 1, .first_value = value, .min = 0, .max = 10};
    return DomainSignature("decode", "t", "r", 0, violation).kind;
  };
  EXPECT_EQ(kind(-1), "below");
  EXPECT_EQ(kind(11), "above");
  EXPECT_EQ(kind(std::numeric_limits<double>::quiet_NaN()), "nan");
}

TEST(Star, TheReferenceMustViolateInNoFewerElements) {
  const DomainViolation one{.count = 1}, two{.count = 2};
  EXPECT_TRUE(ReferenceViolatesToo(Signature(), one, Signature(), two));
  EXPECT_TRUE(ReferenceViolatesToo(Signature(), two, Signature(), two));
  EXPECT_FALSE(ReferenceViolatesToo(Signature(), two, Signature(), one));
}

}  // namespace
}  // namespace parity
