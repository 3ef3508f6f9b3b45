#!/bin/sh
# Builds the fuzz driver with instrumentation, then runs one target, or all of them one after the other.
#
#   Fuzzing/run.sh --all [SECONDS]        all targets, 30 seconds each or as long as said
#   Fuzzing/run.sh TARGET [OPTION...]     one target with libFuzzer's options, such as -max_total_time=600
#   Fuzzing/run.sh TARGET FILE            one input
set -eu
[ $# -gt 0 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0"; exit 64; }
here=$(cd "$(dirname "$0")" && pwd)
# At a crash Swift's backtracer takes minutes, and libFuzzer has an input to save.
export SWIFT_BACKTRACE=enable=no
# What the toolchain's libraries leak is no fault of a target.
export LSAN_OPTIONS="suppressions=$here/../scripts/leaks.supp:print_suppressions=0"

# libFuzzer without a main function, from the toolchain that compiles.
resources=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
runtime=
for candidate in "$resources"/clang/lib/*/libclang_rt.fuzzer_no_main*.a; do
    case $candidate in *"$(uname -m)"*) runtime=$candidate ;; esac
done
[ -n "$runtime" ] || { echo "fuzz: there is no libFuzzer for $(uname -m) below $resources" >&2; exit 2; }

# The flags are the whole build's: the modules under test are to be instrumented, not the driver.
build() {
    swift build --package-path "$here" --configuration release --sanitize=address \
        -Xswiftc -sanitize-coverage=edge,trace-cmp,inline-8bit-counters,pc-table \
        -Xlinker "$runtime" "$@"
}
build --product fuzz >&2
fuzz=$(build --show-bin-path)/fuzz

run() {
    target=$1
    shift
    found=$here/.build/found/$target
    # A fresh clone has no folder for a target that never failed, and no corpus for one that is new.
    mkdir -p "$found" "$here/Corpus/$target" "$here/FailCases/$target"
    set -- --target="$target" -artifact_prefix="$here/FailCases/$target/" -timeout=10 -rss_limit_mb=2048 "$@"
    for argument in "$@"; do
        # Files are run as they are.
        if [ -f "$argument" ]; then exec "$fuzz" "$@"; fi
    done
    # The corpus holds no key: mint some to start from.
    if [ "$target" = private-key ] && [ ! -e "$found/minted-ec" ]; then
        openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$found/minted-ec" 2>/dev/null
        openssl ecparam -name prime256v1 -genkey -out "$found/minted-ec-old" 2>/dev/null
        openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024 -out "$found/minted-rsa" 2>/dev/null
        for kind in "" "EC " "RSA " "ENCRYPTED " "OPENSSH "; do
            label="${kind}PRIVATE KEY"
            printf -- '-----BEGIN %s-----\nMAA=\n-----END %s-----\n' "$label" "$label" >"$found/damaged-$(echo "$kind" | tr -d ' ')"
        done
    fi
    if [ "$target" = identity ] && [ ! -e "$found/minted.p12" ]; then
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=minted -days 3650 \
            -keyout "$found/minted-key" -out "$found/minted-leaf" 2>/dev/null
        cat "$found/minted-key" "$found/minted-leaf" >"$found/minted-pem"
        # The target's password, and little work for each input.
        for options in "-iter 10" "-iter 10 -nomac" "-iter 10 -legacy" "-keypbe NONE -certpbe NONE -nomac"; do
            openssl pkcs12 -export $options -in "$found/minted-pem" -name minted -passout pass:secret \
                -out "$found/minted$(echo "$options" | tr -d ' ').p12"
        done
        openssl ec -in "$found/minted-key" -aes128 -passout pass:secret -out "$found/minted-locked" 2>/dev/null
        cat "$found/minted-leaf" "$found/minted-locked" >"$found/minted.p12"
    fi
    # libFuzzer adds what it finds to the first folder.
    "$fuzz" "$@" "$found" "$here/Corpus/$target" "$here/FailCases/$target"
}
if [ "$1" != --all ]; then
    run "$@"
    exit
fi
seconds=${2:-30}
for folder in "$here"/Corpus/*/; do
    target=$(basename "$folder")
    log=$here/.build/$target.log
    if ! run "$target" -max_total_time="$seconds" >"$log" 2>&1; then
        tail -n 40 "$log" >&2
        echo "fuzz: $target failed; see Fuzzing/README.md for what to do with the input" >&2
        exit 1
    fi
    sed -n "s/^Done \(.*\)$/fuzz: $target: \1/p" "$log"
done
