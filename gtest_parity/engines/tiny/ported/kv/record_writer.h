// Record files as they are made and changed.
#ifndef GTEST_PARITY_ENGINES_TINY_PORTED_KV_RECORD_WRITER_H_
#define GTEST_PARITY_ENGINES_TINY_PORTED_KV_RECORD_WRITER_H_

#include <filesystem>
#include <string>

#include "gtest_parity/engines/tiny/ported/kv/record_header.h"
#include "gtest_parity/engines/tiny/ported/kv/session_payload.h"

namespace parity::tiny::ported {

// Writes beside `path` under a name that nobody else uses, and renames; on failure `path` is as it
// was and nothing is left. False: failed.
bool WriteRecord(const std::filesystem::path& path, const RecordHeader& header,
                 const KvSnapshot& snapshot, const SessionPayload& payload,
                 const std::string& tail);
// In place: the header alone.
bool RewriteHeader(const std::filesystem::path& path, const RecordHeader& header);
// In place: all behind the payload, then the header.
bool ReplaceTail(const std::filesystem::path& path, const RecordHeader& header,
                 const std::string& tail);

}  // namespace parity::tiny::ported

#endif  // GTEST_PARITY_ENGINES_TINY_PORTED_KV_RECORD_WRITER_H_
