// The keys of a transcript's lines; reader and writer share them.
#ifndef GTEST_PARITY_SUITES_WIRE_TRANSCRIPT_TRANSCRIPT_KEYS_H_
#define GTEST_PARITY_SUITES_WIRE_TRANSCRIPT_TRANSCRIPT_KEYS_H_

#include <string>
#include <utility>
#include <vector>

#include "suites/wire/transcript/exchange.h"

namespace parity::wire {

inline constexpr int kTranscriptVersion = 1;

// Texts of an exchange; absent where they are empty.
inline const std::vector<std::pair<std::string, std::string Exchange::*>> kExchangeTexts = {
    {"lane", &Exchange::lane},       {"probe", &Exchange::probe},
    {"same_as", &Exchange::same_as}, {"same_prompt_as", &Exchange::same_prompt_as},
    {"cut_of", &Exchange::cut_of},   {"warm_of", &Exchange::warm_of},
    {"before", &Exchange::before},   {"after", &Exchange::after},
    {"marker", &Exchange::marker}};

// Those of them that name another exchange.
inline const std::vector<std::pair<std::string, std::string Exchange::*>> kExchangeNames = {
    {"same_as", &Exchange::same_as}, {"same_prompt_as", &Exchange::same_prompt_as},
    {"cut_of", &Exchange::cut_of},   {"warm_of", &Exchange::warm_of},
    {"before", &Exchange::before},   {"after", &Exchange::after}};

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_TRANSCRIPT_TRANSCRIPT_KEYS_H_
