/* What a model is asked, and how much of it: texts of spec/generate where the file has a tokenizer,
 * ids at random for every model. */
#ifndef CONFORM_E2E_PROMPTS_H
#define CONFORM_E2E_PROMPTS_H

#include <stdbool.h>

#include "e2e_truth.h"
#include "plan_cases.h"

enum { E2E_MAX_PROMPTS = 16 };

/* How much is done. A large model gets fewer and shorter prompts than the profile has. */
typedef struct e2e_effort {
    int n_texts, n_random;
    int64_t n_prompt, n_new; /* ids of a prompt at most, and after it */
    int64_t n_random_ids;    /* ids of a random prompt, all before n_new */
    int64_t n_more;          /* runs with random ways, chunks and threads, of each truth */
    int n_narrow;            /* of the prompts, the first: modes that narrow are tried as well */
    int64_t n_wanted;        /* ids of the long prompt that the profile has */
    int n_cuts;              /* in how many ways it is fed (e2e_cuts_of) */
    bool with_free;          /* free runs are calibrated, where there are any */
    int64_t n_long;          /* ids of the long prompt; 0: there is none */
    const char *why_shorter; /* n_long is less than n_wanted; static, or NULL */
} e2e_effort;

/* One after the other, and each in turn for every mode that the model has. */
e2e_effort e2e_effort_of(conform_profile profile, const ifn_model *model, int n_tested);

/* The modes: f32 or q8 activations where weights are quantized; f32, f16 or q8_0 cache where heads
 * fit. Returns how many. */
enum { E2E_MAX_MODES = 6 };
int e2e_modes_of(const ifn_model *model, conform_truth_mode out[E2E_MAX_MODES]);

/* 1: it stores values in fewer bits than f32 has. */
int e2e_mode_is_narrow(const conform_truth_mode *mode);

typedef struct e2e_prompts {
    int n;
    e2e_prompt list[E2E_MAX_PROMPTS];
    char names[E2E_MAX_PROMPTS][32];
    ifn_token *ids[E2E_MAX_PROMPTS]; /* owned */
} e2e_prompts;

/* spec_dir: the folder that holds generate/. At least one prompt, or an error. */
IFN_NODISCARD ifn_status e2e_prompts_open(e2e_prompts *self, const ifn_model *model,
                                          const e2e_effort *effort, const char *spec_dir,
                                          uint64_t seed, ifn_error *err);
void e2e_prompts_close(e2e_prompts *self);

/* Ids at random, of the vocabulary; NULL: no memory. To be freed. */
ifn_token *e2e_random_ids(const ifn_model *model, uint64_t seed, const char *name, int64_t n);

#endif
