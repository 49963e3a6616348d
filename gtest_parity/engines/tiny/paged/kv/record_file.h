// Reading and writing whole record files.
#ifndef GTEST_PARITY_ENGINES_TINY_PAGED_KV_RECORD_FILE_H_
#define GTEST_PARITY_ENGINES_TINY_PAGED_KV_RECORD_FILE_H_

#include <cstdio>
#include <string>

#include "gtest_parity/engines/tiny/paged/kv/format.h"
#include "gtest_parity/engines/tiny/serve/kv_record.h"

namespace parity::tiny::paged {

// What is written: a header whose sizes are right, a text, a snapshot, and what follows it.
struct KvcImage {
  KvcHeader header;
  const KvShape* shape;
  const KvSnapshot* snapshot;
  std::string tail;  // trailer and footer
};

std::uint64_t KvcImageBytes(const KvcImage* image);
// By way of `path`.tmp.<pid>, which is left behind by a process that dies while it writes.
bool KvcWriteFile(const char* path, const KvcImage* image);

// An opened record. Close `file`, which is not NULL when the header has been read.
struct KvcOpened {
  std::FILE* file;
  KvcHeader header;
  std::uint64_t file_bytes;
};
// False where the file cannot be read at all; `*error` says what its header is, its sizes aside.
bool KvcOpen(const char* path, const char* mode, KvcOpened* out, KvcError* error);
// Whether the file reaches to the end of its payload.
bool KvcIsWhole(const KvcOpened* opened);
// What lies behind the payload, without the identity footer.
std::uint64_t KvcTrailerBytes(const KvcOpened* opened);
bool KvcSeekTrailer(const KvcOpened* opened);
KvcError KvcReadText(const KvcOpened* opened, std::string* out);
// A present footer, against `identity`.
KvcError KvcCheckFooter(const KvcOpened* opened, const unsigned char identity[32]);
std::string KvcFooter(const unsigned char identity[32]);

// Both write the 48 bytes anew and in place.
bool KvcTouch(const char* path, const KvcHeader* header);
// Puts `tail` in the place of all that is behind the payload.
bool KvcReplaceTail(const char* path, const KvcHeader* header, const std::string& tail);

}  // namespace parity::tiny::paged

#endif  // GTEST_PARITY_ENGINES_TINY_PAGED_KV_RECORD_FILE_H_
