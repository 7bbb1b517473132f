// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE // getloadavg, gmtime_r

#include "benchmarks/campaign/environment.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

const char *dls_build_of(const char *solver)
{
    const struct dls_build_id *row = dls_build_ids;
    while (row->solver && strcmp(row->solver, solver)) row++;
    return row->id;
}

// The first line of /proc/stat: user nice system idle iowait irq softirq steal.
static void read_ticks(struct dls_load *load)
{
    double tick[8];
    FILE *in = fopen("/proc/stat", "re");
    if (!in) return;
    if (fscanf(in, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &tick[0], &tick[1], &tick[2],
               &tick[3], &tick[4], &tick[5], &tick[6], &tick[7])
        == 8) {
        load->stolen = tick[7];
        load->time = 0;
        for (int k = 0; k < 8; k++) load->time += tick[k];
    }
    fclose(in);
}

static double read_mhz(void)
{
    char line[256];
    double mhz = NAN;
    FILE *in = fopen("/proc/cpuinfo", "re");
    while (in && isnan(mhz) && fgets(line, sizeof line, in))
        if (sscanf(line, "cpu MHz : %lf", &mhz) != 1) mhz = NAN;
    if (in) fclose(in);
    return mhz;
}

struct dls_load dls_load_now(void)
{
    struct dls_load load = {NAN, NAN, NAN, read_mhz()};
    if (getloadavg(&load.average, 1) != 1) load.average = NAN;
    read_ticks(&load);
    return load;
}
