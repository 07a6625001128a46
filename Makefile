# mcpane. `make help` lists the targets. V=1 shows commands, SAN=asan and CC=clang build into trees of their own.
NAME    := mcpane
VERSION := 0.3.0

PREFIX  ?= /usr/local
BINDIR  ?= $(PREFIX)/bin
MANDIR  ?= $(PREFIX)/share/man
DATADIR ?= $(PREFIX)/share/$(NAME)

# SHELL:FILE below $(PREFIX)/share
COMPLETIONS := bash:bash-completion/completions/$(NAME) zsh:zsh/site-functions/_$(NAME) fish:fish/vendor_completions.d/$(NAME).fish

PKGS      := ncursesw libcjson libpcre2-8
TEST_PKGS := cmocka vterm sqlite3

# One tree for each kind of build; the plain one is the one users run.
cc_name := $(notdir $(firstword $(CC)))
variant := $(or $(SAN),$(if $(filter clang%,$(cc_name)),clang,release))
BUILD   := build/$(variant)
BIN     := $(if $(filter release,$(variant)),build/$(NAME),$(BUILD)/$(NAME))
LIB     := $(BUILD)/lib$(NAME).a

# A callback has the parameters of its table, needed or not.
WARN := -Wall -Wextra -Wno-unused-parameter -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes \
	-Wmissing-prototypes -Wvla -Wformat=2 -Wundef -Wwrite-strings $(if $(WERROR),-Werror)
SAN_asan := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
SAN_fuzz := -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
CFLAGS   ?= -O2 -g
# Hardening, as far as the compiler has it. Sanitizers and coverage do without; _FORTIFY_SOURCE needs
# optimization, and headers that do not know level 3 take it for 2.
try       = $(shell echo 'int main(void) { return 0; }' | $(CC) $(1) -Werror -xc - -o /dev/null 2>/dev/null && echo '$(1)')
optimized := $(if $(filter -O1 -O2 -O3 -Os -Og,$(CFLAGS)),-DOPTIMIZED)
harden_cc := $(if $(filter asan cover fuzz,$(SAN)),,-fPIE \
	$(if $(optimized),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3) \
	$(foreach f,-fstack-protector-strong -fstack-clash-protection -fcf-protection -mbranch-protection=standard,$(call try,$(f))))
harden_ld := $(if $(filter asan cover fuzz,$(SAN)),,-pie -Wl,-z,relro,-z,now,-z,noexecstack)
# The relocations of the tables of pointers take 4 KiB then, not 220, if the loader here knows the format.
pack_flag := -Wl,-z,pack-relative-relocs
pack_ld   := $(if $(harden_ld),$(shell f=$$(mktemp) && echo 'int x, *p = &x; int main(void) { return p != &x; }' | \
	$(CC) -fPIE -pie $(pack_flag) -Wl,--fatal-warnings -xc - -o $$f 2>/dev/null && $$f && echo '$(pack_flag)'; rm -f $$f))
# The functions of the first screen are neighbors then, so that less of the program is mapped, if the linker can do it.
order_file := -Wl,-T,src/app/start.ld
order_cc   := $(if $(harden_ld),$(shell f=$$(mktemp) && echo 'int main(void) { return 0; }' | \
	$(CC) -ffunction-sections $(order_file) -Wl,--fatal-warnings -xc - -o $$f 2>/dev/null && $$f && echo -ffunction-sections; \
	rm -f $$f))
order_ld   := $(if $(order_cc),$(order_file))
override CPPFLAGS += -Iinclude -Isrc -D_GNU_SOURCE -DVERSION='"$(VERSION)"' \
	$(shell pkg-config --cflags $(PKGS) 2>/dev/null)
override CFLAGS   += -std=c11 -fno-strict-aliasing $(WARN) $(harden_cc) $(order_cc) $(SAN_$(SAN))
override LDFLAGS  += $(harden_ld) $(pack_ld) $(SAN_$(SAN)) -Wl,--as-needed
LDLIBS      := $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lm
TEST_LDLIBS := $(shell pkg-config --libs $(TEST_PKGS) 2>/dev/null) -lutil
FUZZ_LDLIBS := $(shell pkg-config --libs sqlite3 2>/dev/null)

