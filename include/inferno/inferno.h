/*
 * inferno: a reference LLM inference engine, organised around a conformance suite.
 *
 *  path --ifn_gguf_open--> gguf            a checked, read-only view of the mapped file
 *                           |-- metadata --> ifn_tokenizer_open --> tokenizer
 *                           `-- tensors  --> ifn_model_open     --> model (views, nothing copied)
 *  "scalar" --ifn_backend_open--> backend  (a chain: wrappers, then a leaf)
 *  model + backend --ifn_weights_open--> weights  (shared by contexts)
 *  weights --ifn_context_open--> context   (one block: KV cache, activations, scratch)
 *  text --ifn_tokenize--> ids --ifn_context_eval--> logits --ifn_context_sample--> id
 *       --ifn_detokenizer_push--> text
 *
 * Stability: a program that runs with one version of the library runs with every later one of the
 * same plugin ABI (IFN_BACKEND_ABI), which is the number in the library's SONAME: functions stay,
 * structs that programs fill in hold their own size, lists are only appended to. Each header states
 * how much of that applies to it. Declarations marked IFN_EXPERIMENTAL, or in a header that calls itself
 * experimental, may change or go in any version.
 *
 * The library never prints, exits or aborts. Functions that can fail return an ifn_status and fill
 * an ifn_error. Close objects in the reverse order of opening.
 */
#ifndef INFERNO_H
#define INFERNO_H

#include <inferno/alloc.h>
#include <inferno/backend.h>
#include <inferno/batch.h>
#include <inferno/check.h>
#include <inferno/clock.h>
#include <inferno/context.h>
#include <inferno/cpu.h>
#include <inferno/dtype.h>
#include <inferno/gguf.h>
#include <inferno/gguf_writer.h>
#include <inferno/huge_pages.h>
#include <inferno/model.h>
#include <inferno/nearest.h>
#include <inferno/ops.h>
#include <inferno/parallel.h>
#include <inferno/quant.h>
#include <inferno/signature.h>
#include <inferno/signature_values.h>
#include <inferno/spans.h>
#include <inferno/status.h>
#include <inferno/tensor.h>
#include <inferno/text.h>
#include <inferno/token.h>
#include <inferno/tokenizer.h>
#include <inferno/trace.h>
#include <inferno/version.h>
#include <inferno/weights.h>

#endif
