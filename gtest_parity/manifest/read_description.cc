#include "gtest_parity/manifest/read_description.h"

#include <algorithm>
#include <utility>

#include "gtest_parity/manifest/check_description.h"
#include "gtest_parity/manifest/json_object.h"

namespace parity {
namespace {

// What separates names elsewhere, and control characters, of which NUL would end a name early.
bool IsName(const std::string& term) {
  return !term.empty() && std::none_of(term.begin(), term.end(), [](unsigned char c) {
    return c == '/' || c <= ' ' || c == 0x7f;
  });
}

class DescriptionReader {
 public:
  explicit DescriptionReader(JsonSource source) : source_(std::move(source)) {}

  Description Read(std::uint32_t ranks) {
    const JsonObject top(source_.root(), "",
                         {{"parity_description", true},
                          {"engine", true},
                          {"traits"},
                          {"vars", true},
                          {"context", true},
                          {"paging"},
                          {"buffers", true},
                          {"states"},
                          {"peers"},
                          {"programs", true}},
                         &source_);
    std::uint64_t version = 1;
    top.Read("parity_description", 0, &version);
    if (version != 1) {
      source_.Add("/parity_description", "wrong version", std::to_string(version), "1");
    }
    top.Read("engine", &description_.engine);
    top.Read("context", 1, &description_.context);
    ReadTraits(top);
    ReadVars(top);
    ReadPaging(top);
    for (const auto& [name, value] : top.Object("buffers").items()) {
      ReadTensor(name, value, Kind::kBuffer);
    }
    for (const auto& [name, value] : top.Object("states").items()) {
      ReadTensor(name, value, Kind::kState);
    }
    ReadPeers(top);
    ReadPrograms(top);
    CheckDescription(description_, ranks, &source_);
    source_.ThrowIfAny();
    return std::move(description_);
  }

 private:
  void ReadTraits(const JsonObject& top) {
    std::vector<std::string> traits;
    top.Read("traits", &traits);
    const std::pair<const char*, bool*> known[] = {{"sequential", &description_.sequential},
                                                   {"tap_only", &description_.tap_only}};
    for (std::size_t i = 0; i < traits.size(); ++i) {
      const auto found = std::find_if(std::begin(known), std::end(known),
                                      [&](const auto& trait) { return traits[i] == trait.first; });
      if (found == std::end(known)) {
        source_.Add(Pointer("/traits", std::to_string(i)), "unknown trait", Quoted(traits[i]),
                    "\"sequential\" or \"tap_only\"");
      } else {
        *found->second = true;
      }
    }
  }

  void ReadVars(const JsonObject& top) {
    for (const auto& [name, value] : top.Object("vars").items()) {
      const std::string pointer = Pointer("/vars", name);
      const JsonObject var(value, pointer, {{"max", true}}, &source_);
      std::uint64_t max = 1;
      var.Read("max", 1, &max);
      if (name == "ranks") source_.Add(pointer, "reserved name", "\"ranks\"", "another");
      description_.var_max[name] = max;
    }
  }

  void ReadPaging(const JsonObject& top) {
    if (top.Find("paging") == nullptr) return;
    const JsonObject object(*top.Find("paging"), "/paging",
                            {{"page_tokens", true}, {"page_count", true}}, &source_);
    Paging& paging = description_.paging.emplace();
    object.Read("page_tokens", 1, &paging.page_tokens);
    object.Read("page_count", 1, &paging.page_count);
  }

