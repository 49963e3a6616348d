#include <utility>

#include "gtest_parity/engines/tiny/server/mutant_hooks.h"

namespace parity::tiny_server {
namespace {

bool IsDone(const Frame& frame) { return frame.data == "[DONE]"; }

bool IsOfChunks(const StreamState& state) {
  return state.surface == Surface::kChat || state.surface == Surface::kCompletions;
}

// The first choice of a chunk, or NULL.
Json* ChoiceOf(Frame& frame) {
  if (!frame.data.is_object() || !frame.data.contains("choices")) return nullptr;
  Json& choices = frame.data["choices"];
  return choices.empty() ? nullptr : &choices[0];
}

bool Finishes(Frame& frame) {
  const Json* choice = ChoiceOf(frame);
  return choice != nullptr && !(*choice)["finish_reason"].is_null();
}

bool HasRole(Frame& frame) {
  Json* choice = ChoiceOf(frame);
  return choice != nullptr && choice->contains("delta") && (*choice)["delta"].contains("role");
}

bool TellsUsage(const Frame& frame) {
  return frame.data.is_object() && frame.data.contains("choices") && frame.data.contains("usage") &&
         frame.data["usage"].is_object();
}

// Those of a delta.
Json* CallsOf(Frame& frame) {
  Json* choice = ChoiceOf(frame);
  if (choice == nullptr || !choice->contains("delta")) return nullptr;
  Json& delta = (*choice)["delta"];
  return delta.contains("tool_calls") ? &delta["tool_calls"] : nullptr;
}

// The text that a frame adds, on any surface.
Json* DeltaText(Frame& frame) {
  if (!frame.data.is_object()) return nullptr;
  if (Json* choice = ChoiceOf(frame)) {
    if (choice->contains("text")) return &(*choice)["text"];
    Json& delta = (*choice)["delta"];
    return delta.contains("content") ? &delta["content"] : nullptr;
  }
  if (!frame.data.contains("delta")) return nullptr;
  Json& delta = frame.data["delta"];
  if (delta.is_string()) return &delta;
  return delta.contains("text") ? &delta["text"] : nullptr;
}

template <typename Is>
void Repeat(Frames& frames, Is is) {
  Frames all;
  for (Frame& frame : frames) {
    all.push_back(frame);
    if (is(frame)) all.push_back(frame);
  }
  frames = std::move(all);
}

template <typename Change>
void ChangeLater(Frames& frames, const StreamState& state, Change change) {
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const std::uint64_t number = state.frames + i;
    if (number != 0 && IsOfChunks(state) && frames[i].data.is_object()) {
      change(frames[i].data, number);
    }
  }
}

}  // namespace

void DropDone(Frames& frames, StreamState&) { std::erase_if(frames, IsDone); }
void DoubleDone(Frames& frames, StreamState&) { Repeat(frames, IsDone); }

void SayAfterDone(Frames& frames, StreamState& state) {
  if (frames.empty()) return;
  if (state.kept.is_null()) state.kept = frames[0].data;
  if (IsDone(frames.back())) frames.push_back({"", state.kept});
}

void FinishTwice(Frames& frames, StreamState&) { Repeat(frames, Finishes); }
void NeverFinish(Frames& frames, StreamState&) { std::erase_if(frames, Finishes); }

void FinishEmptyBefore(Frames& frames, StreamState&) {
  for (Frame& frame : frames) {
    Json* choice = ChoiceOf(frame);
    if (choice != nullptr && !Finishes(frame)) (*choice)["finish_reason"] = "";
  }
}

void RepeatRole(Frames& frames, StreamState&) {
  for (Frame& frame : frames) {
    Json* choice = ChoiceOf(frame);
    if (choice != nullptr && choice->contains("delta")) (*choice)["delta"]["role"] = "assistant";
  }
}

void DropRole(Frames& frames, StreamState&) { std::erase_if(frames, HasRole); }

void ChangeId(Frames& frames, StreamState& state) {
  ChangeLater(frames, state, [](Json& chunk, std::uint64_t number) {
    chunk["id"] = chunk["id"].get<std::string>() + "-" + std::to_string(number);
  });
}

