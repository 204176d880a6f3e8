//===- MemoryCheckTest.cpp - TENSORC_CHECK=memory, and faults' reports ----===//
#include "tests/compiler/output/package/Packages.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>

using namespace tensorc::test;

/// The address sanitizer reports faults, and what no machine has, itself.
#define SKIP_UNDER_ASAN()                                                      \
  if (__has_feature(address_sanitizer))                                        \
  GTEST_SKIP() << "the sanitizer reports it first"

/// Before the runtime looks.
[[gnu::constructor]] static void setChecks() {
  setenv("TENSORC_CHECK", "memory", 1);
}

/// y[k] = x[j], once directly, once through a temporary of the arena.
static constexpr const char *strays = R"(
module attributes {tx.target = "cpu"} {
  llvm.func @stray(!llvm.ptr, i64, i64, !llvm.ptr)
  llvm.func @stray_scratch(!llvm.ptr, i64, i64, !llvm.ptr)
  llvm.func @divide(!llvm.ptr, i64, i64, !llvm.ptr)
  txp.func @main(%x: !txp.buffer, %j: i64, %k: i64) -> !txp.buffer
      attributes {inputs = [tensor<?xi32, #tx.dims<[n]>>, tensor<i64>, tensor<i64>],
                  outputs = [tensor<10xi32>]} {
    %c1 = arith.constant 1 : i64
    %c0 = arith.constant 0 : i64
    %c40 = arith.constant 40 : i64
    %y = txp.alloc %c40
    txp.launch @stray extent(%c1) grain(%c1) scratch(%c0) ins(%x) outs(%y) scalars(%j, %k : i64, i64)
    txp.return %y
  }
  txp.func @arena(%x: !txp.buffer, %j: i64, %k: i64) -> !txp.buffer
      attributes {inputs = [tensor<?xi32, #tx.dims<[n]>>, tensor<i64>, tensor<i64>],
                  outputs = [tensor<10xi32>]} {
    %c1 = arith.constant 1 : i64
    %c0 = arith.constant 0 : i64
    %c40 = arith.constant 40 : i64
    %c64 = arith.constant 64 : i64
    %c104 = arith.constant 104 : i64
    %arena = txp.alloc %c104
    %t = txp.view %arena[%c0] bytes(%c40)
    %u = txp.view %arena[%c64] bytes(%c40)
    %y = txp.alloc %c40
    txp.launch @stray extent(%c1) grain(%c1) scratch(%c0) ins(%x) outs(%u) scalars(%c0, %c0 : i64, i64)
    txp.launch @stray extent(%c1) grain(%c1) scratch(%c0) ins(%x) outs(%t) scalars(%j, %k : i64, i64)
    txp.launch @stray extent(%c1) grain(%c1) scratch(%c0) ins(%t) outs(%y) scalars(%c0, %c0 : i64, i64)
    txp.return %y
  }
  txp.func @scratch(%k: i64) -> !txp.buffer
      attributes {inputs = [tensor<i64>], outputs = [tensor<1xi32>]} {
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    %c100 = arith.constant 100 : i64
    %y = txp.alloc %c4
    txp.launch @stray_scratch extent(%c1) grain(%c1) scratch(%c100) ins() outs(%y) scalars(%k : i64)
    txp.return %y
  }
  txp.func @quotient(%by: i64) -> !txp.buffer
      attributes {inputs = [tensor<i64>], outputs = [tensor<1xi32>]} {
    %c1 = arith.constant 1 : i64
    %c0 = arith.constant 0 : i64
    %c4 = arith.constant 4 : i64
    %y = txp.alloc %c4
    txp.launch @divide extent(%c1) grain(%c1) scratch(%c0) ins() outs(%y) scalars(%by : i64)
    txp.return %y
  }
})";

namespace {
class MemoryCheck : public testing::Test {
protected:
  MemoryCheck() : loaded(packageOf(strays)) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
  }
  std::string move(int64_t j, int64_t k, const char *name = "main") {
    Argument x(loaded.device, TENSORC_RT_I32, {10},
               std::vector<int32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    Outputs out(1);
    std::string message = run(loaded.entry(name),
                              {x.arg, scalar(static_cast<uint64_t>(j)),
                               scalar(static_cast<uint64_t>(k))},
                              out);
    if (message.empty())
      values = valuesOf<int32_t>(out.list[0]);
    return message;
  }
  std::string call(const char *name, uint64_t word) {
    Outputs out(1);
    return run(loaded.entry(name), {scalar(word)}, out);
  }

  Loaded loaded;
  std::vector<int32_t> values;
};
using MemoryCheckDeath = MemoryCheck;
} // namespace

TEST_F(MemoryCheck, WhatIsInsideRuns) {
  EXPECT_EQ(move(3, 9), "");
  // What the kernel left is poison.
  EXPECT_EQ(values,
            (std::vector<int32_t>{-1, -1, -1, -1, -1, -1, -1, -1, -1, 3}));
  EXPECT_EQ(move(9, 0, "arena"), "");
  EXPECT_EQ(values[0], 9);
}

TEST_F(MemoryCheck, WritesBehindAndBeforeAnOutputAreFound) {
  EXPECT_EQ(move(3, 10),
            "kernel 'stray' (test.mlir:13) wrote 4 bytes outside its "
            "buffers, the first at byte 40 of argument 1, which has 40 "
            "(TENSORC_CHECK=memory)");
  // The zone is whole again.
  EXPECT_EQ(move(3, 9), "");
  EXPECT_NE(move(3, -1).find("the first at byte -4 of argument 1"),
            std::string::npos);
}

TEST_F(MemoryCheck, TemporariesOfAnArenaHaveZonesToo) {
  std::string message = move(3, 10, "arena");
  EXPECT_NE(message.find("byte 40 of argument 1, which has 40"),
            std::string::npos)
      << message;
}

TEST_F(MemoryCheck, ReadsOfARedZoneAreNoNumber) {
  EXPECT_EQ(move(10, 0), "");
  float value;
  std::memcpy(&value, &values[0], sizeof(value));
  EXPECT_NE(value, value);
}

/// The arena's second launch of the kernel writes outside.
TEST_F(MemoryCheck, EachLaunchHasItsLine) {
  std::string message = move(3, 10, "arena");
  EXPECT_NE(message.find("kernel 'stray' (test.mlir:29) wrote 4 bytes"),
            std::string::npos)
      << message;
}

TEST_F(MemoryCheck, WritesBehindScratchAreFound) {
  EXPECT_EQ(call("scratch", 99), "");
  EXPECT_EQ(call("scratch", 100),
            "kernel 'stray_scratch' (test.mlir:39) wrote byte 100 of its "
            "scratch, which has 100 (TENSORC_CHECK=memory)");
}

TEST_F(MemoryCheck, BuffersAreAlignedAndFresh) {
  for (size_t size : {0, 1, 63, 64, 65, 4095, 4096, 4097, 3 << 20}) {
    tensorc_rt_buffer *buffer = nullptr;
    ASSERT_EQ(take(tensorc_rt_buffer_allocate(loaded.device, size, &buffer)),
              "");
    auto *bytes = static_cast<unsigned char *>(tensorc_rt_buffer_data(buffer));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(bytes) % 64, 0u);
    for (size_t i = 0; i < size; ++i)
      ASSERT_EQ(bytes[i], 0xff) << i << " of " << size;
    tensorc_rt_buffer_release(buffer);
  }
}

