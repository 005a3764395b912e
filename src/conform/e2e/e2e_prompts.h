/* The prompts of a model and how many runs are made of them: texts of spec/generate if the file has a tokenizer, random
 * ids for every model. */
#ifndef CONFORM_E2E_PROMPTS_H
#define CONFORM_E2E_PROMPTS_H

#include <stdbool.h>

#include "e2e_truth.h"
#include "plan_cases.h"

enum { E2E_MAX_PROMPTS = 16 };

/* The size of a session on one model. A large model gets fewer and shorter prompts than the profile asks for. */
typedef struct e2e_effort {
    int n_texts, n_random;
    int64_t n_prompt, n_new; /* ids of a text at most, and ids generated after it */
    int64_t n_random_ids;    /* ids of a random prompt, before n_new generated ones */
    int64_t n_more;          /* extra runs of each truth with random ways, chunks, threads */
    int n_narrow;            /* so many first prompts run in narrowing modes, too */
    int64_t n_wanted;        /* ids of the long prompt that the profile asks for */
    int n_cuts;              /* cuts of the long prompt (e2e_cuts_of) */
    bool with_free;          /* free runs are calibrated and made */
    int64_t n_long;          /* ids of the long prompt; 0: there is none */
    const char *why_shorter; /* why n_long is below n_wanted; static, or NULL */
} e2e_effort;

/* Chooses the effort so that its estimated work, over all modes and n_tested backends, fits the profile. */
e2e_effort e2e_effort_of(conform_profile profile, const ifn_model *model, int n_tested);

/* Lists the modes of a model: activations f32, or also q8 if weights are quantized; cache f32, f16, or also q8_0 if
 * head_dim is a multiple of its block. Returns how many. */
enum { E2E_MAX_MODES = 6 };
int e2e_modes_of(const ifn_model *model, conform_truth_mode out[E2E_MAX_MODES]);

/* Returns 1 if the mode stores activations or the cache in fewer bits than f32. */
int e2e_mode_is_narrow(const conform_truth_mode *mode);

typedef struct e2e_prompts {
    int n;
    e2e_prompt list[E2E_MAX_PROMPTS];
    char names[E2E_MAX_PROMPTS][32];
    ifn_token *ids[E2E_MAX_PROMPTS]; /* owned */
} e2e_prompts;

/* Makes at least one prompt, or fails. spec_dir: the folder that holds generate/. */
IFN_NODISCARD ifn_status e2e_prompts_open(e2e_prompts *self, const ifn_model *model,
                                          const e2e_effort *effort, const char *spec_dir,
                                          uint64_t seed, ifn_error *err);
void e2e_prompts_close(e2e_prompts *self);

/* Returns n random ids of the vocabulary, which the caller frees; NULL: out of memory. */
ifn_token *e2e_random_ids(const ifn_model *model, uint64_t seed, const char *name, int64_t n);

#endif
