#include "suites/kv/formats/mutations.h"

#include <algorithm>
#include <map>
#include <set>

#include "suites/kv/formats/byte_order.h"

namespace parity::kv {
namespace {

// "trailer[0].id" -> "trailer_0_id"
std::string SlugOf(const std::string& name) {
  std::string slug;
  for (const char c : name) {
    const bool word = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '_';
    if (c != ']') slug += word ? c : '_';
  }
  return slug;
}

class Mutator {
 public:
  Mutator(const RecordFormat& format, RecordBytes* bytes, const Record& record)
      : format_(format), bytes_(bytes), record_(record) {}

  std::vector<Mutation> All() {
    Flips();
    Cuts();
    Trailing();
    for (const Field& field : record_.fields) Values(field);
    Names();
    return std::move(all_);
  }

 private:
  void Add(std::string slug, std::string what, std::vector<Overwrite> overwrites,
           std::uint64_t size, std::string file_name) {
    // Names that differ only in their punctuation come to one slug.
    while (!slugs_.insert(slug).second) slug += "_2";
    Mutation mutation{slug, std::move(what), std::move(file_name), size, std::move(overwrites)};
    OverlayBytes damaged(bytes_, mutation.overwrites, size);
    for (Problem& problem : format_.Decode(&damaged, mutation.file_name).problems) {
      const auto& before = record_.problems;
      if (std::find(before.begin(), before.end(), problem) != before.end()) continue;
      mutation.noticed = mutation.noticed || Refuses(problem);
      mutation.problems.push_back(std::move(problem));
    }
    all_.push_back(std::move(mutation));
  }

  void Overwritten(const std::string& slug, std::string what, Overwrite overwrite) {
    Add(slug, std::move(what), {std::move(overwrite)}, record_.size, record_.file_name);
  }

  std::vector<std::uint8_t> Taken(std::uint64_t offset, std::uint64_t count) {
    std::vector<std::uint8_t> taken(count);
    if (bytes_->Read(offset, taken) != ReadResult::kOk) taken.clear();
    return taken;
  }

  void Flip(const std::string& name, std::uint64_t offset) {
    auto byte = Taken(offset, 1);
    if (byte.empty()) return;
    byte[0] ^= 1;
    Overwritten("flip_" + SlugOf(name),
                "the lowest bit of byte " + std::to_string(offset) + " (" + name + ") flipped",
                {offset, byte});
  }

  // One bit of a section may be the last of a number, and not to be seen in what comes of it: these
  // are in every byte of some numbers, whatever their width.
  void FlipBurst(const Section& section) {
    const std::uint64_t count = std::min<std::uint64_t>(section.bytes, 8);
    const std::uint64_t offset = section.offset + (section.bytes - count) / 2;
    auto bytes = Taken(offset, count);
    if (bytes.empty()) return;
    for (std::uint8_t& byte : bytes) byte ^= 0x40;
    Overwritten("flip_burst_" + SlugOf(section.name),
                "a bit in each of " + std::to_string(count) + " bytes from " +
                    std::to_string(offset) + " (" + section.name + ") flipped",
                {offset, bytes});
  }

  void Flips() {
    for (const Field& field : record_.fields) {
      if (field.bytes > 0) Flip(field.name, field.offset);
    }
    for (const Section* section : LeafSections(record_)) {
      if (section->bytes == 0) continue;
      Flip(section->name, section->offset + section->bytes / 2);
      FlipBurst(*section);
    }
  }

  // Where something ends, by the name of the first thing that does.
  std::map<std::uint64_t, std::string> Boundaries() const {
    std::map<std::uint64_t, std::string> ends = {{0, "start"}};
    for (const Field& field : record_.fields) ends.emplace(field.offset + field.bytes, field.name);
    for (const Section& section : record_.sections) {
      ends.emplace(section.offset + section.bytes, section.name);
    }
    return ends;
  }

