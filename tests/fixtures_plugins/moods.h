/* How the counter goes wrong on demand. Configuration: {"mood": what, "at": where, "rank": who,
 * "pause": ms}, where "at" is "describe", "create", "double" or "add". */
#ifndef GTEST_PARITY_TESTS_FIXTURES_PLUGINS_MOODS_H_
#define GTEST_PARITY_TESTS_FIXTURES_PLUGINS_MOODS_H_

#include <stdint.h>

#include "gtest_parity/engine/engine.h"

typedef struct mood_t {
  char what[32];
  char at[32];
  uint32_t rank;
  uint32_t pause_ms; /* before it acts, so that others have come to where they wait */
  int growth;        /* how many times its declared size `doubled` says it has */
} mood_t;

mood_t mood_of(const char* config);
int mood_is(const mood_t* mood, const char* what);
/* Acts it out if `at` is the place. Returns, if at all, what the engine should return. */
parity_status mood_show(mood_t* mood, const char* at);

#endif /* GTEST_PARITY_TESTS_FIXTURES_PLUGINS_MOODS_H_ */
