/* POSIX functions that WASI lacks and that can be emulated: mmap, temporary files, the amount of memory, locks. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 65536 }; /* the page size of WebAssembly's memory, and of sysconf */

/* Returns a copy of the file; zeros for a device, which is /dev/zero. `protection` is ignored. */
void *mmap(void *where, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    struct stat st;
    (void)where;
    (void)protection;
    (void)flags;
    if (bytes == 0 || bytes > SIZE_MAX - PAGE || fstat(fd, &st) != 0) {
        errno = EINVAL;
        return MAP_FAILED;
    }
    unsigned char *const map = aligned_alloc(PAGE, (bytes + PAGE - 1) / PAGE * PAGE);
    if (!map)
        return MAP_FAILED;
    size_t got = 0;
    while (S_ISREG(st.st_mode) && got < bytes) {
        const ssize_t n = pread(fd, map + got, bytes - got, offset + (off_t)got);
        if (n <= 0)
            break;
        got += (size_t)n;
    }
    memset(map + got, 0, bytes - got);
    return map;
}

int munmap(void *map, size_t bytes)
{
    (void)bytes;
    free(map);
    return 0;
}

int mprotect(void *map, size_t bytes, int protection)
{
    (void)map;
    (void)bytes;
    (void)protection;
    return 0;
}

/* Refuses all advice. */
int madvise(void *map, size_t bytes, int advice)
{
    (void)map;
    (void)bytes;
    (void)advice;
    errno = EINVAL;
    return -1;
}

/* --- files --- */

ssize_t __real_readlink(const char *path, char *out, size_t bytes);
ssize_t __wrap_readlink(const char *path, char *out, size_t bytes);

/* The linker's --wrap gives these names. Only the loader knows the program's path: it sets WASM_PROGRAM. */
ssize_t __wrap_readlink(const char *path, char *out, size_t bytes)
{
    if (strcmp(path, "/proc/self/exe") != 0)
        return __real_readlink(path, out, bytes);
    const char *const program = getenv("WASM_PROGRAM");
    const size_t length = program ? strlen(program) : 0;
    if (length == 0) {
        errno = ENOENT;
        return -1;
    }
    const size_t n = length < bytes ? length : bytes;
    memcpy(out, program, n);
    return (ssize_t)n;
}

/* WASI has no initial working directory: changes to the one in PWD, which the loader sets. */
__attribute__((constructor)) static void begin_where_started(void)
{
    const char *const folder = getenv("PWD");
    if (folder)
        (void)chdir(folder);
}

/* Replaces the XXXXXX at the end of the path by the next name to try; false if there is none. */
static int name(char *path)
{
    static uint64_t state;
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    const size_t length = strlen(path);
    struct timespec now;
    if (length < 6 || strcmp(path + length - 6, "XXXXXX") != 0)
        return 0;
    clock_gettime(CLOCK_REALTIME, &now);
    state = state * UINT64_C(6364136223846793005) + (uint64_t)now.tv_nsec +
            (uint64_t)now.tv_sec * 1000000000U;
    uint64_t bits = state >> 20;
    for (size_t i = length - 6; i < length; i++, bits /= 36)
        path[i] = letters[bits % 36];
    return 1;
}

/* Tries names until one is free. */
static int make(char *path, int (*create)(const char *path))
{
    enum { TRIES = 100 };
    const size_t length = strlen(path);
    for (int i = 0; i < TRIES; i++) {
        if (!name(path)) {
            errno = EINVAL;
            return -1;
        }
        const int made = create(path);
        if (made >= 0 || errno != EEXIST)
            return made;
        memcpy(path + length - 6, "XXXXXX", 6);
    }
    return -1;
}

static int create_file(const char *path)
{
    return open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
}

static int create_folder(const char *path)
{
    return mkdir(path, 0700);
}

int mkstemp(char *path)
{
    return make(path, create_file);
}

char *mkdtemp(char *path)
{
    return make(path, create_folder) < 0 ? NULL : path;
}

FILE *wasm_tmpfile(void)
{
    char path[] = "/tmp/inferno-XXXXXX";
    const int fd = mkstemp(path);
    if (fd < 0)
        return NULL;
    unlink(path);
    return fdopen(fd, "w+");
}

/* --- pthread_once, with one thread --- */

int pthread_once(pthread_once_t *is_done, void (*run)(void))
{
    if (!*is_done) {
        *is_done = 1;
        run();
    }
    return 0;
}

/* --- locks, with one thread --- */

int pthread_mutex_init(pthread_mutex_t *lock, const pthread_mutexattr_t *attributes)
{
    (void)attributes;
    *lock = (pthread_mutex_t){0};
    return 0;
}

int pthread_mutex_lock(pthread_mutex_t *lock)
{
    (void)lock;
    return 0;
}

int pthread_mutex_unlock(pthread_mutex_t *lock)
{
    (void)lock;
    return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *lock)
{
    (void)lock;
    return 0;
}

/* --- resource usage --- */

int getrusage(int who, struct rusage *usage)
{
    struct timespec used = {0};
    if (who == RUSAGE_SELF)
        clock_gettime(CLOCK_MONOTONIC, &used);
    *usage = (struct rusage){
        .ru_utime = {.tv_sec = used.tv_sec, .tv_usec = (int)(used.tv_nsec / 1000)},
        .ru_maxrss = (long)(__builtin_wasm_memory_size(0) * (PAGE / 1024)),
    };
    return 0;
}
