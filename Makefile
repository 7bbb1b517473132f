# Delassus. `make help` lists the targets; MODE=release|debug|cov picks the build.

# --- settings -------------------------------------------------------------------------
MODE     ?= release
BUILD    := build/$(MODE)
PREFIX   ?= /usr/local
VERSION  := 0.1.0
SOVERSION := 0
PKGS     := hdf5 gsl openblas lapacke ccd
FLAGS_release := -O3 -g
FLAGS_debug   := -O1 -g -DDLS_CHECKED -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
FLAGS_guided  := -O1 -g -DDLS_CHECKED -fsanitize=address,fuzzer-no-link -fopenmp=libgomp
FLAGS_cov     := -O0 -g -DDLS_CHECKED --coverage
SUITESPARSE_CFLAGS ?= -I/usr/include/suitesparse
SUITESPARSE_LIBS   ?= -lumfpack -lcholmod
SICONOS_CFLAGS ?= -I/usr/include/siconos -I/usr/include/siconos/numerics
SICONOS_LIBS   ?= -lsiconos_numerics -lsiconos_externals
# What scripts/osqp.sh finds; OSQP_PREFIX=DIR names one. Nothing = the solver is left out.
osqp     := $(shell OSQP_PREFIX="$(OSQP_PREFIX)" CC="$(CC)" scripts/osqp.sh find)
AR       ?= ar
# Debian's own, which is where python3-matplotlib goes.
PYTHON   ?= /usr/bin/python3
# What make fuzz-guided runs on.
TARGET   ?= dat
# Position-independent once for program and shared library: without interposition the
# compiler inlines as ever, and a run takes the same number of instructions.
PIC      := -fPIC -fno-semantic-interposition
CFLAGS   = -std=c17 $(PIC) -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes \
           -Wmissing-prototypes -Wvla -ffp-contract=off -fopenmp $(FLAGS_$(MODE)) $(EXTRA_CFLAGS)
CPPFLAGS = -I. -MMD -MP -DDLS_VERSION='"$(VERSION)"' $(SUITESPARSE_CFLAGS) \
           $(shell pkg-config --cflags $(PKGS)) $(filter -isystem% -I%,$(osqp))
# gsl's own BLAS stays out: OpenBLAS serves it too.
LDLIBS   = $(SUITESPARSE_LIBS) $(filter-out -lgslcblas,$(shell pkg-config --libs $(PKGS))) \
           $(filter-out -isystem% -I% %.o,$(osqp)) $(SICONOS_LIBS) -lz -lgomp -lm

# --- sources --------------------------------------------------------------------------
# Each folder holds one kind of thing, and the registries are made from their files: a
# file of solvers/ (or peers/) is a solver, one of problems/schemes/ a scheme, and so on.
name_of     = $(notdir $(basename $(1)))
holding     = $(call name_of,$(sort $(shell grep -l '^const struct dls_$(1) ' $(2)/*.c)))
solvers    := $(sort $(call holding,solver,solvers) $(call holding,solver,solvers/peers))
generators := $(call holding,generator,problems/generators)
schemes    := $(call holding,scheme,problems/schemes)
examples   := $(call holding,example,problems/examples)
layers     := base formulations solvers problems doors
library    := $(sort $(foreach l,$(layers),$(wildcard $(l)/*.c $(l)/*/*.c)))
program    := $(sort $(foreach f,terminal campaign stress report film program,$(wildcard benchmarks/$(f)/*.c)))
scaling    := $(sort $(wildcard benchmarks/speed/scaling*.c))
speed      := $(sort $(wildcard benchmarks/speed/speed_*.c))
tests      := $(sort $(wildcard tests/*/test_*.c tests/*/*/test_*.c))
assets     := $(sort $(wildcard benchmarks/assets/*.css benchmarks/assets/*.js)) paper/references.bib
support    := $(sort $(wildcard tests/support/*.c))
have_siconos := $(wildcard /usr/include/siconos/numerics/SiconosNumerics.h)
# libfclib only serves as an oracle in one test, which is left out without it.
ifeq ($(shell pkg-config --exists fclib && echo yes),)
tests      := $(filter-out tests/formulations/files/test_fclib_oracle.c,$(tests))
left_out   := test_fclib_oracle (libfclib was not found)
endif
# A solver of an optional library is a file that is compiled or not; `delassus list`
# shows what is missing: name|what it does|how to get it.
ifeq ($(osqp),)
solvers    := $(filter-out osqp,$(solvers))
library    := $(filter-out solvers/osqp.c,$(library))
missing    += osqp|convex QPs by OSQP in a De Saxcé or Tresca outer loop|run scripts/setup and make again, or make OSQP_PREFIX=DIR;
endif
ifeq ($(have_siconos),)
peers      := $(patsubst siconos_%,siconos-%,$(filter siconos_%,$(solvers)))
missing    += $(foreach s,$(peers),$(s)|peer: a solver of Siconos|run scripts/setup (libsiconos-numerics-dev) and make again;)
solvers    := $(filter-out siconos_%,$(solvers))
library    := $(filter-out solvers/peers/siconos%,$(library))
speed      := $(filter-out benchmarks/speed/speed_siconos%,$(speed))
SICONOS_CFLAGS :=
SICONOS_LIBS   :=
endif
lib        := $(BUILD)/libdelassus.a
shared     := $(BUILD)/libdelassus.so.$(VERSION)
test_bins  := $(tests:%.c=$(BUILD)/%)
speed_bins := $(speed:%.c=$(BUILD)/%)

# --- targets --------------------------------------------------------------------------
.PHONY: all docs faults fuzz fuzz-guided test test-programs cppflags sources bench paper paper-data lint format new-solver conformance install clean help FORCE
.SECONDARY:
.DEFAULT_GOAL := all

all: $(BUILD)/delassus $(shared) $(BUILD)/benchmarks/speed/scaling $(speed_bins) ## build the libraries, build/delassus and the programs that time it
	@if [ $(MODE) = release ]; then ln -sf release/delassus build/delassus; fi
	@echo "built $(BUILD)/delassus with $(words $(solvers)) solvers, $(lib), $(shared), $(BUILD)/benchmarks/speed/"
	@$(if $(missing),echo "left out: $(missing)" | tr ";" "\n" | sed -n 's/^\(left out:\)* *\(..*\)|.*|\(.*\)/left out: \2: \3/p',:)

# A test in C needs no more than itself and the library; a script may need every program.
test_needs = $(or $(if $(T),$(if $(wildcard $(addsuffix test_$(T).sh,tests/*/ tests/*/*/)),,\
             $(filter %/test_$(T),$(tests:%.c=build/debug/%)))),test-programs)

