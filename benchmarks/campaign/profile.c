// SPDX-License-Identifier: Apache-2.0
// Performance profiles.
//
//     r_ps = t_ps / min_s t_ps,   rho_s(tau) = #{p : r_ps <= tau} / #problems
//
// Notation: t_ps = cost of solver s on problem p, infinite where it failed.
// Method [DolanMore2002]: problems that nobody solved stay in the denominator, so that
// rho_s(inf) is the share of problems solved; ties make several winners, so the
// rho_s(1) may sum to more than one. Beside it, geometric means of the ratios:
//     mean_s      = exp( mean_{p solved by s} log r_ps )
//     charged_s   = exp( mean_p log(t'_ps + shift) ) - shift
// where t' = t, or what a failure is charged. The first flatters a solver that gives up on
// the hard problems; the second grows with every failure, as long as a failure is charged
// more than a success can cost, and is over all problems, so that solvers can be compared
// by it.
// Cost: P S log P.
#include "benchmarks/campaign/profile.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double floored(double cost, double floor)
{
    return !isfinite(cost) ? INFINITY : cost < floor ? floor : cost;
}

static void find_best(struct dls_profile *f, const double *cost, double floor)
{
    for (int p = 0; p < f->problems; p++) {
        f->best[p] = INFINITY;
        for (int s = 0; s < f->solvers; s++)
            f->best[p] = fmin(f->best[p], floored(cost[p * f->solvers + s], floor));
        f->unsolved += !isfinite(f->best[p]);
    }
}

static void fill_solver(struct dls_profile *f, int s, const double *cost,
                        const double *charge, double floor)
{
    double *ratio = f->ratio + (size_t)s * f->problems, sum = 0, charged = 0;
    for (int p = 0; p < f->problems; p++) {
        size_t at = (size_t)p * f->solvers + s;
        double t = floored(cost[at], floor);
        ratio[p] = isfinite(t) ? t / f->best[p] : INFINITY; // r_ps
        if (isfinite(t)) {
            f->solved[s]++;
            f->wins[s] += t == f->best[p];
            sum += log(ratio[p]);
        } else {
            t = charge ? charge[at] : NAN;
        }
        charged += log(t + dls_profile_shift);
    }
    f->mean[s] = f->solved[s] ? exp(sum / f->solved[s]) : NAN;
    f->charged[s] = f->problems ? exp(charged / f->problems) - dls_profile_shift : NAN;
    qsort(ratio, (size_t)f->problems, sizeof *ratio, ascending);
}

bool dls_profile_make(struct dls_profile *f, int problems, int solvers,
                      const double *cost, const double *charge, double floor,
                      struct dls_arena *a)
{
    *f = (struct dls_profile){.problems = problems, .solvers = solvers};
    f->best = DLS_NEW(a, double, problems);
    f->ratio = DLS_NEW(a, double, (size_t)problems *(size_t)solvers);
    f->solved = DLS_NEW(a, int, solvers);
    f->wins = DLS_NEW(a, int, solvers);
    f->mean = DLS_NEW(a, double, solvers);
    f->charged = DLS_NEW(a, double, solvers);
    if (a->failed) return false;
    find_best(f, cost, floor);
    for (int s = 0; s < solvers; s++) fill_solver(f, s, cost, charge, floor);
    return true;
}

double dls_profile_share(const struct dls_profile *f, int solver, double tau)
{
    const double *ratio = f->ratio + (size_t)solver * f->problems;
    int count = 0;
    while (count < f->solved[solver] && ratio[count] <= tau) count++;
    return f->problems ? (double)count / f->problems : 0;
}

double dls_ratio_mean(const double *a, const double *b, int count, int stride,
                      double floor, int *common)
{
    double sum = 0;
    *common = 0;
    for (int k = 0; k < count; k++) {
        double x = floored(a[k * stride], floor), y = floored(b[k * stride], floor);
        if (!isfinite(x) || !isfinite(y)) continue;
        sum += log(x / y);
        ++*common;
    }
    return *common ? exp(sum / *common) : NAN;
}

double dls_median(double *values, int count)
{
    if (count <= 0) return NAN;
    qsort(values, (size_t)count, sizeof *values, ascending);
    return values[(count - 1) / 2];
}

double dls_history_at(const double *time, const double *residual, int count,
                      double when)
{
    int from = 0, to = count; // time[from - 1] <= when < time[to]
    while (from < to) {
        int middle = from + (to - from) / 2;
        if (time[middle] <= when)
            from = middle + 1;
        else
            to = middle;
    }
    return !count ? INFINITY : residual[from ? from - 1 : 0];
}
