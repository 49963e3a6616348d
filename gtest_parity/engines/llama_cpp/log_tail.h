// What llama.cpp and ggml have said lately: errors of theirs come as a number, their words as a
// log.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_LOG_TAIL_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_LOG_TAIL_H_

#include <string>

namespace parity::llama_cpp {

// Takes over the log of this process. Warnings and errors go on to the standard error stream.
void CatchLog();

// Forgets what was said so far.
void ForgetLog();

// Warnings and errors since, the last few lines of them; where there is none, the last lines of
// anything.
std::string LogTail();

// The last error line; empty: none.
std::string LastLogError();

}  // namespace parity::llama_cpp

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_LOG_TAIL_H_
