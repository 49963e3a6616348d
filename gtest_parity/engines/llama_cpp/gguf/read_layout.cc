#include <algorithm>
#include <bit>
#include <limits>
#include <set>

#include "gtest_parity/engines/llama_cpp/gguf/byte_reader.h"
#include "gtest_parity/engines/llama_cpp/gguf/gguf_file.h"
#include "gtest_parity/engines/llama_cpp/gguf/refuse.h"
#include "gtest_parity/manifest/diagnostics.h"

namespace parity::gguf {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

// JSON's escapes in a name from a file that may be anything.
std::string Named(const std::string& name) { return TextOf(Text(name)); }

std::uint32_t ReadHead(ByteReader* reader) {
  const std::string_view magic = reader->Take(kMagic.size(), "the magic");
  if (magic != kMagic) {
    Refuse(reader->file(), "the magic", Named(std::string(magic)), Quoted(std::string(kMagic)));
  }
  const std::uint32_t version = reader->U32("the version");
  if (version != kVersion && version != 2) {
    Refuse(reader->file(), "the version", std::to_string(version), "2 or 3, little-endian");
  }
  return version;
}

ValueType ReadValueType(ByteReader* reader, const std::string& what) {
  const std::uint32_t number = reader->U32("the type of " + what);
  if (number >= kValueTypes) {
    Refuse(reader->file(), "the type of " + what, std::to_string(number), "0 to 12");
  }
  return static_cast<ValueType>(number);
}

void SkipElements(ByteReader* reader, ValueType type, std::uint64_t count,
                  const std::string& what) {
  if (type != ValueType::kString) {
    const std::uint64_t bytes = BytesOf(type);
    if (count > kMost / bytes) {
      Refuse(reader->file(), "the count of " + what, std::to_string(count),
             "what the file's bytes hold");
    }
    reader->Take(count * bytes, what);
    return;
  }
  // Each takes 8 bytes at least, so that the file's size bounds the turns.
  for (std::uint64_t i = 0; i < count; ++i) reader->Text(what);
}

Value ReadValue(ByteReader* reader, const std::string& what) {
  Value value{ReadValueType(reader, what)};
  if (value.type == ValueType::kArray) {
    value.element = ReadValueType(reader, "an element of " + what);
    if (value.element == ValueType::kArray) {
      Refuse(reader->file(), what, "an array of arrays", "an array of numbers or strings");
    }
    value.count = reader->U64("the count of " + what);
  }
  const std::uint64_t from = reader->at();
  SkipElements(reader, value.type == ValueType::kArray ? value.element : value.type, value.count,
               what);
  value.bytes = reader->Since(from);
  return value;
}

Metadata ReadMetadata(ByteReader* reader, std::uint64_t count) {
  Metadata metadata;
  std::set<std::string> names;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string name(reader->Text("key " + std::to_string(i)));
    if (!names.insert(name).second) {
      Refuse(reader->file(), Named(name), "the key twice", "once");
    }
    metadata.emplace_back(name, ReadValue(reader, Named(name)));
  }
  return metadata;
}

std::uint64_t AlignmentOf(const std::string& file, const Metadata& metadata) {
  const Value* value = Find(metadata, "general.alignment");
  if (value == nullptr) return kAlignment;
  ByteReader reader(file, value->bytes);
  const std::uint32_t alignment =
      value->type == ValueType::kU32 ? reader.U32("general.alignment") : 0;
  if (!std::has_single_bit(alignment)) {
    Refuse(file, "general.alignment", TypeTextOf(*value) + " " + TextOf(*value),
           "u32, a power of 2");
  }
  return alignment;
}

// Bytes by shape and type; refuses what has no size, or no whole blocks in a row.
std::uint64_t TensorBytes(const std::string& file, const Tensor& tensor) {
  if (tensor.shape.front() % tensor.type->block != 0) {
    Refuse(file, "the rows of " + Named(tensor.name),
           std::to_string(tensor.shape.front()) + " elements",
           "a multiple of the " + std::to_string(tensor.type->block) + " in a block of " +
               std::string(tensor.type->name));
  }
  std::uint64_t bytes = tensor.type->bytes;
  std::vector<std::uint64_t> extents = tensor.shape;
  extents.front() /= tensor.type->block;
  for (const std::uint64_t extent : extents) {
    if (extent == 0 || bytes > kMost / extent) {
      Refuse(file, "the shape of " + Named(tensor.name), "extent " + std::to_string(extent),
             "extents above 0, with a size in 64 bits");
    }
    bytes *= extent;
  }
  return bytes;
}

