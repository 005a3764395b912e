#include "system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

static struct utsname names(void)
{
    struct utsname u;
    if (uname(&u) != 0)
        memset(&u, 0, sizeof u);
    return u;
}

/* Reads the line "model name : X", which x86 has; other processors have other keys, or none. */
void system_cpu(char *out, size_t bytes)
{
    const struct utsname u = names();
    char line[256];
    FILE *const file = fopen("/proc/cpuinfo", "r");
    snprintf(out, bytes, "%s", u.machine);
    while (file && fgets(line, sizeof line, file)) {
        const char *const colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon || colon[1] != ' ')
            continue;
        snprintf(out, bytes, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
        break;
    }
    if (file)
        fclose(file);
}

void system_name(char *out, size_t bytes)
{
    const struct utsname u = names();
    snprintf(out, bytes, "%.30s %.40s %.20s", u.sysname, u.release, u.machine);
}

void system_host(char *out, size_t bytes)
{
    snprintf(out, bytes, "%s", names().nodename);
}

void system_date(char *out, size_t bytes)
{
    const time_t now = time(NULL);
    struct tm utc;
    *out = '\0';
    if (gmtime_r(&now, &utc))
        strftime(out, bytes, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

bool system_is_traced(void)
{
    static const char name[] = "TracerPid:";
    char line[128];
    long tracer = 0;
    FILE *const status = fopen("/proc/self/status", "re");
    while (status && fgets(line, sizeof line, status))
        if (strncmp(line, name, sizeof name - 1) == 0)
            tracer = strtol(line + sizeof name - 1, NULL, 10);
    if (status)
        fclose(status);
    return tracer != 0;
}
