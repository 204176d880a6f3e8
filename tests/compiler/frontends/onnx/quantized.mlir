// Weights of 8 bits stay narrow, and a product reads them row by row of what it
// sums over: those that lie the other way are stored transposed.
//
// RUN: %onnx %t.onnx net
// RUN: %npy %t.x.npy f32 '[[1, -2, 3]]'
// RUN: %tensorc compile %t.onnx --stop-after=import | FileCheck %s
// RUN: %tensorc run %t.onnx --input=x=%t.x.npy | FileCheck %s --check-prefix=RAN
// RUN: %onnx %t.bits.onnx bits
// RUN: %tensorc compile %t.bits.onnx --stop-after=import | FileCheck %s --check-prefix=BITS
// RUN: %tensorc run %t.bits.onnx --random-inputs --compare=reference | FileCheck %s --check-prefix=SAME
// RUN: %npy %t.ones.npy f32 '[[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]]'
// RUN: %tensorc run %t.bits.onnx --input=x=%t.ones.npy | FileCheck %s --check-prefix=SUMS

// CHECK: tx.dequantize {{.*}} : (tensor<3x24xi8>, tensor<1x24xf32>) -> tensor<3x24xf32>
// CHECK-NOT: tx.transpose {{.*}}x3xf32>
// CHECK: tx.dot_general {{.*}} contracting = [1] x [0] {{.*}} tensor<3x24xf32>
// CHECK: tx.dequantize {{.*}} : (tensor<3x24xi8>, tensor<1x24xf32>) -> tensor<3x24xf32>
// CHECK-NOT: tx.transpose {{.*}}x3xf32>
// CHECK: tx.dot_general {{.*}} contracting = [1] x [0] {{.*}} tensor<3x24xf32>
//      RAN: y: f32[1,24]
// RAN-NEXT: {{\[\[}}-3, 0, 6, -26.25, -2, 1.5
//      RAN: z: f32[1,24]
// RAN-NEXT: {{\[\[}}-3, 0, 6, -26.25, -2, 1.5

// Of 4 bits two rows share bytes.
// BITS: tx.dequantize {{.*}} : (tensor<1x8x2x2xi4>, tensor<1x1x2x1xf32>) -> tensor<1x8x2x2xf32>
// BITS: tx.dequantize {{.*}} : (tensor<16x2xi8>, tensor<1x2xf32>) -> tensor<16x2xf32>
// SAME: compare y: largest error
//      SUMS: y: f32[1,2]
// SUMS-NEXT: {{\[\[}}4, -144]]
//      SUMS: wide: f32[1,2]
// SUMS-NEXT: {{\[\[}}8, -64]]
//      SUMS: zeros: f32[1,2]
// SUMS-NEXT: {{\[\[}}4, -112]]

//--- net
<opset: 17>
net (float[1,3] x) => (float[1,24] y, float[1,24] z)
  <int8[24,3] w = {-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, -5, -4, -3, -2, -1, 0},
   int8[24,3] v = {-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, -5, -4, -3, -2, -1, 0},
   float[24] s = {0.5, 0.75, 1, 1.25, 0.5, 0.75, 1, 1.25, 0.5, 0.75, 1, 1.25, 0.5, 0.75, 1, 1.25, 0.5, 0.75, 1, 1.25, 0.5, 0.75, 1, 1.25}> {
  a = DequantizeLinear <axis = 0> (w, s)
  y = Gemm <transB = 1> (x, a)
  b = DequantizeLinear <axis = 0> (v, s)
  c = Transpose <perm = [1, 0]> (b)
  z = MatMul (x, c)
}
//--- bits
<opset: 17, opset "com.microsoft": 1>
bits (float[1,16] x) => (float[1,2] y, float[1,2] wide, float[1,2] zeros)
  <uint8[2,1,8] w = {152, 152, 152, 152, 152, 152, 152, 152, 7, 7, 7, 7, 7, 7, 7, 7},
   uint8[2,1,16] v = {129, 129, 129, 129, 129, 129, 129, 129, 129, 129, 129, 129, 129, 129, 129, 129, 126, 126, 126, 126, 126, 126, 126, 126, 126, 126, 126, 126, 126, 126, 126, 126},
   float[2] s = {0.5, 2}, uint8[2] z = {8, 7}> {
  y = com.microsoft.MatMulNBits <K = 16, N = 2, bits = 4, block_size = 16> (x, w, s)
  wide = com.microsoft.MatMulNBits <K = 16, N = 2, bits = 8, block_size = 16> (x, v, s)
  zeros = com.microsoft.MatMulNBits <K = 16, N = 2, bits = 4, block_size = 16> (x, w, s, z)
}
