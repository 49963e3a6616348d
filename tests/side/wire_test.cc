#include "gtest_parity/side/wire.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "gtest_parity/manifest/description.h"

namespace parity {
namespace {

using nlohmann::json;

// As it travels.
json Through(const json& value) { return json::from_msgpack(json::to_msgpack(value)); }

// Everything that a random script or result is made of.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}
  bool Maybe() { return random_() % 2 == 0; }
  std::uint64_t Below(std::uint64_t bound) { return random_() % bound; }
  // Small ones, large ones and the ends.
  std::uint64_t Word() {
    const std::uint64_t words[] = {0, 1, Below(100), random_(), ~std::uint64_t{0}};
    return words[Below(5)];
  }
  std::uint32_t Word32() { return static_cast<std::uint32_t>(Word()); }
  double Number() {
    const double numbers[] = {0,
                              -0.0,
                              0.1,
                              -1e300,
                              5e-324,
                              std::numeric_limits<double>::infinity(),
                              -std::numeric_limits<double>::infinity(),
                              static_cast<double>(Word())};
    return numbers[Below(8)];
  }
  std::string Name() {
    const char* names[] = {"x", "layer0.k", "held 3", "\xc3\xa9tat", "a\"b", "logits"};
    return names[Below(6)];
  }
  ElementRanges Ranges() {
    ElementRanges ranges;
    for (std::uint64_t i = Below(4); i != 0; --i) ranges.push_back({Word(), Word()});
    return ranges;
  }
  Image AnImage() {
    Image image{Word(), {}};
    for (std::uint64_t i = Below(4); i != 0; --i) image.pages.push_back(Word());
    return image;
  }
  Source ASource() {
    if (Maybe()) return Source::Live();
    return Maybe() ? Source::Held(Name()) : Source::Of(AnImage());
  }
  TensorRef ATensor() {
    return {Maybe() ? Kind::kBuffer : Kind::kState, Name(), static_cast<DType>(Below(kDTypeCount))};
  }
  ValueRange Range() { return {Number(), Number()}; }
  Step AStep() {
    Step step{.program = Name(), .run = Name()};
    for (std::uint64_t i = Below(5); i != 0; --i) {
      step.tokens.push_back(static_cast<std::int32_t>(Word()));
      step.positions.push_back(static_cast<std::int32_t>(Word()));
    }
    for (std::uint64_t i = Below(3); i != 0; --i) {
      step.sequences.push_back({Word32(), Word(), Word(), {}});
      for (std::uint64_t k = Below(3); k != 0; --k) {
        step.sequences.back().pages.push_back(static_cast<std::int32_t>(Word()));
      }
    }
    return step;
  }
  Instruction AnInstruction(Do what) {
    Instruction at;
    at.what = what;
    if (what == Do::kStage || Below(8) == 0) at.step = std::make_shared<const Step>(AStep());
    if (Maybe()) at.program = Name();
    if (Maybe()) at.lo = Word32();
    if (Maybe()) at.hi = Word32();
    at.whole = Maybe();
    if (Maybe()) at.tap = Word32();
    if (Maybe()) at.tensor = ATensor();
    at.a = ASource();
    at.b = ASource();
    if (Maybe()) at.scores = ATensor();
    if (Maybe()) at.c = ASource();
    if (Maybe()) at.into = Name();
    if (Maybe()) at.ranges = Ranges();
    if (Maybe()) at.ranges_of = Word32();
    at.which = static_cast<std::uint32_t>(Below(2));
    if (what == Do::kDomain || Maybe()) at.domain = Range();
    if (Maybe()) at.columns = Word32();
    for (std::uint64_t i = Below(3); i != 0; --i) at.allowed.push_back(Name());
    for (std::uint64_t i = Below(3); i != 0; --i) at.within[Name()] = Ranges();
    if (what == Do::kAsk) at.question = std::make_shared<const TokenQuestion>();
    if (Maybe()) at.slot = Word32();
    if (Maybe()) at.path = Name();
    return at;
  }
  ElementStats Elements() {
    ElementStats s;
    s.compared = 1 + Below(1000);
    for (std::uint64_t* word :
         {&s.different, &s.signed_zero, &s.nan_payload, &s.nan_only_reference,
          &s.nan_only_candidate, &s.infinity_only_reference, &s.infinity_only_candidate,
          &s.infinity_opposite, &s.max_ulp, &s.first_index, &s.worst_index}) {
      *word = Word();
    }
    s.max_abs = Number();
    s.max_rel = static_cast<float>(Number());
    for (std::uint64_t& bucket : s.ulp_histogram) bucket = Word();
    for (double* sum : {&s.sum_dd, &s.sum_aa, &s.sum_bb, &s.sum_ab}) *sum = Number();
    return s;
  }
  RowStats Row() {
    return {Word32(), Word32(), Number(), Number(), Number(), Word32(),
            Word32(), Word32(), Word32(), Word32(), Maybe()};
  }
  Dim ADim() { return {Name(), Maybe() ? Name() : ""}; }
  WatchedTensor AWatched() {
    WatchedTensor at{ATensor(), Maybe(), Maybe(), {}, {}};
    for (std::uint64_t i = 1 + Below(3); i != 0; --i) at.shape.push_back(ADim());
    for (std::uint64_t i = Below(3); i != 0; --i) {
      View view{Name(), ATensor().dtype, {ADim(), ADim()}, Maybe(), std::nullopt, {}};
      if (Maybe()) {
        view.slice = Slice{static_cast<std::uint32_t>(Below(at.shape.size())), ADim(), ADim()};
      }
      for (std::size_t axis = 0; axis < at.shape.size() && i == 1; ++axis) {
        view.transpose.push_back(static_cast<std::uint32_t>(Below(at.shape.size())));
      }
      at.views.push_back(view);
    }
    return at;
  }
  DecisionStats SomeDecisions() {
    DecisionStats decisions;
    decisions.compared = 1 + Below(1000);
    for (std::uint64_t i = Below(3); i != 0; --i) {
      decisions.flips.push_back(
          {Word(), static_cast<std::int64_t>(Word()), static_cast<std::int64_t>(Word()), Number()});
    }
    return decisions;
  }
  StateAnswer AState() {
    // Words of an engine need not be UTF-8.
    return {Maybe(), Maybe(), {Name(), "\xff" + Name(), Name(), Name() + "\x80"}, Word()};
  }
  Result AResult() {
    Result at;
    if (Maybe()) at.image = AnImage();
    if (at.image.bytes == 0) at.image = {};
    at.exhausted = Maybe();
    if (Maybe()) at.elements = Elements();
    if (Maybe()) at.worst_values = {Name(), Name()};
    for (std::uint64_t i = Below(3); i != 0; --i) at.rows.push_back(Row());
    if (Maybe()) at.decisions = SomeDecisions();
    at.ranges = Ranges();
    at.count = Word();
    if (Maybe()) at.outside = {1 + Below(9), Word(), Number()};
    if (Maybe()) at.digest = Name();
    for (std::uint64_t i = Below(9); i != 0; --i) {
      at.bytes.push_back(static_cast<std::uint8_t>(Word()));
    }
    for (std::uint64_t i = Below(3); i != 0; --i) at.strays.push_back({Name(), Word(), Word()});
    if (Maybe()) at.words = Name();
    if (Maybe()) at.state = AState();
    at.seconds = std::abs(Number());
    return at;
  }