  void ReadTensor(const std::string& name, const nlohmann::json& value, Kind kind) {
    const std::string pointer = Pointer(kind == Kind::kBuffer ? "/buffers" : "/states", name);
    std::vector<JsonObject::Key> keys = {
        {"dtype", true}, {"shape", true}, {"replicated"}, {"slices"}, {"views"}};
    if (kind == Kind::kBuffer) {
      keys.insert(keys.end(), {{"role"}, {"domain"}, {"scores"}});
    } else {
      keys.push_back({"paged"});
    }
    const JsonObject object(value, pointer, keys, &source_);
    Tensor tensor;
    tensor.name = name;
    tensor.kind = kind;
    ReadDType(object, &tensor.dtype);
    ReadShape(object, &tensor.shape);
    ReadRole(object, &tensor);
    object.Read("replicated", &tensor.replicated);
    object.Read("paged", &tensor.paged);
    object.Read("scores", &tensor.scores);
    ReadDomain(object, &tensor);
    for (const auto& [slice, declared] : object.Object("slices").items()) {
      const std::string at = Pointer(object.PointerOf("slices"), slice);
      tensor.slices[slice] = ReadSlice(declared, at, tensor);
      if (!IsName(slice)) {
        source_.Add(at, "bad name", Quoted(slice), "a name without / or space");
      }
    }
    for (const auto& [view, declared] : object.Object("views").items()) {
      tensor.views.push_back(ReadView(view, declared, object.PointerOf("views"), tensor));
    }
    if (!IsName(name)) source_.Add(pointer, "bad name", Quoted(name), "a name without / or space");
    if (!description_.tensors.emplace(name, std::move(tensor)).second) {
      source_.Add(pointer, "a buffer has that name too", Quoted(name), "another");
    }
  }

  void ReadDType(const JsonObject& object, DType* out) {
    std::string name;
    object.Read("dtype", &name);
    if (name.empty()) return;
    if (const auto dtype = ParseDType(name)) {
      *out = *dtype;
      return;
    }
    std::vector<std::string> known;
    for (std::uint32_t i = 0; i < kDTypeCount; ++i) {
      known.emplace_back(NameOf(static_cast<DType>(i)));
    }
    source_.Add(object.PointerOf("dtype"), "unknown dtype", Quoted(name),
                ExpectedName(name, known));
  }

  void ReadShape(const JsonObject& object, std::vector<Dim>* out) {
    const nlohmann::json& shape = object.Array("shape");
    for (std::size_t i = 0; i < shape.size(); ++i) {
      out->push_back(ReadDim(shape[i], Pointer(object.PointerOf("shape"), std::to_string(i))));
    }
  }

  void ReadRole(const JsonObject& object, Tensor* tensor) {
    std::string name = NameOf(tensor->role);
    object.Read("role", &name);
    std::vector<std::string> known;
    for (const Role role : kRoles) {
      known.push_back(NameOf(role));
      if (name != known.back()) continue;
      tensor->role = role;
      return;
    }
    source_.Add(object.PointerOf("role"), "unknown role", Quoted(name), ExpectedName(name, known));
  }

  // 256, "rows" or "256/ranks".
  Dim ReadDim(const nlohmann::json& value, const std::string& pointer) {
    if (value.is_number_unsigned()) return {std::to_string(value.get<std::uint64_t>()), ""};
    Dim dim{"1", ""};
    if (value.is_string()) {
      const std::string text = value.get<std::string>();
      const std::size_t slash = text.find('/');
      dim.numerator = text.substr(0, slash);
      if (slash != std::string::npos) dim.denominator = text.substr(slash + 1);
      const bool whole =
          IsName(dim.numerator) && (slash == std::string::npos || IsName(dim.denominator));
      if (whole) return dim;
    }
    source_.Add(pointer, "bad extent", Shown(value), "a number, a variable or a quotient of them");
    return {"1", ""};
  }

  void ReadDomain(const JsonObject& object, Tensor* tensor) {
    if (object.Find("domain") == nullptr) return;
    const JsonObject domain(*object.Find("domain"), object.PointerOf("domain"),
                            {{"min", true}, {"max", true}}, &source_);
    ValueRange& bounds = tensor->domain.emplace();
    domain.Read("min", &bounds.min);
    domain.Read("max", &bounds.max);
    if (bounds.min > bounds.max) {
      source_.Add(domain.pointer(), "empty domain", Shown(*object.Find("domain")), "min <= max");
    }
  }

  Slice ReadSlice(const nlohmann::json& value, const std::string& pointer, const Tensor& tensor) {
    const JsonObject object(value, pointer, {{"axis", true}, {"start", true}, {"size", true}},
                            &source_);
    Slice slice{0, {"0", ""}, {"1", ""}};
    std::uint64_t axis = 0;
    object.Read("axis", 0, &axis);
    if (axis >= tensor.shape.size()) {
      source_.Add(object.PointerOf("axis"), "no such axis", std::to_string(axis),
                  "one below " + std::to_string(tensor.shape.size()));
      axis = 0;
    }
    slice.axis = static_cast<std::uint32_t>(axis);
    if (const auto* start = object.Find("start")) {
      slice.start = ReadDim(*start, object.PointerOf("start"));
    }
    if (const auto* size = object.Find("size")) {
      slice.size = ReadDim(*size, object.PointerOf("size"));
    }
    return slice;
  }

