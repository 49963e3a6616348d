#include "gtest_parity/manifest/check_description.h"

#include <set>

#include "gtest_parity/manifest/check_programs.h"
#include "gtest_parity/manifest/check_views.h"
#include "gtest_parity/manifest/json_object.h"
#include "gtest_parity/manifest/operand.h"

namespace parity {
namespace {

class DeclarationChecker {
 public:
  DeclarationChecker(const Description& description, std::uint32_t ranks, JsonSource* source)
      : description_(description), vars_(AtMost(description, ranks)), source_(source) {}

  void Check() {
    for (const auto& [name, tensor] : description_.tensors) {
      CheckShape(tensor);
      CheckDecision(tensor);
      CheckScores(tensor);
    }
    for (const auto& [name, of] : description_.peers) CheckPeer(name, of);
    CheckVars();
    CheckContext();
  }

 private:
  static std::string PointerOf(const Tensor& tensor) {
    return Pointer(tensor.kind == Kind::kBuffer ? "/buffers" : "/states", tensor.name);
  }

  static std::string Called(const Tensor& tensor) {
    return (tensor.kind == Kind::kBuffer ? "buffer " : "state ") + tensor.name;
  }

  // 0 where the extent cannot be evaluated, which is reported.
  std::uint64_t Extent(const Dim& dim, const std::string& pointer, const std::string& whose) {
    used_vars_.insert({dim.numerator, dim.denominator});
    try {
      return dim.Evaluate(vars_);
    } catch (const std::runtime_error& error) {
      source_->Add(pointer, whose + ": " + error.what(), "", "");
    }
    return 0;
  }

  void CheckShape(const Tensor& tensor) {
    const std::string pointer = PointerOf(tensor);
    std::vector<std::uint64_t> shape;
    std::uint64_t bytes = BytesOf(tensor.dtype, 1);
    for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
      const std::string at = Pointer(pointer + "/shape", std::to_string(i));
      const std::size_t before = source_->errors().size();
      shape.push_back(Extent(tensor.shape[i], at, Called(tensor)));
      if (source_->errors().size() > before) continue;
      if (shape.back() == 0) source_->Add(at, Called(tensor) + ": empty", "0", "at least 1");
      if (__builtin_mul_overflow(bytes, std::max<std::uint64_t>(shape.back(), 1), &bytes)) {
        source_->Add(at, Called(tensor) + ": larger than 2^64 bytes", "", "");
        bytes = 1;
      }
    }
    for (const auto& [name, slice] : tensor.slices) {
      CheckSlice(slice, Pointer(pointer + "/slices", name), "slice " + tensor.name + "/" + name,
                 shape);
    }
    for (const View& view : tensor.views) CheckViewExtents(tensor, view, shape);
    if (tensor.paged) CheckPages(tensor, shape);
    if (BitsOf(tensor.dtype) < 8) CheckPacked(tensor, shape);
  }

  // Of a row with half a byte nobody could say whose the other half is.
  void CheckPacked(const Tensor& tensor, const std::vector<std::uint64_t>& shape) {
    const Dim last = tensor.shape.empty() ? Dim{"1", ""} : tensor.shape.back();
    const bool varies = description_.var_max.contains(last.numerator) ||
                        description_.var_max.contains(last.denominator);
    if (!varies && !shape.empty() && shape.back() % 2 == 0) return;
    source_->Add(PointerOf(tensor) + "/shape",
                 Called(tensor) + ": " + std::string(NameOf(tensor.dtype)) +
                     " is packed two to a byte, and a row must end with a byte",
                 last.Text(), "a last axis with a constant, even number of elements");
  }

  void CheckViewExtents(const Tensor& tensor, const View& view,
                        const std::vector<std::uint64_t>& shape) {
    const std::string pointer = Pointer(PointerOf(tensor) + "/views", view.name);
    const std::string whose = "view " + view.name + " of " + tensor.name;
    for (std::size_t i = 0; i < view.shape.size(); ++i) {
      Extent(view.shape[i], Pointer(pointer + "/shape", std::to_string(i)), whose);
    }
    if (view.slice) CheckSlice(*view.slice, pointer + "/slice", "slice of " + whose, shape);
  }

