#define _POSIX_C_SOURCE 200809L

#include "moods.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kJudgeSocket = 3 };

/* Copies the text after `key` in a JSON object without spaces, up to a quote, comma or brace. */
static void read_value(const char* config, const char* key, char* out, size_t size) {
  const char* found = strstr(config, key);
  size_t length = 0;
  if (found != NULL) {
    found += strlen(key);
    length = strcspn(found, "\",}");
  }
  if (length >= size) length = size - 1;
  if (length != 0) memcpy(out, found, length);
  out[length] = '\0';
}

mood_t mood_of(const char* config) {
  mood_t mood = {.growth = 1};
  char rank[16];
  read_value(config, "\"mood\":\"", mood.what, sizeof(mood.what));
  read_value(config, "\"at\":\"", mood.at, sizeof(mood.at));
  read_value(config, "\"rank\":", rank, sizeof(rank));
  mood.rank = (uint32_t)strtoul(rank, NULL, 10);
  return mood;
}

int mood_is(const mood_t* mood, const char* what) { return strcmp(mood->what, what) == 0; }

static void crash(void) {
  volatile int* nowhere = NULL;
  *nowhere = 1;
}

static void hang(void) {
  for (;;) sleep(1000);
}

/* A child in the host's own process group that outlives its parent, unless it is ended. */
static void leave_grandchild(void) {
  const pid_t child = fork();
  if (child == 0) hang();
  fprintf(stderr, "grandchild %d\n", (int)child);
}

static void print_megabytes(void) {
  char line[1024];
  memset(line, '.', sizeof(line));
  line[sizeof(line) - 1] = '\n';
  for (int i = 0; i < 8 * 1024; ++i) fwrite(line, 1, sizeof(line), stderr);
  fputs("the last line\n", stderr);
}

static void print_environment(void) {
  const char* const names[] = {"COUNTER_COLOUR", "LD_LIBRARY_PATH", "COUNTER_INHERITED"};
  for (int i = 0; i < 3; ++i) {
    const char* value = getenv(names[i]);
    fprintf(stderr, "%s=%s\n", names[i], value == NULL ? "(none)" : value);
  }
}

/* Writes into the recording wherever this process has mapped it. */
static void scribble(void) {
  char line[512];
  FILE* maps = fopen("/proc/self/maps", "r");
  while (maps != NULL && fgets(line, sizeof(line), maps) != NULL) {
    if (strstr(line, "memfd:parity_recording") == NULL) continue;
    char* data = (char*)(uintptr_t)strtoull(line, NULL, 16);
    memset(data, 0xee, 4096);
  }
  fputs("nothing was in the way\n", stderr);
}

static void write_garbage(void) {
  static const char garbage[] = "this is not a message that anybody would expect here";
  if (write(kJudgeSocket, garbage, sizeof(garbage)) < 0) abort();
}

static void write_frame_of_garbage(void) {
  /* 4 bytes follow, and they are no msgpack. */
  static const unsigned char frame[] = {4, 0, 0, 0, 0, 0, 0, 0, 0xc1, 0xc1, 0xc1, 0xc1};
  if (write(kJudgeSocket, frame, sizeof(frame)) < 0) abort();
}

static void write_another_answer(void) {
  /* A message of 2 bytes, the msgpack string "x". */
  static const unsigned char frame[] = {2, 0, 0, 0, 0, 0, 0, 0, 0xa1, 'x'};
  if (write(kJudgeSocket, frame, sizeof(frame)) < 0) abort();
}

static void close_socket(void) { close(kJudgeSocket); }
static void close_socket_and_hang(void) {
  close(kJudgeSocket);
  hang();
}
static void exit_3(void) { exit(3); }
static void exit_0(void) { exit(0); }
static void quick_exit_77(void) { _exit(77); }
static void raise_segv(void) { raise(SIGSEGV); }
static void killed(void) { kill(getpid(), SIGKILL); }

parity_status mood_show(mood_t* mood, const char* at) {
  static const struct {
    const char* what;
    void (*act)(void);
    parity_status status;
  } moods[] = {{"crash", crash, PARITY_OK},
               {"raise", raise_segv, PARITY_OK},
               {"abort", abort, PARITY_OK},
               {"killed", killed, PARITY_OK},
               {"exit_3", exit_3, PARITY_OK},
               {"exit_0", exit_0, PARITY_OK},
               {"_exit_77", quick_exit_77, PARITY_OK},
               {"hang", hang, PARITY_OK},
               {"fail", NULL, PARITY_FAILED},
               {"refuse", NULL, PARITY_REFUSED},
               {"lose_device", NULL, PARITY_DEVICE_LOST},
               {"cancelled", NULL, PARITY_CANCELLED},
               {"print", print_megabytes, PARITY_OK},
               {"environment", print_environment, PARITY_OK},
               {"grandchild", leave_grandchild, PARITY_OK},
               {"grandchild_then_crash", leave_grandchild, PARITY_OK},
               {"scribble", scribble, PARITY_OK},
               {"close_socket", close_socket, PARITY_OK},
               {"close_socket_and_hang", close_socket_and_hang, PARITY_OK},
               {"garbage", write_garbage, PARITY_OK},
               {"garbage_frame", write_frame_of_garbage, PARITY_OK},
               {"another_answer", write_another_answer, PARITY_OK}};
  if (strcmp(mood->at, at) != 0) return PARITY_OK;
  if (mood_is(mood, "grow")) mood->growth = 2;
  for (size_t i = 0; i < sizeof(moods) / sizeof(moods[0]); ++i) {
    if (!mood_is(mood, moods[i].what)) continue;
    if (moods[i].act != NULL) moods[i].act();
    if (mood_is(mood, "grandchild_then_crash")) crash();
    return moods[i].status;
  }
  return PARITY_OK;
}