SRC      := $(sort $(wildcard src/*/*.c src/*/*/*.c))
HEADERS  := $(sort $(wildcard include/*/*.h))
THEMES   := $(sort $(wildcard themes/*.theme))
METAS    := $(sort $(shell find src/schema/meta -name "*.json"))
PAGES    := $(sort $(wildcard src/*/page/* src/*/*/page/*))
GEN      := $(BUILD)/gen/themes.c $(BUILD)/gen/metas.c $(BUILD)/gen/pages.c
object    = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
OBJ      := $(call object,$(SRC)) $(GEN:.c=.o)
MAIN_OBJ := $(call object,src/app/main.c)

# Each kind of test is one program, $(BUILD)/tests/KIND. `KIND NAME` runs tests/KIND/test_NAME.c; here and for run.sh
# that is KIND/NAME. The corpora of the fuzz targets are a kind too: replay.
KINDS    := unit transcript screen e2e linear additions interop
files_of  = $(sort $(wildcard tests/$(1)/test_*.c))
test_of   = $(patsubst tests/$(1)/test_%.c,$(BUILD)/tests/$(1)/%,$(call files_of,$(1)))
UNIT     := $(call test_of,unit)
FUZZ     := $(patsubst tests/fuzz/fuzz_%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
REPLAY   := $(FUZZ:%=$(BUILD)/tests/replay/%)
# Counted work is the same with a sanitizer, and takes minutes then.
FAST     := $(foreach k,$(if $(SAN),,linear) unit transcript screen e2e,$(call test_of,$k)) $(REPLAY)
PROGRAMS := $(KINDS:%=$(BUILD)/tests/%)
# The files of interop that compile a server first.
COMPILED := $(addprefix $(BUILD)/tests/interop/,go sdks replay differential)
TESTLIB  := $(BUILD)/libtests.a
TEST_MAIN := $(call object,tests/lib/main.c)
TESTLIB_OBJ := $(filter-out $(TEST_MAIN),$(call object,$(wildcard tests/lib/*.c)))
FIXTURES := $(patsubst tests/%.c,$(BUILD)/tests/%,$(sort $(wildcard tests/fixtures/*.c)))
ENDLESS  := $(BUILD)/tests/fixtures/endless/libmd4c.so.0
BENCH    := $(patsubst tests/%.c,$(BUILD)/tests/%,$(sort $(wildcard tests/bench/*.c)))
TEST_BUILT := $(BIN) $(PROGRAMS) $(BUILD)/tests/replay $(FIXTURES) $(ENDLESS)
Q        := $(if $(V),,@)
say       = @printf '  %-6s %s\n'
RUNTESTS := sh tests/lib/run.sh
TEST_ENV := MCPANE="$(CURDIR)/$(BIN)" FIXTURES="$(CURDIR)/$(BUILD)/tests/fixtures" \
	LSAN_OPTIONS="suppressions=$(CURDIR)/tests/lint/lsan.supp:print_suppressions=0"

.PHONY: all run test test-fast interop check lint bench fuzz golden pictures format cover deps deps-check \
	install uninstall dist clean help

# What compiles does so on all cores, unless -j says otherwise.
PARALLEL = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2))
all: deps-check
	$(Q)$(MAKE) --no-print-directory $(PARALLEL) $(BIN)

help:
	@sed -n 's/^#: //p' Makefile

#: make            build build/mcpane
#: make run        install what is missing, build, open the demo
run: deps
	$(Q)$(MAKE) --no-print-directory $(PARALLEL) $(BIN)
	$(Q)$(BIN) --demo

# ---- building ----
$(BIN): $(MAIN_OBJ) $(LIB) src/app/start.ld
	$(say) LD $@
	$(Q)$(CC) $(LDFLAGS) $(order_ld) $(MAIN_OBJ) $(LIB) $(LDLIBS) -o $@
$(LIB): $(filter-out $(MAIN_OBJ),$(OBJ))
$(TESTLIB): $(TESTLIB_OBJ)
$(LIB) $(TESTLIB):
	$(Q)rm -f $@ && $(AR) rcs $@ $^
# Other flags are another program: what was built with the old ones is built again.
flags := $(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS)
.PHONY: always
$(BUILD)/flags: always
	$(Q)mkdir -p $(@D) && echo $(flags) | cmp -s - $@ || echo $(flags) >$@
$(BUILD)/obj/%.o: %.c $(BUILD)/flags
	$(say) CC $<
	$(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@
$(BUILD)/obj/tests/%.o $(BUILD)/gen/tests_%.o $(BUILD)/gen/fuzz.o: override CPPFLAGS += -Itests/lib
# Tests are compiled more often than they run; OPTIMIZED tells them how the program is built.
$(KINDS:%=$(BUILD)/obj/tests/%/%.o): override CFLAGS += $(optimized) -O0 -U_FORTIFY_SOURCE
# ... but this one, which is called at each branch.
$(BUILD)/obj/tests/linear/doubling.o: override CFLAGS += -O2
# jv.h has a function that calls libjq, which is loaded at run time; only optimization drops it.
$(BUILD)/obj/src/json/query.o: override CFLAGS += $(if $(optimized),,-O1)
$(BUILD)/gen/%.o: $(BUILD)/gen/%.c $(BUILD)/flags
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -c $< -o $@
# Every theme file becomes one string; the program reads them with the parser for users' files.
$(BUILD)/gen/themes.c: $(THEMES) Makefile
	$(Q)mkdir -p $(@D) && { echo '#include "ui/theme_files.h"'; \
	echo 'const struct theme_file theme_files[] = {'; \
	for f in $(THEMES); do n=$${f##*/}; printf '{ "%s",\n' "$${n%.theme}"; \
	sed 's/\\/\\\\/g; s/"/\\"/g; s/^/"/; s/$$/\\n"/' $$f; echo '},'; done; \
	echo '{ 0, 0 } };'; } > $@
