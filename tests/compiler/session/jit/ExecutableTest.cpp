//===- ExecutableTest.cpp - Runs of compiled code -------------------------===//

#include "compiler/session/jit/Executable.h"

#include "compiler/output/pipelines/Register.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace tensorc;

// The pointer of an empty list may point to anything.
TEST(Executable, EmptyListsOfMemoryAreNotRead) {
  mlir::DialectRegistry registry;
  compiler::registerAllTensorcDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(R"(
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %y = tx.add %x, %x : tensor<2xf32>
      return %y : tensor<2xf32>
    })",
                                                        &context);
  ASSERT_TRUE(module);
  tensorc_rt_device *device = nullptr;
  jit::Status status{tensorc_rt_device_find("cpu", &device)};
  ASSERT_FALSE(status);
  auto compilation = jit::compileFor("cpu", *module, nullptr, status, {});
  ASSERT_TRUE(compilation) << tensorc_rt_status_message(status.get());
  auto executable =
      jit::loadPackage(device, compilation->package, nullptr, nullptr, status);
  ASSERT_TRUE(executable) << tensorc_rt_status_message(status.get());

  const int64_t dims[] = {2};
  const float in[] = {1, 2};
  float out[2];
  tensorc_rt_arg x{nullptr, 0, dims, 1, TENSORC_RT_F32};
  ASSERT_FALSE(tensorc_rt_buffer_allocate(device, sizeof in, &x.buffer));
  ASSERT_FALSE(tensorc_rt_buffer_write(x.buffer, 0, in, sizeof in, nullptr));
  const uint8_t donated[] = {TENSORC_RT_DONATED};
  tensorc_rt_buffer *given[] = {x.buffer};
  const tensorc_rt_line lines[] = {{"a.cpp", 1}};
  jit::RunMemory memory;
  memory.donated = {donated, size_t(0)};
  memory.outputs = {given, size_t(0)};
  memory.lines = lines;
  tensorc_rt_output y;
  status = executable->run(x, y, memory);
  ASSERT_FALSE(status) << tensorc_rt_status_message(status.get());
  EXPECT_NE(y.buffer, x.buffer);
  ASSERT_FALSE(tensorc_rt_buffer_read(y.buffer, 0, out, sizeof out, nullptr));
  EXPECT_EQ(out[1], 4);
  ASSERT_FALSE(tensorc_rt_buffer_read(x.buffer, 0, out, sizeof out, nullptr));
  EXPECT_EQ(out[1], 2);
  tensorc_rt_buffer_release(y.buffer);
  tensorc_rt_buffer_release(x.buffer);
}
