// Mutants that end the process, or never return, or late.
#include <sys/mman.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "gtest_parity/engines/tiny/mutant_hooks.h"

namespace parity::tiny {

void Crash(MutantCall&) {
  // A page without access rather than a null pointer, which a compiler may see through.
  void* page = mmap(nullptr, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  *static_cast<volatile char*>(page) = 1;
}

void ExitZero(MutantCall&) { std::exit(0); }

void ExitSeventySeven(MutantCall&) { std::exit(77); }

void Hang(MutantCall&) {
  for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
}

void StartTimer(MutantCall& call) {
  const auto now = std::chrono::steady_clock::now();
  call.saved.resize(sizeof(now));
  std::memcpy(call.saved.data(), &now, sizeof(now));
}

void TakeAHundredfold(MutantCall& call) {
  std::chrono::steady_clock::time_point begin;
  std::memcpy(&begin, call.saved.data(), sizeof(begin));
  const auto end = begin + 100 * (std::chrono::steady_clock::now() - begin);
  while (std::chrono::steady_clock::now() < end) continue;
}

}  // namespace parity::tiny
