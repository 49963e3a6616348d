#include <algorithm>
#include <utility>

#include "gtest_parity/engines/tiny/server/mutant_hooks.h"

namespace parity::tiny_server {
namespace {

std::string TypeOf(const Frame& frame) {
  return frame.data.is_object() ? frame.data.value("type", "") : "";
}

void Drop(Frames& frames, const char* type) {
  std::erase_if(frames, [type](const Frame& frame) { return TypeOf(frame) == type; });
}

bool IsTerminal(const Frame& frame) {
  const std::string type = TypeOf(frame);
  return type == "response.completed" || type == "response.incomplete";
}

// Numbers of Responses' events, from where the stream is.
void Renumber(Frames& frames, const StreamState& state, std::uint64_t first) {
  if (state.surface != Surface::kResponses) return;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    frames[i].data["sequence_number"] = state.frames + i + first;
  }
}

}  // namespace

void DropEventLines(Frames& frames, StreamState& state) {
  if (state.surface != Surface::kMessages) return;
  for (Frame& frame : frames) frame.event.clear();
}

void NameEventsWrong(Frames& frames, StreamState&) {
  for (Frame& frame : frames) {
    if (frame.event == "content_block_delta" || frame.event == "response.output_text.delta") {
      frame.event = "message";
    }
  }
}

void LeaveBlocksOpen(Frames& frames, StreamState&) {
  for (std::size_t i = 0; i + 1 < frames.size(); ++i) {
    if (TypeOf(frames[i]) != "content_block_stop") continue;
    if (TypeOf(frames[i + 1]) != "content_block_start") continue;
    std::swap(frames[i], frames[i + 1]);
  }
}

void KeepBlockIndex(Frames& frames, StreamState& state) {
  if (state.surface != Surface::kMessages) return;
  for (Frame& frame : frames) {
    if (frame.data.contains("index")) frame.data["index"] = 0;
  }
}

void DropMessageStop(Frames& frames, StreamState&) { Drop(frames, "message_stop"); }

void SayDoneInMessages(Frames& frames, StreamState&) {
  if (!frames.empty() && TypeOf(frames.back()) == "message_stop") frames.push_back({"", "[DONE]"});
}

void DropStopSequence(Frames& frames, StreamState&) {
  for (Frame& frame : frames) {
    if (TypeOf(frame) == "message_delta") frame.data["delta"]["stop_sequence"] = nullptr;
  }
}

void CountTheLastOnly(Frames& frames, StreamState&) {
  for (Frame& frame : frames) {
    if (TypeOf(frame) == "message_delta") frame.data["usage"]["output_tokens"] = 1;
  }
}

void DropSignature(Frames& frames, StreamState&) {
  std::erase_if(frames, [](const Frame& frame) {
    return TypeOf(frame) == "content_block_delta" &&
           frame.data["delta"]["type"] == "signature_delta";
  });
}

// The brace that would end them, on any surface.
void BreakArguments(Frames& frames, StreamState& state) {
  for (Frame& frame : frames) {
    Json* text = nullptr;
    if (state.surface == Surface::kMessages && TypeOf(frame) == "content_block_delta") {
      Json& delta = frame.data["delta"];
      if (delta.contains("partial_json")) text = &delta["partial_json"];
    } else if (TypeOf(frame) == "response.function_call_arguments.delta") {
      text = &frame.data["delta"];
    } else if (state.surface == Surface::kChat && frame.data.is_object() &&
               !frame.data["choices"].empty() &&
               frame.data["choices"][0]["delta"].contains("tool_calls")) {
      text = &frame.data["choices"][0]["delta"]["tool_calls"][0]["function"]["arguments"];
    }
    if (text == nullptr) continue;
    const std::string whole = text->get<std::string>();
    if (whole.ends_with('}')) *text = whole.substr(0, whole.size() - 1);
  }
}

void SkipSequence(Frames& frames, StreamState& state) {
  Renumber(frames, state, state.frames == 0 ? 0 : 1);
}

void CountSequenceFromOne(Frames& frames, StreamState& state) { Renumber(frames, state, 1); }

void DropPartDone(Frames& frames, StreamState& state) {
  Drop(frames, "response.content_part.done");
  if (!frames.empty() && state.surface == Surface::kResponses) Renumber(frames, state, 0);
}

void ChangeItemId(Frames& frames, StreamState&) {
  for (Frame& frame : frames) {
    if (TypeOf(frame) == "response.output_item.done") {
      frame.data["item"]["id"] = frame.data["item"]["id"].get<std::string>() + "x";
    }
  }
}

void KeepOutputIndex(Frames& frames, StreamState& state) {
  if (state.surface != Surface::kResponses) return;
  for (Frame& frame : frames) {
    if (frame.data.contains("output_index")) frame.data["output_index"] = 0;
  }
}

void CompleteTheIncomplete(Frames& frames, StreamState&) {
  for (Frame& frame : frames) {
    if (TypeOf(frame) != "response.incomplete") continue;
    frame = {"response.completed", std::move(frame.data)};
    frame.data["type"] = "response.completed";
    frame.data["response"]["status"] = "completed";
    frame.data["response"]["incomplete_details"] = nullptr;
  }
}

void ShortenDone(Frames& frames, StreamState&) {
  for (Frame& frame : frames) {
    if (TypeOf(frame) != "response.output_text.done") continue;
    const std::string text = frame.data["text"].get<std::string>();
    if (!text.empty()) frame.data["text"] = text.substr(0, text.size() - 1);
  }
}

void DropCreated(Frames& frames, StreamState& state) {
  Drop(frames, "response.created");
  Renumber(frames, state, 0);
}

void EndTwice(Frames& frames, StreamState& state) {
  if (frames.empty() || !IsTerminal(frames.back())) return;
  frames.push_back(frames.back());
  Renumber(frames, state, 0);
}

void DropLogprobs(Frames& frames, StreamState&) {
  for (Frame& frame : frames) {
    if (TypeOf(frame).starts_with("response.output_text.")) frame.data.erase("logprobs");
  }
}

}  // namespace parity::tiny_server
