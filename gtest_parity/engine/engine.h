/* The C ABI that an inference engine implements so that it can be compared with another engine.
 *
 * This header is all an engine author needs. It includes no CUDA or NCCL header and is plain C99.
 * An engine is built as a shared library (a *plugin*) that exports one function, `parity_plugin`,
 * which returns the table of its engines. Strings are UTF-8 and NUL-terminated, sizes are bytes
 * unless the name says otherwise, and memory that a function hands out stays the engine's own.
 *
 * Every table and every struct that may grow begins with `struct_size`: its owner sets it to
 * sizeof(that struct) as it was compiled, and the reader uses no field beyond that size. A function
 * pointer that is NULL is a capability that the engine does not offer.
 *
 * Threads: `describe` and `rendezvous` may be called from any thread. All calls for one rank come
 * from one thread, except `cancel`, which may come from any. Several ranks may live in one process.
 */
#ifndef GTEST_PARITY_ENGINE_ENGINE_H_
#define GTEST_PARITY_ENGINE_ENGINE_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PARITY_ABI_VERSION 1u
#define PARITY_PLUGIN_SYMBOL "parity_plugin"

/* What a call came to. Each has one meaning; `last_error` has the words. */
typedef enum parity_status {
  PARITY_OK = 0,
  PARITY_FAILED = 1,        /* the engine itself failed */
  PARITY_INVALID = 2,       /* an argument, name or range that the engine does not know */
  PARITY_UNSUPPORTED = 3,   /* a capability that the engine does not offer */
  PARITY_REFUSED = 4,       /* a guard of the engine declined; `refusal` says which */
  PARITY_OUT_OF_MEMORY = 5, /* host or device memory is exhausted */
  PARITY_CANCELLED = 6,     /* `cancel` ended the call */
  PARITY_DEVICE_LOST = 7    /* the device cannot be used again in this process */
} parity_status;

/* How the harness may drive an engine. Bits of parity_engine_api.traits. */
typedef enum parity_trait {
  /* `stage` is not absolute: a step can only follow the step before it, once that has run to its
   * end; parts of the staged step can be run again. The harness replays the scenario from its
   * start. */
  PARITY_SEQUENTIAL = 1u << 0,
  /* Programs cannot be run in parts: `run` accepts whole programs only and `run_tapped` gives
   * access to the values between ops. `region` need only know what a program leaves for its caller:
   * logits, outputs and decisions, after it has run. The description names both traits too:
   * "traits": ["sequential", "tap_only"]. */
  PARITY_TAP_ONLY = 1u << 1
} parity_trait;

typedef enum parity_kind { PARITY_BUFFER = 0, PARITY_STATE = 1 } parity_kind;

typedef enum parity_memory {
  PARITY_MEMORY_HOST = 0,
  PARITY_MEMORY_CUDA = 1,       /* device memory, from cudaMalloc or cuMem* */
  PARITY_MEMORY_CUDA_PINNED = 2 /* host memory that the device can address */
} parity_memory;

/* Of what the collectives add. A description names its dtypes in words, of which there are more. */
typedef enum parity_dtype {
  PARITY_F64 = 0,
  PARITY_F32 = 1,
  PARITY_F16 = 2,
  PARITY_BF16 = 3,
  PARITY_I32 = 4,
  PARITY_I64 = 5,
  PARITY_U8 = 6
} parity_dtype;

/* Bits of the `flags` of `tokenize` and `detokenize`. */
typedef enum parity_text_flag {
  PARITY_ADD_SPECIAL = 1u << 0,   /* tokenize: with the ids that the model wants around a text */
  PARITY_PARSE_SPECIAL = 1u << 1, /* tokenize: text that spells a special token is that token */
  PARITY_SHOW_SPECIAL = 1u << 2,  /* detokenize: special ids as their text, instead of as nothing */
  PARITY_STREAM = 1u << 3         /* detokenize: the ids go on from those before them */
} parity_text_flag;

