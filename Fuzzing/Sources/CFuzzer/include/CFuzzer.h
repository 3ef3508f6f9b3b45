#ifndef CFUZZER_H
#define CFUZZER_H

#include <stddef.h>
#include <stdint.h>

/// libFuzzer's entry for programs that have their own `main` ("Using libFuzzer as a library" in LLVM's documentation).
///
/// Calls `check` with one input after the other; returns the exit status of the program. Only the toolchain has a
/// library that defines it: run.sh says where.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*check)(const uint8_t *data, size_t size));

#endif
