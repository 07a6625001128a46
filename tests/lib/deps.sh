#!/bin/sh
# deps.sh install|check: sees that the packages mcpane is built and tested with are there.
# check looks at what a build needs and never installs; install also wants what the tests need.
# Packages come from the system's own repository, by name (Debian and what descends from it).
set -eu
mode=${1:-check}

missing=
has() { command -v "$1" >/dev/null 2>&1; }
want() { # want PACKAGE TEST...: notes the package where the test fails
	package=$1
	shift
	"$@" >/dev/null 2>&1 || missing="$missing $package"
}
compiler() { has "${CC:-cc}" || has gcc || has clang; }

want gcc compiler
want libc6-dev test -e /usr/include/stdio.h
want pkg-config has pkg-config
want libncurses-dev pkg-config --exists ncursesw
want libcjson-dev pkg-config --exists libcjson
want libpcre2-dev pkg-config --exists libpcre2-8
want libcurl4-openssl-dev pkg-config --exists libcurl
want libssl-dev pkg-config --exists libcrypto
want libpng-dev pkg-config --exists libpng
want libjpeg-dev pkg-config --exists libjpeg
want libgif-dev test -e /usr/include/gif_lib.h
want libwebp-dev pkg-config --exists libwebpdemux
want libsndfile1-dev pkg-config --exists sndfile
want libidn2-dev pkg-config --exists libidn2
want libyaml-dev pkg-config --exists yaml-0.1
want libzip-dev pkg-config --exists libzip
want libjq-dev test -e /usr/include/jq.h
want libvterm-dev pkg-config --exists vterm
want libcairo2-dev test -e /usr/include/cairo/cairo.h
want libsqlite3-dev pkg-config --exists sqlite3
want libmicrohttpd-dev pkg-config --exists libmicrohttpd
want libmd4c-dev test -e /usr/include/md4c.h
if [ "$mode" = install ]; then
	want libcmocka-dev pkg-config --exists cmocka
	if [ -n "${MCPANE_CHECK:-}" ]; then
		want clang has clang
		want valgrind has valgrind
		want zsh has zsh
		want fish has fish
		want tcsh has tcsh
	fi
fi
# Packages that not every system has. Without the browser engine the tests of apps are skipped, without clang-format-14
# and clang-tidy-14 a part of the lint.
wish=
if [ "$mode" = install ]; then
	if [ -n "${MCPANE_TEST:-}${MCPANE_CHECK:-}" ]; then
		has chromium-headless-shell || has chromium || wish="$wish chromium-headless-shell"
	fi
	if [ -n "${MCPANE_LINT:-}${MCPANE_CHECK:-}" ]; then
		has clang-format-14 || wish="$wish clang-format-14"
		has clang-tidy-14 || wish="$wish clang-tidy-14"
	fi
fi
[ -z "$missing$wish" ] && exit 0

if [ -z "$missing" ] && ! has apt-get; then
	echo "skipped without these packages:$wish" >&2
	exit 0
fi
if ! has apt-get; then
	echo "mcpane needs these packages (Debian's names):$missing" >&2
	echo "Install what your system calls them, then run make again." >&2
	exit 1
fi
root=
if [ "$(id -u)" -ne 0 ]; then
	if has sudo && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then root=sudo; else root=none; fi
fi
if [ -z "$missing" ] && [ "$root" = none ]; then
	echo "Some tests or checks are skipped. As root, type: apt-get install -y$wish" >&2
	exit 0
fi
if [ "$mode" = check ] || [ "$root" = none ]; then
	echo "mcpane needs packages that are not installed. As root, type:" >&2
	echo "  apt-get update && apt-get install -y$missing" >&2
	exit 1
fi
install() {
	echo "installing: $*"
	DEBIAN_FRONTEND=noninteractive $root apt-get install -y -qq --no-install-recommends "$@"
}
$root apt-get update -qq
# shellcheck disable=SC2086  # a list of names
[ -z "$missing" ] || install $missing
for package in $wish; do
	install "$package" || echo "$package cannot be installed: the tests or checks that need it are skipped" >&2
done
