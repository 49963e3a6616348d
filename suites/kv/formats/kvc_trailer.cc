#include "suites/kv/formats/kvc_trailer.h"

#include <algorithm>
#include <set>
#include <vector>

#include "suites/kv/formats/byte_order.h"

namespace parity::kv {
namespace {

std::string EntryName(std::uint64_t entry) { return "trailer[" + std::to_string(entry) + "]"; }

class TrailerDecoder {
 public:
  TrailerDecoder(Range trailer, RecordReader* reader) : trailer_(trailer), reader_(reader) {}

  void Decode() {
    at_ = trailer_.offset;
    if (ReadHeader()) {
      while (entries_ < count_ && ReadEntry()) ++entries_;
      if (entries_ == count_ && Left() > 0) {
        Note(ProblemKind::kTrailerExcess, "trailer",
             std::to_string(Left()) + " bytes behind entry " + std::to_string(count_));
      }
    }
    if (Left() > 0) record()->sections.push_back({"trailer.rest", at_, Left(), "trailer"});
    MaskIds();
  }

 private:
  Record* record() { return reader_->record(); }
  std::uint64_t Left() const { return trailer_.end() - at_; }
  void Note(ProblemKind kind, std::string where, std::string words) {
    record()->Add(kind, std::move(where), std::move(words));
  }

  bool ReadHeader() {
    if (Left() < kKvcTrailerHeaderBytes) {
      Note(ProblemKind::kTrailerTruncated, "trailer",
           "got " + std::to_string(Left()) + " bytes, expected at least 8");
      return false;
    }
    const auto head = reader_->Take({at_, 8}, "trailer", ProblemKind::kTruncated);
    if (!head) return false;
    const std::string magic(head->begin(), head->begin() + 3);
    if (magic != kKvcTrailerMagic) {
      Note(ProblemKind::kTrailerMagic, "trailer.magic",
           "got " + HexOf(std::span(*head).first(3)) + ", expected 4b544d (KTM)");
      return false;
    }
    count_ = LoadUnsigned(std::span(*head).subspan(4));
    if ((*head)[3] != kKvcTrailerVersion) {
      Note(ProblemKind::kTrailerVersion, "trailer.version",
           "got " + std::to_string((*head)[3]) + ", expected 1");
      return false;
    }
    if (count_ > kKvcMostEntries) {
      Note(ProblemKind::kTrailerCount, "trailer.count",
           "got " + std::to_string(count_) + ", expected at most 400000");
      return false;
    }
    AddHeader(*head);
    return true;
  }

  void AddHeader(std::span<const std::uint8_t> head) {
    reader_->AddField({"trailer.magic", at_, 3, HexOf(head.first(3)), FieldRole::kMagic});
    reader_->AddField({"trailer.version", at_ + 3, 1, head[3], FieldRole::kVersion});
    reader_->AddField({"trailer.count", at_ + 4, 4, count_, FieldRole::kCount});
    at_ += kKvcTrailerHeaderBytes;
  }

  // Adds an entry that is whole and allowed.
  bool ReadEntry() {
    const std::string name = EntryName(entries_);
    if (Left() < 8) return Cut(name, 8);
    const auto id_bytes = reader_->Peek(at_, 4, name, ProblemKind::kTruncated);
    const auto block_bytes = reader_->Peek(at_ + 4, 4, name, ProblemKind::kTruncated);
    if (!id_bytes || !block_bytes) return false;
    if (*id_bytes < 1 || *id_bytes > kKvcMostIdBytes) {
      Note(ProblemKind::kTrailerIdLength, name + ".id_bytes",
           "got " + std::to_string(*id_bytes) + ", expected 1 to 256");
      return false;
    }
    if (*block_bytes < 1 || *block_bytes > kKvcMostBlockBytes) {
      Note(ProblemKind::kTrailerBlockLength, name + ".block_bytes",
           "got " + std::to_string(*block_bytes) + ", expected 1 to 536870912");
      return false;
    }
    const std::uint64_t whole = 8 + *id_bytes + *block_bytes;
    if (Left() < whole) return Cut(name, whole);
    const auto id = reader_->Take({at_ + 8, *id_bytes}, name, ProblemKind::kTruncated);
    if (!id) return false;
    AddEntry(name, std::string(id->begin(), id->end()), *block_bytes);
    return true;
  }