Tensor ReadTensor(ByteReader* reader, std::uint64_t index) {
  Tensor tensor;
  tensor.name = reader->Text("the name of tensor " + std::to_string(index));
  const std::string name = Named(tensor.name);
  if (tensor.name.size() > kMostNameBytes) {
    Refuse(reader->file(), "the name of tensor " + std::to_string(index),
           std::to_string(tensor.name.size()) + " bytes",
           "at most " + std::to_string(kMostNameBytes));
  }
  const std::uint32_t dimensions = reader->U32("the dimensions of " + name);
  if (dimensions == 0 || dimensions > kMostDimensions) {
    Refuse(reader->file(), "the dimensions of " + name, std::to_string(dimensions), "1 to 4");
  }
  for (std::uint32_t i = 0; i < dimensions; ++i) {
    tensor.shape.push_back(reader->U64("the shape of " + name));
  }
  const std::uint32_t type = reader->U32("the type of " + name);
  tensor.type = FindTensorType(type);
  if (tensor.type == nullptr) {
    Refuse(reader->file(), "the type of " + name, std::to_string(type),
           "a type of ggml that is known here");
  }
  tensor.offset = reader->U64("the offset of " + name);
  tensor.bytes = TensorBytes(reader->file(), tensor);
  return tensor;
}

// From offsets in the data to offsets in the file.
void PlaceTensors(ByteReader* reader, Layout* layout) {
  if (layout->tensors.empty()) return;
  const std::uint64_t padding =
      (layout->alignment - reader->at() % layout->alignment) % layout->alignment;
  reader->Take(padding, "the padding before the data");
  const std::uint64_t begin = reader->at(), size = reader->left();
  std::uint64_t least = 0;
  for (Tensor& tensor : layout->tensors) {
    const std::string what = "the data of " + Named(tensor.name);
    if (tensor.offset % layout->alignment != 0 || tensor.offset < least) {
      Refuse(reader->file(), what, "offset " + std::to_string(tensor.offset),
             "a multiple of " + std::to_string(layout->alignment) + " from " +
                 std::to_string(least) + ", behind the tensor before it");
    }
    if (tensor.offset > size || tensor.bytes > size - tensor.offset) {
      Refuse(reader->file(), what,
             std::to_string(tensor.bytes) + " bytes at " + std::to_string(tensor.offset),
             "at most the " + std::to_string(size) + " bytes of data that the file has");
    }
    least = tensor.offset + tensor.bytes;
    tensor.offset += begin;
  }
}

}  // namespace

Layout ReadLayout(const std::string& name, std::string_view bytes) {
  ByteReader reader(name, bytes);
  Layout layout;
  layout.version = ReadHead(&reader);
  const std::uint64_t tensors = reader.U64("the count of tensors");
  const std::uint64_t keys = reader.U64("the count of keys");
  layout.metadata = ReadMetadata(&reader, keys);
  layout.alignment = AlignmentOf(name, layout.metadata);
  std::set<std::string> names;
  for (std::uint64_t i = 0; i < tensors; ++i) {
    layout.tensors.push_back(ReadTensor(&reader, i));
    if (!names.insert(layout.tensors.back().name).second) {
      Refuse(name, Named(layout.tensors.back().name), "the tensor twice", "once");
    }
  }
  PlaceTensors(&reader, &layout);
  return layout;
}

const Tensor* FindTensor(const Layout& layout, const std::string& name) {
  const auto found = std::find_if(layout.tensors.begin(), layout.tensors.end(),
                                  [&](const Tensor& tensor) { return tensor.name == name; });
  return found == layout.tensors.end() ? nullptr : &*found;
}

}  // namespace parity::gguf
