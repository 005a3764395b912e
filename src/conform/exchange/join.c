#include "join.h"

#include <stdlib.h>
#include <string.h>

static ifn_status refuse(const char *path, const char *what, const char *found,
                         const char *expected, const char *first, ifn_error *err)
{
    return ifn_fail(err, IFN_ERR_FORMAT, "%s: %s '%.80s', expected '%.80s' as in %s", path, what,
                    found, expected, first);
}

static ifn_status check_origin(const conform_join *self, const char *path,
                               const conform_report *one, ifn_error *err)
{
    const report_origin *const a = &self->sum->origin, *const b = &one->origin;
    const char *const what = self->first ? report_origin_differs(a, b) : NULL;
    if (!what)
        return IFN_OK;
    if (strcmp(what, "version") == 0)
        return refuse(path, "inferno", b->version, a->version, self->first, err);
    if (strcmp(what, "commit") == 0)
        return refuse(path, "commit", b->commit, a->commit, self->first, err);
    return refuse(path, "program", b->program, a->program, self->first, err);
}

/* Refuses a report if a backend of the same label had another plugin file. */
static ifn_status check_binaries(const conform_join *self, const char *path,
                                 const conform_report *one, ifn_error *err)
{
    for (int s = 0; s < one->n_tested; s++) {
        const int to = conform_report_tested(self->sum, one->label[s]);
        if (to >= 0 && strcmp(self->sum->binary[to].hash, one->binary[s].hash) != 0)
            return refuse(path, one->label[s], one->binary[s].hash, self->sum->binary[to].hash,
                          self->first, err);
    }
    return IFN_OK;
}

/* Refuses a report if a backend of the same label declares other arithmetic, as its bounds differ. */
static ifn_status check_arithmetic(const conform_join *self, const char *path,
                                   const conform_report *one, ifn_error *err)
{
    for (int s = 0; s < one->n_tested; s++) {
        const int to = conform_report_tested(self->sum, one->label[s]);
        for (int op = 0; to >= 0 && op < IFN_OP_COUNT; op++) {
            const conform_cell *const a = conform_report_cell(self->sum, (ifn_op)op, to),
                                      *const b = conform_report_cell(one, (ifn_op)op, s);
            char what[64];
            snprintf(what, sizeof what, "arithmetic of %s", ifn_op_name((ifn_op)op));
            if (a->cases && b->cases && strcmp(a->arithmetic, b->arithmetic) != 0)
                return refuse(path, what, b->arithmetic, a->arithmetic, self->first, err);
        }
    }
    return IFN_OK;
}

static bool has_ops(const conform_report *one)
{
    for (int s = 0; s < one->n_tested; s++)
        for (int op = 0; op < IFN_OP_COUNT; op++)
            if (conform_report_cell(one, (ifn_op)op, s)->cases)
                return true;
    for (int s = 0; s < one->n_tested; s++)
        if (one->planned[s].whole)
            return true;
    return false;
}

static ifn_status check_plan(const conform_join *self, const char *path, const conform_report *one,
                             ifn_error *err)
{
    const conform_report *const sum = self->sum;
    char found[24], expected[24];
    if (!self->first_ops)
        return IFN_OK;
    if (strcmp(one->profile, sum->profile) != 0)
        return refuse(path, "profile", one->profile, sum->profile, self->first_ops, err);
    if (strcmp(one->filters, sum->filters) != 0)
        return refuse(path, "filters", one->filters, sum->filters, self->first_ops, err);
    snprintf(found, sizeof found, "%llu", (unsigned long long)one->seed);
    snprintf(expected, sizeof expected, "%llu", (unsigned long long)sum->seed);
    if (one->seed != sum->seed)
        return refuse(path, "seed", found, expected, self->first_ops, err);
    snprintf(found, sizeof found, "%lld", (long long)conform_report_shards(one));
    snprintf(expected, sizeof expected, "%lld", (long long)self->n_shards);
    if (conform_report_shards(one) != self->n_shards)
        return refuse(path, "number of shards", found, expected, self->first_ops, err);
    return IFN_OK;
}