  bool Cut(const std::string& name, std::uint64_t expected) {
    Note(ProblemKind::kTrailerTruncated, name,
         "got " + std::to_string(Left()) + " bytes, expected " + std::to_string(expected));
    return false;
  }

  void AddEntry(const std::string& name, const std::string& id, std::uint64_t block_bytes) {
    reader_->AddField({name + ".id_bytes", at_, 4, id.size(), FieldRole::kLength, name + ".id"});
    reader_->AddField(
        {name + ".block_bytes", at_ + 4, 4, block_bytes, FieldRole::kLength, name + ".block"});
    const Range id_range{at_ + 8, id.size()}, block{id_range.end(), block_bytes};
    reader_->AddField({name + ".id", id_range.offset, id_range.bytes, id});
    record()->sections.push_back(
        {name + ".block", block.offset, block.bytes, "trailer", "trailer.blocks"});
    CheckId(name + ".id", id, id_range);
    CheckBlock(name + ".block", block);
    at_ = block.end();
  }

  void CheckId(const std::string& where, const std::string& id, Range range) {
    ids_.push_back(range);
    if (!IsKvcToolId(id)) {
      maskable_ = false;
      Note(ProblemKind::kToolIdForm, where, "expected call_ and 32 hexadecimal digits");
    }
    if (id.find('\0') != std::string::npos) {
      Note(ProblemKind::kTrailerNul, where, "a zero byte at " + std::to_string(id.find('\0')));
    }
    if (!seen_.insert(id.substr(0, id.find('\0'))).second) {
      maskable_ = false;
      Note(ProblemKind::kTrailerDuplicate, where, "an earlier entry has this id");
    }
  }

  void CheckBlock(const std::string& where, Range block) {
    if (block.bytes > kKvcMostBytesScanned - scanned_) {
      Note(ProblemKind::kNotChecked, where, "not looked through for zero bytes");
      return;
    }
    scanned_ += block.bytes;
    const auto bytes = reader_->Take(block, where, ProblemKind::kTruncated);
    if (!bytes) return;
    const auto zero = std::find(bytes->begin(), bytes->end(), std::uint8_t{0});
    if (zero == bytes->end()) return;
    Note(ProblemKind::kTrailerNul, where,
         "a zero byte at " + std::to_string(zero - bytes->begin()) + " of " +
             std::to_string(block.bytes));
  }

  void MaskIds() {
    if (maskable_) record()->masked.insert(record()->masked.end(), ids_.begin(), ids_.end());
  }

  const Range trailer_;
  RecordReader* reader_;
  std::uint64_t at_ = 0, count_ = 0, entries_ = 0, scanned_ = 0;
  bool maskable_ = true;
  std::vector<Range> ids_;
  std::set<std::string> seen_;
};

}  // namespace

bool IsKvcToolId(std::string_view id) {
  constexpr std::string_view kPrefix = "call_";
  return id.size() == kPrefix.size() + 32 && id.starts_with(kPrefix) &&
         id.find_first_not_of("0123456789abcdef", kPrefix.size()) == std::string_view::npos;
}

void DecodeKvcTrailer(Range trailer, RecordReader* reader) {
  reader->record()->sections.push_back({"trailer", trailer.offset, trailer.bytes});
  TrailerDecoder(trailer, reader).Decode();
}

std::map<std::string, Range> KvcToolMapOf(const Record& record) {
  std::map<std::string, Range> blocks;
  std::uint64_t block_bytes = 0;
  // An entry's fields are its two lengths and its id, and its block lies behind the id.
  for (const Field& field : record.fields) {
    if (!field.name.starts_with("trailer[")) continue;
    const bool length = field.name.ends_with("].block_bytes") && field.value.is_number_unsigned();
    if (length) block_bytes = field.value.get<std::uint64_t>();
    if (!field.name.ends_with("].id") || !field.value.is_string()) continue;
    const std::string id = field.value.get<std::string>();
    blocks[id.substr(0, id.find('\0'))] = {field.offset + field.bytes, block_bytes};
  }
  return blocks;
}

}  // namespace parity::kv
