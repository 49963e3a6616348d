/* Stands for a suite: leaves when it began and ended, in nanoseconds of the machine's clock.
 *
 * A group that is to `--meet` another ends only when both have begun, so that it tells whether
 * CTest runs groups side by side at all; the others last long enough for an overlap to show. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char* value_of(int argc, char** argv, const char* flag) {
  for (int i = 1; i + 1 < argc; ++i) {
    if (strcmp(argv[i], flag) == 0) return argv[i + 1];
  }
  return NULL;
}

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static FILE* open_mark(const char* folder, const char* name, const char* mode) {
  char path[4096];
  snprintf(path, sizeof(path), "%s/%s", folder, name);
  return fopen(path, mode);
}

int main(int argc, char** argv) {
  const char* group = value_of(argc, argv, "--parity_group");
  const char* folder = value_of(argc, argv, "--folder");
  const char* other = value_of(argc, argv, "--meet");
  if (group == NULL || folder == NULL) return 2;
  const long long begin = now();
  FILE* file = open_mark(folder, group, "w");
  if (file == NULL) return 2;
  fclose(file);
  const struct timespec pause = {0, other == NULL ? 200000000 : 1000000};
  for (file = NULL; file == NULL; file = other == NULL ? stdin : open_mark(folder, other, "r")) {
    nanosleep(&pause, NULL);
  }
  file = open_mark(folder, "intervals", "a");
  if (file == NULL) return 2;
  fprintf(file, "%s %lld %lld\n", group, begin, now());
  return fclose(file);
}
