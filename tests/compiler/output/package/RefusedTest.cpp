//===- RefusedTest.cpp - what serialize refuses ---------------------------===//
#include "tests/compiler/output/package/Packages.h"

#include <gtest/gtest.h>

using namespace tensorc::test;

static std::string refusal(const char *body, const char *outputs) {
  std::string errors;
  std::string text = std::string(R"(module attributes {tx.target = "cpu"} {
  llvm.func @step(!llvm.ptr, i64, i64, !llvm.ptr)
  txp.func @main(%x: !txp.buffer) -> !txp.buffer
      attributes {inputs = [tensor<?xf32, #tx.dims<[n]>>], outputs = [)") +
                     outputs + "]} {\n" + body + "\n}}";
  EXPECT_EQ(packageOf(text, &errors), "");
  return errors;
}

TEST(Refused, AnOutputSizeThatNoInputGives) {
  EXPECT_EQ(
      refusal("txp.return %x", "tensor<?xf32, #tx.dims<[m]>>"),
      "no input gives the size 'm' of an output; txp.return needs 'dims'\n");
}

TEST(Refused, AConstantThatIsNotGiven) {
  EXPECT_NE(refusal(R"(%w = txp.constant_buffer "w"
                       txp.return %w)",
                    "tensor<2xf32>")
                .find("refers to a constant that is not given"),
            std::string::npos);
}

TEST(Refused, AKernelLaunchedWithOtherArguments) {
  EXPECT_NE(refusal(R"(%c = arith.constant 1 : i64
                       txp.launch @step extent(%c) grain(%c) ins(%x)
                       txp.launch @step extent(%c) grain(%c) ins(%x, %x)
                       txp.return %x)",
                    "tensor<?xf32, #tx.dims<[n]>>")
                .find("passes 2 arguments to 'step', another launch passes 1"),
            std::string::npos);
}

TEST(Refused, ATypeWithoutADtype) {
  EXPECT_NE(refusal("txp.return %x", "tensor<?xi17, #tx.dims<[n]>>")
                .find("packages cannot describe"),
            std::string::npos);
}

TEST(Refused, AnImageThatLacksTheKernel) {
  std::string package = packageOf(R"(module attributes {tx.target = "cpu"} {
  llvm.func @absent(!llvm.ptr, i64, i64, !llvm.ptr)
  txp.func @main(%x: !txp.buffer) -> !txp.buffer
      attributes {inputs = [tensor<4xf32>], outputs = [tensor<4xf32>]} {
    %c = arith.constant 1 : i64
    txp.launch @absent extent(%c) grain(%c) ins(%x)
    txp.return %x
  }
})");
  tensorc_rt_device *device = nullptr;
  ASSERT_EQ(take(tensorc_rt_device_find("cpu", &device)), "");
  tensorc_rt_module *module = nullptr;
  EXPECT_EQ(
      take(tensorc_rt_load_bytes(device, package.data(), package.size(),
                                 TENSORC_RT_COPY, nullptr, nullptr, &module)),
      "the image has no kernel 'absent'");
  EXPECT_EQ(module, nullptr);
}

TEST(Refused, BlocksOnADeviceThatRunsRanges) {
  Loaded loaded(packageOf(R"(module attributes {tx.target = "cpu"} {
  llvm.func @step(!llvm.ptr, i64, i64, !llvm.ptr)
  txp.func @main(%x: !txp.buffer {tx.donated}) -> !txp.buffer
      attributes {inputs = [tensor<4xi32>], outputs = [tensor<4xi32>]} {
    %c = arith.constant 1 : i64
    txp.launch @step extent(%c) grain(%c) block(64) ins(%x) outs(%x)
    txp.return %x
  }
})"));
  Argument x(loaded.device, TENSORC_RT_I32, {4}, std::vector<int32_t>(4));
  Outputs outputs(1);
  EXPECT_EQ(run(loaded.entry(), {x.arg}, outputs),
            "step is for blocks of 64 threads: cpu:0 runs ranges");
}

/// What the loader says of a launch with this tensor map of its first buffer.
static std::string refusalOfMap(const std::string &map,
                                const std::string &windows) {
  std::string package = packageOf(R"(module attributes {tx.target = "cpu"} {
  llvm.func @step(!llvm.ptr, i64, i64, !llvm.ptr)
  txp.func @main(%x: !txp.buffer) -> !txp.buffer
      attributes {inputs = [tensor<4xi32>], outputs = [tensor<4xi32>]} {
    %c = arith.constant 1 : i64
    txp.launch @step extent(%c) grain(%c) block(64) ins(%x) maps [#txp.tensor_map<)" +
                                  map + ">] windows(" + windows + R"()
    txp.return %x
  }
})");
  tensorc_rt_device *device = nullptr;
  EXPECT_EQ(take(tensorc_rt_device_find("cpu", &device)), "");
  tensorc_rt_module *module = nullptr;
  std::string message =
      take(tensorc_rt_load_bytes(device, package.data(), package.size(),
                                 TENSORC_RT_COPY, nullptr, nullptr, &module));
  tensorc_rt_module_release(module);
  return message;
}

/// Those that the dialect refuses are in tests/ir/program, and the loader's own
/// refusals in VerifyTest.
TEST(Refused, NoTensorMapThatIsPossible) {
  const char *two = "%c, %c, %c";
  for (const char *map :
       {"buffer = 0, element = 2, swizzle = 128, box = [64, 128]",
        "buffer = 0, element = 2, swizzle = 0, box = [1, 256]"})
    EXPECT_EQ(refusalOfMap(map, two), "") << map;
}