test: ## build with sanitizers and run all tests; T=cone runs one, T=conformance SOLVER=foo one solver
	@$(MAKE) --no-print-directory MODE=debug $(test_needs)
	@DLS_SOLVER=$(SOLVER) V=$(V) scripts/run_tests.sh build/debug $(T)

test-programs: $(BUILD)/delassus $(shared) $(BUILD)/benchmarks/speed/scaling $(BUILD)/tests/delassus_hostile $(BUILD)/tests/delassus_faulty $(BUILD)/tests/fuzz/fuzz $(test_bins)
	@$(if $(left_out),echo "left out: $(left_out)",:)

bench: all ## a campaign on the bundled snapshots; SOLVER=a,b picks solvers
	@rm -rf build/campaign # rows of the last build are of no use here
	@build/delassus bench --solver $(or $(SOLVER),all) --max-time 2 -o build/campaign || [ $$? = 1 ]

paper: ## draw all figures from paper/data to build/paper, as PDF and SVG
	@command -v $(PYTHON) >/dev/null || { echo "The figures need Python and matplotlib: apt-get install python3-matplotlib" >&2; exit 2; }
	@for figure in paper/fig_*.py; do $(PYTHON) -B $$figure build/paper || exit $$?; done

paper-data: all ## run the examples behind the figures again and write paper/data
	@paper/make_data.sh

fuzz: ## damaged files and texts for FUZZ_SECONDS=60 with SEED=1; findings go to build/findings
	@$(MAKE) --no-print-directory MODE=debug build/debug/tests/fuzz/fuzz
	@build/debug/tests/fuzz/fuzz --seconds $(or $(FUZZ_SECONDS),60) --seed $(or $(SEED),1)

fuzz-guided: ## libFuzzer on TARGET=dat (checkpoint, results, json, options) for FUZZ_SECONDS=60; needs clang
	@command -v clang >/dev/null || { echo "libFuzzer comes with clang: apt-get install clang" >&2; exit 2; }
	@$(MAKE) --no-print-directory MODE=guided CC=clang build/guided/tests/fuzz/guided
	@mkdir -p build/findings build/guided/corpus/$(TARGET)
	@DLS_FUZZ_TARGET=$(TARGET) DLS_FUZZ_CORPUS=build/guided/corpus/$(TARGET) build/guided/tests/fuzz/guided -detect_leaks=0 -print_final_stats=1 \
		-max_total_time=$(or $(FUZZ_SECONDS),60) -seed=$(or $(SEED),1) -artifact_prefix=build/findings/$(TARGET)- build/guided/corpus/$(TARGET)

faults: ## every allocation, write and child of small runs fails once: up to an hour; RUN=save, record, certify or campaign takes one
	@$(MAKE) --no-print-directory MODE=debug build/debug/tests/delassus_faulty
	@DLS_FAULTS=all DLS_FAULT_RUNS="$(RUN)" DLS_PATIENCE=7200 scripts/run_tests.sh build/debug faults

