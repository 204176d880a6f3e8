// Targets without f64 refuse it at the user's line.
// RUN: not %tensorc compile %s --target=opencl:f32 --emit=spirv -o %t.spv 2>&1 | FileCheck %s
// RUN: not %tensorc compile %s --target=vulkan:f32 --emit=spirv -o %t.spv 2>&1 | FileCheck %s
// RUN: %tensorc compile %s --target=opencl --emit=spirv -o %t.spv

// CHECK: spirv-f64.mlir:[[@LINE+2]]:8: error: {{.*}} op is f64, which the target does not have
func.func @main(%x: tensor<8xf64>) -> tensor<8xf64> {
  %0 = tx.mul %x, %x : tensor<8xf64>
  return %0 : tensor<8xf64>
}