 private:
  std::mt19937_64 random_;
};

// Equal bit for bit; +0 and -0 are not.
bool Same(double a, double b) { return std::memcmp(&a, &b, sizeof(a)) == 0; }

void ExpectSame(const Image& a, const Image& b) {
  EXPECT_EQ(a.bytes, b.bytes);
  EXPECT_EQ(a.pages, b.pages);
}

void ExpectSame(const Source& a, const Source& b) {
  EXPECT_EQ(a.where, b.where);
  EXPECT_EQ(a.held, b.held);
  ExpectSame(a.image, b.image);
}

void ExpectSame(const Step& a, const Step& b) {
  EXPECT_EQ(a.program, b.program);
  EXPECT_EQ(a.run, b.run);
  EXPECT_EQ(a.tokens, b.tokens);
  EXPECT_EQ(a.positions, b.positions);
  ASSERT_EQ(a.sequences.size(), b.sequences.size());
  for (std::size_t i = 0; i < a.sequences.size(); ++i) {
    EXPECT_EQ(a.sequences[i].slot, b.sequences[i].slot);
    EXPECT_EQ(a.sequences[i].past, b.sequences[i].past);
    EXPECT_EQ(a.sequences[i].rows, b.sequences[i].rows);
    EXPECT_EQ(a.sequences[i].pages, b.sequences[i].pages);
  }
}

void ExpectSame(const Instruction& a, const Instruction& b) {
  EXPECT_EQ(a.what, b.what);
  ASSERT_EQ(a.step == nullptr, b.step == nullptr);
  if (a.step) ExpectSame(*a.step, *b.step);
  EXPECT_EQ(a.program, b.program);
  EXPECT_EQ(a.lo, b.lo);
  EXPECT_EQ(a.hi, b.hi);
  EXPECT_EQ(a.whole, b.whole);
  EXPECT_EQ(a.tap, b.tap);
  EXPECT_EQ(a.tensor.kind, b.tensor.kind);
  EXPECT_EQ(a.tensor.name, b.tensor.name);
  EXPECT_EQ(a.tensor.dtype, b.tensor.dtype);
  ExpectSame(a.a, b.a);
  ExpectSame(a.b, b.b);
  EXPECT_EQ(a.scores.kind, b.scores.kind);
  EXPECT_EQ(a.scores.name, b.scores.name);
  EXPECT_EQ(a.scores.dtype, b.scores.dtype);
  ExpectSame(a.c, b.c);
  EXPECT_EQ(a.into, b.into);
  EXPECT_EQ(a.ranges, b.ranges);
  EXPECT_EQ(a.ranges_of, b.ranges_of);
  EXPECT_EQ(a.which, b.which);
  ASSERT_EQ(a.domain.has_value(), b.domain.has_value());
  if (a.domain) {
    EXPECT_TRUE(Same(a.domain->min, b.domain->min));
    EXPECT_TRUE(Same(a.domain->max, b.domain->max));
  }
  EXPECT_EQ(a.columns, b.columns);
  EXPECT_EQ(a.allowed, b.allowed);
  EXPECT_EQ(a.within, b.within);
  EXPECT_EQ(a.slot, b.slot);
  EXPECT_EQ(a.path, b.path);
}

void ExpectSame(const ElementStats& a, const ElementStats& b) {
  EXPECT_EQ(a.compared, b.compared);
  EXPECT_EQ(a.different, b.different);
  EXPECT_EQ(a.signed_zero, b.signed_zero);
  EXPECT_EQ(a.nan_payload, b.nan_payload);
  EXPECT_EQ(a.nan_only_reference, b.nan_only_reference);
  EXPECT_EQ(a.nan_only_candidate, b.nan_only_candidate);
  EXPECT_EQ(a.infinity_only_reference, b.infinity_only_reference);
  EXPECT_EQ(a.infinity_only_candidate, b.infinity_only_candidate);
  EXPECT_EQ(a.infinity_opposite, b.infinity_opposite);
  EXPECT_TRUE(Same(a.max_abs, b.max_abs));
  EXPECT_TRUE(Same(a.max_rel, b.max_rel));
  EXPECT_EQ(a.max_ulp, b.max_ulp);
  EXPECT_EQ(a.first_index, b.first_index);
  EXPECT_EQ(a.worst_index, b.worst_index);
  EXPECT_EQ(a.ulp_histogram, b.ulp_histogram);
  EXPECT_TRUE(Same(a.sum_dd, b.sum_dd));
  EXPECT_TRUE(Same(a.sum_aa, b.sum_aa));
  EXPECT_TRUE(Same(a.sum_bb, b.sum_bb));
  EXPECT_TRUE(Same(a.sum_ab, b.sum_ab));
}

void ExpectSame(const RowStats& a, const RowStats& b) {
  EXPECT_EQ(a.argmax_reference, b.argmax_reference);
  EXPECT_EQ(a.argmax_candidate, b.argmax_candidate);
  EXPECT_TRUE(Same(a.margin, b.margin));
  EXPECT_TRUE(Same(a.kl, b.kl));
  EXPECT_TRUE(Same(a.kl_reverse, b.kl_reverse));
  EXPECT_EQ(a.rank, b.rank);
  EXPECT_EQ(a.top_overlap, b.top_overlap);
  EXPECT_EQ(a.mask_mismatch, b.mask_mismatch);
  EXPECT_EQ(a.nan_reference, b.nan_reference);
  EXPECT_EQ(a.nan_candidate, b.nan_candidate);
  EXPECT_EQ(a.identical, b.identical);
}

void ExpectSame(const StateAnswer& a, const StateAnswer& b) {
  EXPECT_EQ(a.offered, b.offered);
  EXPECT_EQ(a.refused, b.refused);
  EXPECT_EQ(a.refusal.guard, b.refusal.guard);
  EXPECT_EQ(a.refusal.condition, b.refusal.condition);
  EXPECT_EQ(a.refusal.operands, b.refusal.operands);
  EXPECT_EQ(a.refusal.words, b.refusal.words);
  EXPECT_EQ(a.tokens, b.tokens);
}

void ExpectSame(const Result& a, const Result& b) {
  ExpectSame(a.image, b.image);
  EXPECT_EQ(a.exhausted, b.exhausted);
  ExpectSame(a.elements, b.elements);
  EXPECT_EQ(a.worst_values, b.worst_values);
  ASSERT_EQ(a.rows.size(), b.rows.size());
  for (std::size_t i = 0; i < a.rows.size(); ++i) ExpectSame(a.rows[i], b.rows[i]);
  EXPECT_EQ(a.decisions.compared, b.decisions.compared);
  ASSERT_EQ(a.decisions.flips.size(), b.decisions.flips.size());
  for (std::size_t i = 0; i < a.decisions.flips.size(); ++i) {
    const DecisionFlip &sent = a.decisions.flips[i], &got = b.decisions.flips[i];
    EXPECT_EQ(sent.index, got.index);
    EXPECT_EQ(sent.reference, got.reference);
    EXPECT_EQ(sent.candidate, got.candidate);
    EXPECT_TRUE(Same(sent.margin, got.margin));
  }
  EXPECT_EQ(a.ranges, b.ranges);
  EXPECT_EQ(a.count, b.count);
  EXPECT_EQ(a.outside.count, b.outside.count);
  EXPECT_EQ(a.outside.first_index, b.outside.first_index);
  EXPECT_TRUE(Same(a.outside.first_value, b.outside.first_value));
  EXPECT_EQ(a.digest, b.digest);
  EXPECT_EQ(a.bytes, b.bytes);
  ASSERT_EQ(a.strays.size(), b.strays.size());
  for (std::size_t i = 0; i < a.strays.size(); ++i) {
    EXPECT_EQ(a.strays[i].tensor, b.strays[i].tensor);
    EXPECT_EQ(a.strays[i].bytes, b.strays[i].bytes);
    EXPECT_EQ(a.strays[i].first_offset, b.strays[i].first_offset);
  }
  EXPECT_EQ(a.words, b.words);
  ASSERT_EQ(a.state.has_value(), b.state.has_value());
  if (a.state) ExpectSame(*a.state, *b.state);
  EXPECT_TRUE(Same(a.seconds, b.seconds));
}

constexpr int kInstructions = static_cast<int>(Do::kLoadState) + 1;

class WireProperty : public testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(Seeds, WireProperty, testing::Range(0, 15));

TEST_P(WireProperty, ScriptsComeBack) {
  Draw draw(static_cast<std::uint64_t>(GetParam()));
  std::vector<Instruction> script;
  for (int what = 0; what < kInstructions; ++what) {
    script.push_back(draw.AnInstruction(static_cast<Do>(what)));
  }
  const std::vector<Instruction> back = ScriptFromWire(Through(ToWire(script)));
  ASSERT_EQ(back.size(), script.size());
  for (std::size_t i = 0; i < script.size(); ++i) ExpectSame(script[i], back[i]);
}

TEST_P(WireProperty, WatchedTensorsComeBack) {
  Draw draw(2000 + static_cast<std::uint64_t>(GetParam()));
  std::vector<WatchedTensor> watched;
  for (int i = 0; i < 20; ++i) watched.push_back(draw.AWatched());
  const std::vector<WatchedTensor> back = WatchedFromWire(Through(ToWire(watched)));
  ASSERT_EQ(back.size(), watched.size());
  for (std::size_t i = 0; i < watched.size(); ++i) {
    const WatchedTensor &a = watched[i], &b = back[i];
    EXPECT_EQ(a.tensor.name, b.tensor.name);
    EXPECT_EQ(a.tensor.kind, b.tensor.kind);
    EXPECT_EQ(a.tensor.dtype, b.tensor.dtype);
    EXPECT_EQ(a.input, b.input);
    EXPECT_EQ(a.constant, b.constant);
    EXPECT_EQ(a.shape, b.shape);
    ASSERT_EQ(a.views.size(), b.views.size());
    for (std::size_t v = 0; v < a.views.size(); ++v) {
      EXPECT_EQ(a.views[v].name, b.views[v].name);
      EXPECT_EQ(a.views[v].dtype, b.views[v].dtype);
      EXPECT_EQ(a.views[v].shape, b.views[v].shape);
      EXPECT_EQ(a.views[v].by_engine, b.views[v].by_engine);
      EXPECT_EQ(a.views[v].transpose, b.views[v].transpose);
      ASSERT_EQ(a.views[v].slice.has_value(), b.views[v].slice.has_value());
      if (!a.views[v].slice) continue;
      EXPECT_EQ(a.views[v].slice->axis, b.views[v].slice->axis);
      EXPECT_EQ(a.views[v].slice->start, b.views[v].slice->start);
      EXPECT_EQ(a.views[v].slice->size, b.views[v].slice->size);
    }
  }
}

// Axes index the tensor's extents where they are carried out: none may lie outside.
TEST(Wire, AxesOutsideTheirTensor) {
  WatchedTensor at{{Kind::kBuffer, "qkv", DType::kF32}, false, false, {{"4", ""}, {"2", ""}}, {}};
  at.views = {{"q", DType::kF32, {{"8", ""}}, false, Slice{2, {"0", ""}, {"1", ""}}, {}}};
  EXPECT_THROW(WatchedFromWire(ToWire(std::vector{at})), std::invalid_argument);
  at.views[0].slice.reset();
  at.views[0].transpose = {0, 2};
  EXPECT_THROW(WatchedFromWire(ToWire(std::vector{at})), std::invalid_argument);
  at.views[0].transpose = {1};
  EXPECT_THROW(WatchedFromWire(ToWire(std::vector{at})), std::invalid_argument);
}

TEST_P(WireProperty, ResultsComeBack) {
  Draw draw(1000 + static_cast<std::uint64_t>(GetParam()));
  Results results;
  for (int i = 0; i < 20; ++i) results.push_back(draw.AResult());
  const Results back = ResultsFromWire(Through(ToWire(results)));
  ASSERT_EQ(back.size(), results.size());
  for (std::size_t i = 0; i < results.size(); ++i) ExpectSame(results[i], back[i]);
}

// All values in a tree, by pointer.
void Visit(json& value, const std::function<void(json&)>& visit) {
  visit(value);
  if (!value.is_structured()) return;
  for (json& member : value) Visit(member, visit);
}

std::size_t Nodes(json value) {
  std::size_t count = 0;
  Visit(value, [&](json&) { ++count; });
  return count;
}

// A tree with its node number `at` replaced, and what it was replaced with.
json Damaged(json value, std::size_t at, const json& with) {
  std::size_t count = 0;
  // The node is replaced after the walk, which would else go on in what is no longer there.
  json* node = nullptr;
  Visit(value, [&](json& here) { node = count++ == at ? &here : node; });
  *node = with;
  return value;
}

const json kWrong[] = {nullptr,
                       -1,
                       1e9,
                       "no",
                       json::array(),
                       json::object(),
                       true,
                       json::array({1}),
                       json::binary({1, 2})};

// Whatever a node becomes, it is understood or thrown out.
template <typename FromWire>
void ExpectNoCrash(const json& good, std::mt19937& random, FromWire from_wire, int* thrown) {
  const std::size_t nodes = Nodes(good);
  for (int i = 0; i < 300; ++i) {
    const json bad = Damaged(good, random() % nodes, kWrong[random() % std::size(kWrong)]);
    try {
      from_wire(bad);
    } catch (const json::exception&) {
      ++*thrown;
    } catch (const std::invalid_argument&) {
      ++*thrown;
    }
  }
}

TEST_P(WireProperty, DamagedValuesAreUnderstoodOrThrown) {
  Draw draw(2000 + static_cast<std::uint64_t>(GetParam()));
  std::mt19937 random(static_cast<std::uint32_t>(GetParam()));
  std::vector<Instruction> script;
  Results results;
  for (int what = 0; what < kInstructions; ++what) {
    script.push_back(draw.AnInstruction(static_cast<Do>(what)));
    results.push_back(draw.AResult());
  }
  int thrown = 0;
  ExpectNoCrash(
      ToWire(script), random, [](const json& wire) { ScriptFromWire(wire); }, &thrown);
  ExpectNoCrash(
      ToWire(results), random, [](const json& wire) { ResultsFromWire(wire); }, &thrown);
  EXPECT_GT(thrown, 0);
}

TEST(Wire, DefaultsAreNotSent) {
  Instruction run;
  run.what = Do::kRun;
  EXPECT_EQ(ToWire(std::vector<Instruction>{run}), json::parse(R"([{"do": 2}])"));
  EXPECT_EQ(ToWire(Results{Result{}}), json::parse("[{}]"));
}

struct Malformed {
  const char* name;
  const char* script;
};

class MalformedScript : public testing::TestWithParam<Malformed> {};

TEST_P(MalformedScript, Throws) {
  EXPECT_ANY_THROW(ScriptFromWire(json::parse(GetParam().script)));
}

INSTANTIATE_TEST_SUITE_P(
    Wire, MalformedScript,
    testing::Values(Malformed{"no_verb", R"([{}])"}, Malformed{"not_an_object", R"([3])"},
                    Malformed{"unknown_verb", R"([{"do": 999}])"},
                    Malformed{"negative_verb", R"([{"do": -1}])"},
                    Malformed{"verb_in_words", R"([{"do": "run"}])"},
                    Malformed{"stage_without_step", R"([{"do": 1}])"},
                    Malformed{"domain_without_range", R"([{"do": 13, "tensor": [0, "x", 1]}])"},
                    Malformed{"half_a_range", R"([{"do": 8, "ranges": [1, 2, 3]}])"},
                    Malformed{"half_a_domain", R"([{"do": 13, "domain": [1]}])"},
                    Malformed{"unknown_dtype", R"([{"do": 4, "tensor": [0, "x", 255]}])"},
                    Malformed{"negative_dtype", R"([{"do": 4, "tensor": [0, "x", -1]}])"},
                    Malformed{"unknown_kind", R"([{"do": 4, "tensor": [2, "x", 1]}])"},
                    Malformed{"short_tensor", R"([{"do": 4, "tensor": [0, "x"]}])"},
                    Malformed{"image_without_pages", R"([{"do": 6, "a": {"bytes": 1}}])"},
                    Malformed{"source_of_a_number", R"([{"do": 6, "a": 3}])"},
                    Malformed{"verb_with_a_fraction", R"([{"do": 2.5}])"},
                    Malformed{"op_below_zero", R"([{"do": 2, "lo": -1}])"},
                    Malformed{"op_of_33_bits", R"([{"do": 2, "hi": 4294967296}])"},
                    Malformed{"tap_beyond_any_number", R"([{"do": 2, "tap": 1e300}])"},
                    Malformed{"range_with_a_fraction", R"([{"do": 8, "ranges": [0, 1.5]}])"},
                    Malformed{"page_below_zero",
                              R"([{"do": 6, "a": {"bytes": 1, "pages": [-64]}}])"}),
    [](const auto& info) { return std::string(info.param.name); });

class MalformedResult : public testing::TestWithParam<Malformed> {};

TEST_P(MalformedResult, Throws) {
  EXPECT_ANY_THROW(ResultsFromWire(json::parse(GetParam().script)));
}

INSTANTIATE_TEST_SUITE_P(
    Wire, MalformedResult,
    testing::Values(Malformed{"short_elements", R"([{"elements": [1, 2, 3]}])"},
                    Malformed{"short_row", R"([{"rows": [[1, 2]]}])"},
                    Malformed{"bytes_as_text", R"([{"bytes": "xyz"}])"},
                    Malformed{"short_stray", R"([{"strays": [["x", 1]]}])"},
                    Malformed{"outside_in_words", R"([{"outside": "many"}])"},
                    Malformed{"one_worst_value", R"([{"worst": ["1"]}])"},
                    Malformed{"half_a_range", R"([{"ranges": [1]}])"},
                    Malformed{"image_is_a_number", R"([{"image": 1}])"},
                    Malformed{"count_below_zero", R"([{"count": -1}])"},
                    Malformed{"count_beyond_any_number", R"([{"count": 1e300}])"},
                    Malformed{"decisions_with_a_fraction", R"([{"decisions": [0.5, []]}])"}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace parity
