#include "gtest_parity/side/wire.h"

#include <stdexcept>
#include <string>

namespace parity {

using nlohmann::json;

namespace {

// Fields at their default value are not sent.
template <typename T>
void Put(json& out, const char* key, const T& value, const T& absent = T{}) {
  if (!(value == absent)) out[key] = value;
}

template <typename T>
void Get(const json& in, const char* key, T& value) {
  if (const auto found = in.find(key); found != in.end()) found->get_to(value);
}

json RangesToWire(const ElementRanges& ranges) {
  json out = json::array();
  for (const ElementRun& range : ranges) {
    out.push_back(range.first);
    out.push_back(range.count);
  }
  return out;
}

ElementRanges RangesFromWire(const json& in) {
  const auto flat = in.get<std::vector<std::uint64_t>>();
  if (flat.size() % 2 != 0) throw std::invalid_argument("element ranges: an odd number of words");
  ElementRanges ranges;
  for (std::size_t i = 0; i < flat.size(); i += 2) ranges.push_back({flat[i], flat[i + 1]});
  return ranges;
}

json ImageToWire(const Image& image) { return {{"bytes", image.bytes}, {"pages", image.pages}}; }

Image ImageFromWire(const json& in) {
  Image image;
  in.at("bytes").get_to(image.bytes);
  in.at("pages").get_to(image.pages);
  return image;
}

json SourceToWire(const Source& source) {
  switch (source.where) {
    case Source::Where::kLive:
      return nullptr;
    case Source::Where::kHeld:
      return source.held;
    case Source::Where::kImage:
      return ImageToWire(source.image);
  }
  return nullptr;
}

Source SourceFromWire(const json& in) {
  if (in.is_null()) return Source::Live();
  if (in.is_string()) return Source::Held(in.get<std::string>());
  return Source::Of(ImageFromWire(in));
}

json StepToWire(const Step& step) {
  json sequences = json::array();
  for (const Step::Sequence& sequence : step.sequences) {
    sequences.push_back({sequence.slot, sequence.past, sequence.rows, sequence.pages});
  }
  return {{"program", step.program},
          {"run", step.run},
          {"tokens", step.tokens},
          {"positions", step.positions},
          {"sequences", std::move(sequences)}};
}

Step StepFromWire(const json& in) {
  Step step;
  in.at("program").get_to(step.program);
  in.at("run").get_to(step.run);
  in.at("tokens").get_to(step.tokens);
  in.at("positions").get_to(step.positions);
  for (const json& sequence : in.at("sequences")) {
    step.sequences.push_back(
        {sequence.at(0).get<std::uint32_t>(), sequence.at(1).get<std::uint64_t>(),
         sequence.at(2).get<std::uint64_t>(), sequence.at(3).get<std::vector<std::int32_t>>()});
  }
  return step;
}

json TensorToWire(const TensorRef& tensor) {
  return {static_cast<int>(tensor.kind), tensor.name, static_cast<int>(tensor.dtype)};
}

json InstructionToWire(const Instruction& instruction) {
  json out = {{"do", static_cast<int>(instruction.what)}};
  if (instruction.step) out["step"] = StepToWire(*instruction.step);
  Put(out, "program", instruction.program);
  Put(out, "lo", instruction.lo);
  Put(out, "hi", instruction.hi);
  Put(out, "whole", instruction.whole);
  if (instruction.tap) out["tap"] = *instruction.tap;
  if (!instruction.tensor.name.empty()) out["tensor"] = TensorToWire(instruction.tensor);
  if (!instruction.scores.name.empty()) out["scores"] = TensorToWire(instruction.scores);
  if (json a = SourceToWire(instruction.a); !a.is_null()) out["a"] = std::move(a);
  if (json b = SourceToWire(instruction.b); !b.is_null()) out["b"] = std::move(b);
  if (json c = SourceToWire(instruction.c); !c.is_null()) out["c"] = std::move(c);
  Put(out, "into", instruction.into);
  if (instruction.ranges) out["ranges"] = RangesToWire(*instruction.ranges);
  if (instruction.ranges_of) out["ranges_of"] = *instruction.ranges_of;
  Put(out, "which", instruction.which);
  if (instruction.domain) out["domain"] = {instruction.domain->min, instruction.domain->max};
  Put(out, "columns", instruction.columns);
  Put(out, "allowed", instruction.allowed);
  if (instruction.question) out["question"] = ToWire(*instruction.question);
  for (const auto& [name, ranges] : instruction.within) out["within"][name] = RangesToWire(ranges);
  return out;
}

DType DTypeFromWire(const json& in) {
  const int dtype = in.get<int>();
  if (dtype < 0 || dtype >= static_cast<int>(kDTypeCount)) {
    throw std::invalid_argument("no dtype " + std::to_string(dtype));
  }
  return static_cast<DType>(dtype);
}

TensorRef TensorFromWire(const json& in) {
  const int kind = in.at(0).get<int>();
  if (kind < 0 || kind > static_cast<int>(Kind::kState)) {
    throw std::invalid_argument("no kind of tensor " + std::to_string(kind));
  }
  return {static_cast<Kind>(kind), in.at(1).get<std::string>(), DTypeFromWire(in.at(2))};
}

json DimToWire(const Dim& dim) { return {dim.numerator, dim.denominator}; }

Dim DimFromWire(const json& in) {
  return {in.at(0).get<std::string>(), in.at(1).get<std::string>()};
}

json ShapeToWire(const std::vector<Dim>& shape) {
  json out = json::array();
  for (const Dim& dim : shape) out.push_back(DimToWire(dim));
  return out;
}

std::vector<Dim> ShapeFromWire(const json& in) {
  std::vector<Dim> shape;
  for (const json& dim : in) shape.push_back(DimFromWire(dim));
  return shape;
}

json ViewToWire(const View& view) {
  json out = {{"name", view.name},
              {"dtype", static_cast<int>(view.dtype)},
              {"shape", ShapeToWire(view.shape)},
              {"by_engine", view.by_engine},
              {"transpose", view.transpose}};
  if (view.slice) {
    out["slice"] = {view.slice->axis, DimToWire(view.slice->start), DimToWire(view.slice->size)};
  }
  return out;
}

// A slice's axis and a permutation index what they are about: they must lie in it.
void CheckAxis(std::uint32_t axis, std::size_t axes) {
  if (axis < axes) return;
  throw std::invalid_argument("axis " + std::to_string(axis) + " of a tensor of " +
                              std::to_string(axes));
}

View ViewFromWire(const json& in, std::size_t axes) {
  View view;
  in.at("name").get_to(view.name);
  view.dtype = DTypeFromWire(in.at("dtype"));
  view.shape = ShapeFromWire(in.at("shape"));
  in.at("by_engine").get_to(view.by_engine);
  in.at("transpose").get_to(view.transpose);
  if (!view.transpose.empty() && view.transpose.size() != axes) {
    throw std::invalid_argument("a transpose of " + std::to_string(view.transpose.size()) +
                                " axes for a tensor of " + std::to_string(axes));
  }
  for (const std::uint32_t axis : view.transpose) CheckAxis(axis, axes);
  if (const auto slice = in.find("slice"); slice != in.end()) {
    view.slice = Slice{slice->at(0).get<std::uint32_t>(), DimFromWire(slice->at(1)),
                       DimFromWire(slice->at(2))};
    CheckAxis(view.slice->axis, axes);
  }
  return view;
}

// What the executor takes for granted.
void CheckComplete(const Instruction& instruction) {
  if (instruction.what == Do::kStage && instruction.step == nullptr) {
    throw std::invalid_argument("an instruction to stage without a step");
  }
  if (instruction.what == Do::kAsk && instruction.question == nullptr) {
    throw std::invalid_argument("an instruction to ask without a question");
  }
  if (instruction.what == Do::kDomain && !instruction.domain) {
    throw std::invalid_argument("an instruction to check a domain without one");
  }
}

Instruction InstructionFromWire(const json& in) {
  Instruction instruction;
  const int what = in.at("do").get<int>();
  if (what < 0 || what > static_cast<int>(Do::kCopyRate)) {
    throw std::invalid_argument("no instruction " + std::to_string(what));
  }
  instruction.what = static_cast<Do>(what);
  if (in.contains("step")) {
    instruction.step = std::make_shared<const Step>(StepFromWire(in["step"]));
  }
  Get(in, "program", instruction.program);
  Get(in, "lo", instruction.lo);
  Get(in, "hi", instruction.hi);
  Get(in, "whole", instruction.whole);
  if (in.contains("tap")) instruction.tap = in["tap"].get<std::uint32_t>();
  if (const auto tensor = in.find("tensor"); tensor != in.end()) {
    instruction.tensor = TensorFromWire(*tensor);
  }
  if (const auto scores = in.find("scores"); scores != in.end()) {
    instruction.scores = TensorFromWire(*scores);
  }
  if (in.contains("a")) instruction.a = SourceFromWire(in["a"]);
  if (in.contains("b")) instruction.b = SourceFromWire(in["b"]);
  if (in.contains("c")) instruction.c = SourceFromWire(in["c"]);
  Get(in, "into", instruction.into);
  if (in.contains("ranges")) instruction.ranges = RangesFromWire(in["ranges"]);
  if (in.contains("ranges_of")) instruction.ranges_of = in["ranges_of"].get<std::uint32_t>();
  Get(in, "which", instruction.which);
  if (const auto domain = in.find("domain"); domain != in.end()) {
    instruction.domain = ValueRange{domain->at(0).get<double>(), domain->at(1).get<double>()};
  }
  Get(in, "columns", instruction.columns);
  Get(in, "allowed", instruction.allowed);
  if (const auto within = in.find("within"); within != in.end()) {
    for (const auto& [name, ranges] : within->items()) {
      instruction.within[name] = RangesFromWire(ranges);
    }
  }
  if (const auto question = in.find("question"); question != in.end()) {
    instruction.question = std::make_shared<const TokenQuestion>(QuestionFromWire(*question));
  }
  CheckComplete(instruction);
  return instruction;
}

json ElementsToWire(const ElementStats& s) {
  return {s.compared,
          s.different,
          s.signed_zero,
          s.nan_payload,
          s.nan_only_reference,
          s.nan_only_candidate,
          s.infinity_only_reference,
          s.infinity_only_candidate,
          s.infinity_opposite,
          s.max_abs,
          s.max_rel,
          s.max_ulp,
          s.first_index,
          s.worst_index,
          s.ulp_histogram,
          s.sum_dd,
          s.sum_aa,
          s.sum_bb,
          s.sum_ab};
}

ElementStats ElementsFromWire(const json& in) {
  ElementStats s;
  std::size_t i = 0;
  for (std::uint64_t* count :
       {&s.compared, &s.different, &s.signed_zero, &s.nan_payload, &s.nan_only_reference,
        &s.nan_only_candidate, &s.infinity_only_reference, &s.infinity_only_candidate,
        &s.infinity_opposite}) {
    in.at(i++).get_to(*count);
  }
  in.at(i++).get_to(s.max_abs);
  in.at(i++).get_to(s.max_rel);
  for (std::uint64_t* count : {&s.max_ulp, &s.first_index, &s.worst_index}) {
    in.at(i++).get_to(*count);
  }
  in.at(i++).get_to(s.ulp_histogram);
  for (double* sum : {&s.sum_dd, &s.sum_aa, &s.sum_bb, &s.sum_ab}) in.at(i++).get_to(*sum);
  return s;
}

json RowToWire(const RowStats& row) {
  return {row.argmax_reference, row.argmax_candidate,
          row.margin,           row.kl,
          row.kl_reverse,       row.rank,
          row.top_overlap,      row.mask_mismatch,
          row.nan_reference,    row.nan_candidate,
          row.identical};
}

RowStats RowFromWire(const json& in) {
  RowStats row;
  in.at(0).get_to(row.argmax_reference);
  in.at(1).get_to(row.argmax_candidate);
  in.at(2).get_to(row.margin);
  in.at(3).get_to(row.kl);
  in.at(4).get_to(row.kl_reverse);
  in.at(5).get_to(row.rank);
  in.at(6).get_to(row.top_overlap);
  in.at(7).get_to(row.mask_mismatch);
  in.at(8).get_to(row.nan_reference);
  in.at(9).get_to(row.nan_candidate);
  in.at(10).get_to(row.identical);
  return row;
}

json DecisionsToWire(const DecisionStats& decisions) {
  json flips = json::array();
  for (const DecisionFlip& flip : decisions.flips) {
    flips.push_back({flip.index, flip.reference, flip.candidate, flip.margin});
  }
  return {decisions.compared, std::move(flips)};
}

DecisionStats DecisionsFromWire(const json& in) {
  DecisionStats decisions;
  in.at(0).get_to(decisions.compared);
  for (const json& flip : in.at(1)) {
    decisions.flips.push_back({flip.at(0).get<std::uint64_t>(), flip.at(1).get<std::int64_t>(),
                               flip.at(2).get<std::int64_t>(), flip.at(3).get<double>()});
  }
  return decisions;
}

json ResultToWire(const Result& result) {
  json out = json::object();
  if (result.image.bytes != 0) out["image"] = ImageToWire(result.image);
  Put(out, "exhausted", result.exhausted);
  if (result.elements.compared != 0) out["elements"] = ElementsToWire(result.elements);
  if (result.worst_values) out["worst"] = *result.worst_values;
  for (const RowStats& row : result.rows) out["rows"].push_back(RowToWire(row));
  if (result.decisions.compared != 0) out["decisions"] = DecisionsToWire(result.decisions);
  if (!result.ranges.empty()) out["ranges"] = RangesToWire(result.ranges);
  Put(out, "count", result.count);
  if (result.outside.count != 0) {
    out["outside"] = {result.outside.count, result.outside.first_index, result.outside.first_value};
  }
  Put(out, "digest", result.digest);
  if (!result.bytes.empty()) out["bytes"] = json::binary(result.bytes);
  for (const Stray& stray : result.strays) {
    out["strays"].push_back({stray.tensor, stray.bytes, stray.first_offset});
  }
  Put(out, "words", result.words);
  Put(out, "seconds", result.seconds);
  if (result.answer) out["answer"] = ToWire(*result.answer);
  return out;
}

Result ResultFromWire(const json& in) {
  Result result;
  if (in.contains("image")) result.image = ImageFromWire(in["image"]);
  Get(in, "exhausted", result.exhausted);
  if (in.contains("elements")) result.elements = ElementsFromWire(in["elements"]);
  if (const auto worst = in.find("worst"); worst != in.end()) {
    result.worst_values = worst->get<std::pair<std::string, std::string>>();
  }
  if (const auto rows = in.find("rows"); rows != in.end()) {
    for (const json& row : *rows) result.rows.push_back(RowFromWire(row));
  }
  if (in.contains("decisions")) result.decisions = DecisionsFromWire(in["decisions"]);
  if (in.contains("ranges")) result.ranges = RangesFromWire(in["ranges"]);
  Get(in, "count", result.count);
  if (const auto outside = in.find("outside"); outside != in.end()) {
    outside->at(0).get_to(result.outside.count);
    outside->at(1).get_to(result.outside.first_index);
    outside->at(2).get_to(result.outside.first_value);
  }
  Get(in, "digest", result.digest);
  if (in.contains("bytes")) result.bytes = in["bytes"].get_binary();
  if (const auto strays = in.find("strays"); strays != in.end()) {
    for (const json& stray : *strays) {
      result.strays.push_back({stray.at(0).get<std::string>(), stray.at(1).get<std::uint64_t>(),
                               stray.at(2).get<std::uint64_t>()});
    }
  }
  Get(in, "words", result.words);
  Get(in, "seconds", result.seconds);
  if (in.contains("answer")) result.answer = AnswerFromWire(in["answer"]);
  return result;
}

}  // namespace

json ToWire(const std::vector<Instruction>& script) {
  json out = json::array();
  for (const Instruction& instruction : script) out.push_back(InstructionToWire(instruction));
  return out;
}

json ToWire(const Results& results) {
  json out = json::array();
  for (const Result& result : results) out.push_back(ResultToWire(result));
  return out;
}

std::vector<Instruction> ScriptFromWire(const json& wire) {
  std::vector<Instruction> script;
  for (const json& instruction : wire) script.push_back(InstructionFromWire(instruction));
  return script;
}

Results ResultsFromWire(const json& wire) {
  Results results;
  for (const json& result : wire) results.push_back(ResultFromWire(result));
  return results;
}

json ToWire(const std::vector<WatchedTensor>& watched) {
  json out = json::array();
  for (const WatchedTensor& tensor : watched) {
    json views = json::array();
    for (const View& view : tensor.views) views.push_back(ViewToWire(view));
    out.push_back(
        {TensorToWire(tensor.tensor), tensor.input, ShapeToWire(tensor.shape), std::move(views)});
  }
  return out;
}

std::vector<WatchedTensor> WatchedFromWire(const json& wire) {
  std::vector<WatchedTensor> watched;
  for (const json& in : wire) {
    WatchedTensor tensor{
        TensorFromWire(in.at(0)), in.at(1).get<bool>(), ShapeFromWire(in.at(2)), {}};
    for (const json& view : in.at(3)) {
      tensor.views.push_back(ViewFromWire(view, tensor.shape.size()));
    }
    watched.push_back(std::move(tensor));
  }
  return watched;
}

}  // namespace parity