# Files as bytes, because they are longer than a string literal may be. $(call embed,LIST,FILES,sed script that makes a name of a path)
define embed
	$(Q)mkdir -p $(@D) && { echo '#include "base/embedded.h"'; \
	echo 'const struct embedded_file $(1)[] = {'; \
	for f in $(2); do printf '{ "%s", (const char[]){' "$$(echo $$f | sed '$(3)')"; \
	od -An -v -tx1 $$f | sed 's/ *\([0-9a-f][0-9a-f]\)/(char)0x\1,/g'; echo "}, $$(wc -c <$$f) },"; done; \
	echo '{ 0, 0, 0 } };'; } > $@
endef
$(BUILD)/gen/metas.c: $(METAS) Makefile
	$(call embed,meta_files,$(METAS),s:^src/schema/meta/::; s:[.]json$$::)
$(BUILD)/gen/pages.c: $(PAGES) Makefile
	$(call embed,page_files,$(PAGES),s:.*/::)

$(FIXTURES) $(BENCH): $(BUILD)/tests/%: $(BUILD)/obj/tests/%.o $(TESTLIB) $(LIB)
	$(Q)mkdir -p $(@D) && $(CC) $(LDFLAGS) $^ $(TEST_LDLIBS) $(LDLIBS) -o $@

$(ENDLESS): tests/fixtures/endless/md4c.c
	$(Q)mkdir -p $(@D) && $(CC) -shared -fPIC -o $@ $<

# ---- the programs of tests ----
# $(call table,HEADER,TYPE,TABLE,PREFIX,ARGUMENTS,NAMES): a row for each name. The file changes only if a test file comes or goes.
table = $(Q)mkdir -p $(@D) && { echo '\#include "$(1).h"'; \
	for n in $(6); do echo "int $(4)$$n($(5));"; done; \
	echo 'const struct $(2) $(3)[] = {'; \
	for n in $(6); do echo "{ \"$$n\", $(4)$$n },"; done; echo '{ 0, 0 } };'; } >$@.new; \
	if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
