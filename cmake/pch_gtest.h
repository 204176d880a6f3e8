// The precompiled header of tests that use neither LLVM nor MLIR.
#include "cmake/pch_std.h"

#include <gtest/gtest.h>
