#include "fuzz_input.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    (void)fuzz_one(data, bytes);
    return 0;
}

_Noreturn void fuzz_found(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
    abort();
}

void fuzz_expect_said(ifn_status status, const ifn_error *err)
{
    FUZZ_EXPECT(status == err->status);
    FUZZ_EXPECT(memchr(err->text, '\0', sizeof err->text));
    FUZZ_EXPECT(status == IFN_OK || *err->text);
}

uint8_t fuzz_u8(fuzz_bytes *in)
{
    return (uint8_t)fuzz_u64(in, 1);
}

uint64_t fuzz_u64(fuzz_bytes *in, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes && in->left > 0; i++, in->left--)
        value |= (uint64_t)*in->at++ << 8 * i;
    return value;
}

uint32_t fuzz_below(fuzz_bytes *in, uint32_t n)
{
    return fuzz_u8(in) % n;
}

const uint8_t *fuzz_take(fuzz_bytes *in, size_t *bytes)
{
    const uint8_t *start = in->at;
    if (*bytes > in->left)
        *bytes = in->left;
    in->at += *bytes;
    in->left -= *bytes;
    return start;
}

static char *copy_word(const uint8_t *data, size_t bytes)
{
    char *word = malloc(bytes + 1);
    if (!word)
        abort();
    if (bytes)
        memcpy(word, data, bytes);
    word[bytes] = '\0';
    return word;
}

fuzz_words fuzz_words_of(fuzz_bytes *in, int max)
{
    fuzz_words self = {0, calloc((size_t)max + 1, sizeof *self.at),
                       calloc((size_t)max + 1, sizeof *self.owned)};
    if (!self.at || !self.owned)
        abort();
    while (in->left > 0 && self.n < max) {
        const uint8_t *end = memchr(in->at, '\0', in->left);
        size_t bytes = end ? (size_t)(end - in->at) : in->left;
        const uint8_t *word = fuzz_take(in, &bytes);
        self.at[self.n] = self.owned[self.n] = copy_word(word, bytes);
        self.n++;
        (void)fuzz_u8(in);
    }
    return self;
}

void fuzz_words_free(fuzz_words *self)
{
    for (int i = 0; i < self->n; i++)
        free(self->owned[i]);
    free(self->owned);
    free(self->at);
}

/* Opens a shared memory object without a name; each input is written to it once, and it is opened again by its
 * number. */
static int open_memory(void)
{
    char name[64];
    snprintf(name, sizeof name, "/inferno-fuzz-%ld", (long)getpid());
    const int fd = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (fd < 0 || shm_unlink(name) != 0) {
        perror(name);
        exit(EXIT_FAILURE);
    }
    return fd;
}

const char *fuzz_file(const uint8_t *data, size_t bytes)
{
    static char path[32];
    static int fd = -1;
    if (fd < 0)
        fd = open_memory();
    if (ftruncate(fd, 0) != 0 || pwrite(fd, data, bytes, 0) != (ssize_t)bytes)
        abort();
    snprintf(path, sizeof path, "/dev/fd/%d", fd);
    return path;
}

char *fuzz_written(void (*write)(const void *what, FILE *out), const void *what, size_t *bytes)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, bytes);
    if (!out)
        abort();
    write(what, out);
    if (fclose(out) != 0)
        abort();
    return text;
}