  void CheckSlice(const Slice& slice, const std::string& pointer, const std::string& whose,
                  const std::vector<std::uint64_t>& shape) {
    const std::size_t before = source_->errors().size();
    const std::uint64_t start = Extent(slice.start, pointer + "/start", whose);
    const std::uint64_t size = Extent(slice.size, pointer + "/size", whose);
    if (source_->errors().size() > before || slice.axis >= shape.size()) return;
    const std::uint64_t extent = shape[slice.axis];
    if (extent > 0 && (size == 0 || start > extent || size > extent - start)) {
      source_->Add(pointer, whose + " is not inside axis " + std::to_string(slice.axis),
                   IntervalText(start, start + size), "a part of " + IntervalText(0, extent));
    }
  }

  void CheckPages(const Tensor& tensor, const std::vector<std::uint64_t>& shape) {
    const std::string pointer = PointerOf(tensor);
    if (!description_.paging) {
      source_->Add(pointer, "a paged state without `paging`", "", "page_tokens and page_count");
    } else if (shape.empty() || shape[0] != description_.paging->page_count) {
      source_->Add(pointer + "/shape", "axis 0 of a paged state is the page",
                   shape.empty() ? "no axis" : std::to_string(shape[0]),
                   "page_count, " + std::to_string(description_.paging->page_count));
    }
  }

  void CheckDecision(const Tensor& tensor) {
    const bool number = tensor.dtype != DType::kBytes && tensor.dtype != DType::kBool;
    if (tensor.role != Role::kDecision || (number && !IsFloat(tensor.dtype))) return;
    source_->Add(PointerOf(tensor) + "/dtype", "a decision is an index",
                 Quoted(std::string(NameOf(tensor.dtype))), "an integer dtype");
  }

  void CheckScores(const Tensor& tensor) {
    if (tensor.scores.empty()) return;
    const std::string pointer = PointerOf(tensor) + "/scores";
    if (tensor.role != Role::kDecision) {
      source_->Add(pointer, "scores of what is no decision", Quoted(tensor.scores),
                   "role \"decision\"");
    }
    const auto found = description_.tensors.find(tensor.scores);
    if (found == description_.tensors.end() || found->second.kind != Kind::kBuffer) {
      source_->Add(pointer, "unknown buffer", Quoted(tensor.scores),
                   ExpectedName(tensor.scores, Names(Kind::kBuffer)));
    }
  }

  void CheckPeer(const std::string& name, const std::string& of) {
    const std::string pointer = Pointer("/peers", name);
    if (description_.tensors.contains(name)) {
      source_->Add(pointer, "a buffer or state has that name too", Quoted(name), "another");
    }
    if (!of.empty() && !description_.tensors.contains(of)) {
      std::vector<std::string> names = Names(Kind::kBuffer);
      for (std::string& state : Names(Kind::kState)) names.push_back(std::move(state));
      source_->Add(pointer + "/of", "unknown buffer or state", Quoted(of), ExpectedName(of, names));
    }
  }

  void CheckVars() {
    for (const char* name : {"rows", "seqs"}) {
      if (!description_.var_max.contains(name)) {
        source_->Add("/vars", "missing variable " + Quoted(name) + ", which bounds every step", "",
                     "");
      }
      used_vars_.insert(name);
    }
    for (const auto& [name, max] : description_.var_max) {
      if (!used_vars_.contains(name)) {
        source_->Add(Pointer("/vars", name), "declared and unused: variable " + name, "", "");
      }
    }
  }

  void CheckContext() {
    if (!description_.paging) return;
    const Paging& paging = *description_.paging;
    std::uint64_t tokens = 0;
    if (__builtin_mul_overflow(paging.page_tokens, paging.page_count, &tokens)) return;
    if (description_.context > tokens) {
      source_->Add("/context", "one sequence does not fit the pages",
                   std::to_string(description_.context) + " tokens",
                   "at most page_tokens x page_count, " + std::to_string(tokens));
    }
  }

  std::vector<std::string> Names(Kind kind) const {
    std::vector<std::string> names;
    for (const auto& [name, tensor] : description_.tensors) {
      if (tensor.kind == kind) names.push_back(name);
    }
    return names;
  }

  const Description& description_;
  const Vars vars_;
  JsonSource* source_;
  std::set<std::string> used_vars_;
};

}  // namespace

void CheckDescription(const Description& description, std::uint32_t ranks, JsonSource* source) {
  DeclarationChecker(description, ranks, source).Check();
  CheckViews(description, ranks, source);
  CheckPrograms(description, ranks, source);
}

}  // namespace parity
