#include "gtest_parity/side/wire.h"

#include <string>

#include "gtest_parity/side/wire_json.h"
#include "gtest_parity/side/wire_parts.h"

namespace parity {

using nlohmann::json;

namespace {

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
    Take(in.at(i++), *count);
  }
  Take(in.at(i++), s.max_abs);
  Take(in.at(i++), s.max_rel);
  for (std::uint64_t* count : {&s.max_ulp, &s.first_index, &s.worst_index}) {
    Take(in.at(i++), *count);
  }
  Take(in.at(i++), s.ulp_histogram);
  for (double* sum : {&s.sum_dd, &s.sum_aa, &s.sum_bb, &s.sum_ab}) Take(in.at(i++), *sum);
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
  Take(in.at(0), row.argmax_reference);
  Take(in.at(1), row.argmax_candidate);
  Take(in.at(2), row.margin);
  Take(in.at(3), row.kl);
  Take(in.at(4), row.kl_reverse);
  Take(in.at(5), row.rank);
  Take(in.at(6), row.top_overlap);
  Take(in.at(7), row.mask_mismatch);
  Take(in.at(8), row.nan_reference);
  Take(in.at(9), row.nan_candidate);
  Take(in.at(10), row.identical);
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
  Take(in.at(0), decisions.compared);
  for (const json& flip : in.at(1)) {
    decisions.flips.push_back({Taken<std::uint64_t>(flip.at(0)), Taken<std::int64_t>(flip.at(1)),
                               Taken<std::int64_t>(flip.at(2)), flip.at(3).get<double>()});
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
    out["strays"].push_back({stray.tensor, stray.bytes, stray.first_offset, stray.whole_pages});
  }
  Put(out, "words", result.words);
  Put(out, "seconds", result.seconds);
  if (result.answer) out["answer"] = ToWire(*result.answer);
  if (result.state) out["state"] = ToWire(*result.state);
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
    Take(outside->at(0), result.outside.count);
    Take(outside->at(1), result.outside.first_index);
    Take(outside->at(2), result.outside.first_value);
  }
  Get(in, "digest", result.digest);
  if (in.contains("bytes")) result.bytes = in["bytes"].get_binary();
  if (const auto strays = in.find("strays"); strays != in.end()) {
    for (const json& stray : *strays) {
      result.strays.push_back({stray.at(0).get<std::string>(), Taken<std::uint64_t>(stray.at(1)),
                               Taken<std::uint64_t>(stray.at(2)), stray.at(3).get<bool>()});
    }
  }
  Get(in, "words", result.words);
  Get(in, "seconds", result.seconds);
  if (in.contains("answer")) result.answer = AnswerFromWire(in["answer"]);
  if (in.contains("state")) result.state = StateFromWire(in["state"]);
  return result;
}

}  // namespace

json ToWire(const Results& results) {
  json out = json::array();
  for (const Result& result : results) out.push_back(ResultToWire(result));
  return out;
}

Results ResultsFromWire(const json& wire) {
  Results results;
  for (const json& result : wire) results.push_back(ResultFromWire(result));
  return results;
}

}  // namespace parity
