//===- RoundTripTest.cpp - text to package to numbers ---------------------===//
#include "tests/compiler/output/package/Packages.h"

#include <bit>
#include <gtest/gtest.h>

using namespace tensorc::test;

static constexpr const char *multiplyAdd = R"(
module attributes {tx.target = "cpu"} {
  llvm.func @multiply_add(!llvm.ptr, i64, i64, !llvm.ptr)
  txp.func @main(%a: !txp.buffer, %b: !txp.buffer, %scale: i64) -> !txp.buffer
      attributes {inputs = [tensor<?x4xf32, #tx.dims<[n, 4]>>,
                            tensor<?x4xf32, #tx.dims<[n, 4]>>, tensor<f32>],
                  input_names = ["a", "b", "scale"],
                  outputs = [tensor<?x4xf32, #tx.dims<[n, 4]>>], output_names = ["y"]} {
    %n = txp.dim %a, 0
    %m = txp.dim %b, 0
    %same = arith.cmpi eq, %n, %m : i64
    txp.assert %same, "add: dimension n differs"
    %c4 = arith.constant 4 : i64
    %items = arith.muli %n, %c4 : i64
    %bytes = arith.muli %items, %c4 : i64
    %y = txp.alloc %bytes
    txp.launch @multiply_add extent(%items) grain(%c4) ins(%a, %b) outs(%y)
        scalars(%n, %scale : i64, i64)
    txp.return %y
  }
})";

static uint64_t bits(float value) { return std::bit_cast<uint32_t>(value); }

TEST(RoundTrip, ComputesWithAScalarAndANamedDim) {
  Loaded loaded(packageOf(multiplyAdd));
  for (int64_t n : {1, 3, 1000}) {
    std::vector<float> a(n * 4), b(n * 4), expected(n * 4);
    for (size_t i = 0; i < a.size(); ++i) {
      a[i] = static_cast<float>(i);
      b[i] = 0.5f;
      expected[i] = a[i] * 3.0f + 0.5f;
    }
    Argument x(loaded.device, TENSORC_RT_F32, {n, 4}, a);
    Argument y(loaded.device, TENSORC_RT_F32, {n, 4}, b);
    Outputs out(1);
    ASSERT_EQ(run(loaded.entry(), {x.arg, y.arg, scalar(bits(3.0f))}, out), "");
    EXPECT_EQ(out.list[0].dtype, TENSORC_RT_F32);
    ASSERT_EQ(out.list[0].rank, 2);
    EXPECT_EQ(out.list[0].dims[0], n);
    EXPECT_EQ(out.list[0].dims[1], 4);
    EXPECT_EQ(valuesOf<float>(out.list[0]), expected);
  }
}

TEST(RoundTrip, DescribesItsEntry) {
  Loaded loaded(packageOf(multiplyAdd));
  const tensorc_rt_entry *entry = loaded.entry("main");
  EXPECT_STREQ(tensorc_rt_entry_name(entry), "main");
  ASSERT_EQ(tensorc_rt_entry_input_count(entry), 3);
  tensorc_rt_value_info info;
  ASSERT_EQ(take(tensorc_rt_entry_input(entry, 0, &info)), "");
  EXPECT_STREQ(info.name, "a");
  EXPECT_EQ(info.dtype, TENSORC_RT_F32);
  EXPECT_EQ(info.rank, 2);
  EXPECT_EQ(info.dims[0], -1);
  EXPECT_EQ(info.dims[1], 4);
  EXPECT_STREQ(info.dim_names[0], "n");
  EXPECT_STREQ(info.dim_names[1], "4");
  ASSERT_EQ(take(tensorc_rt_entry_input(entry, 2, &info)), "");
  EXPECT_TRUE(info.is_scalar);
  EXPECT_NE(take(tensorc_rt_entry_input(entry, 3, &info)), "");
  EXPECT_STREQ(tensorc_rt_module_target(loaded.module), "cpu");
}

TEST(RoundTrip, RefusesWrongArguments) {
  Loaded loaded(packageOf(multiplyAdd));
  Argument a(loaded.device, TENSORC_RT_F32, {2, 4}, std::vector<float>(8));
  Argument b(loaded.device, TENSORC_RT_F32, {3, 4}, std::vector<float>(12));
  Argument wide(loaded.device, TENSORC_RT_F32, {1, 8}, std::vector<float>(8));
  Argument ints(loaded.device, TENSORC_RT_I32, {2, 4}, std::vector<float>(8));
  Argument flat(loaded.device, TENSORC_RT_F32, {8}, std::vector<float>(8));
  Argument small(loaded.device, TENSORC_RT_F32, {2, 4}, std::vector<float>(7));
  tensorc_rt_arg one = scalar(bits(1));
  auto error = [&](std::vector<tensorc_rt_arg> args) {
    Outputs out(1);
    return run(loaded.entry(), args, out);
  };
  EXPECT_EQ(error({a.arg, b.arg, one}), "add: dimension n differs");
  EXPECT_EQ(error({a.arg, wide.arg, one}),
            "main: dimension 1 of argument 1 (b) is 8, expected 4");
  EXPECT_EQ(error({a.arg, ints.arg, one}),
            "main: argument 1 (b) is i32, expected f32");
  EXPECT_EQ(error({flat.arg, a.arg, one}),
            "main: argument 0 (a) has 1 dimensions, expected 2");
  EXPECT_EQ(error({a.arg, a.arg}), "main: 2 arguments, expected 3");
  EXPECT_EQ(error({a.arg, one, one}),
            "main: argument 1 (b): its buffer is NULL, and it is not a scalar");
  tensorc_rt_arg shapeless = a.arg;
  shapeless.dims = nullptr;
  EXPECT_EQ(error({a.arg, shapeless, one}),
            "main: argument 1 (b): its dims are NULL");
  shapeless.rank = -2;
  EXPECT_EQ(error({a.arg, shapeless, one}),
            "main: argument 1 (b) has -2 dimensions, expected 2");
  EXPECT_EQ(error({a.arg, a.arg, a.arg}),
            "main: argument 2 (scale) is a buffer, expected a scalar");
  EXPECT_NE(error({a.arg, small.arg, one}).find("does not fit"),
            std::string::npos);
}

TEST(RoundTrip, EmptyValuesRun) {
  Loaded loaded(packageOf(multiplyAdd));
  Argument a(loaded.device, TENSORC_RT_F32, {0, 4}, std::vector<float>());
  Outputs out(1);
  ASSERT_EQ(run(loaded.entry(), {a.arg, a.arg, scalar(0)}, out), "");
  EXPECT_EQ(out.list[0].dims[0], 0);
}

TEST(RoundTrip, LoopsOnAValueOfTheDevice) {
  Loaded loaded(packageOf(R"(
module attributes {tx.target = "cpu"} {
  llvm.func @step(!llvm.ptr, i64, i64, !llvm.ptr)
  txp.func @main(%x: !txp.buffer, %limit: i64) -> !txp.buffer
      attributes {inputs = [tensor<i64>, index], input_names = ["x", "limit"],
                  outputs = [tensor<i64>]} {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c8 = arith.constant 8 : i64
    %true = arith.constant true
    %r:2 = scf.while (%go = %true, %at = %x) : (i1, !txp.buffer) -> (i1, !txp.buffer) {
      scf.condition(%go) %go, %at : i1, !txp.buffer
    } do {
    ^bb0(%go: i1, %at: !txp.buffer):
      %next = txp.alloc %c8
      %flag = txp.alloc %c1
      txp.launch @step extent(%c1) grain(%c1) ins(%at) outs(%next, %flag)
          scalars(%limit : i64)
      %more = txp.read_scalar %flag[%c0] : i1
      %again = arith.cmpi ne, %more, %c0 : i64
      scf.yield %again, %next : i1, !txp.buffer
    }
    txp.return %r#1
  }
})"));
  Argument x(loaded.device, TENSORC_RT_I64, {}, std::vector<int64_t>{3});
  Outputs out(1);
  ASSERT_EQ(run(loaded.entry(), {x.arg, scalar(100)}, out), "");
  EXPECT_EQ(valuesOf<int64_t>(out.list[0]), std::vector<int64_t>{192});
}

TEST(RoundTrip, ControlFlowCallsAndConstants) {
  Loaded loaded(packageOf(R"(
module attributes {tx.target = "cpu"} {
  txp.func @main(%k: i64, %twice: i64) -> (!txp.buffer, !txp.buffer)
      attributes {inputs = [index, tensor<i1>], input_names = ["k", "twice"],
                  outputs = [tensor<?xi64, #tx.dims<[k * 2 + 1]>>, tensor<3xi32>]} {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c8 = arith.constant 8 : i64
    // A loop that swaps what it carries: Fibonacci.
    %f:2 = scf.for %i = %c0 to %k step %c1 iter_args(%a = %c0, %b = %c1) -> (i64, i64) : i64 {
      %s = arith.addi %a, %b : i64
      scf.yield %b, %s : i64, i64
    }
    %is = arith.trunci %twice : i64 to i1
    %v = scf.if %is -> (i64) {
      %d = txp.call @double(%f#0) : (i64) -> i64
      scf.yield %d : i64
    } else {
      scf.yield %f#0 : i64
    }
    %k2 = arith.addi %k, %k : i64
    %n = arith.addi %k2, %c1 : i64
    %bytes = arith.muli %n, %c8 : i64
    %out = txp.alloc %bytes
    txp.fill %out with %v width 8
    %w = txp.constant_buffer dense<[1, -2, 3]> : tensor<3xi32>
    txp.return %out, %w
  }
  txp.func private @double(%x: i64) -> i64 {
    %y = arith.addi %x, %x : i64
    txp.return %y : i64
  }
})"));
  Outputs out(2);
  ASSERT_EQ(run(loaded.entry(), {scalar(10), scalar(0)}, out), "");
  EXPECT_EQ(valuesOf<int64_t>(out.list[0]), std::vector<int64_t>(21, 55));
  EXPECT_EQ(valuesOf<int32_t>(out.list[1]), (std::vector<int32_t>{1, -2, 3}));
  Outputs twice(2);
  ASSERT_EQ(run(loaded.entry(), {scalar(10), scalar(1)}, twice), "");
  EXPECT_EQ(valuesOf<int64_t>(twice.list[0]), std::vector<int64_t>(21, 110));
}

TEST(RoundTrip, ScratchIsPerThread) {
  Loaded loaded(packageOf(R"(
module attributes {tx.target = "cpu"} {
  llvm.func @through_scratch(!llvm.ptr, i64, i64, !llvm.ptr)
  txp.func @main(%x: !txp.buffer) -> !txp.buffer
      attributes {inputs = [tensor<?xi32, #tx.dims<[n]>>],
                  outputs = [tensor<?xi32, #tx.dims<[n]>>]} {
    %n = txp.dim %x, 0
    %c4 = arith.constant 4 : i64
    %c16 = arith.constant 16 : i64
    %c64 = arith.constant 64 : i64
    %bytes = arith.muli %n, %c4 : i64
    %y = txp.alloc %bytes
    txp.launch @through_scratch extent(%n) grain(%c16) scratch(%c64) ins(%x) outs(%y)
    txp.return %y
  }
})"));
  std::vector<int32_t> values(100000), expected(100000);
  for (int32_t i = 0; i < 100000; ++i) {
    values[i] = i;
    expected[i] = i + 1;
  }
  Argument x(loaded.device, TENSORC_RT_I32, {100000}, values);
  for (int32_t threads : {1, 2, 7, 0}) {
    tensorc_rt_set_num_threads(threads);
    Outputs out(1);
    ASSERT_EQ(run(loaded.entry(), {x.arg}, out), "");
    EXPECT_EQ(valuesOf<int32_t>(out.list[0]), expected);
  }
}

TEST(RoundTrip, SizeOverflowIsAnError) {
  Loaded loaded(packageOf(R"(
module attributes {tx.target = "cpu"} {
  txp.func @main(%k: i64) -> !txp.buffer
      attributes {inputs = [index], input_names = ["k"],
                  outputs = [tensor<?xf32, #tx.dims<[k]>>]} {
    %c4 = arith.constant 4 : i64
    %bytes = arith.muli %k, %c4 : i64
    %y = txp.alloc %bytes
    txp.return %y
  }
})"));
  Outputs out(1);
  EXPECT_EQ(run(loaded.entry(), {scalar(uint64_t(1) << 62)}, out),
            "main: size arithmetic overflows");
  EXPECT_EQ(run(loaded.entry(), {scalar(uint64_t(-1))}, out),
            "main: allocates -4 bytes");
  EXPECT_NE(
      run(loaded.entry(), {scalar(uint64_t(1) << 60)}, out).find("cannot"),
      std::string::npos);
}
