#include "suites/kv/formats/kvc_format.h"

#include <algorithm>

#include "suites/kv/formats/kvc_footer.h"
#include "suites/kv/formats/kvc_header.h"
#include "suites/kv/formats/kvc_name.h"
#include "suites/kv/formats/kvc_payload.h"
#include "suites/kv/formats/kvc_reason.h"
#include "suites/kv/formats/kvc_trailer.h"
#include "suites/kv/formats/sha1.h"

namespace parity::kv {
namespace {

// Of the first problems that of the envelope decides whether there is anything more to read.
bool KnowsLayout(const Record& record) {
  return !record.Has(ProblemKind::kBadMagic) && !record.Has(ProblemKind::kBadVersion);
}

void CheckName(const std::string& file_name, Record* record) {
  const auto key = KvcKeyOf(file_name);
  if (!key) {
    record->Add(ProblemKind::kNameMalformed, "file name",
                "got " + file_name + ", expected 40 hexadecimal digits and .kv");
  } else if (!file_name.starts_with(*key)) {
    record->Add(ProblemKind::kNameUpperCase, "file name",
                "got " + file_name + ", written as " + *key + ".kv");
  }
}

void CheckText(Range text, RecordReader* reader) {
  Record* record = reader->record();
  Sha1 hash;
  const ReadResult result = reader->bytes()->Stream(
      text, [&](std::span<const std::uint8_t> piece) { hash.Update(piece.data(), piece.size()); });
  if (result != ReadResult::kOk) {
    const bool failed = result == ReadResult::kFailed;
    record->Add(failed ? ProblemKind::kUnreadable : ProblemKind::kTruncated, "text",
                "the text cannot be read: " + std::string(NameOf(result)));
    return;
  }
  const std::string hex = hash.Hex();
  const auto key = KvcKeyOf(record->file_name);
  if (key && *key != hex) {
    record->Add(ProblemKind::kNameMismatch, "file name",
                "got " + *key + ", expected " + hex + ", the SHA-1 of the text");
  }
}

void DecodeBehindPayload(Range rest, const KvcHeader& header, const KvcGeneration& generation,
                         RecordReader* reader) {
  const std::uint8_t ext = header.ext & generation.known_ext;
  const bool footer = (ext & kKvcIdentityFooter) != 0 && DecodeKvcFooter(rest, reader);
  if (footer) rest.bytes -= kKvcFooterBytes;
  const bool flagged = (ext & kKvcToolMap) != 0;
  if (rest.bytes > 0) {
    DecodeKvcTrailer(rest, reader);
    if (!flagged) {
      reader->record()->Add(ProblemKind::kTrailerUnflagged, "ext",
                            std::to_string(rest.bytes) + " bytes of trailer, and bit 0 is clear");
    }
  } else if (flagged) {
    reader->record()->Add(ProblemKind::kTrailerAbsent, "trailer",
                          "no bytes behind the payload, and bit 0 of ext is set");
  }
}

void DecodeBody(const KvcHeader& header, const KvcGeneration& generation, RecordReader* reader) {
  Record* record = reader->record();
  const auto end = KvcBodyEnd(header);
  if (!end || *end > record->size) {
    const std::string sum =
        "52 + " + std::to_string(header.text_bytes) + " + " + std::to_string(header.payload_bytes);
    record->Add(end ? ProblemKind::kTruncated : ProblemKind::kSizeOverflow, "size",
                "got a file of " + std::to_string(record->size) + " bytes, expected at least " +
                    sum + (end ? "" : ", which does not fit 64 bits"));
    record->sections.push_back({"rest", kKvcPrefixBytes, record->size - kKvcPrefixBytes});
    return;
  }
  const Range text{kKvcPrefixBytes, header.text_bytes};
  const Range payload{text.end(), header.payload_bytes};
  record->sections.push_back({"text", text.offset, text.bytes});
  record->sections.push_back({"payload", payload.offset, payload.bytes});
  CheckText(text, reader);
  DecodeBehindPayload({payload.end(), record->size - payload.end()}, header, generation, reader);
  DecodeKvcPayload(payload, header, generation, reader);
}

}  // namespace

std::string KvcFormat::name() const { return generation_ ? std::string(generation_->name) : "kvc"; }

bool KvcFormat::Recognises(std::span<const std::uint8_t> first, const std::string&) const {
  return first.size() >= kKvcMagic.size() &&
         std::equal(kKvcMagic.begin(), kKvcMagic.end(), first.begin());
}

Record KvcFormat::Decode(RecordBytes* bytes, const std::string& file_name) const {
  Record record;
  record.format = name();
  record.file_name = file_name;
  record.size = bytes->size();
  record.name_is_derived = true;
  RecordReader reader(bytes, &record);
  if (!file_name.empty()) CheckName(file_name, &record);
  const auto prefix = reader.Take({0, kKvcPrefixBytes}, "header", ProblemKind::kTooShort);
  if (!prefix) {
    record.sections.push_back({"rest", 0, record.size});
    return record;
  }
  KvcPrefix raw;
  std::copy(prefix->begin(), prefix->end(), raw.begin());
  const KvcHeader header = DecodeKvcHeader(raw);
  const KvcGeneration generation =
      generation_ ? *generation_ : (header.abi == kKvcUpstream.abi ? kKvcUpstream : kKvcAbi2);
  AddKvcHeader(raw, generation, &record);
  for (Problem& problem : CheckKvcHeader(raw, generation)) {
    record.problems.push_back(std::move(problem));
  }
  if (KnowsLayout(record)) {
    DecodeBody(header, generation, &reader);
  } else {
    record.sections.push_back({"rest", kKvcPrefixBytes, record.size - kKvcPrefixBytes});
  }
  return record;
}

}  // namespace parity::kv
