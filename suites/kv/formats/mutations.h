// Every way to damage a record that a reader is asked about.
#ifndef GTEST_PARITY_SUITES_KV_FORMATS_MUTATIONS_H_
#define GTEST_PARITY_SUITES_KV_FORMATS_MUTATIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "suites/kv/formats/overlay_bytes.h"
#include "suites/kv/formats/record_format.h"

namespace parity::kv {

// A damaged record, as what differs from the one it is made of.
struct Mutation {
  std::string slug;  // stable: "flip_tokens", "cut_at_payload_minus_1", "sparse_payload"
  std::string what;  // in words
  std::string file_name;
  std::uint64_t size = 0;
  std::vector<Overwrite> overwrites;

  // What the format says of it and not of the record that it is made of.
  std::vector<Problem> problems;
  // Whether one of them refuses it. Where none does (there is no checksum over a payload) only an
  // engine can tell, by what it makes of the record.
  bool noticed = false;
};

inline constexpr std::uint64_t kSparseBytes = std::uint64_t{4} << 30;

// Of `record`, decoded by `format` from `bytes`: a byte flipped in every field and in every part,
// cut at every boundary and one byte to each side, bytes behind the end, wrong magics, versions and
// ABIs, counts and lengths of all ones, a hole of 4 GiB in each section whose length is told in 64
// bits, and names that are another's where the format derives names.
std::vector<Mutation> MutationsOf(const RecordFormat& format, RecordBytes* bytes,
                                  const Record& record);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_FORMATS_MUTATIONS_H_
