// Powers that a model says are products, as where a number is the exponent.
//
// RUN: %onnx %t.onnx powers
// RUN: %tensorc compile %t.onnx --stop-after=import | FileCheck %s
// RUN: %tensorc run %t.onnx --random-inputs --compare=reference

// CHECK:      func.func @main(%[[X:[^:]*]]: tensor<2x5xf32>
// CHECK-NEXT: tx.mul %[[X]], %[[X]]
// CHECK:      %[[S:.*]] = tx.mul %[[X]], %[[X]]
// CHECK-NEXT: tx.mul %[[S]], %[[X]] : tensor<2x5xf32>
// CHECK-NEXT: %[[T:.*]] = tx.mul %[[X]], %[[X]]
// CHECK-NEXT: tx.mul %[[T]], %[[T]] : tensor<2x5xf32>
// Of 16 bits, one of several exponents, one that makes more dims, and others are not.
// CHECK:      tx.pow {{.*}} : tensor<2x5xf16>
// CHECK:      tx.pow {{.*}} : tensor<2x5xf32>
// CHECK:      tx.pow {{.*}} : tensor<1x2x5xf32>
// CHECK:      tx.pow {{.*}} : tensor<2x5xf32>

//--- powers
<opset: 17>
powers (float[2,5] x, float16[2,5] h) => (float[2,5] square, float[2,5] cube, float[2,5] fourth, float16[2,5] half, float[2,5] several, float[1,2,5] deeper, float[2,5] fifth)
    <float two = {2}, float[1] three = {3}, int64 four = {4}, float[5] few = {3, 2, 3, 2, 3}, float[1,1,1] deep = {3}, float five = {5}> {
  square = Pow(x, two)
  cube = Pow(x, three)
  fourth = Pow(x, four)
  half = Pow(h, three)
  several = Pow(x, few)
  deeper = Pow(x, deep)
  fifth = Pow(x, five)
}
