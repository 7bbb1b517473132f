// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L // gmtime_r, sysconf

#include "benchmarks/campaign/environment.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "benchmarks/campaign/versions.h"

// The processor's name as Linux tells it, else that of the architecture.
static void find_cpu(char cpu[128], const struct utsname *system)
{
    char line[256], model[100];
    snprintf(model, sizeof model, "%.90s", system->machine);
    FILE *in = fopen("/proc/cpuinfo", "r");
    while (in && fgets(line, sizeof line, in)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) || !colon) continue;
        snprintf(model, sizeof model, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
        break;
    }
    if (in) fclose(in);
    snprintf(cpu, 128, "%s, %ld cores", model, sysconf(_SC_NPROCESSORS_ONLN));
}

void dls_environment_find(struct dls_environment *e)
{
    struct utsname system = {0};
    uname(&system);
    snprintf(e->machine, sizeof e->machine, "%.60s, %.20s %.30s", system.nodename,
             system.sysname, system.release);
    find_cpu(e->cpu, &system);
    dls_versions_libraries(e->libraries, sizeof e->libraries);
}

char *dls_time_stamp(char text[32])
{
    time_t now = time(NULL);
    struct tm parts;
    strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
    return text;
}
