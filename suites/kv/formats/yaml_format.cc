#include "suites/kv/formats/yaml_format.h"

#include <algorithm>

#include "gtest_parity/manifest/sha256.h"
#include "suites/kv/formats/checked.h"
#include "suites/kv/formats/field_type.h"
#include "suites/kv/formats/record_reader.h"
#include "suites/kv/formats/sha1.h"

namespace parity::kv {
namespace {

// The class of a failed check follows from what the field is for.
ProblemKind ProblemOf(FieldRole role) {
  switch (role) {
    case FieldRole::kMagic:
      return ProblemKind::kBadMagic;
    case FieldRole::kVersion:
      return ProblemKind::kBadVersion;
    case FieldRole::kAbi:
      return ProblemKind::kBadAbi;
    default:
      return ProblemKind::kBadField;
  }
}

std::string AcceptedText(const DescribedField& field) {
  std::string text;
  for (const auto& value : field.accepted) text += (text.empty() ? "" : " or ") + value.dump();
  if (field.least) text += (text.empty() ? "" : ", ") + ("at least " + field.least->dump());
  if (field.most) text += (text.empty() ? "" : ", ") + ("at most " + field.most->dump());
  return text;
}

bool Accepts(const DescribedField& field, const nlohmann::json& value) {
  if (!field.accepted.empty() &&
      std::find(field.accepted.begin(), field.accepted.end(), value) == field.accepted.end()) {
    return false;
  }
  // What is no number ("nan") is outside every bound.
  if ((field.least || field.most) && !value.is_number()) return false;
  return !(field.least && value < *field.least) && !(field.most && value > *field.most);
}

class DescribedDecoder {
 public:
  DescribedDecoder(const RecordDescription& description, RecordReader* reader)
      : description_(description), reader_(reader) {}

  void Decode() {
    ReadFields({"", 0, record()->size});
    for (const DescribedSection& section : description_.sections) {
      if (!ReadSection(section)) break;
    }
    if (end_ < record()->size && !record()->Refusal() && !description_.trailing_allowed) {
      record()->Add(ProblemKind::kTrailingBytes, "rest",
                    std::to_string(record()->size - end_) + " bytes behind the last section");
    }
    for (const Range& range : description_.masked) record()->masked.push_back(range);
    record()->SortMask();
    if (description_.name_rule) CheckName(*description_.name_rule);
  }

 private:
  Record* record() { return reader_->record(); }

  void ReadFields(const Section& in) {
    for (const DescribedField& field : description_.fields) {
      if (field.in == in.name) ReadField(field, in);
    }
  }

  void ReadField(const DescribedField& field, const Section& in) {
    const bool inside = field.at <= in.bytes && field.type.bytes <= in.bytes - field.at;
    if (!inside) {
      const bool file = in.name.empty();
      record()->Add(file ? ProblemKind::kTooShort : ProblemKind::kTruncated, field.name,
                    "got " + (file ? std::string("a file") : in.name) + " of " +
                        std::to_string(in.bytes) + " bytes, expected " +
                        std::to_string(field.type.bytes) + " at " + std::to_string(field.at));
      return;
    }
    const Range range{in.offset + field.at, field.type.bytes};
    const auto bytes = reader_->Take(range, field.name, ProblemKind::kTruncated);
    if (!bytes) return;
    nlohmann::json value = DecodeFieldValue(field.type, field.big_endian, *bytes);
    if (!Accepts(field, value)) {
      record()->Add(ProblemOf(field.role), field.name,
                    "got " + value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) +
                        ", expected " + AcceptedText(field));
    }
    if (field.masked) record()->masked.push_back(range);
    if (in.name.empty()) end_ = std::max(end_, range.end());
    reader_->AddField({field.name, range.offset, range.bytes, std::move(value), RoleOf(field),
                       LengthOf(field), "", field.big_endian});
  }

