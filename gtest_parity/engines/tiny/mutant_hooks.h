// The faults themselves; mutant_table.cc says what each is for.
#ifndef GTEST_PARITY_ENGINES_TINY_MUTANT_HOOKS_H_
#define GTEST_PARITY_ENGINES_TINY_MUTANT_HOOKS_H_

#include "gtest_parity/engines/tiny/mutant.h"

namespace parity::tiny {

// mutant_values.cc: the op's output is changed after the op.
void NegateZeros(MutantCall& call);
void RoundOnceMore(MutantCall& call);
void ScaleByFactor(MutantCall& call);
void ScaleByNineEighths(MutantCall& call);
void RotateOnePosition(MutantCall& call);
void ExchangeBestTwo(MutantCall& call);
void StoreNan(MutantCall& call);
void StoreBadToken(MutantCall& call);
void AddOneUlp(MutantCall& call);
void RoundIfTapped(MutantCall& call);
void MixSequences(MutantCall& call);

// mutant_store.cc: of a fused qkv [T, H + 2 G, E], what is put into the caches.
void ShiftKeyHeads(MutantCall& call);       // before
void ShiftValueTokens(MutantCall& call);    // before
void RestoreProjections(MutantCall& call);  // after

// mutant_choices.cc: another next token than the logits say.
void TakeHighestOfTies(MutantCall& call);
void RepeatAtPageEdge(MutantCall& call);
void NeverEnd(MutantCall& call);

// mutant_decisions.cc: the op decides otherwise than its scores say.
void ChooseOtherOfEquals(MutantCall& call);
void ChooseWorst(MutantCall& call);
void StoreNoChoice(MutantCall& call);
void AcceptOneMore(MutantCall& call);

// mutant_memory.cc: the op touches memory that it should not, or not all that it should.
void ReadStalePage(MutantCall& call);      // before
void RestorePages(MutantCall& call);       // after
void LookOneAhead(MutantCall& call);       // before
void RestorePositions(MutantCall& call);   // after
void SaveOutput(MutantCall& call);         // before
void RestoreLastColumn(MutantCall& call);  // after
void AddZeroTimesOld(MutantCall& call);    // after
void StoreElsewhere(MutantCall& call);
void StoreIntoWeight(MutantCall& call);
void Scribble(MutantCall& call);

// mutant_process.cc: the process ends or stalls.
void Crash(MutantCall& call);
void ExitZero(MutantCall& call);
void ExitSeventySeven(MutantCall& call);
void Hang(MutantCall& call);
void StartTimer(MutantCall& call);        // before
void TakeAHundredfold(MutantCall& call);  // after

// mutant_noise.cc: before linear ops, a random order for adding partial sums.
void ShuffleSums(MutantCall& call);
void ShuffleSumsOfBatches(MutantCall& call);
void ShuffleSumsOnRank0(MutantCall& call);
void ShuffleSumsInLayer0(MutantCall& call);

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_MUTANT_HOOKS_H_