void MoveCreated(Frames& frames, StreamState& state) {
  ChangeLater(frames, state, [](Json& chunk, std::uint64_t number) {
    chunk["created"] = chunk["created"].get<std::int64_t>() + static_cast<std::int64_t>(number);
  });
}

void ChangeModel(Frames& frames, StreamState& state) {
  ChangeLater(frames, state, [](Json& chunk, std::uint64_t) { chunk["model"] = "another"; });
}

void SayChatInCompletions(Frames& frames, StreamState& state) {
  if (state.surface != Surface::kCompletions) return;
  for (Frame& frame : frames) {
    Json* choice = ChoiceOf(frame);
    if (choice == nullptr) continue;
    (*choice)["delta"] = {{"content", (*choice)["text"]}};
    choice->erase("text");
    frame.data["object"] = "chat.completion.chunk";
  }
}

void RepeatUsage(Frames& frames, StreamState& state) {
  for (Frame& frame : frames) {
    if (TellsUsage(frame) || !IsOfChunks(state) || IsDone(frame)) continue;
    frame.data["usage"] = {{"prompt_tokens", 1}, {"completion_tokens", 1}, {"total_tokens", 2}};
  }
}

void DropUsage(Frames& frames, StreamState&) { std::erase_if(frames, TellsUsage); }

void TellUsageUnasked(Frames& frames, StreamState& state) {
  if (frames.empty() || !IsDone(frames.back())) return;
  if (frames.size() > 1 && TellsUsage(frames[frames.size() - 2])) return;
  Json chunk = frames.front().data;
  chunk["choices"] = Json::array();
  chunk["usage"] = {{"prompt_tokens", 1}, {"completion_tokens", 1}, {"total_tokens", 2}};
  if (IsOfChunks(state)) frames.insert(frames.end() - 1, {"", chunk});
}

void CountOneMoreInStreams(Frames& frames, StreamState&) {
  for (Frame& frame : frames) {
    if (!TellsUsage(frame)) continue;
    for (const char* key : {"completion_tokens", "total_tokens"}) {
      frame.data["usage"][key] = frame.data["usage"][key].get<std::uint64_t>() + 1;
    }
  }
}

void CallCutStopped(Frames& frames, StreamState&) {
  for (Frame& frame : frames) {
    if (Json* choice = ChoiceOf(frame); choice != nullptr && Finishes(frame)) {
      Json& reason = (*choice)["finish_reason"];
      if (reason == "length") reason = "stop";
    }
  }
}

void DropCallIndex(Frames& frames, StreamState&) {
  for (Frame& frame : frames) {
    if (Json* calls = CallsOf(frame)) (*calls)[0].erase("index");
  }
}

void RepeatCallName(Frames& frames, StreamState& state) {
  for (Frame& frame : frames) {
    Json* calls = CallsOf(frame);
    if (calls == nullptr) continue;
    Json& function = (*calls)[0]["function"];
    if (function.contains("name")) state.kept = function["name"];
    function["name"] = state.kept;
  }
}

void NullArguments(Frames& frames, StreamState&) {
  for (Frame& frame : frames) {
    Json* calls = CallsOf(frame);
    if (calls != nullptr && (*calls)[0].contains("id")) {
      (*calls)[0]["function"]["arguments"] = nullptr;
    }
  }
}

void SplitCharacters(Frames& frames, StreamState&) {
  Frames all;
  for (Frame& frame : frames) {
    Json* text = DeltaText(frame);
    const std::string whole = text != nullptr && text->is_string() ? text->get<std::string>() : "";
    std::size_t at = 0;
    while (at < whole.size() && static_cast<unsigned char>(whole[at]) < 0x80) ++at;
    if (at == whole.size()) {
      all.push_back(frame);
      continue;
    }
    *text = whole.substr(0, at + 1);
    all.push_back(frame);
    *text = whole.substr(at + 1);
    all.push_back(frame);
  }
  frames = std::move(all);
}

void DropLastBlankLine(std::string& text) {
  for (const char* last : {"[DONE]", "message_stop", "response.completed"}) {
    if (text.find(last) != std::string::npos && text.ends_with("\n\n")) {
      text.pop_back();
      return;
    }
  }
}

}  // namespace parity::tiny_server
