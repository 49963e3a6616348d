#include "gtest_parity/engines/llama_cpp/log_tail.h"

#include <cstdio>
#include <deque>
#include <mutex>

#include "llama.h"

namespace parity::llama_cpp {
namespace {

constexpr std::size_t kLines = 6;

struct Line {
  ggml_log_level level = GGML_LOG_LEVEL_INFO;
  std::string text;
};

// ggml's threads log too.
struct Log {
  std::mutex mutex;
  std::deque<Line> important, any;
  bool open = false;  // the last line has no end yet
};

Log& TheLog() {
  static Log log;
  return log;
}

bool IsImportant(ggml_log_level level) {
  return level == GGML_LOG_LEVEL_WARN || level == GGML_LOG_LEVEL_ERROR;
}

void Add(std::deque<Line>& lines, const Line& line) {
  lines.push_back(line);
  if (lines.size() > kLines) lines.pop_front();
}

void OnLog(ggml_log_level level, const char* text, void*) {
  Log& log = TheLog();
  const std::lock_guard lock(log.mutex);
  const std::string added = text;
  if (added.empty()) return;
  const bool goes_on = (level == GGML_LOG_LEVEL_CONT || log.open) && !log.any.empty();
  if (goes_on) {
    log.any.back().text += added;
    const bool important = IsImportant(log.any.back().level) && !log.important.empty();
    if (important) log.important.back().text += added;
  } else {
    Add(log.any, {level, added});
    if (IsImportant(level)) Add(log.important, {level, added});
  }
  log.open = added.back() != '\n';
  if (!log.open && IsImportant(log.any.back().level)) {
    std::fputs(log.any.back().text.c_str(), stderr);
  }
}

std::string Trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

}  // namespace

void CatchLog() { llama_log_set(OnLog, nullptr); }

void ForgetLog() {
  Log& log = TheLog();
  const std::lock_guard lock(log.mutex);
  log.important.clear();
  log.any.clear();
  log.open = false;
}

std::string LogTail() {
  Log& log = TheLog();
  const std::lock_guard lock(log.mutex);
  std::string tail;
  for (const Line& line : log.important.empty() ? log.any : log.important) {
    tail += (tail.empty() ? "" : "; ") + Trimmed(line.text);
  }
  return tail.empty() ? "llama.cpp said nothing" : "llama.cpp said: " + tail;
}

std::string LastLogError() {
  Log& log = TheLog();
  const std::lock_guard lock(log.mutex);
  std::string last;
  for (const Line& line : log.important) {
    if (line.level == GGML_LOG_LEVEL_ERROR) last = Trimmed(line.text);
  }
  return last;
}

}  // namespace parity::llama_cpp
