#include "gtest_parity/manifest/check_views.h"

#include <charconv>
#include <map>
#include <set>

#include "gtest_parity/manifest/json_object.h"
#include "gtest_parity/manifest/operand.h"
#include "gtest_parity/manifest/tensor_pairs.h"
#include "kernels/convert.h"

namespace parity {
namespace {

// A number of elements as a number times variables: equal at every step or not at all.
struct ElementCount {
  std::uint64_t above = 1, below = 1;
  std::multiset<std::string> vars;

  void Multiply(const Dim& dim, std::uint64_t ranks) {
    MultiplyTerm(dim.numerator, ranks, &above);
    if (!dim.denominator.empty()) MultiplyTerm(dim.denominator, ranks, &below);
  }
  bool operator==(const ElementCount& other) const {
    return above * other.below == other.above * below && vars == other.vars;
  }

 private:
  void MultiplyTerm(const std::string& term, std::uint64_t ranks, std::uint64_t* number) {
    std::uint64_t factor = ranks;
    const char* end = term.data() + term.size();
    const bool is_number = std::from_chars(term.data(), end, factor).ptr == end;
    if (is_number || term == "ranks") {
      *number *= factor;
    } else {
      vars.insert(number == &above ? term : "1/" + term);
    }
  }
};

std::string ShapeText(const std::vector<Dim>& shape, const Vars& vars) {
  Tensor tensor;
  tensor.shape = shape;
  const std::string text = DeclarationText(tensor, vars);
  return text.substr(text.find('['));
}

class ViewChecker {
 public:
  ViewChecker(const Description& description, std::uint32_t ranks, JsonSource* source)
      : description_(description),
        ranks_(ranks),
        vars_(AtMost(description, ranks)),
        source_(source) {}

  void Check() {
    for (const auto& [name, tensor] : description_.tensors) {
      for (const View& view : tensor.views) {
        CheckName(tensor, view);
        CheckRole(tensor, view);
        CheckDType(tensor, view);
        view.by_engine ? CheckByEngine(tensor, view) : CheckByHarness(tensor, view);
      }
      CheckApart(tensor);
    }
  }

 private:
  static std::string PointerOf(const Tensor& tensor, const View& view) {
    const char* list = tensor.kind == Kind::kBuffer ? "/buffers" : "/states";
    return Pointer(Pointer(list, tensor.name) + "/views", view.name);
  }

  void Add(const Tensor& tensor, const View& view, const std::string& key, const std::string& what,
           std::string got, std::string expected) {
    source_->Add(PointerOf(tensor, view) + key, "view " + view.name + " of " + tensor.name + what,
                 std::move(got), std::move(expected));
  }

  void CheckName(const Tensor& tensor, const View& view) {
    const auto [first, fresh] = owners_.emplace(view.name, tensor.name);
    const bool other = view.name != tensor.name && description_.tensors.contains(view.name);
    if (other || description_.peers.contains(view.name)) {
      Add(tensor, view, "", ": a buffer, state or peer has that name", Quoted(view.name),
          "another, or the tensor's own");
    } else if (!fresh) {
      Add(tensor, view, "", ": " + first->second + " has a view of that name too",
          Quoted(view.name), "another");
    }
  }

  void CheckRole(const Tensor& tensor, const View& view) {
    if (tensor.kind == Kind::kState) return;
    for (const Role role : {Role::kConstant, Role::kScratch, Role::kSync}) {
      if (tensor.role != role) continue;
      Add(tensor, view, "", ": its contents are never restored or compared",
          "role " + Quoted(NameOf(role)), "no view of it");
    }
  }

  void CheckDType(const Tensor& tensor, const View& view) {
    if (CanConvert(tensor.dtype, view.dtype)) return;
    Add(tensor, view, "/dtype", " cannot be converted", std::string(NameOf(view.dtype)),
        std::string(NameOf(tensor.dtype)) +
            ", or a dtype that holds all its values, or the reverse");
  }