/* Requires that all backends have the same whole plan, as a plan does not depend on the backend. */
static ifn_status check_whole(const conform_join *self, const char *path, const conform_report *one,
                              ifn_error *err)
{
    const conform_planned *first = self->first_ops ? &self->sum->planned[0] : &one->planned[0];
    for (int s = 0; self->first_ops && !first->whole && s < self->sum->n_tested; s++)
        first = &self->sum->planned[s];
    for (int s = 0; s < one->n_tested; s++) {
        const conform_planned *const p = &one->planned[s];
        if (!p->whole)
            return ifn_fail(err, IFN_ERR_FORMAT,
                            "%s: %s: does not say what was planned, expected a report of this "
                            "version",
                            path, one->label[s]);
        if (p->whole != first->whole || p->whole_digest != first->whole_digest)
            return ifn_fail(err, IFN_ERR_FORMAT,
                            "%s: %s: a plan of %lld cases, digest %llx, expected %lld and %llx",
                            path, one->label[s], (long long)p->whole,
                            (unsigned long long)p->whole_digest, (long long)first->whole,
                            (unsigned long long)first->whole_digest);
    }
    return IFN_OK;
}

/* Marks the shard of a report as seen. A merged report counts as shard 0 of 1, so it must be the only one of its
 * backends; what it lacks is among its problems. */
static ifn_status mark_shard(conform_join *self, const char *path, const conform_report *one, int s,
                             ifn_error *err)
{
    const int to = conform_report_tested(self->sum, one->label[s]);
    const int64_t index = strchr(one->shard, '/') ? strtoll(one->shard, NULL, 10) : 0;
    if (index < 0 || index >= self->n_shards)
        return ifn_fail(err, IFN_ERR_FORMAT, "%s: shard %s, expected i/n with i below n", path,
                        one->shard);
    if (!self->seen[to])
        self->seen[to] = calloc((size_t)self->n_shards, 1);
    if (!self->seen[to])
        return ifn_fail(err, IFN_ERR_NOMEM, "no memory for %lld shards", (long long)self->n_shards);
    if (self->seen[to][index])
        return ifn_fail(err, IFN_ERR_FORMAT, "%s: shard %s of %s a second time, expected it once",
                        path, one->shard, one->label[s]);
    self->seen[to][index] = 1;
    return IFN_OK;
}

static bool is_same_row(const e2e_row *a, const e2e_row *b)
{
    return strcmp(a->model, b->model) == 0 && strcmp(a->graph, b->graph) == 0 &&
           strcmp(a->activations, b->activations) == 0 && strcmp(a->kv, b->kv) == 0 &&
           strcmp(a->rule, b->rule) == 0;
}

static ifn_status check_rows(const conform_join *self, const char *path, const conform_report *one,
                             ifn_error *err)
{
    const conform_report *const sum = self->sum;
    for (int64_t i = 0; i < one->n_rows; i++)
        for (int64_t j = 0; j < sum->n_rows; j++) {
            const char *const label = one->label[one->rows[i].tested];
            if (strcmp(sum->label[sum->rows[j].tested], label) == 0 &&
                is_same_row(&one->rows[i], &sum->rows[j]))
                return ifn_fail(err, IFN_ERR_FORMAT,
                                "%s: model %s on %s a second time, expected it once", path,
                                one->rows[i].model, label);
        }
    if (one->museum.executed && sum->museum.executed)
        return ifn_fail(err, IFN_ERR_FORMAT, "%s: a second museum, expected one", path);
    return IFN_OK;
}