typedef struct parity_rank parity_rank; /* one rank of an engine, the engine's own type */

/* Where a buffer or a state lies. Valid until the next `stage` or `run` of that rank. */
typedef struct parity_region {
  uint32_t struct_size;
  uint32_t memory;     /* parity_memory */
  int32_t device;      /* CUDA ordinal, -1 for host memory */
  void* data;          /* aligned to 64 bytes */
  uint64_t live_bytes; /* what the present step uses of it, from `data` on */
} parity_region;

/* One sequence of a step. */
typedef struct parity_sequence {
  uint32_t struct_size;
  uint32_t slot;        /* which of the engine's sequence slots it occupies, from 0 */
  uint64_t past;        /* tokens of it that the state already holds */
  uint64_t rows;        /* tokens of it in this step, at least 1 */
  const int32_t* pages; /* [page_count] its block table, past and present tokens; NULL: not paged */
  uint64_t page_count;
} parity_sequence;

/* What one run of a program works on: rows of all sequences, laid end to end in sequence order. */
typedef struct parity_step {
  uint32_t struct_size;
  const char* program;
  const char* run; /* the harness's name for it, for messages only */
  uint64_t rows;
  const int32_t* tokens;    /* [rows] token ids */
  const int32_t* positions; /* [rows] position of each token in its sequence, from 0 */
  uint64_t sequence_count;
  const parity_sequence* sequences; /* [sequence_count] */
} parity_step;

/* Collectives over the ranks of a side, in host memory, for engines without a device communicator.
 * Every rank calls the same function with the same sizes. Sums are taken in rank order and in the
 * default floating-point mode, so that they are reproducible. Each returns PARITY_CANCELLED when
 * another rank has died or was cancelled, and PARITY_INVALID when the ranks called different
 * things, which the harness tells whatever the engine makes of it.
 */
typedef struct parity_collective {
  uint32_t struct_size;
  uint32_t rank;
  uint32_t rank_count;
  void* context; /* first argument of every function below */
  parity_status (*barrier)(void* context);
  /* data[i] = sum over ranks of data[i]; f64, f32, i32 and i64. */
  parity_status (*all_reduce_sum)(void* context, parity_dtype dtype, void* data, uint64_t elements);
  /* received = rank_count blocks of `bytes`, in rank order. */
  parity_status (*all_gather)(void* context, const void* sent, void* received, uint64_t bytes);
  /* received[i] = sum over ranks of sent[rank * elements + i]. */
  parity_status (*reduce_scatter_sum)(void* context, parity_dtype dtype, const void* sent,
                                      void* received, uint64_t elements);
  /* Block r of `sent` goes to rank r; block r of `received` came from rank r. */
  parity_status (*all_to_all)(void* context, const void* sent, void* received, uint64_t bytes);
  parity_status (*broadcast)(void* context, uint32_t root, void* data, uint64_t bytes);
} parity_collective;

/* What `create` gets. Valid during the call, but for `collective` and `progress`, which outlive the
 * rank. */
typedef struct parity_create_args {
  uint32_t struct_size;
  uint32_t rank;
  uint32_t rank_count;
  int32_t device;         /* CUDA ordinal of this rank, -1: none */
  const char* config;     /* JSON object, as the manifest has it */
  const void* rendezvous; /* what rank 0's `rendezvous` produced, the same bytes on every rank */
  uint64_t rendezvous_bytes;
  const parity_collective* collective; /* NULL where ranks have devices and make their own */
  /* Optional: store 1 + the index of the op before it starts, and 0 when the call is over, so that
   * a hang or a crash can be laid at an op's door. Memory that outlives the process. */
  volatile uint64_t* progress;
} parity_create_args;

/* Why a call returned PARITY_REFUSED. Strings are valid until that rank's next call. */
typedef struct parity_refusal {
  uint32_t struct_size;
  const char* guard;     /* stable id of the guard */
  const char* condition; /* the condition that did not hold, as the source has it */
  const char* operands;  /* JSON object: names and values in that condition */
} parity_refusal;