  void CheckByEngine(const Tensor& tensor, const View& view) {
    if (view.slice) {
      Add(tensor, view, "/slice", " is the engine's", "a slice", "none: only the engine knows");
    }
    if (!view.transpose.empty()) {
      Add(tensor, view, "/transpose", " is the engine's", "a permutation",
          "none: only the engine knows");
    }
  }

  void CheckByHarness(const Tensor& tensor, const View& view) {
    if (tensor.paged) {
      Add(tensor, view, "", ": a paged state lies where its engine's block table says",
          "by \"harness\"", "by \"engine\"");
    }
    if (BitsOf(tensor.dtype) < 8) {
      Add(tensor, view, "", ": elements that share a byte cannot be moved one by one",
          "by \"harness\"", "by \"engine\"");
    }
    const std::set<std::uint32_t> axes(view.transpose.begin(), view.transpose.end());
    if (!view.transpose.empty() &&
        (axes.size() != view.transpose.size() || axes.size() != tensor.shape.size())) {
      Add(tensor, view, "/transpose", " is no permutation",
          std::to_string(view.transpose.size()) + " axes, " + std::to_string(axes.size()) +
              " of them different",
          "each of " + std::to_string(tensor.shape.size()) + " once");
    }
    if (view.slice && (!IsFixed(view.slice->start) || !IsFixed(view.slice->size))) {
      Add(tensor, view, "/slice", " moves with the step",
          view.slice->start.Text() + " and " + view.slice->size.Text(),
          "numbers, divided by `ranks` if need be");
      return;
    }
    CheckElements(tensor, view);
  }

  void CheckElements(const Tensor& tensor, const View& view) {
    ElementCount stored, seen;
    std::vector<Dim> part = tensor.shape;
    if (view.slice && view.slice->axis < part.size()) part[view.slice->axis] = view.slice->size;
    for (const Dim& dim : part) stored.Multiply(dim, ranks_);
    for (const Dim& dim : view.shape) seen.Multiply(dim, ranks_);
    if (stored == seen) return;
    try {
      Add(tensor, view, "/shape", " has another number of elements than what it shows",
          ShapeText(view.shape, vars_), "as many as " + ShapeText(part, vars_));
    } catch (const std::runtime_error&) {
      return;  // an extent that cannot be evaluated is reported with the declaration
    }
  }

  void CheckApart(const Tensor& tensor) {
    for (std::size_t i = 0; i < tensor.views.size(); ++i) {
      const View& view = tensor.views[i];
      for (std::size_t j = 0; j < i; ++j) {
        const View& before = tensor.views[j];
        if (view.by_engine != before.by_engine) {
          Add(tensor, view, "/by", " and view " + before.name + " are carried out differently",
              view.by_engine ? "\"engine\"" : "\"harness\"", "one of the two for all");
        } else if (!view.by_engine && Overlap(view, before)) {
          Add(tensor, view, "/slice", " overlaps view " + before.name, SliceText(view),
              "nothing of " + SliceText(before));
        }
      }
    }
  }

  bool Overlap(const View& a, const View& b) const {
    if (!a.slice || !b.slice || a.slice->axis != b.slice->axis) return true;
    try {
      const std::uint64_t start_a = a.slice->start.Evaluate(vars_);
      const std::uint64_t start_b = b.slice->start.Evaluate(vars_);
      return start_a < start_b + b.slice->size.Evaluate(vars_) &&
             start_b < start_a + a.slice->size.Evaluate(vars_);
    } catch (const std::runtime_error&) {
      return false;  // reported with the declaration
    }
  }

  std::string SliceText(const View& view) const {
    if (!view.slice) return "the whole";
    const std::uint64_t start = view.slice->start.Evaluate(vars_);
    return IntervalText(start, start + view.slice->size.Evaluate(vars_)) + " of axis " +
           std::to_string(view.slice->axis);
  }

  const Description& description_;
  const std::uint32_t ranks_;
  const Vars vars_;
  JsonSource* source_;
  std::map<std::string, std::string> owners_;  // view -> the tensor that it is taken of
};

}  // namespace

void CheckViews(const Description& description, std::uint32_t ranks, JsonSource* source) {
  ViewChecker(description, ranks, source).Check();
}

}  // namespace parity
