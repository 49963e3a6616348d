// The port's own tokenizer.
#ifndef GTEST_PARITY_ENGINES_TINY_PORTED_TOKENS_TOKENIZER_H_
#define GTEST_PARITY_ENGINES_TINY_PORTED_TOKENS_TOKENIZER_H_

#include <memory>
#include <string>

#include "gtest_parity/engines/tiny/tokens/tokenizer.h"

namespace parity::tiny::ported {

// As MakeBytePairTokenizer.
std::unique_ptr<Tokenizer> MakePortedTokenizer(const std::string& model);

}  // namespace parity::tiny::ported

#endif  // GTEST_PARITY_ENGINES_TINY_PORTED_TOKENS_TOKENIZER_H_