  FieldRole RoleOf(const DescribedField& field) const {
    return field.role == FieldRole::kPlain && !LengthOf(field).empty() ? FieldRole::kLength
                                                                       : field.role;
  }

  // The section whose length in bytes the field gives.
  std::string LengthOf(const DescribedField& field) const {
    for (const DescribedSection& section : description_.sections) {
      const auto* name = std::get_if<std::string>(&section.length);
      if (name != nullptr && *name == field.name && section.each == 1) return section.name;
    }
    return "";
  }

  // False where the file has no room for it: what comes later lies nowhere.
  bool ReadSection(const DescribedSection& section) {
    const std::uint64_t at = section.at.value_or(end_);
    std::uint64_t count = 0;
    if (const auto* constant = std::get_if<std::uint64_t>(&section.length)) {
      count = *constant;
    } else if (const auto* name = std::get_if<std::string>(&section.length)) {
      const Field* field = record()->FindField(*name);
      if (field == nullptr) return false;
      count = field->value.get<std::uint64_t>();
    } else {
      count = at <= record()->size ? (record()->size - at) / section.each : 0;
    }
    const auto bytes = CheckedProduct(count, section.each);
    const auto end = bytes ? CheckedSum(at, *bytes) : std::nullopt;
    if (!end || *end > record()->size) {
      record()->Add(end ? ProblemKind::kTruncated : ProblemKind::kSizeOverflow, section.name,
                    "got a file of " + std::to_string(record()->size) + " bytes, expected " +
                        std::to_string(count) + " x " + std::to_string(section.each) + " at " +
                        std::to_string(at));
      return false;
    }
    record()->sections.push_back({section.name, at, *bytes});
    if (section.masked) record()->masked.push_back({at, *bytes});
    end_ = *end;
    ReadFields(record()->sections.back());
    return true;
  }

  void CheckName(const NameRule& rule) {
    const Section* section = record()->FindSection(rule.section);
    const std::string& name = record()->file_name;
    if (name.empty() || section == nullptr) return;
    Sha1 sha1;
    Sha256 sha256;
    const ReadResult result = reader_->bytes()->Stream(
        {section->offset, section->bytes}, [&](std::span<const std::uint8_t> piece) {
          rule.sha1 ? sha1.Update(piece.data(), piece.size())
                    : sha256.Update(piece.data(), piece.size());
        });
    if (result != ReadResult::kOk) {
      record()->Add(ProblemKind::kUnreadable, section->name, std::string(NameOf(result)));
      return;
    }
    const std::string expected = (rule.sha1 ? sha1.Hex() : sha256.Hex()) + rule.suffix;
    if (name != expected) {
      record()->Add(ProblemKind::kNameMismatch, "file name",
                    "got " + name + ", expected " + expected);
    }
  }

  const RecordDescription& description_;
  RecordReader* reader_;
  std::uint64_t end_ = 0;  // of what is described so far
};

}  // namespace

bool YamlFormat::Recognises(std::span<const std::uint8_t> first,
                            const std::string& file_name) const {
  bool any = false;
  for (const DescribedField& field : description_.fields) {
    if (field.role != FieldRole::kMagic || !field.in.empty()) continue;
    any = true;
    if (field.at > first.size() || field.type.bytes > first.size() - field.at) return false;
    const auto bytes = first.subspan(field.at, field.type.bytes);
    if (!Accepts(field, DecodeFieldValue(field.type, field.big_endian, bytes))) return false;
  }
  return any || (description_.name_rule && file_name.ends_with(description_.name_rule->suffix));
}

Record YamlFormat::Decode(RecordBytes* bytes, const std::string& file_name) const {
  Record record;
  record.format = name();
  record.file_name = file_name;
  record.size = bytes->size();
  record.name_is_derived = description_.name_rule.has_value();
  RecordReader reader(bytes, &record);
  DescribedDecoder(description_, &reader).Decode();
  AddGaps(&record);
  return record;
}

}  // namespace parity::kv
