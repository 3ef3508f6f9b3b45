#!/bin/sh
# Installs the Debian packages of packages.txt, and of the lists that are named, that are missing; does nothing when none
# is.
set -eu
here=$(cd "$(dirname "$0")" && pwd)

if ! command -v swift >/dev/null 2>&1; then
    echo "pinproof: no Swift toolchain on the PATH; install Swift 6.2 or newer from swift.org" >&2
    exit 2
fi
if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "pinproof: this is not Debian; install what scripts/packages.txt lists with your own package manager" >&2
    exit 0
fi

missing=""
for package in $(cd "$here" && sed 's/#.*//' packages.txt "$@" | awk 'NF { print $1 }'); do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

run=""
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "pinproof: missing packages:$missing; install them as root: apt-get install$missing" >&2
        exit 2
    fi
    run=sudo
fi
echo "pinproof: installing missing packages:$missing" >&2
if ! { $run apt-get update -qq && $run env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing; } </dev/null >&2; then
    echo "pinproof: could not install:$missing; install them by hand: apt-get install$missing" >&2
    exit 2
fi
