#include "gtest_parity/engines/llama_cpp/gguf/tokenizer.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "gtest_parity/engines/llama_cpp/gguf/read_file.h"
#include "gtest_parity/manifest/diagnostics.h"
#include "gtest_parity/manifest/json_object.h"
#include "gtest_parity/manifest/json_source.h"

namespace parity::gguf {
namespace {

using nlohmann::json;

// Null where the pointer leads nowhere.
const json& At(const json& root, const std::string& pointer) {
  static const json kNone;
  const json::json_pointer at(pointer);
  return root.contains(at) ? root.at(at) : kNone;
}

void CheckKind(JsonSource* source) {
  const std::pair<const char*, json> expected[] = {{"/model/type", "BPE"},
                                                   {"/model/dropout", nullptr},
                                                   {"/model/continuing_subword_prefix", nullptr},
                                                   {"/model/end_of_word_suffix", nullptr},
                                                   {"/model/byte_fallback", false},
                                                   {"/model/ignore_merges", false},
                                                   {"/normalizer", nullptr},
                                                   {"/post_processor", nullptr},
                                                   {"/pre_tokenizer/type", "ByteLevel"},
                                                   {"/pre_tokenizer/use_regex", true},
                                                   {"/pre_tokenizer/add_prefix_space", false},
                                                   {"/decoder/type", "ByteLevel"}};
  for (const auto& [pointer, value] : expected) {
    const json& found = At(source->root(), pointer);
    if (found == value || (found.is_null() && value == false)) continue;
    source->Add(pointer, pointer, Shown(found),
                Shown(value) + ", as llama.cpp's gpt2 tokenizer does it");
  }
}

class Vocabulary {
 public:
  Vocabulary(JsonSource* source, std::uint32_t size) : source_(source) {
    tokenizer_.tokens.resize(size);
    tokenizer_.kinds.assign(size, 0);  // no token yet
  }

  void Add(const std::string& pointer, const std::string& token, const json& id,
           std::int32_t kind) {
    if (!id.is_number_unsigned() || id >= tokenizer_.tokens.size()) {
      source_->Add(pointer, "the id of " + Quoted(token), Shown(id),
                   "one below vocab_size, " + std::to_string(tokenizer_.tokens.size()));
      return;
    }
    const auto index = id.get<std::size_t>();
    std::string& known = tokenizer_.tokens[index];
    if (tokenizer_.kinds[index] != 0 && known != token) {
      source_->Add(pointer, "id " + std::to_string(index), Quoted(token) + " and " + Quoted(known),
                   "one token");
    }
    known = token;
    tokenizer_.kinds[index] = kind;
  }

  Tokenizer Finish() {
    for (std::size_t id = 0; id < tokenizer_.kinds.size(); ++id) {
      if (tokenizer_.kinds[id] != 0) continue;
      source_->Add("/model/vocab", "id " + std::to_string(id), "no token",
                   "one for each id below vocab_size");
      break;
    }
    return std::move(tokenizer_);
  }

 private:
  JsonSource* source_;
  Tokenizer tokenizer_;
};

// llama.cpp finds these in a text before it splits it, and knows no blanks around them.
void AddAdded(JsonSource* source, Vocabulary* vocabulary) {
  const json& added = At(source->root(), "/added_tokens");
  for (std::size_t i = 0; i < added.size(); ++i) {
    const std::string pointer = "/added_tokens/" + std::to_string(i);
    const json& content = At(source->root(), pointer + "/content");
    if (!content.is_string()) {
      source->Add(pointer, pointer + "/content", Shown(content), "a string");
      continue;
    }
    for (const char* flag : {"/single_word", "/lstrip", "/rstrip"}) {
      const json& found = At(source->root(), pointer + flag);
      if (found == true) source->Add(pointer + flag, pointer + flag, "true", "false");
    }
    const bool special = At(source->root(), pointer + "/special") == true;
    vocabulary->Add(pointer, content.get<std::string>(), At(source->root(), pointer + "/id"),
                    special ? kControlToken : kUserDefinedToken);
  }
}

// Written as ["a", "b"] or "a b". A part with a blank in it cannot be told from two.
std::vector<std::string> MergesOf(JsonSource* source) {
  std::vector<std::string> merges;
  const json& all = At(source->root(), "/model/merges");
  for (std::size_t i = 0; i < all.size(); ++i) {
    const json& merge = all[i];
    std::string text;
    if (merge.is_string()) text = merge.get<std::string>();
    if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string()) {
      text = merge[0].get<std::string>() + " " + merge[1].get<std::string>();
    }
    const std::size_t blank = text.find(' ');
    if (blank == std::string::npos || blank == 0 || blank + 1 == text.size() ||
        text.find(' ', blank + 1) != std::string::npos) {
      const std::string pointer = "/model/merges/" + std::to_string(i);
      source->Add(pointer, pointer, Shown(merge), "two parts without blanks");
      break;
    }
    merges.push_back(text);
  }
  return merges;
}

}  // namespace

Tokenizer ReadTokenizer(const std::string& folder, std::uint32_t vocabulary) {
  const std::string path = folder + "/tokenizer.json";
  JsonSource source(path, ReadFile(path, "a model's tokenizer.json"));
  CheckKind(&source);
  source.ThrowIfAny();
  Vocabulary words(&source, vocabulary);
  const json& vocab = At(source.root(), "/model/vocab");
  if (!vocab.is_object()) {
    source.Add("/model/vocab", "/model/vocab", Shown(vocab), "an object: ids by token");
    source.ThrowIfAny();
  }
  for (const auto& [token, id] : vocab.items()) {
    words.Add("/model/vocab", token, id, kNormalToken);
  }
  AddAdded(&source, &words);
  Tokenizer tokenizer = words.Finish();
  tokenizer.merges = MergesOf(&source);
  if (tokenizer.merges.empty()) {
    source.Add("/model/merges", "/model/merges", Shown(At(source.root(), "/model/merges")),
               "a list with a merge in it");
  }
  source.ThrowIfAny();
  return tokenizer;
}

}  // namespace parity::gguf
