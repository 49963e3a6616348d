#define _DEFAULT_SOURCE

#include "moods.h"

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { kDescriptors = 1024 };

/* The descriptors that are sockets: the host's is among them. */
static int is_socket(int fd) {
  struct stat status;
  return fstat(fd, &status) == 0 && S_ISSOCK(status.st_mode);
}

static void write_on_sockets(const void* data, size_t bytes) {
  int written = 0;
  for (int fd = 3; fd < kDescriptors; ++fd) {
    if (is_socket(fd)) written += send(fd, data, bytes, MSG_NOSIGNAL) == (ssize_t)bytes;
  }
  if (written == 0) abort();
}

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
  read_value(config, "\"pause\":", rank, sizeof(rank));
  mood.pause_ms = (uint32_t)strtoul(rank, NULL, 10);
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
  write_on_sockets(garbage, sizeof(garbage));
}

static void write_frame_of_garbage(void) {
  /* 4 bytes follow, and they are no msgpack. */
  static const unsigned char frame[] = {4, 0, 0, 0, 0, 0, 0, 0, 0xc1, 0xc1, 0xc1, 0xc1};
  write_on_sockets(frame, sizeof(frame));
}

static void write_another_answer(void) {
  /* A message of 2 bytes, the msgpack string "x". */
  static const unsigned char frame[] = {2, 0, 0, 0, 0, 0, 0, 0, 0xa1, 'x'};
  write_on_sockets(frame, sizeof(frame));
}

/* What a host would answer to the script of these tests, had everything gone well: msgpack of
 * {"results": []}, without knowing the seal. */
static void forge_answer(void) {
  static const unsigned char frame[24 + 10] = {
      [0] = 10,   [24] = 0x81, [25] = 0xa7, [26] = 'r', [27] = 'e', [28] = 's',
      [29] = 'u', [30] = 'l',  [31] = 't',  [32] = 's', [33] = 0x90};
  write_on_sockets(frame, sizeof(frame));
  hang();
}

static void close_socket(void) {
  for (int fd = 3; fd < kDescriptors; ++fd) close(fd);
}
static void close_socket_and_hang(void) {
  close_socket();
  hang();
}
static void close_standard_streams(void) {
  for (int fd = 0; fd < 3; ++fd) close(fd);
}

/* A daemon: in a session of its own, its parent gone. */
static void leave_daemon(void) {
  if (fork() == 0) {
    setsid();
    const pid_t daemon = fork();
    if (daemon == 0) hang();
    fprintf(stderr, "grandchild %d\n", (int)daemon);
    _exit(0);
  }
}
static void leave_daemon_and_exit(void) {
  leave_daemon();
  usleep(200 * 1000);
  _exit(5);
}
static void leave_daemon_and_hang(void) {
  leave_daemon();
  hang();
}

static void print_much(void) {
  static char line[1 << 16];
  memset(line, '.', sizeof(line));
  for (int i = 0; i < (200 << 20) / (int)sizeof(line); ++i) {
    for (size_t done = 0; done < sizeof(line);) {
      const ssize_t n = write(STDERR_FILENO, line + done, sizeof(line) - done);
      if (n <= 0) abort();
      done += (size_t)n;
    }
  }
}

enum { kBombBytes = 16 << 20 };

/* Until there is no more. */
static void allocate(void) {
  for (;;) {
    char* block = malloc(kBombBytes);
    if (block == NULL) return;
    memset(block, 1, kBombBytes);
  }
}

/* Memory that no limit of a process counts. */
static void allocate_shared(void) {
  for (;;) {
    char* block = mmap(NULL, kBombBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) abort();
    memset(block, 1, kBombBytes);
    usleep(20 * 1000);
  }
}

static volatile int depth = 1;
static void overflow_stack(void) {
  volatile char frame[4096];
  frame[0] = (char)depth++;
  if (depth > 0) overflow_stack();
  frame[1] = frame[0];
}

static void spin(void) {
  for (;;) ++depth;
}

static void stop(void) { raise(SIGSTOP); }

static void mask_signals_and_hang(void) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_IGN);
  hang();
}
static void mask_signals_and_crash(void) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  crash();
}

static void move_away(void) {
  if (chdir("/") != 0) abort();
  umask(0777);
}
static void change_locale(void) {
  /* Whichever the machine has. */
  static const char* const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"};
  for (int i = 0; i < 3 && setlocale(LC_ALL, names[i]) == NULL; ++i) continue;
}
/* Rounding and subnormals of this thread. */
#if defined(__x86_64__)
#include <xmmintrin.h>
static void round_upward(void) { _mm_setcsr(_mm_getcsr() | 0x4000); }
static void flush_to_zero(void) { _mm_setcsr(_mm_getcsr() | 0x8040); }
#elif defined(__aarch64__)
static void set_fpcr(uint64_t bits) {
  uint64_t fpcr;
  __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
  __asm__ volatile("msr fpcr, %0" : : "r"(fpcr | bits));
}
static void round_upward(void) { set_fpcr(1u << 22); }
static void flush_to_zero(void) { set_fpcr(1u << 24); }
#endif

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
               {"another_answer", write_another_answer, PARITY_OK},
               {"forge_answer", forge_answer, PARITY_OK},
               {"close_standard_streams", close_standard_streams, PARITY_OK},
               {"daemon", leave_daemon, PARITY_OK},
               {"daemon_and_exit", leave_daemon_and_exit, PARITY_OK},
               {"daemon_and_hang", leave_daemon_and_hang, PARITY_OK},
               {"print_much", print_much, PARITY_OK},
               {"allocate", allocate, PARITY_OUT_OF_MEMORY},
               {"allocate_shared", allocate_shared, PARITY_OK},
               {"overflow_stack", overflow_stack, PARITY_OK},
               {"spin", spin, PARITY_OK},
               {"stop", stop, PARITY_OK},
               {"mask_and_hang", mask_signals_and_hang, PARITY_OK},
               {"mask_and_crash", mask_signals_and_crash, PARITY_OK},
               {"move_away", move_away, PARITY_OK},
               {"change_locale", change_locale, PARITY_OK},
               {"round_upward", round_upward, PARITY_OK},
               {"flush_to_zero", flush_to_zero, PARITY_OK}};
  if (strcmp(mood->at, at) != 0) return PARITY_OK;
  if (mood_is(mood, "grow")) mood->growth = 2;
  for (size_t i = 0; i < sizeof(moods) / sizeof(moods[0]); ++i) {
    if (!mood_is(mood, moods[i].what)) continue;
    if (mood->pause_ms != 0) usleep(mood->pause_ms * 1000);
    if (moods[i].act != NULL) moods[i].act();
    if (mood_is(mood, "grandchild_then_crash")) crash();
    return moods[i].status;
  }
  return PARITY_OK;
}