/* A value that a program produces while it runs whole: what op `op` writes or updates in `name`.
 * The harness asks for buffers only. */
typedef struct parity_tap {
  uint32_t struct_size;
  uint32_t kind; /* parity_kind */
  uint32_t op;   /* index in the program */
  const char* name;
} parity_tap;

/* Called as soon as a tapped value is there and before anything reads it. `region` is valid only
 * inside the call; the harness may overwrite it. Anything but PARITY_OK ends the run. */
typedef parity_status (*parity_tap_callback)(void* user, uint32_t tap_index,
                                             const parity_region* region);

/* The functions of one engine. `describe`, `create`, `destroy`, `region`, `stage`, `run`, `reset`,
 * `synchronize` and `last_error` are required (a PARITY_TAP_ONLY engine needs `run_tapped` too). */
typedef struct parity_engine_api {
  uint32_t struct_size;
  uint32_t traits; /* parity_trait bits */
  const char* name;

  /* The engine description as a JSON text, from the configuration alone: no device, no weights. The
   * text is valid until this thread's next `describe`. */
  parity_status (*describe)(const char* config, const char** description);
  /* On rank 0 only: bytes that every rank's `create` needs to find the others (an ncclUniqueId,
   * say). In: *bytes is the capacity of `out`. Out: *bytes is what was written, or is needed if the
   * capacity was too small (PARITY_INVALID). NULL where none is needed. */
  parity_status (*rendezvous)(const char* config, void* out, uint64_t* bytes);
  /* Loads weights and runs the programs that the description marks `once`. */
  parity_status (*create)(const parity_create_args* args, parity_rank** out);
  void (*destroy)(parity_rank* rank);
  /* Words for the last call of this rank that was not PARITY_OK; with NULL, for this thread's last
   * `describe`, `rendezvous` or `create`. Valid until the next call. Never NULL. */
  const char* (*last_error)(parity_rank* rank);
  parity_status (*refusal)(parity_rank* rank, parity_refusal* out);

  parity_status (*region)(parity_rank* rank, parity_kind kind, const char* name,
                          parity_region* out);
  /* Absolute: whatever happened before, bookkeeping and input buffers are put just before this
   * step. Computes nothing and leaves the contents of states and of all other buffers alone. */
  parity_status (*stage)(parity_rank* rank, const parity_step* step);
  /* Runs ops [lo, hi) of a program for the staged step, on the rank's stream; may return before
   * they are done. */
  parity_status (*run)(parity_rank* rank, const char* program, uint32_t lo, uint32_t hi);
  /* Waits for the rank's stream and reports what went wrong on it. */
  parity_status (*synchronize)(parity_rank* rank);
  /* The rank's CUDA stream (a cudaStream_t); NULL, or absent, on the host. */
  void* (*stream)(parity_rank* rank);
  /* Everything as just after `create`: states, carries, flags, bookkeeping. */
  parity_status (*reset)(parity_rank* rank);
  /* Ends the rank's current call with PARITY_CANCELLED as soon as it can. From any thread. */
  void (*cancel)(parity_rank* rank);

  /* Runs the whole program and calls back once for each tap, in op order: at the last write of that
   * value by its op. A tap without a callback, or with several, fails the call. */
  parity_status (*run_tapped)(parity_rank* rank, const char* program, const parity_tap* taps,
                              uint32_t tap_count, parity_tap_callback callback, void* user);
  /* The whole program as it is served: a captured graph, where `run` launches op by op. */
  parity_status (*run_graph)(parity_rank* rank, const char* program);

  /* A saved session: the file at `path` is one sequence slot's state, resumable by `load_state`.
   * Every rank of the side gets the same call, and the file is the side's. `save_state` is of the
   * slot as the last step that ran to its end has left it. `load_state` takes up the file's state
   * in place of the slot's own: *tokens is how many tokens that holds, and the slot's next step
   * goes on behind them (an engine whose block tables come with `stage` puts the state into the
   * pages of that step). What cannot be taken up is PARITY_REFUSED; the slot is then begun anew, by
   * a step with a past of 0, and the engine goes on. */
  parity_status (*save_state)(parity_rank* rank, uint32_t slot, const char* path);
  parity_status (*load_state)(parity_rank* rank, uint32_t slot, const char* path, uint64_t* tokens);

  /* Between the engine's own layout and the canonical one that the description declares as a view
   * `by` the engine. `name` is the view's, `kind` that of its tensor, `bytes` the size of
   * `canonical` at the staged step, in the memory kind that `region` reports. Export writes all of
   * it and moves nothing of the engine's; import undoes export and leaves alone what export does
   * not show. */
  parity_status (*export_view)(parity_rank* rank, parity_kind kind, const char* name,
                               void* canonical, uint64_t bytes);
  parity_status (*import_view)(parity_rank* rank, parity_kind kind, const char* name,
                               const void* canonical, uint64_t bytes);

  /* JSON texts, valid until the rank's next call. `counters`: an object of monotonic numbers
   * (`tokens`: rows of steps that ran to their end; pages reused, bytes restored, ...). `events`:
   * JSON lines since the last call, one sequence: bind {site, symbol, address}, decide {site,
   * conditions, route}, exec. `geometry`: shapes and types at the serving seam. */
  parity_status (*counters)(parity_rank* rank, const char** json);
  parity_status (*events)(parity_rank* rank, const char** json_lines);
  parity_status (*geometry)(parity_rank* rank, const char** json);

  /* Text and ids, as the engine's server turns one into the other. Text is `bytes` bytes of any
   * content; what is handed out is valid until that rank's next call. PARITY_UNSUPPORTED, or NULL,
   * where the engine takes ids only. */
  parity_status (*tokenize)(parity_rank* rank, const char* text, uint64_t bytes, uint32_t flags,
                            const int32_t** ids, uint64_t* count);
  /* PARITY_STREAM: only what these ids add to the text so far; what may still become another
   * character is held back. No ids: all that is held back, and the stream is over. */
  parity_status (*detokenize)(parity_rank* rank, const int32_t* ids, uint64_t count, uint32_t flags,
                              const char** text, uint64_t* bytes);
  /* A JSON object: names (bos, eos, pad, unk, ...) to an id or an array of ids. */
  parity_status (*special_ids)(parity_rank* rank, const char** json);
  /* The ids of a prompt from `messages`, a JSON array of {"role": ..., "content": ...}, up to where
   * the model's answer begins. */
  parity_status (*frame)(parity_rank* rank, const char* messages, const int32_t** ids,
                         uint64_t* count);

  /* One request as the engine's server answers it, its KV store included. Both are JSON objects
   * (docs/serving.md); the response is valid until that rank's next call. Every rank of the side
   * gets the same request and returns; rank 0's response counts. `stage` and `reset` end the
   * sessions that serving has left in the state, without storing them. */
  parity_status (*serve)(parity_rank* rank, const char* request, const char** response);
} parity_engine_api;

typedef struct parity_plugin_table {
  uint32_t abi_version; /* PARITY_ABI_VERSION; read before anything else */
  uint32_t struct_size;
  uint32_t engine_count;
  const parity_engine_api* const* engines; /* [engine_count] */
} parity_plugin_table;

/* What a plugin exports under PARITY_PLUGIN_SYMBOL. */
typedef const parity_plugin_table* (*parity_plugin_function)(void);

#if defined(_WIN32)
#define PARITY_EXPORT __declspec(dllexport)
#else
#define PARITY_EXPORT __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
}
#endif

#endif /* GTEST_PARITY_ENGINE_ENGINE_H_ */