$(BUILD)/gen/tests_%.c: always
	$(call table,test,test_file,TEST_FILES,test_file_,void,$(patsubst tests/$*/test_%.c,%,$(call files_of,$*)))
$(BUILD)/gen/fuzz.c: always
	$(call table,../fuzz/fuzz,fuzz_target,FUZZ_TARGETS,fuzz_,const uint8_t *data$(comma) size_t size,$(FUZZ))
comma := ,

$(foreach k,$(KINDS),$(eval $(BUILD)/tests/$k: $(call object,$(call files_of,$k))))
$(PROGRAMS): $(BUILD)/tests/%: $(BUILD)/gen/tests_%.o $(TEST_MAIN) $(TESTLIB) $(LIB)
	$(say) LD $@
	$(Q)mkdir -p $(@D) && $(CC) $(LDFLAGS) -Wl,--wrap=_cmocka_run_group_tests $(filter %.o,$^) $(TESTLIB) $(LIB) $(TEST_LDLIBS) $(LDLIBS) -o $@
# frame_cost counts the bytes that are parsed and drawn for a frame, workbench the strings that are compared for it;
# net_dns has a getaddrinfo() that loaded libraries see.
$(BUILD)/tests/unit: override LDFLAGS += -Wl,--wrap=json_parse,--wrap=glyph_next,--wrap=glyph_columns,--wrap=strcmp \
	-Wl,--export-dynamic-symbol=getaddrinfo

# Tests of this kind count all work: the product's files have a call at each branch, and those of the C library are counted.
LINEAR := $(patsubst %.c,$(BUILD)/linear/%.o,$(filter-out $(addprefix src/,app/% cli/% demo/% engine/% host/% pane/% workbench/%),$(SRC)))
LINEAR_CALLS := memchr memrchr memmem memcpy memmove memset memcmp realloc calloc strlen strnlen strchr strrchr strstr \
	strcasestr strpbrk strspn strcspn strcmp strncmp strcasecmp strncasecmp strtod vsnprintf
