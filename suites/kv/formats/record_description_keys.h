// The keys that a record description may have.
#ifndef GTEST_PARITY_SUITES_KV_FORMATS_RECORD_DESCRIPTION_KEYS_H_
#define GTEST_PARITY_SUITES_KV_FORMATS_RECORD_DESCRIPTION_KEYS_H_

#include "gtest_parity/manifest/manifest_keys.h"

namespace parity::kv {

inline const ManifestSection kDescriptionKeys = {"record format",
                                                 {{"record_format", true},
                                                  {"name", true},
                                                  {"endian"},
                                                  {"fields", true},
                                                  {"sections"},
                                                  {"volatile"},
                                                  {"file_name"},
                                                  {"trailing"}}};
inline const ManifestSection kFieldKeys = {"field",
                                           {{"name", true},
                                            {"at", true},
                                            {"type", true},
                                            {"in"},
                                            {"endian"},
                                            {"role"},
                                            {"equals"},
                                            {"one_of"},
                                            {"min"},
                                            {"max"},
                                            {"volatile"}}};
inline const ManifestSection kSectionKeys = {
    "section", {{"name", true}, {"length", true}, {"at"}, {"each"}, {"volatile"}}};
inline const ManifestSection kVolatileKeys = {"volatile", {{"at", true}, {"bytes", true}}};
inline const ManifestSection kFileNameKeys = {"file_name",
                                              {{"sha1"}, {"sha256"}, {"suffix", true}}};

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_FORMATS_RECORD_DESCRIPTION_KEYS_H_