TEST_F(MemoryCheck, WhatTheMachineLacksIsRefused) {
  SKIP_UNDER_ASAN();
  tensorc_rt_buffer *buffer = nullptr;
  tensorc_rt_status *status =
      tensorc_rt_buffer_allocate(loaded.device, size_t(1) << 42, &buffer);
  EXPECT_EQ(tensorc_rt_status_code(status), TENSORC_RT_OUT_OF_MEMORY);
  tensorc_rt_status_free(status);
}

TEST_F(MemoryCheckDeath, AccessesBehindTheRedZoneFault) {
  SKIP_UNDER_ASAN();
  EXPECT_EXIT(move(3, 16), testing::KilledBySignal(SIGSEGV),
              "tensorc: SIGSEGV in kernel 'stray' \\(test.mlir:13\\): it "
              "accessed 0x[0-9a-f]+, 24 bytes behind argument 1 of 40 bytes");
  EXPECT_EXIT(move(16, 0), testing::KilledBySignal(SIGSEGV),
              "24 bytes behind argument 0 of 40 bytes");
  EXPECT_EXIT(move(3, 16, "arena"), testing::KilledBySignal(SIGSEGV),
              "24 bytes behind argument 1 of 40 bytes");
}

TEST_F(MemoryCheckDeath, OtherFaultsAreReportedToo) {
  SKIP_UNDER_ASAN();
  EXPECT_EXIT(call("quotient", 0), testing::KilledBySignal(SIGFPE),
              "tensorc: SIGFPE in kernel 'divide' \\(test.mlir:48\\)\n");
}

TEST_F(MemoryCheckDeath, FaultsOutsideOfKernelsAreNotOurs) {
  SKIP_UNDER_ASAN();
  EXPECT_EXIT(
      {
        if (freopen("/dev/null", "w", stdout))
          *static_cast<volatile int *>(nullptr) = 1;
      },
      testing::KilledBySignal(SIGSEGV), "^$");
}

TEST_F(MemoryCheckDeath, WhatTheProgramWritesOutsideIsFoundWhenItIsFreed) {
  EXPECT_EXIT(
      {
        tensorc_rt_buffer *buffer = nullptr;
        take(tensorc_rt_buffer_allocate(loaded.device, 40, &buffer));
        static_cast<char *>(tensorc_rt_buffer_data(buffer))[40] = 0;
        tensorc_rt_buffer_release(buffer);
      },
      testing::KilledBySignal(SIGABRT),
      "a buffer of 40 bytes that is freed was left: 1 bytes from byte 40 on");
}

TEST_F(MemoryCheckDeath, AFreedBufferFaults) {
  SKIP_UNDER_ASAN();
  EXPECT_EXIT(
      {
        tensorc_rt_buffer *buffer = nullptr;
        take(tensorc_rt_buffer_allocate(loaded.device, 40, &buffer));
        auto *data =
            static_cast<volatile char *>(tensorc_rt_buffer_data(buffer));
        tensorc_rt_buffer_release(buffer);
        data[0] = 0;
      },
      testing::KilledBySignal(SIGSEGV), "");
}
