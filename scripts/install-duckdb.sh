#!/bin/sh
# Installs DuckDB for Debian's Python from PyPI into a folder of the project's own, .build/duckdb, unless it is there: one
# test runs the statements of docs/QUERYING.md with it. Debian has no package of it.
set -eu
folder=$(cd "$(dirname "$0")/.." && pwd)/.build/duckdb

if ! command -v python3 >/dev/null 2>&1; then
    echo "pinproof: no python3, so no DuckDB; the test of docs/QUERYING.md will be skipped" >&2
    exit 0
fi
# Another Python may come first on the PATH; the tests use Debian's.
python=/usr/bin/python3
PYTHONPATH=$folder $python -c 'import duckdb' 2>/dev/null && exit 0
echo "pinproof: installing DuckDB into $folder" >&2
if ! $python -m pip install --quiet --disable-pip-version-check --no-input --root-user-action=ignore \
    --only-binary :all: --target "$folder" 'duckdb>=1.1' </dev/null >&2; then
    echo "pinproof: could not install DuckDB from PyPI; the test of docs/QUERYING.md will be skipped" >&2
fi
