// Tokenizers that are deliberately wrong: what a harness must be able to find.
#ifndef GTEST_PARITY_ENGINES_TINY_TOKENS_FAULTY_H_
#define GTEST_PARITY_ENGINES_TINY_TOKENS_FAULTY_H_

#include <memory>
#include <string>

#include "gtest_parity/engines/tiny/tokens/tokenizer.h"

namespace parity::tiny {

// As `mutant`, a name of mutant_table.cc, says; `right` itself where that is no fault of a
// tokenizer.
std::unique_ptr<Tokenizer> WithFault(std::unique_ptr<Tokenizer> right, const std::string& mutant);

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_TOKENS_FAULTY_H_
