/* Writes the seeds of the gguf fuzzer: gguf_seeds DIR. Run it by hand when the format grows. */
#include <stdio.h>

#include "image.h"
#include "paths.h"
#include "sample.h"

static const char *dir;

static const char *in_dir(const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static void save(const char *name, image bytes)
{
    write_file(in_dir(name), bytes.data, bytes.bytes);
    image_free(&bytes);
}

static image two_tensors(uint32_t version)
{
    image bytes = image_new(version, 2, 2);
    image_key(&bytes, "general.architecture", IFN_GGUF_STRING);
    image_string(&bytes, "llama");
    image_key(&bytes, "tokens", IFN_GGUF_ARRAY);
    image_u32(&bytes, IFN_GGUF_STRING);
    image_length(&bytes, 2);
    image_string(&bytes, "a");
    image_string(&bytes, "bc");
    image_tensor(&bytes, "late", 2, (uint64_t[]){32, 2}, 8, 32);
    image_tensor(&bytes, "early", 1, (uint64_t[]){3}, 0, 0);
    image_pad(&bytes, 32);
    image_zeros(&bytes, 32 + 68);
    return bytes;
}

static image metadata_only(void)
{
    image bytes = image_new(3, 0, 1);
    image_kv_u32(&bytes, "general.alignment", 64);
    return bytes;
}

/* Makes a file with a tensor without dimensions and one without elements. */
static image scalars(void)
{
    image bytes = image_new(3, 2, 0);
    image_tensor(&bytes, "scalar", 0, NULL, 28, 0);
    image_tensor(&bytes, "", 1, (uint64_t[]){0}, 16, 32);
    image_pad(&bytes, 32);
    image_zeros(&bytes, 32);
    return bytes;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s DIR\n", argv[0]);
        return 2;
    }
    dir = argv[1];
    sample_write(in_dir("all-types.gguf"), 32);
    sample_write(in_dir("aligned-8.gguf"), 8);
    save("version-1.gguf", two_tensors(1));
    save("version-2.gguf", two_tensors(2));
    save("metadata-only.gguf", metadata_only());
    save("scalars.gguf", scalars());
    return 0;
}
