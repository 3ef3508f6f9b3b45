# Everything a developer or CI runs. The two that matter: `make demo` and `make test`.
.PHONY: demo build test matrix check release format lint packages test-packages sanitize-address sanitize-thread fuzz clean

SWIFT_FILES = Package.swift Sources Tests Benchmarks Fuzzing/Package.swift Fuzzing/Sources
# How long `make fuzz` feeds each target.
SECONDS = 30

# All tests at once would starve each other on a small machine, and then run into their time limits.
FEW = --experimental-maximum-parallelization-width 8

# A crash is to end a test, not to start the backtracer.
export SWIFT_BACKTRACE = enable=no

# The same build as the tests': whoever runs one after the other builds once.
demo: packages
	@swift build --product pinproof
	@.build/debug/pinproof demo

build: packages
	swift build

# What CI runs: one debug build, all tests, real clients once in each form.
test: test-packages
	@scripts/check-packages.sh
	swift test --disable-xctest $(FEW)

# Real clients in each form, with each TLS version, alone and beside another host.
matrix: test-packages
	PINPROOF_MATRIX=whole swift test --disable-xctest $(FEW) --filter FindingMatrixTests

# Before a change is called done.
check: lint test matrix release sanitize-address sanitize-thread fuzz

release: packages
	swift build -c release

format:
	swift format --in-place --recursive $(SWIFT_FILES)

lint:
	swift format lint --strict --recursive $(SWIFT_FILES)

# Foundation's Process leaks a few octets a run; what the project's own code leaks is still told.
sanitize-address: test-packages
	LSAN_OPTIONS=suppressions=$(CURDIR)/scripts/leaks.supp:print_suppressions=0 swift test --sanitize=address --disable-xctest $(FEW) --scratch-path .build/asan

sanitize-thread: test-packages
	swift test --sanitize=thread --disable-xctest $(FEW) --scratch-path .build/tsan

# A smoke run of every fuzz target (Fuzzing/README.md).
fuzz: packages
	@Fuzzing/run.sh --all $(SECONDS)

packages:
	@scripts/install-packages.sh

test-packages:
	@scripts/install-packages.sh test-packages.txt
	@scripts/install-duckdb.sh

clean:
	rm -rf .build Fuzzing/.build
