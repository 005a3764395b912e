#include "opencl_device.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct all_platforms {
    cl_uint n;
    cl_platform_id ids[IFN_OPENCL_PLATFORMS];
} all_platforms;

typedef struct all_devices {
    cl_uint n;
    cl_device_id ids[IFN_OPENCL_DEVICES];
} all_devices;

static all_platforms platforms_of(const ifn_opencl_api *api)
{
    all_platforms all = {0};
    if (api->clGetPlatformIDs(IFN_OPENCL_PLATFORMS, all.ids, &all.n) != CL_SUCCESS)
        all.n = 0;
    if (all.n > IFN_OPENCL_PLATFORMS)
        all.n = IFN_OPENCL_PLATFORMS;
    return all;
}

static all_devices devices_of(const ifn_opencl_api *api, cl_platform_id platform)
{
    all_devices all = {0};
    if (api->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, IFN_OPENCL_DEVICES, all.ids, &all.n) !=
        CL_SUCCESS)
        all.n = 0;
    if (all.n > IFN_OPENCL_DEVICES)
        all.n = IFN_OPENCL_DEVICES;
    return all;
}

static uint64_t number_of(const ifn_opencl_api *api, cl_device_id id, cl_device_info what)
{
    cl_ulong value = 0;
    (void)api->clGetDeviceInfo(id, what, sizeof value, &value, NULL);
    return value;
}

static ifn_opencl_device describe(const ifn_opencl_api *api, cl_platform_id platform,
                                  cl_device_id id)
{
    ifn_opencl_device d = {.platform = platform, .id = id};
    char name[256] = "?"; /* OpenCL does not return longer names at all */
    (void)api->clGetDeviceInfo(id, CL_DEVICE_NAME, sizeof name, name, NULL);
    (void)snprintf(d.name, sizeof d.name, "%.*s", IFN_OPENCL_NAME - 1, name);
    d.bytes = number_of(api, id, CL_DEVICE_GLOBAL_MEM_SIZE);
    d.largest_buffer = number_of(api, id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    return d;
}

/* "0 Portable Computing Language, 1 ..."; truncated to `bytes`. */
static void list_platforms(const ifn_opencl_api *api, char *out, size_t bytes)
{
    const all_platforms all = platforms_of(api);
    size_t used = 0;
    (void)snprintf(out, bytes, "none");
    for (cl_uint p = 0; p < all.n && used < bytes; p++) {
        char name[128] = "?";
        (void)api->clGetPlatformInfo(all.ids[p], CL_PLATFORM_NAME, sizeof name, name, NULL);
        const int n = snprintf(out + used, bytes - used, "%s%u %s", p ? ", " : "", p, name);
        used += n > 0 ? (size_t)n : bytes;
    }
}

/* Refuses a device without subnormals, infinities, or correctly rounded divisions and square roots. */
static ifn_status check_arithmetic(const ifn_opencl_api *api, const ifn_opencl_device *d,
                                   ifn_error *err)
{
    static const struct {
        cl_device_fp_config bit;
        const char *what;
    } needs[] = {{CL_FP_DENORM, "subnormal numbers"},
                 {CL_FP_INF_NAN, "infinities and NaN"},
                 {CL_FP_ROUND_TO_NEAREST, "rounding to nearest"},
                 {CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT, "correctly rounded division"}};
    const uint64_t has = number_of(api, d->id, CL_DEVICE_SINGLE_FP_CONFIG);
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (!(has & needs[i].bit))
            return ifn_fail(err, IFN_ERR_UNSUPPORTED, "backend 'opencl': '%s' has no %s in f32",
                            d->name, needs[i].what);
    return IFN_OK;
}

typedef struct request {
    unsigned long place[2];
    uint64_t most; /* bytes of memory */
} request;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Parses "", "1" or "1.2"; returns the end of it, or NULL */
static const char *parse_place(const char *text, unsigned long place[2])
{
    char *end;
    if (!is_digit(*text))
        return text;
    place[0] = strtoul(text, &end, 10);
    if (*end != '.')
        return end;
    if (!is_digit(end[1]))
        return NULL;
    place[1] = strtoul(end + 1, &end, 10);
    return end;
}

/* "", "+256M", "+2G" */
static bool parse_memory(const char *text, uint64_t *most)
{
    char *end;
    if (!*text)
        return true;
    if (*text != '+' || !is_digit(text[1]))
        return false;
    const unsigned long long n = strtoull(text + 1, &end, 10);
    const uint64_t unit = *end == 'M' ? 1000000 : *end == 'G' ? 1000000000 : 0;
    if (unit == 0 || end[1] || n == 0 || n > UINT64_MAX / unit)
        return false;
    *most = n * unit;
    return true;
}

static bool parse(const char *text, request *out)
{
    *out = (request){.most = UINT64_MAX};
    text = parse_place(text, out->place);
    return text && parse_memory(text, &out->most);
}

ifn_status ifn_opencl_device_find(const ifn_opencl_api *api, const char *options,
                                  ifn_opencl_device *out, ifn_error *err)
{
    request r;
    char list[160];
    if (!parse(options, &r))
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "backend 'opencl': option '%s', expected PLATFORM.DEVICE, such as 0.0, and "
                        "after it +MEMORY, such as +256M",
                        options);
    const unsigned long *const place = r.place;
    const all_platforms platforms = platforms_of(api);
    list_platforms(api, list, sizeof list);
    if (platforms.n == 0)
        return ifn_fail(err, IFN_ERR_UNSUPPORTED,
                        "backend 'opencl': no platform, expected an OpenCL driver; platforms: %s",
                        list);
    if (place[0] >= platforms.n)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "backend 'opencl': no platform %lu; platforms: %s",
                        place[0], list);
    const all_devices devices = devices_of(api, platforms.ids[place[0]]);
    if (place[1] >= devices.n)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "backend 'opencl': no device %lu on platform %lu, which has %u; "
                        "platforms: %s",
                        place[1], place[0], devices.n, list);
    *out = describe(api, platforms.ids[place[0]], devices.ids[place[1]]);
    if (out->bytes > r.most)
        out->bytes = r.most;
    return check_arithmetic(api, out, err);
}

int ifn_opencl_device_at(const ifn_opencl_api *api, int i, char options[24], ifn_opencl_device *out)
{
    const all_platforms platforms = platforms_of(api);
    for (cl_uint p = 0; p < platforms.n; p++) {
        const all_devices devices = devices_of(api, platforms.ids[p]);
        for (cl_uint d = 0; d < devices.n; d++) {
            if (i-- > 0)
                continue;
            *out = describe(api, platforms.ids[p], devices.ids[d]);
            (void)snprintf(options, 24, "%u.%u", p, d);
            return 1;
        }
    }
    return 0;
}
