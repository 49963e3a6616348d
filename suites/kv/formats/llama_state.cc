#include "suites/kv/formats/llama_state.h"

#include <algorithm>
#include <utility>

#include "suites/kv/formats/byte_order.h"
#include "suites/kv/formats/llama_cursor.h"

namespace parity::kv {
namespace {

constexpr std::pair<std::uint64_t, const char*> kTypes[] = {
    {0, "f32"},  {1, "f16"},  {2, "q4_0"},    {3, "q4_1"}, {6, "q5_0"},
    {7, "q5_1"}, {8, "q8_0"}, {20, "iq4_nl"}, {30, "bf16"}};

class LlamaDecoder {
 public:
  explicit LlamaDecoder(LlamaCursor* cursor) : cursor_(cursor) {}

  void Decode() {
    if (!ReadHeader() || !ReadTokens() || (whole_ && !ReadContext()) || !ReadStreams()) {
      cursor_->Rest();
    } else if (cursor_->left() > 0) {
      record()->Add(ProblemKind::kTrailingIgnored, "rest",
                    std::to_string(cursor_->left()) + " bytes behind the last layer");
      cursor_->Rest();
    }
  }

 private:
  Record* record() { return cursor_->record(); }

  bool ReadHeader() {
    if (record()->size < 12) {
      record()->Add(
          ProblemKind::kTooShort, "header",
          "got a file of " + std::to_string(record()->size) + " bytes, expected at least 12");
      return false;
    }
    const std::uint64_t magic = *cursor_->Next("magic", 4, FieldRole::kMagic);
    const std::uint64_t version = *cursor_->Next("version", 4, FieldRole::kVersion);
    whole_ = magic == kLlamaContextMagic;
    if (!whole_ && magic != kLlamaSequenceMagic) {
      record()->Add(ProblemKind::kBadMagic, "magic",
                    "got " + std::to_string(magic) +
                        ", expected 1734833009 (one sequence) or 1734833006 (whole context)");
      return false;
    }
    record()->fields[0].meaning = whole_ ? "whole context" : "one sequence";
    const std::uint64_t older = whole_ ? 9 : 2;
    if (version != older && version != older + 1) {
      record()->Add(ProblemKind::kBadVersion, "version",
                    "got " + std::to_string(version) + ", expected " + std::to_string(older) +
                        " or " + std::to_string(older + 1));
      return false;
    }
    newer_ = version == older + 1;
    return true;
  }

  bool ReadTokens() {
    const auto count = cursor_->Next("tokens", 4, FieldRole::kCount);
    return count && cursor_->Section("token_ids", *count, 4);
  }

  // The older version also keeps what the last batch put out.
  bool ReadContext() {
    if (!ReadCounted("architecture", 4, 1)) return false;
    return newer_ || (ReadCounted("output_ids", 4, 4) && ReadCounted("logits", 8, 4) &&
                      ReadCounted("embeddings", 8, 4));
  }

  bool ReadCounted(const std::string& name, std::size_t width, std::uint64_t each) {
    const auto count = cursor_->Next(name + "_count", width, FieldRole::kCount);
    return count && cursor_->Section(name, *count, each);
  }

  bool ReadStreams() {
    if (!newer_) return ReadStream("stream[0]");
    const auto streams = cursor_->Next("streams", 4, FieldRole::kCount);
    if (!streams) return false;
    if (*streams > kLlamaMostStreams) {
      record()->Add(ProblemKind::kTooManyStreams, "streams",
                    "got " + std::to_string(*streams) + ", expected at most 256");
      return false;
    }
    for (std::uint64_t stream = 0; stream < *streams; ++stream) {
      if (!ReadStream("stream[" + std::to_string(stream) + "]")) return false;
    }
    return true;
  }

  bool ReadStream(const std::string& name) {
    const auto cells = cursor_->Next(name + ".cells", 4, FieldRole::kCount);
    if (!cells) return false;
    // An empty stream ends here; a file of the older version goes on with rows of no cells.
    if (newer_ && *cells == 0) return true;
    if (!cursor_->Cells(name + ".cell_table", *cells)) return false;
    const auto transposed = cursor_->Next(name + ".v_transposed", 4);
    if (!transposed) return false;
    const auto layers = cursor_->Next(name + ".layers", 4, FieldRole::kCount);
    if (!layers) return false;
    if (*transposed > 1) {
      record()->Add(ProblemKind::kBadField, name + ".v_transposed",
                    "got " + std::to_string(*transposed) + ", expected 0 or 1");
      return false;
    }
    if (*layers > kLlamaMostLayers) {
      record()->Add(ProblemKind::kTooManyLayers, name + ".layers",
                    "got " + std::to_string(*layers) + ", expected at most 512");
      return false;
    }
    return ReadLayers(name + ".k", *cells, *layers, false) &&
           ReadLayers(name + ".v", *cells, *layers, *transposed == 1);
  }

  bool ReadLayers(const std::string& name, std::uint64_t cells, std::uint64_t layers,
                  bool transposed) {
    for (std::uint64_t layer = 0; layer < layers; ++layer) {
      const std::string one = name + "[" + std::to_string(layer) + "]";
      const auto type = cursor_->Next(one + ".type", 4);
      if (!type) return false;
      record()->fields.back().meaning = LlamaTypeName(*type);
      if (transposed ? !ReadRuns(one, cells) : !ReadRows(one, cells)) return false;
    }
    return true;
  }

  bool ReadRows(const std::string& name, std::uint64_t cells) {
    const auto row = cursor_->Next(name + ".row_bytes", 8, FieldRole::kCount);
    return row && cursor_->Section(name + ".rows", cells, *row);
  }

  // One run over the cells for each element of a row. Two words of 32 bits cannot overflow.
  bool ReadRuns(const std::string& name, std::uint64_t cells) {
    const auto element = cursor_->Next(name + ".element_bytes", 4, FieldRole::kCount);
    if (!element) return false;
    const auto elements = cursor_->Next(name + ".row_elements", 4, FieldRole::kCount);
    return elements && cursor_->Section(name + ".rows", cells, *element * *elements);
  }

  LlamaCursor* cursor_;
  bool whole_ = false, newer_ = false;
};

}  // namespace

bool LlamaStateFormat::Recognises(std::span<const std::uint8_t> first, const std::string&) const {
  if (first.size() < 4) return false;
  const std::uint64_t magic = LoadUnsigned(first.first(4));
  return magic == kLlamaSequenceMagic || magic == kLlamaContextMagic;
}

Record LlamaStateFormat::Decode(RecordBytes* bytes, const std::string& file_name) const {
  Record record;
  record.format = name();
  record.file_name = file_name;
  record.size = bytes->size();
  RecordReader reader(bytes, &record);
  LlamaCursor cursor(&reader);
  LlamaDecoder(&cursor).Decode();
  return record;
}

std::string LlamaTypeName(std::uint64_t type) {
  const auto found = std::find_if(std::begin(kTypes), std::end(kTypes),
                                  [&](const auto& known) { return known.first == type; });
  return found == std::end(kTypes) ? "" : found->second;
}

}  // namespace parity::kv