  View ReadView(const std::string& name, const nlohmann::json& value, const std::string& parent,
                const Tensor& tensor) {
    const std::string pointer = Pointer(parent, name);
    const JsonObject object(
        value, pointer, {{"dtype"}, {"shape", true}, {"by"}, {"slice"}, {"transpose"}}, &source_);
    View view;
    view.name = name;
    view.dtype = tensor.dtype;
    ReadDType(object, &view.dtype);
    ReadShape(object, &view.shape);
    std::string by = "harness";
    object.Read("by", &by);
    view.by_engine = by == "engine";
    if (by != "engine" && by != "harness") {
      source_.Add(object.PointerOf("by"), "unknown", Quoted(by),
                  ExpectedName(by, {"engine", "harness"}));
    }
    if (const auto* slice = object.Find("slice")) {
      view.slice = ReadSlice(*slice, object.PointerOf("slice"), tensor);
    }
    const nlohmann::json& transpose = object.Array("transpose");
    for (std::size_t i = 0; i < transpose.size(); ++i) {
      if (transpose[i].is_number_unsigned() && transpose[i] < tensor.shape.size()) {
        view.transpose.push_back(transpose[i].get<std::uint32_t>());
        continue;
      }
      source_.Add(Pointer(object.PointerOf("transpose"), std::to_string(i)), "no such axis",
                  Shown(transpose[i]), "one below " + std::to_string(tensor.shape.size()));
    }
    if (!IsName(name)) source_.Add(pointer, "bad name", Quoted(name), "a name without / or space");
    return view;
  }

  void ReadPeers(const JsonObject& top) {
    for (const auto& [name, value] : top.Object("peers").items()) {
      const JsonObject peer(value, Pointer("/peers", name), {{"of", true}}, &source_);
      peer.Read("of", &description_.peers[name]);
    }
  }

  void ReadPrograms(const JsonObject& top) {
    const nlohmann::json& programs = top.Array("programs");
    for (std::size_t i = 0; i < programs.size(); ++i) {
      const JsonObject object(programs[i], Pointer("/programs", std::to_string(i)),
                              {{"name", true}, {"once"}, {"drafts"}, {"ops", true}}, &source_);
      Program program;
      object.Read("name", &program.name);
      if (!program.name.empty() && !IsName(program.name)) {
        source_.Add(object.PointerOf("name"), "bad name", Quoted(program.name),
                    "a name without / or space");
      }
      object.Read("once", &program.once);
      object.Read("drafts", 1, &program.drafts);
      const nlohmann::json& ops = object.Array("ops");
      program.ops.reserve(ops.size());
      for (std::size_t j = 0; j < ops.size(); ++j) {
        program.ops.push_back(ReadOp(ops[j], Pointer(object.PointerOf("ops"), std::to_string(j))));
      }
      description_.programs.push_back(std::move(program));
    }
    if (programs.empty()) source_.Add("/programs", "nothing to run", "", "at least one program");
  }

  Op ReadOp(const nlohmann::json& value, const std::string& pointer) {
    static const std::vector<JsonObject::Key> keys = {
        {"op", true}, {"label", true}, {"reads"}, {"writes"}, {"updates"}};
    const JsonObject object(value, pointer, keys, &source_);
    Op op;
    object.Read("op", &op.op);
    object.Read("label", &op.label);
    object.Read("reads", &op.reads);
    object.Read("writes", &op.writes);
    object.Read("updates", &op.updates);
    return op;
  }

  JsonSource source_;
  Description description_;
};

}  // namespace

Description ReadDescription(const std::string& path, std::uint32_t ranks) {
  return ReadDescription(JsonSource(path), ranks);
}

Description ReadDescription(JsonSource source, std::uint32_t ranks) {
  return DescriptionReader(std::move(source)).Read(ranks);
}

}  // namespace parity