conformance: ## SOLVER=./mine.so (or ./mine.py, ./program) runs the conformance suite on one solver
	@$(MAKE) --no-print-directory MODE=debug build/debug/tests/solvers/test_conformance
	@DELASSUS_SERVE=$(CURDIR)/python/delassus/serve.py DLS_SOLVER="$(SOLVER)" scripts/run_tests.sh build/debug conformance

new-solver: ## NAME=foo writes solvers/foo.c from the template
	@scripts/new_solver.sh "$(NAME)"

docs: docs/solvers.md ## a searchable site of README and docs/ in build/site (needs mkdocs)
	@scripts/docs.sh

docs/solvers.md: FORCE all ## written from the descriptors of the solvers
	@build/delassus help --markdown >$@

lint: ## layers, formatting, both compilers without warnings
	@scripts/lint.sh

format: ## clang-format on all sources
	clang-format -i $(sort $(wildcard *.h */*.[ch] */*/*.[ch] */*/*/*.[ch]))

install: $(BUILD)/delassus $(shared) ## libraries, headers, program, delassus.pc, man page; PREFIX=, DESTDIR=
	@scripts/install.sh "$(DESTDIR)" "$(PREFIX)" $(BUILD) $(VERSION) "$(LDLIBS)"

cppflags: ; @echo $(filter-out -MMD -MP,$(CPPFLAGS)) $(SICONOS_CFLAGS)
sources: ; @echo $(library) $(program) $(scaling) $(tests) $(support) $(wildcard tests/hostile/*.c tests/fuzz/*.c tests/faults/*.c)

clean: ## remove what was built (build/deps stays)
	rm -rf $(filter-out build/deps,$(wildcard build/*))

help: ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "%-14s %s\n",$$1,$$2}' $(MAKEFILE_LIST)

# --- rules ----------------------------------------------------------------------------
$(BUILD)/registry.c: FORCE
	@mkdir -p $(@D); scripts/registry.sh "$(solvers)" "$(generators)" "$(schemes)" "$(examples)" "$(missing)" >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(BUILD)/build_info.c: FORCE
	@mkdir -p $(@D); scripts/build_info.sh "$(CC)" "$(strip $(FLAGS_$(MODE)) $(EXTRA_CFLAGS))" \
		"$(osqp) $(if $(have_siconos),siconos)" "$(solvers)" >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

# Objects made with other flags are of no use.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D); echo '$(PIC) -fopenmp $(FLAGS_$(MODE))' >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D); echo "compile $<"; $(CC) $(CPPFLAGS) $(CFLAGS) -c $< -o $@
$(BUILD)/%.o: $(BUILD)/%.c $(BUILD)/flags
	@$(CC) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

$(BUILD)/benchmarks/speed/speed_siconos%: CPPFLAGS += $(SICONOS_CFLAGS)
$(BUILD)/solvers/peers/%.o: CPPFLAGS += $(SICONOS_CFLAGS)
# These tests count calls.
$(BUILD)/tests/problems/mechanics/test_standing: TEST_LIBS += -Wl,--wrap=dls_judge_create,--wrap=dls_inertia_take
$(BUILD)/tests/solvers/sequence/test_sequence: TEST_LIBS += -Wl,--wrap=dls_judge_create
$(BUILD)/tests/formulations/velocities/test_velocities: TEST_LIBS += -Wl,--wrap=dls_body_graph_build,--wrap=dls_recover

# Here work drives the clock.
$(BUILD)/tests/solvers/kernel/test_nested: TEST_LIBS += -Wl,--wrap=dls_clock
$(BUILD)/tests/solvers/driver/test_deadline: TEST_LIBS += -Wl,--wrap=dls_clock,--wrap=dls_bsr_multiply,--wrap=dls_csr_add,--wrap=dls_sparse_factor_update

$(lib): $(library:%.c=$(BUILD)/%.o) $(BUILD)/registry.o $(filter %.o,$(osqp))
	@rm -f $@; $(AR) qcs $@ $^

# The shared library: what is not named dls_ stays inside.
$(BUILD)/exports.map: Makefile
	@mkdir -p $(@D); echo '{ global: dls_*; local: *; };' >$@
.PHONY: library
library: $(shared) ## libdelassus.so
$(shared): $(library:%.c=$(BUILD)/%.o) $(BUILD)/registry.o $(filter %.o,$(osqp)) $(BUILD)/exports.map
	@$(CC) $(CFLAGS) -shared -Wl,-soname,libdelassus.so.$(SOVERSION) -Wl,--version-script=$(BUILD)/exports.map \
		$(filter %.o,$^) $(LDLIBS) -o $@
	@ln -sf $(@F) $(BUILD)/libdelassus.so.$(SOVERSION); ln -sf $(@F) $(BUILD)/libdelassus.so

$(BUILD)/assets.c: $(assets) scripts/embed.sh Makefile # where the list stands
	@mkdir -p $(@D); scripts/embed.sh $(assets) >$@

program_objects := $(program:%.c=$(BUILD)/%.o) $(BUILD)/build_info.o $(BUILD)/assets.o
# All of the library, and visible: a solver in a shared object takes from it what it needs.
whole_library = -Wl,--whole-archive $(lib) -Wl,--no-whole-archive -rdynamic
$(BUILD)/delassus: $(program_objects) $(lib)
	@echo "link $@"; $(CC) $(CFLAGS) $(program_objects) $(whole_library) $(LDLIBS) -o $@

# The program with a solver that misbehaves, to test campaigns around it.
$(BUILD)/tests/hostile/registry.c: FORCE
	@mkdir -p $(@D); scripts/registry.sh "$(sort $(solvers) hostile)" "$(generators)" "$(schemes)" "$(examples)" "$(missing)" >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(BUILD)/tests/delassus_hostile: $(program_objects) $(BUILD)/tests/hostile/hostile.o \
		$(BUILD)/tests/hostile/registry.o $(lib)
	@echo "link $@"; $(CC) $(CFLAGS) $^ $(LDLIBS) -o $@

# The program with faults in its calls of the system.
faulty := malloc calloc realloc aligned_alloc fopen fileno rename fsync fork
$(BUILD)/tests/delassus_faulty: $(program_objects) $(BUILD)/tests/faults/faults.o $(lib)
	@echo "link $@"; $(CC) $(CFLAGS) $^ $(faulty:%=-Wl,--wrap=%) $(LDLIBS) -o $@

$(BUILD)/benchmarks/speed/speed_%: $(BUILD)/benchmarks/speed/speed_%.o $(lib)
	@echo "link $@"; $(CC) $(CFLAGS) $^ $(LDLIBS) -o $@
$(BUILD)/benchmarks/speed/scaling: $(scaling:%.c=$(BUILD)/%.o) \
		$(addprefix $(BUILD)/benchmarks/,terminal/output.o campaign/process.o campaign/sheet.o report/svg.o) $(lib)
	@echo "link $@"; $(CC) $(CFLAGS) $^ $(LDLIBS) -o $@

fuzzed := $(addprefix $(BUILD)/,tests/fuzz/targets.o $(addprefix benchmarks/,campaign/json.o campaign/sheet.o terminal/cli.o \
           terminal/output.o terminal/outsider.o terminal/spec.o)) $(lib)
$(BUILD)/tests/fuzz/fuzz: $(addprefix $(BUILD)/tests/fuzz/,fuzz.o mutate.o) $(fuzzed)
	@$(CC) $(CFLAGS) $^ $(LDLIBS) -o $@
$(BUILD)/tests/fuzz/guided: $(BUILD)/tests/fuzz/guided.o $(fuzzed)
	@$(CC) $(CFLAGS) -fsanitize=fuzzer $^ $(LDLIBS) -o $@

$(test_bins): %: %.o $(support:%.c=$(BUILD)/%.o) $(lib)
	@echo "link $@"; $(CC) $(CFLAGS) $^ $(LDLIBS) -lcmocka $(TEST_LIBS) -o $@
$(BUILD)/tests/formulations/files/test_fclib_oracle: TEST_LIBS := -lfclib
# A solver from a shared object takes what it needs from the test.
$(BUILD)/tests/solvers/test_conformance: TEST_LIBS = -rdynamic $(lib)
$(BUILD)/tests/solvers/test_conformance: $(BUILD)/benchmarks/terminal/outsider.o
# Tests of what lies above the library name its objects.
$(BUILD)/tests/benchmarks/campaign/test_profile: $(BUILD)/benchmarks/campaign/profile.o
$(BUILD)/tests/benchmarks/film/test_film_page: $(addprefix $(BUILD)/,assets.o $(addprefix benchmarks/,film/film_bodies.o film/film_curves.o film/film_motion.o film/film_page.o film/film_range.o \
           film/film_shapes.o film/packed.o report/html.o report/svg.o terminal/output.o))
$(BUILD)/tests/benchmarks/stress/test_shrink: $(addprefix $(BUILD)/benchmarks/stress/,random_set.o shrink.o)
$(BUILD)/tests/benchmarks/speed/test_scaling: $(addprefix $(BUILD)/benchmarks/speed/,scaling_family.o scaling_fit.o)
$(BUILD)/tests/benchmarks/campaign/test_campaign_read: $(addprefix $(BUILD)/benchmarks/,campaign/campaign_read.o campaign/json.o campaign/sheet.o terminal/output.o)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
