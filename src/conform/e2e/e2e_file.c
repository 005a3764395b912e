#include "e2e_file.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "directory.h"
#include "signals.h"

/* Returns 1 if head and tail fit into `out`. */
static int put(char out[FIRST_BAD_PATH_BYTES], const char *head, const char *tail)
{
    const int n = snprintf(out, FIRST_BAD_PATH_BYTES, "%s%s", head, tail);
    return n >= 0 && n < FIRST_BAD_PATH_BYTES;
}

static void make_folder(e2e_file *self)
{
    const char *const base = getenv("TMPDIR");
    signals_hold();
    if (!put(self->folder, base && *base ? base : "/tmp", "/inferno-first-bad-XXXXXX") ||
        !mkdtemp(self->folder))
        self->folder[0] = '\0';
    else
        signals_temporary(self->folder);
    signals_release();
    if (!self->folder[0] || !put(self->path, self->folder, "/first-bad-op.yaml"))
        self->path[0] = '\0';
}

void e2e_file_open(e2e_file *self, const char *wanted, int n_before)
{
    char number[16] = "";
    *self = (e2e_file){.path = ""};
    if (!wanted) {
        make_folder(self);
        return;
    }
    if (n_before > 0)
        snprintf(number, sizeof number, ".%d", n_before + 1);
    if (!put(self->path, wanted, number))
        self->path[0] = '\0';
}

void e2e_file_close(e2e_file *self, bool is_written)
{
    if (self->folder[0] && !is_written)
        directory_remove(self->folder, 0);
    signals_temporary(NULL);
    *self = (e2e_file){.path = ""};
}