/* Copies the origin of the first report to the sum; notes if a later one is from another machine. */
static void take_origin(conform_join *self, const char *path, const conform_report *one)
{
    report_origin *const origin = &self->sum->origin;
    if (!self->first) {
        *origin = one->origin;
    } else if (!report_origin_same_machine(origin, &one->origin)) {
        snprintf(origin->cpu, sizeof origin->cpu, "%s", ORIGIN_SEVERAL);
        origin->features[0] = origin->os[0] = '\0';
    }
    self->first = self->first ? self->first : path;
}

static void take_plan(conform_join *self, const char *path, const conform_report *one)
{
    conform_report *const sum = self->sum;
    if (self->first_ops)
        return;
    memcpy(sum->profile, one->profile, sizeof sum->profile);
    memcpy(sum->filters, one->filters, sizeof sum->filters);
    sum->seed = one->seed;
    self->n_shards = conform_report_shards(one);
    self->first_ops = path;
}

static ifn_status check(const conform_join *self, const char *path, const conform_report *one,
                        ifn_error *err)
{
    IFN_TRY(check_origin(self, path, one, err));
    IFN_TRY(check_binaries(self, path, one, err));
    IFN_TRY(check_arithmetic(self, path, one, err));
    IFN_TRY(check_rows(self, path, one, err));
    if (!has_ops(one))
        return IFN_OK;
    IFN_TRY(check_plan(self, path, one, err));
    return check_whole(self, path, one, err);
}

ifn_status conform_join_add(conform_join *self, const char *path, const conform_report *one,
                            ifn_error *err)
{
    const bool is_of_ops = has_ops(one);
    IFN_TRY(check(self, path, one, err));
    if (!conform_report_merge(self->sum, one))
        return ifn_fail(err, IFN_ERR_UNSUPPORTED, "%s: more than %d backends together", path,
                        CONFORM_MAX_TESTED);
    take_origin(self, path, one);
    if (!is_of_ops)
        return IFN_OK;
    take_plan(self, path, one);
    for (int s = 0; s < one->n_tested; s++)
        IFN_TRY(mark_shard(self, path, one, s, err));
    return IFN_OK;
}

/* Adds a problem such as "simd: shards 0, 2 of 4 are missing". */
static void look_for_missing(conform_join *self, int s)
{
    char list[80] = "";
    int n = 0;
    for (int64_t i = 0; self->seen[s] && i < self->n_shards; i++) {
        const size_t used = strlen(list);
        if (self->seen[s][i])
            continue;
        if (used < sizeof list)
            snprintf(list + used, sizeof list - used, "%s%lld", n ? ", " : "", (long long)i);
        n++;
    }
    if (n)
        conform_report_problem(self->sum, "%s: shard%s %s of %lld %s missing", self->sum->label[s],
                               n > 1 ? "s" : "", list, (long long)self->n_shards,
                               n > 1 ? "are" : "is");
}

static void look_at_plan(conform_report *sum, int s)
{
    const conform_planned *const p = &sum->planned[s];
    if (p->whole && (p->cases != p->whole || p->digest != p->whole_digest))
        conform_report_problem(sum,
                               "%s: %lld cases, digest %llx, expected the %lld of the plan, "
                               "digest %llx",
                               sum->label[s], (long long)p->cases, (unsigned long long)p->digest,
                               (long long)p->whole, (unsigned long long)p->whole_digest);
}

void conform_join_finish(conform_join *self)
{
    snprintf(self->sum->shard, sizeof self->sum->shard, self->first_ops ? "merged" : "");
    for (int s = 0; s < self->sum->n_tested; s++) {
        const int before = self->sum->n_problems;
        look_for_missing(self, s);
        if (self->sum->n_problems == before)
            look_at_plan(self->sum, s);
    }
    conform_report_account(self->sum);
}

void conform_join_close(conform_join *self)
{
    for (int s = 0; s < CONFORM_MAX_TESTED; s++)
        free(self->seen[s]);
    *self = (conform_join){.sum = NULL};
}
