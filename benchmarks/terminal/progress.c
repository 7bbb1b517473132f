// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L // sigaction

#include "benchmarks/terminal/progress.h"

#include "base/clock.h"
#include "base/file.h"

#include "benchmarks/terminal/output.h"

volatile sig_atomic_t dls_cancelled;

static void on_signals(void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    sigemptyset(&action.sa_mask);
    for (int k = 0; k < 3; k++) {
        struct sigaction old;
        bool ignored = !sigaction(signals[k], NULL, &old) && old.sa_handler == SIG_IGN;
        if (signals[k] != SIGHUP || !ignored) // nohup is obeyed
            sigaction(signals[k], &action, NULL);
    }
}

// Files under way are taken away, then the signal does what it would have done.
static void leave(int signal)
{
    dls_files_abandon();
    raise(signal); // the handler is not there any more: SA_RESETHAND
}

void dls_leave_clean_on_signal(void) { on_signals(leave, (int)SA_RESETHAND); }

static void cancel(int signal)
{
    (void)signal;
    dls_cancelled = 1;
    dls_leave_clean_on_signal(); // the second one is not waited for
}

void dls_cancel_on_signal(void) { on_signals(cancel, 0); }

void dls_watch_header(FILE *history)
{
    fputs("problem,solver,iteration,time,natural,merit\n", history);
}

static void write_history(const struct dls_watch *w, const struct dls_progress *p)
{
    const struct dls_cell cells[] = {
        dls_cell_text("problem", w->problem),
        dls_cell_text("solver", w->solver),
        dls_cell_count("iteration", p->iteration),
        dls_cell_real("time", p->time),
        dls_cell_real("natural", p->measures->natural),
        dls_cell_real("merit", p->measures->merit),
    };
    dls_print_csv(w->history, cells, sizeof cells / sizeof *cells);
}

void dls_watch_monitor(const struct dls_progress *p, void *data)
{
    struct dls_watch *w = data;
    if (w->history) write_history(w, p);
    double now = dls_clock();
    if (!w->terminal || now - w->shown < 0.1) return; // seconds between rewrites
    char time[16], natural[16], merit[16];
    fprintf(stderr,
            "\r\033[K[%d/%d] %.30s  %.24s  %s  iteration %ld  natural %s  merit %s",
            w->run, w->runs, w->problem, w->solver, dls_format_time(p->time, time),
            p->iteration, dls_format_real(p->measures->natural, natural),
            dls_format_real(p->measures->merit, merit));
    fflush(stderr);
    w->shown = now;
}

void dls_watch_wait(struct dls_watch *w, double seconds)
{
    char time[16];
    double now = dls_clock();
    if (!w->terminal || now - w->shown < 0.1) return;
    fprintf(stderr, "\r\033[K[%d/%d] %.30s  %.24s  %s", w->run, w->runs, w->problem,
            w->solver, dls_format_time(seconds, time));
    fflush(stderr);
    w->shown = now;
}

void dls_watch_clear(struct dls_watch *w)
{
    if (w->terminal && w->shown > 0) fputs("\r\033[K", stderr);
    w->shown = 0;
}
