// Weights of 8 bits stay narrow, and a product reads them row by row of what it
// sums over: those that lie the other way are stored transposed.
//
// RUN: %onnx %t.onnx net
// RUN: %npy %t.x.npy f32 '[[1, -2, 3]]'
// RUN: %tensorc compile %t.onnx --stop-after=import | FileCheck %s
// RUN: %tensorc run %t.onnx --input=x=%t.x.npy | FileCheck %s --check-prefix=RAN

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
