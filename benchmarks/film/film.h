// SPDX-License-Identifier: Apache-2.0
// A run as something to look at: frames of bodies and contact forces, curves over time.
//
//   dls_film_open -> { dls_film_step } ... -> dls_film_write
#ifndef DLS_BENCHMARKS_FILM_FILM_H
#define DLS_BENCHMARKS_FILM_FILM_H

#include "problems/examples/example.h"
#include "problems/mechanics/rigid.h"

// Rounded to what a picture needs.
struct dls_film_contact {
    int body, other; // numbers; other = -1: the obstacle, at `point`
    float force;     // r_N / h
    float point[3];
};

struct dls_film_frame {
    double t;
    int bodies, contacts; // bodies by number; those that are not there are NAN
    float *at;            // 3 for each body
    float *turn;          // 4: the quaternion, or the angle first
    float *speed;         // 1
    float *drive;         // 12 for each obstacle that moves: image of the origin, axes
    struct dls_film_contact *contact;
};

// A curve has one value for each sample of time; a chart shows some of them.
struct dls_film_curve {
    const char *name;
    double *value;
};

struct dls_film_chart {
    const char *title;
    bool log;
    int first, count;   // its curves
    const double *live; // where the values stand now, or NULL: film.c knows
};

enum { DLS_FILM_CURVES = 96, DLS_FILM_SAMPLES = 1000 };

// What the caller sets first; the rest belongs to film.c and the writers.
struct dls_film {
    const char *title, *about; // of the page
    const struct dls_scene *scene;
    const struct dls_rigid *rigid; // NULL: bodies are points
    int wanted;                    // frames over the run, at least 2
    struct dls_arena *arena;

    double end;
    int dim, bodies, moving; // bodies: how many there may be
    int *mover;              // of each obstacle: its place in `drive`, or -1
    int frames, samples;
    struct dls_film_frame *frame;
    int curves, charts; // the first curve is time
    struct dls_film_curve curve[DLS_FILM_CURVES];
    struct dls_film_chart chart[DLS_FILM_CURVES];
    int common;           // curves that every film has
    double *observed;     // the example's own values, now
    long stride;          // steps between samples
    double worst, sweeps; // since the last sample
};

enum dls_status dls_film_open(struct dls_film *, const struct dls_sim *, double end);
// One more chart of `count` curves, whose values are read at `live` after each step.
void dls_film_follow(struct dls_film *, struct dls_film_chart,
                     const char *const *names);
// After each step. DLS_ENOMEM.
enum dls_status dls_film_step(struct dls_film *, const struct dls_sim *);

// Writes the page, beside its place first, then renamed.
enum dls_status dls_film_write(const struct dls_film *, const char *path,
                               struct dls_error *);

// The state of a run as one SVG picture, bodies and contact forces.
enum dls_status dls_film_picture(const struct dls_sim *, const char *path,
                                 struct dls_error *);

// benchmarks/assets/run.{css,js}, made into C by scripts/embed.sh.
extern const char dls_asset_run_css[], dls_asset_run_js[];

#endif