  // Each length once, by the boundary itself where it is one.
  void Cuts() {
    const auto boundaries = Boundaries();
    std::map<std::uint64_t, std::string> cuts;
    for (const auto& [end, name] : boundaries) cuts.emplace(end, SlugOf(name));
    for (const auto& [end, name] : boundaries) {
      if (end > 0) cuts.emplace(end - 1, SlugOf(name) + "_minus_1");
      cuts.emplace(end + 1, SlugOf(name) + "_plus_1");
    }
    for (const auto& [size, slug] : cuts) {
      if (size >= record_.size) break;
      Add("cut_at_" + slug, "cut after " + std::to_string(size) + " bytes", {}, size,
          record_.file_name);
    }
  }

  void Trailing() {
    for (const std::uint64_t more : {1, 4096}) {
      std::vector<std::uint8_t> bytes(more, 0xa5);
      Add("trailing_" + std::to_string(more), std::to_string(more) + " bytes behind the end",
          {{record_.size, std::move(bytes)}}, record_.size + more, record_.file_name);
    }
  }

  void Replaced(const std::string& slug, const Field& field, std::uint64_t value) {
    std::vector<std::uint8_t> bytes(field.bytes);
    StoreUnsigned(value, bytes, field.big_endian);
    if (bytes == Taken(field.offset, field.bytes)) return;
    Overwritten(slug, field.name + " replaced by " + std::to_string(value), {field.offset, bytes});
  }

  void Values(const Field& field) {
    const std::string slug = SlugOf(field.name);
    switch (field.role) {
      case FieldRole::kMagic: {
        auto bytes = Taken(field.offset, field.bytes);
        for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(~byte);
        Overwritten("wrong_" + slug, "every bit of " + field.name + " flipped",
                    {field.offset, bytes});
        break;
      }
      case FieldRole::kVersion:
      case FieldRole::kAbi:
        for (std::uint64_t value = 0; value <= 5; ++value) {
          Replaced("wrong_" + slug + "_" + std::to_string(value), field, value);
        }
        break;
      case FieldRole::kCount:
      case FieldRole::kLength:
        if (field.bytes <= 8) Replaced("most_" + slug, field, UINT64_MAX >> (64 - 8 * field.bytes));
        if (field.role == FieldRole::kLength) Sparse(field);
        break;
      case FieldRole::kPlain:
        break;
    }
  }

  // The section grows by a hole that ends where its end moves to.
  void Sparse(const Field& field) {
    const Section* section = record_.FindSection(field.section);
    if (section == nullptr || field.bytes != 8) return;
    std::vector<std::uint8_t> length(field.bytes);
    StoreUnsigned(section->bytes + kSparseBytes, length, field.big_endian);
    const std::uint64_t end = section->offset + section->bytes;
    std::vector<std::uint8_t> behind = Taken(end, record_.size - end);
    // What was there is moved, and the hole begins in its place.
    std::vector<std::uint8_t> hole(behind.size(), 0);
    Add("sparse_" + SlugOf(section->name), section->name + " longer by a hole of 4 GiB",
        {{field.offset, length}, {end, hole}, {end + kSparseBytes, behind}},
        record_.size + kSparseBytes, record_.file_name);
  }

  void Names() {
    if (!record_.name_is_derived || record_.file_name.empty()) return;
    std::string other = record_.file_name, upper = record_.file_name;
    other[0] = other[0] == '0' ? '1' : '0';
    Add("name_of_another", "named " + other, {}, record_.size, other);
    const std::size_t digits = upper.find_last_of('.');
    std::transform(upper.begin(), upper.begin() + static_cast<std::ptrdiff_t>(digits),
                   upper.begin(),
                   [](char c) { return c >= 'a' && c <= 'f' ? static_cast<char>(c - 32) : c; });
    if (upper == record_.file_name) return;
    Add("name_upper_case", "named " + upper, {}, record_.size, upper);
  }

  const RecordFormat& format_;
  RecordBytes* bytes_;
  const Record& record_;
  std::vector<Mutation> all_;
  std::set<std::string> slugs_;
};

}  // namespace

std::vector<Mutation> MutationsOf(const RecordFormat& format, RecordBytes* bytes,
                                  const Record& record) {
  return Mutator(format, bytes, record).All();
}

}  // namespace parity::kv
