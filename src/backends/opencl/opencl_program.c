#include "opencl_program.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* No option allows the compiler to change a result. */
#define OPTIONS "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt"

enum { DEFINES_BYTES = 512 };

/* F32, F16, ... by number, and which of them this is. */
static void write_defines(char out[DEFINES_BYTES], ifn_dtype dtype, int variant)
{
    int used =
        snprintf(out, DEFINES_BYTES, "#define DTYPE %d\n#define VARIANT %d\n", (int)dtype, variant);
    for (ifn_dtype i = 0; i < IFN_DTYPE_COUNT && used > 0 && used < DEFINES_BYTES; i++)
        used += snprintf(out + used, (size_t)(DEFINES_BYTES - used), "#define %s %d\n",
                         ifn_dtype_name(i), (int)i);
}

/* The folder of build logs. */
static const char *log_folder(void)
{
    const char *const folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

/* Writes the log of the last build to a file of its own. Returns 1, or 0 if that fails. */
static int keep_log(const ifn_opencl_api *api, cl_program program, cl_device_id device,
                    const char *name, char *path, size_t path_bytes)
{
    size_t bytes = 0;
    (void)snprintf(path, path_bytes, "%s/inferno-opencl-%s.%ld.log", log_folder(), name,
                   (long)getpid());
    (void)api->clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes);
    char *const log = malloc(bytes + 1);
    FILE *const file = log ? fopen(path, "w") : NULL;
    bool is_kept = 0;
    if (file) {
        (void)api->clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log, NULL);
        is_kept = fwrite(log, 1, bytes ? bytes - 1 : 0, file) + 1 >= bytes;
        is_kept = fclose(file) == 0 && is_kept;
    }
    free(log);
    return is_kept;
}

static ifn_status refuse(const ifn_opencl_api *api, const ifn_opencl_program *made,
                         cl_device_id device, const char *name, cl_int code, ifn_error *err)
{
    char path[160];
    const bool is_kept =
        made->program && keep_log(api, made->program, device, name, path, sizeof path);
    return ifn_fail(err, IFN_ERR_IO,
                    "backend 'opencl': kernel %s does not compile (%d); the log is %s", name,
                    (int)code, is_kept ? path : "lost");
}

static void close_program(ifn_opencl_program *self, const ifn_opencl_api *api)
{
    if (self->kernel)
        (void)api->clReleaseKernel(self->kernel);
    if (self->program)
        (void)api->clReleaseProgram(self->program);
    *self = (ifn_opencl_program){0};
}

ifn_status ifn_opencl_program_build(const ifn_opencl_api *api, cl_context context,
                                    cl_device_id device, const char *name, const char *text,
                                    ifn_dtype dtype, int variant, ifn_opencl_program *out,
                                    ifn_error *err)
{
    char defines[DEFINES_BYTES];
    const char *texts[IFN_OPENCL_PREAMBLES + 2] = {defines};
    cl_int code;
    write_defines(defines, dtype, variant);
    memcpy(texts + 1, ifn_opencl_preamble, sizeof ifn_opencl_preamble);
    texts[IFN_OPENCL_PREAMBLES + 1] = text;
    *out = (ifn_opencl_program){0};
    out->program =
        api->clCreateProgramWithSource(context, IFN_OPENCL_PREAMBLES + 2, texts, NULL, &code);
    if (out->program)
        code = api->clBuildProgram(out->program, 1, &device, OPTIONS, NULL, NULL);
    if (code == CL_SUCCESS)
        out->kernel = api->clCreateKernel(out->program, name, &code);
    if (code == CL_SUCCESS)
        return IFN_OK;
    const ifn_status status = refuse(api, out, device, name, code, err);
    close_program(out, api);
    return status;
}

void ifn_opencl_programs_close(ifn_opencl_programs *self, const ifn_opencl_api *api)
{
    ifn_opencl_program *const all = &self->items[0][0][0];
    for (size_t i = 0; i < sizeof self->items / sizeof *all; i++)
        close_program(&all[i], api);
}
