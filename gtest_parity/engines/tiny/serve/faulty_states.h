// Loads of a slot's state that are wrong on purpose.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVE_FAULTY_STATES_H_
#define GTEST_PARITY_ENGINES_TINY_SERVE_FAULTY_STATES_H_

#include <cstdint>
#include <string>

#include "gtest_parity/engines/tiny/serve/kv_record.h"

namespace parity::tiny {

// What the mutant of that name makes of a state that was read for `slot`. False: it goes nowhere.
bool SpoilState(const std::string& mutant, std::uint32_t& slot, KvSnapshot& snapshot);

// The element size that the file tells becomes the one that is expected.
void TakeTheFilesElement(const std::string& path, KvShape& shape);

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_SERVE_FAULTY_STATES_H_
