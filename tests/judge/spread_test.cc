#include "gtest_parity/judge/spread.h"

#include <gtest/gtest.h>

#include "tests/judge/evidence_builder.h"

namespace parity {
namespace {

using namespace parity::testing;

SpreadKey Key() { return {0, "decode", "attention", "attn", {4, 16}}; }

TEST(SpreadPool, IsNotMeasuredWithoutPairs) { EXPECT_FALSE(SpreadPool().Find(Key()).measured); }

TEST(SpreadPool, IsExactWhileEveryPairAgrees) {
  SpreadPool pool;
  pool.Add(Key(), Same());
  pool.Add(Key(), Same());
  EXPECT_TRUE(pool.Find(Key()).measured);
  EXPECT_TRUE(pool.Find(Key()).exact);
  EXPECT_EQ(pool.Find(Key()).pairs, 2u);
  pool.Add(Key(), Off(0.25, 2));
  pool.Add(Key(), Same());
  EXPECT_FALSE(pool.Find(Key()).exact);
}

TEST(SpreadPool, KeepsTheLargestOfEachDistance) {
  SpreadPool pool;
  pool.Add(Key(), Off(0.5, 1));
  pool.Add(Key(), Off(0.25, 4));
  EXPECT_EQ(pool.Find(Key()).nrmse, 0.5);
  EXPECT_EQ(pool.Find(Key()).max_abs, 4);
}

TEST(SpreadPool, EveryPartOfTheKeySeparates) {
  SpreadPool pool;
  pool.Add(Key(), Off(0.5, 1));
  for (const SpreadKey& other : {SpreadKey{1, "decode", "attention", "attn", {4, 16}},
                                 SpreadKey{0, "prefill", "attention", "attn", {4, 16}},
                                 SpreadKey{0, "decode", "mlp", "attn", {4, 16}},
                                 SpreadKey{0, "decode", "attention", "kv", {4, 16}},
                                 SpreadKey{0, "decode", "attention", "attn", {12, 16}}}) {
    EXPECT_FALSE(pool.Find(other).measured);
  }
}

TEST(SpreadPool, APairOfNothingSaysNothing) {
  SpreadPool pool;
  pool.Add(Key(), Same(0));
  EXPECT_FALSE(pool.Find(Key()).measured);
}

TEST(SpreadPool, ADistanceThatIsNotANumberIsInfinite) {
  SpreadPool pool;
  ElementStats stats = Off(0.5, 1);
  stats.sum_dd = kNan;
  pool.Add(Key(), stats);
  pool.Add(Key(), Off(0.5, 1));
  EXPECT_EQ(pool.Find(Key()).nrmse, kInfinity);
}

}  // namespace
}  // namespace parity