$(BUILD)/linear/%.o: %.c $(BUILD)/flags
	$(say) CC "$< (linear)"
	$(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(filter-out -g $(WARN),$(CFLAGS)) -O1 -fno-builtin -U_FORTIFY_SOURCE \
	-fsanitize-coverage=trace-pc -MMD -MP -c $< -o $@
$(BUILD)/tests/linear: $(LINEAR) $(call object,tests/linear/doubling.c) $(FUZZ:%=$(BUILD)/obj/tests/fuzz/fuzz_%.o) $(BUILD)/gen/fuzz.o
$(BUILD)/tests/linear: override LDFLAGS += $(LINEAR_CALLS:%=-Wl,--wrap=%)

# libFuzzer makes a program of each target; replay has them all in one, so each gets a name of its own.
ifneq ($(SAN),fuzz)
$(BUILD)/obj/tests/fuzz/fuzz_%.o: override CPPFLAGS += -DLLVMFuzzerTestOneInput=$(notdir $*)
endif
$(BUILD)/tests/replay: $(FUZZ:%=$(BUILD)/obj/tests/fuzz/fuzz_%.o) $(BUILD)/obj/tests/fuzz/replay.o $(BUILD)/gen/fuzz.o $(TESTLIB) $(LIB)
	$(say) LD $@
	$(Q)mkdir -p $(@D) && $(CC) $(LDFLAGS) $^ $(LDLIBS) $(FUZZ_LDLIBS) -o $@

# ---- testing ----
#: make test       install what is missing, build, run every test but those of `make interop`
test: export MCPANE_TEST := 1
test: deps
	$(Q)$(MAKE) --no-print-directory $(PARALLEL) installed $(TEST_BUILT) $(BENCH)
	$(Q)$(TEST_ENV) FLOOD_S=10 MONKEY_TIME=$(or $(MONKEY_TIME),30) $(RUNTESTS) $(filter-out $(COMPILED),$(call test_of,interop)) \
	$(call test_of,additions) $(FAST)
# The packages of npm and PyPI come while the rest compiles. If they do not, the tests that need them say why.
.PHONY: installed
installed:
	$(Q)sh tests/interop/install.sh >/dev/null || true
	$(Q)sh tests/interop/install-python.sh build/interop-python 1 2 >/dev/null || true
#: make interop    the servers of other languages that are compiled first (Go, Rust, Java), and the validator beside the
#:                 crate jsonschema
interop: export MCPANE_TEST := 1
interop: deps
	$(Q)$(MAKE) --no-print-directory $(PARALLEL) $(BIN) $(BUILD)/tests/interop
	$(Q)$(TEST_ENV) $(RUNTESTS) $(COMPILED)
#: make test-fast  the same without interop and additions (no network, well under a minute)
test-fast: deps-check
	$(Q)$(MAKE) --no-print-directory $(PARALLEL) $(filter-out %/interop %/additions $(if $(SAN),%/linear),$(TEST_BUILT))
	$(Q)$(TEST_ENV) $(RUNTESTS) $(FAST)
#: make unit-NAME  build and run tests/unit/test_NAME.c alone, with CASE=... only the test of that name;
#:                 transcript-NAME, screen-NAME, e2e-NAME, linear-NAME, additions-NAME, interop-NAME, replay-NAME likewise
define one_file
$(1)-%: $(BUILD)/tests/$(1) $$(FIXTURES) $$(ENDLESS) $$(BIN)
	$$(Q)$$(TEST_ENV) $$< $$* $$(if $$(CASE),'$$(CASE)')
endef
$(foreach k,$(KINDS) replay,$(eval $(call one_file,$k)))

#: make monkey     keys by chance against answers broken by chance, MONKEY_TIME seconds (300), from MONKEY_SEED
.PHONY: monkey monkey-built
monkey:
	$(Q)$(MAKE) --no-print-directory SAN=asan CFLAGS='-O1 -g' MONKEY_TIME=$(or $(MONKEY_TIME),300) \
	MONKEY_SEED=$(or $(MONKEY_SEED),$(shell date +%s)) monkey-built
monkey-built: $(BUILD)/tests/e2e $(FIXTURES) $(BIN)
	$(Q)echo "MONKEY_SEED=$(MONKEY_SEED)" && $(TEST_ENV) MONKEY_TIME=$(MONKEY_TIME) MONKEY_SEED=$(MONKEY_SEED) $< monkey

#: make check      lint, -Werror with gcc and clang, additions, sanitizers, 200 kills, the monkey, the validator against
#:                 others, valgrind, then every fuzz target for a minute, two at a time: half a minute for each of
#:                 tests/fuzz/fuzz_*.c
check: export MCPANE_CHECK := 1
check: deps lint
	$(Q)$(MAKE) --no-print-directory CC=gcc WERROR=1 SAN=werror-gcc $(PROGRAMS:$(BUILD)/%=build/werror-gcc/%) build/werror-gcc/$(NAME)
	$(Q)$(MAKE) --no-print-directory CC=clang WERROR=1 SAN=werror-clang $(PROGRAMS:$(BUILD)/%=build/werror-clang/%) build/werror-clang/$(NAME)
	$(Q)$(MAKE) --no-print-directory additions-one_row
	$(Q)$(MAKE) --no-print-directory CC=gcc SAN=asan CFLAGS='-O1 -g' test-fast
	$(Q)$(MAKE) --no-print-directory e2e-kills KILLS=200
	$(Q)$(MAKE) --no-print-directory monkey
	$(Q)$(MAKE) --no-print-directory fuzz-differential
	$(Q)$(MAKE) --no-print-directory valgrind
	$(Q)$(MAKE) --no-print-directory CC=clang SAN=fuzz CFLAGS='-O1 -g' $(FUZZ:%=build/fuzz/tests/fuzz/fuzz_%)
	$(Q)$(MAKE) --no-print-directory -j2 fuzz FUZZ_TIME=60
.PHONY: valgrind
# The official suite and the megabytes of frame_cost are left out: each would take minutes.
valgrind: $(BUILD)/tests/unit $(FIXTURES) $(BIN)
	$(Q)printf '%s\n' $(filter-out %/frame_cost,$(UNIT)) | $(TEST_ENV) JSON_SCHEMA_SUITE=/nonexistent xargs -P 2 -n 1 sh tests/lib/valgrind.sh

#: make lint       layers, sizes, how many parts there are, banned calls, functions without a caller, names of tests,
#:                 headers that compile alone, clang-tidy, clang-format
lint: deps-check
	$(Q)sh tests/lint/lint.sh "$(CC) $(CPPFLAGS) -std=c11"
	$(Q)$(MAKE) --no-print-directory $(PARALLEL) tidy formatted

# One version, because each finds other things. A file is checked again if it, or a header of it, has changed.
CLANG_TIDY := clang-tidy-14
.PHONY: tidy
ifneq ($(shell command -v $(CLANG_TIDY)),)
tidy: $(SRC:%.c=$(BUILD)/tidy/%.checked)
else
tidy:
	@echo "lint: $(CLANG_TIDY) is not installed: its checks are skipped"
endif
$(BUILD)/tidy/%.checked: $(BUILD)/obj/%.o .clang-tidy
	$(Q)mkdir -p $(@D) && $(CLANG_TIDY) --quiet $*.c -- $(CPPFLAGS) -std=c11 2>$@.log || { cat $@.log; exit 1; }
	$(Q)mv $@.log $@

CLANG_FORMAT := clang-format-14
FORMATTED    := $(SRC) $(HEADERS) $(wildcard src/*/*.h src/*/*/*.h tests/*/*.[ch])
.PHONY: formatted
ifneq ($(shell command -v $(CLANG_FORMAT)),)
formatted: $(FORMATTED:%=$(BUILD)/formatted/%)
else
formatted:
	@echo "lint: $(CLANG_FORMAT) is not installed: the format is not checked"
endif
$(BUILD)/formatted/%: % .clang-format
	$(Q)mkdir -p $(@D) && $(CLANG_FORMAT) --dry-run -Werror $< && touch $@

#: make fuzz       libFuzzer on every target, FUZZ_TIME seconds each (default 10)
fuzz: $(FUZZ:%=fuzz-%)
fuzz-%:
	$(Q)$(MAKE) --no-print-directory CC=clang SAN=fuzz CFLAGS='-O1 -g' build/fuzz/tests/fuzz/fuzz_$*
	$(say) FUZZ $*
	$(Q)mkdir -p build/fuzz/corpus-$*
	$(Q)build/fuzz/tests/fuzz/fuzz_$* -max_total_time=$(or $(FUZZ_TIME),10) -timeout=10 -rss_limit_mb=2048 -verbosity=0 \
	-print_final_stats=1 -artifact_prefix=build/fuzz/$*- build/fuzz/corpus-$* $(wildcard tests/fuzz/corpus/$*)
$(BUILD)/tests/fuzz/fuzz_%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(TESTLIB) $(LIB)
	$(Q)mkdir -p $(@D) && $(CC) $(LDFLAGS) -fsanitize=fuzzer $^ $(LDLIBS) $(FUZZ_LDLIBS) -o $@

#: make fuzz-differential  the validator against ajv and the crate jsonschema: PAIRS (100000) of a schema and a value, from SEED
.PHONY: fuzz-differential
fuzz-differential: $(BUILD)/tests/interop $(BIN)
	$(Q)export SEED=$(or $(SEED),$(shell date +%s)) && echo "SEED=$$SEED" && $(TEST_ENV) PAIRS=$(or $(PAIRS),100000) $< differential || [ $$? -eq 77 ]

#: make bench      figures with units, beside the floor measured in the same run
bench: deps $(BIN)
	$(Q)$(MAKE) --no-print-directory $(FIXTURES) $(BENCH) $(BUILD)/tests/e2e
	$(Q)$(TEST_ENV) BENCH="$(CURDIR)/$(BUILD)/tests/bench" sh tests/bench/run.sh

#: make bench-schema  the validator on corpora and rows, beside ajv and Blaze (npm) and jsonschema-rs (cargo)
bench-schema: $(BUILD)/tests/bench/bench_schema
	$(Q)sh tests/bench/schema.sh $<
.PHONY: bench-schema

#: make golden     rewrite the expected screens, the manual's commands, docs/KEYS.md; review the diff
golden: $(BUILD)/tests/screen $(BUILD)/tests/unit
	$(Q)export GOLDEN=write && $(BUILD)/tests/screen screens && $(BUILD)/tests/unit manual && $(BUILD)/tests/unit key_table && $(BUILD)/tests/unit app_cells

#: make pictures   draw the pictures of README.md and docs/GUIDE.md; that of an app needs Chromium
pictures: $(BUILD)/tests/screen $(BIN)
	$(Q)PICTURES=docs/pictures $(BUILD)/tests/screen screens
	$(Q)$(BIN) render --demo plan_budget --theme dark --png docs/pictures/app.png >/dev/null 2>&1

.PHONY: order
#: make order      write src/app/start.ld again: the functions that the first screen calls, as valgrind sees them
order: $(BIN)
	$(Q)sh tests/bench/start_order.sh $(BIN) >$(BUILD)/start.ld && mv $(BUILD)/start.ld src/app/start.ld

#: make format     clang-format over all of it, with the version that make lint uses
format:
	$(Q)$(CLANG_FORMAT) -i $(FORMATTED)

#: make cover      line coverage of the tests, in build/cover
cover:
	$(Q)$(MAKE) --no-print-directory SAN=cover CFLAGS='-O0 -g --coverage' LDFLAGS=--coverage test-fast
	$(Q)gcovr -r . --object-directory build/cover --exclude 'tests/.*' --print-summary

# ---- what is needed ----
#: make deps       install missing packages (apt), or say what to type
deps:
	$(Q)sh tests/lib/deps.sh install
deps-check:
	$(Q)sh tests/lib/deps.sh check

#: make install    the program, the manual, the themes, the completions; DESTDIR, PREFIX (/usr/local); also uninstall
install: all
	install -D -m755 $(BIN) "$(DESTDIR)$(BINDIR)/$(NAME)"
	install -D -m644 docs/mcpane.1 "$(DESTDIR)$(MANDIR)/man1/mcpane.1"
	install -D -m644 docs/mcpane.5 "$(DESTDIR)$(MANDIR)/man5/mcpane.5"
	install -D -m644 docs/recipe.schema.json "$(DESTDIR)$(DATADIR)/recipe.schema.json"
	for t in $(THEMES); do install -D -m644 $$t "$(DESTDIR)$(DATADIR)/$$t" || exit 1; done
	for c in $(COMPLETIONS); do $(BIN) completions $${c%%:*} >$(BUILD)/completion && \
	install -D -m644 $(BUILD)/completion "$(DESTDIR)$(PREFIX)/share/$${c#*:}" || exit 1; done
uninstall:
	for c in $(COMPLETIONS); do rm -f "$(DESTDIR)$(PREFIX)/share/$${c#*:}"; done
	rm -f "$(DESTDIR)$(BINDIR)/$(NAME)" "$(DESTDIR)$(MANDIR)/man1/mcpane.1" "$(DESTDIR)$(MANDIR)/man5/mcpane.5"
	rm -rf "$(DESTDIR)$(DATADIR)"
dist:
	mkdir -p build && git archive --prefix=$(NAME)-$(VERSION)/ -o build/$(NAME)-$(VERSION).tar.gz HEAD
#: make clean      take build away
clean:
	rm -rf build

-include $(patsubst %.c,$(BUILD)/obj/%.d,$(SRC) $(wildcard tests/*/*.c)) $(LINEAR:.o=.d)
.SECONDARY:
