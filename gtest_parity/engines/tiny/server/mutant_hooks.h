// The faults themselves; mutant_table.cc says what each is for.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVER_MUTANT_HOOKS_H_
#define GTEST_PARITY_ENGINES_TINY_SERVER_MUTANT_HOOKS_H_

#include "gtest_parity/engines/tiny/server/mutants.h"

namespace parity::tiny_server {

using Frames = std::vector<Frame>;

// mutant_streams.cc: any stream, and the chunks of chat and completions.
void DropDone(Frames& frames, StreamState& state);
void DoubleDone(Frames& frames, StreamState& state);
void SayAfterDone(Frames& frames, StreamState& state);
void FinishTwice(Frames& frames, StreamState& state);
void NeverFinish(Frames& frames, StreamState& state);
void FinishEmptyBefore(Frames& frames, StreamState& state);
void RepeatRole(Frames& frames, StreamState& state);
void DropRole(Frames& frames, StreamState& state);
void ChangeId(Frames& frames, StreamState& state);
void MoveCreated(Frames& frames, StreamState& state);
void ChangeModel(Frames& frames, StreamState& state);
void SayChatInCompletions(Frames& frames, StreamState& state);
void RepeatUsage(Frames& frames, StreamState& state);
void DropUsage(Frames& frames, StreamState& state);
void TellUsageUnasked(Frames& frames, StreamState& state);
void CountOneMoreInStreams(Frames& frames, StreamState& state);
void CallCutStopped(Frames& frames, StreamState& state);
void DropCallIndex(Frames& frames, StreamState& state);
void RepeatCallName(Frames& frames, StreamState& state);
void NullArguments(Frames& frames, StreamState& state);
void SplitCharacters(Frames& frames, StreamState& state);
void DropLastBlankLine(std::string& text);

// mutant_events.cc: of Messages and Responses.
void DropEventLines(Frames& frames, StreamState& state);
void NameEventsWrong(Frames& frames, StreamState& state);
void LeaveBlocksOpen(Frames& frames, StreamState& state);
void KeepBlockIndex(Frames& frames, StreamState& state);
void DropMessageStop(Frames& frames, StreamState& state);
void SayDoneInMessages(Frames& frames, StreamState& state);
void DropStopSequence(Frames& frames, StreamState& state);
void CountTheLastOnly(Frames& frames, StreamState& state);
void DropSignature(Frames& frames, StreamState& state);
void BreakArguments(Frames& frames, StreamState& state);
void SkipSequence(Frames& frames, StreamState& state);
void CountSequenceFromOne(Frames& frames, StreamState& state);
void DropPartDone(Frames& frames, StreamState& state);
void ChangeItemId(Frames& frames, StreamState& state);
void KeepOutputIndex(Frames& frames, StreamState& state);
void CompleteTheIncomplete(Frames& frames, StreamState& state);
void ShortenDone(Frames& frames, StreamState& state);
void DropCreated(Frames& frames, StreamState& state);
void EndTwice(Frames& frames, StreamState& state);
void DropLogprobs(Frames& frames, StreamState& state);

// mutant_replies.cc: of whole answers and headers.
void SumOneMore(Json& body, Surface surface);
void CacheMoreThanThereIs(Json& body, Surface surface);
void CountCachedTwice(Json& body, Surface surface);
void ShortenText(Json& body, Surface surface);
void RepeatIds(Json& body, Surface surface);
void StopTheCut(Json& body, Surface surface);
void NumberCodes(httplib::Response& reply);
void DropErrorParam(httplib::Response& reply);
void SpeakOpenAi(httplib::Response& reply);
void SayPlainText(httplib::Response& reply);
void DropCors(httplib::Response& reply);
void DropRetryAfter(httplib::Response& reply);
void ShedAsFailure(httplib::Response& reply);
void CutCoded(httplib::Response& reply);

// mutant_requests.cc: of what is asked.
void TakeComments(Json& body);
void MistakeNull(Json& body);
void ForgetEffort(Json& body);
void ForgetFormat(Json& body);
void MendPadding(Json& body);

}  // namespace parity::tiny_server

#endif  // GTEST_PARITY_ENGINES_TINY_SERVER_MUTANT_HOOKS_H_
