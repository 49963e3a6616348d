#include "suites/wire/machines/tables.h"

namespace parity::wire {
namespace {

// After an error a stream ends; whatever looks like success after it misleads a client (L-08).
constexpr Transition kChunkRows[] = {
    {"start", "chunk", "open"},  {"start", "usage", "counted"}, {"start", "error", "failed"},
    {"open", "chunk", "open"},   {"open", "usage", "counted"},  {"open", "done", "done"},
    {"open", "error", "failed"}, {"counted", "done", "done"},   {"counted", "error", "failed"},
    {"failed", "done", "done"},  {"failed", "end", "ended"},    {"done", "end", "ended"},
};
// They differ in whose rule a stream without any chunk breaks.
constexpr Blame kChatStreamBlames[] = {
    {"start", "*", "W-17"}, {"failed", "*", "L-08"}, {"done", "done", "S-10"},
    {"done", "*", "S-11"},  {"*", "end", "S-10"},    {"*", "*", "C-05"},
};
constexpr Blame kCompletionStreamBlames[] = {
    {"start", "*", "W-18"}, {"failed", "*", "L-08"}, {"done", "done", "S-10"},
    {"done", "*", "S-11"},  {"*", "end", "S-10"},    {"*", "*", "C-05"},
};

constexpr Transition kChatRows[] = {
    {"start", "role", "role"},
    {"role", "reasoning", "reasoning"},
    {"role", "text", "text"},
    {"role", "refusal", "refusal"},
    {"role", "calls", "calls"},
    {"role", "finish", "finished"},
    {"reasoning", "reasoning", "reasoning"},
    {"reasoning", "text", "text"},
    {"reasoning", "refusal", "refusal"},
    {"reasoning", "calls", "calls"},
    {"reasoning", "finish", "finished"},
    {"text", "reasoning", "reasoning"},
    {"text", "text", "text"},
    {"text", "refusal", "refusal"},
    {"text", "calls", "calls"},
    {"text", "finish", "finished"},
    {"refusal", "refusal", "refusal"},
    {"refusal", "text", "text"},
    {"refusal", "finish", "finished"},
    {"calls", "calls", "calls"},
    {"calls", "text", "text"},
    {"calls", "reasoning", "reasoning"},
    {"calls", "finish", "finished"},
    {"finished", "end", "ended"},
};
constexpr Blame kChatBlames[] = {
    {"start", "end", "C-03"},  {"start", "*", "C-02"}, {"finished", "role", "C-02"},
    {"finished", "*", "C-03"}, {"*", "end", "C-03"},   {"*", "role", "C-02"},
    {"*", "*", "W-17"},
};

constexpr Transition kCompletionRows[] = {
    {"start", "text", "text"},      {"start", "finish", "finished"}, {"text", "text", "text"},
    {"text", "finish", "finished"}, {"finished", "end", "ended"},
};
constexpr Blame kCompletionBlames[] = {
    {"*", "end", "C-03"},
    {"finished", "text", "C-03"},
    {"finished", "finish", "C-03"},
    {"*", "*", "W-18"},
};

constexpr Transition kMessagesRows[] = {
    {"start", "message_start", "between"},
    {"between", "content_block_start", "block"},
    {"block", "content_block_delta", "block"},
    {"block", "content_block_stop", "between"},
    {"between", "message_delta", "ending"},
    {"ending", "message_delta", "ending"},
    {"ending", "message_stop", "stopped"},
    {"stopped", "end", "ended"},
    {"between", "ping", "between"},
    {"block", "ping", "block"},
    {"ending", "ping", "ending"},
    {"start", "error", "failed"},
    {"between", "error", "failed"},
    {"block", "error", "failed"},
    {"ending", "error", "failed"},
    {"failed", "end", "ended"},
};
constexpr Blame kMessagesBlames[] = {
    {"*", "done", "A-01"},
    {"failed", "*", "L-08"},
    {"stopped", "*", "S-11"},
    {"start", "*", "W-19"},
    {"*", "content_block_start", "A-02"},
    {"*", "content_block_delta", "A-02"},
    {"*", "content_block_stop", "A-02"},
    {"block", "message_delta", "A-02"},
    {"*", "*", "W-19"},
};

constexpr Transition kResponsesRows[] = {
    {"start", "created", "created"},
    {"created", "queued", "queued"},
    {"created", "in_progress", "between"},
    {"queued", "in_progress", "between"},
    {"created", "item_added", "item"},
    {"queued", "item_added", "item"},
    {"between", "item_added", "item"},
    {"item", "part_added", "part"},
    {"part", "text_delta", "part"},
    {"part", "text_done", "part_text_done"},
    {"part_text_done", "part_done", "item"},
    {"item", "arguments_delta", "arguments"},
    {"arguments", "arguments_delta", "arguments"},
    {"item", "arguments_done", "arguments_done"},
    {"arguments", "arguments_done", "arguments_done"},
    {"arguments_done", "item_done", "between"},
    {"item", "item_done", "between"},
    {"created", "completed", "terminal"},
    {"between", "completed", "terminal"},
    {"created", "incomplete", "terminal"},
    {"between", "incomplete", "terminal"},
    // A failure may come at any time.
    {"created", "failed", "terminal"},
    {"queued", "failed", "terminal"},
    {"between", "failed", "terminal"},
    {"item", "failed", "terminal"},
    {"part", "failed", "terminal"},
    {"part_text_done", "failed", "terminal"},
    {"arguments", "failed", "terminal"},
    {"arguments_done", "failed", "terminal"},
    {"start", "error", "failing"},
    {"created", "error", "failing"},
    {"queued", "error", "failing"},
    {"between", "error", "failing"},
    {"item", "error", "failing"},
    {"part", "error", "failing"},
    {"part_text_done", "error", "failing"},
    {"arguments", "error", "failing"},
    {"arguments_done", "error", "failing"},
    {"failing", "failed", "terminal"},
    {"failing", "done", "done"},
    {"failing", "end", "ended"},
    {"terminal", "done", "done"},
    {"terminal", "end", "ended"},
    {"done", "end", "ended"},
};
constexpr Blame kResponsesBlames[] = {
    {"failing", "*", "L-08"},
    {"done", "done", "S-10"},
    {"done", "*", "S-11"},
    {"terminal", "*", "S-11"},
    {"start", "*", "R-02"},
    {"*", "created", "R-02"},
    {"*", "queued", "R-02"},
    {"*", "in_progress", "R-02"},
    {"*", "done", "S-10"},
    {"*", "item_added", "R-04"},
    {"*", "completed", "R-06"},
    {"*", "incomplete", "R-06"},
    {"*", "end", "W-20"},
    // A delta or an end of what was never added, or is over.
    {"created", "*", "R-06"},
    {"queued", "*", "R-06"},
    {"between", "*", "R-06"},
    {"item", "text_delta", "R-06"},
    {"item", "text_done", "R-06"},
    {"item", "part_done", "R-06"},
    {"part", "part_done", "R-06"},
    {"part", "item_done", "R-06"},
    {"part_text_done", "item_done", "R-06"},
    {"arguments", "item_done", "R-06"},
    {"*", "*", "W-20"},
};

}  // namespace

const Machine kChatStream = {"chunks", "start", kChunkRows, kChatStreamBlames};
const Machine kCompletionStream = {"chunks", "start", kChunkRows, kCompletionStreamBlames};
const Machine kChatChoice = {"chat", "start", kChatRows, kChatBlames};
const Machine kCompletionChoice = {"completions", "start", kCompletionRows, kCompletionBlames};
const Machine kMessagesStream = {"messages", "start", kMessagesRows, kMessagesBlames};
const Machine kResponsesStream = {"responses", "start", kResponsesRows, kResponsesBlames};

}  // namespace parity::wire
