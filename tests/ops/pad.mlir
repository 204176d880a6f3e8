// Padding at the edges and between elements; negative padding removes.
//
// RUN: %npy %t.x.npy f32 '[1, nan, -0.0]'
// RUN: %npy %t.v.npy f32 '9'
// RUN: %run_op --input=%t.x.npy --input=%t.v.npy | FileCheck %s
// RUN: %run_op --entry=rank2 | FileCheck %s --check-prefix=RANK2
// RUN: %run_op --entry=dtypes --random-inputs --compare=reference
// RUN: %run_op --entry=symbolic --random-inputs --compare=reference
// RUN: %run_op --entry=symbolic --random-inputs --shape=x:67,33 --compare=reference

func.func @main(%x: tensor<3xf32>, %v: tensor<f32>)
    -> (tensor<6xf32>, tensor<5xf32>, tensor<1xf32>, tensor<4xf32>, tensor<2xf32>) {
  %0 = tx.pad %x, %v low = [1] high = [2] interior = [0] : tensor<3xf32> -> tensor<6xf32>
  %1 = tx.pad %x, %v low = [0] high = [0] interior = [1] : tensor<3xf32> -> tensor<5xf32>
  %2 = tx.pad %x, %v low = [-1] high = [-1] interior = [0] : tensor<3xf32> -> tensor<1xf32>
  // Removes one of the elements that interior padding made.
  %3 = tx.pad %x, %v low = [-1] high = [0] interior = [1] : tensor<3xf32> -> tensor<4xf32>
  %e = tx.slice %x offsets = [0] strides = [1] : tensor<3xf32> -> tensor<0xf32>
  %4 = tx.pad %e, %v low = [1] high = [1] interior = [3] : tensor<0xf32> -> tensor<2xf32>
  return %0, %1, %2, %3, %4
      : tensor<6xf32>, tensor<5xf32>, tensor<1xf32>, tensor<4xf32>, tensor<2xf32>
}
// CHECK:      out0: f32[6]
// CHECK-NEXT: [9, 1, nan, -0, 9, 9]
// CHECK-NEXT: out1: f32[5]
// CHECK-NEXT: [1, 9, nan, 9, -0]
// CHECK-NEXT: out2: f32[1]
// CHECK-NEXT: [nan]
// CHECK-NEXT: out3: f32[4]
// CHECK-NEXT: [9, nan, 9, -0]
// CHECK-NEXT: out4: f32[2]
// CHECK-NEXT: [9, 9]

func.func @rank2() -> tensor<3x4xi32> {
  %0 = tx.iota dim = 1 : tensor<2x2xi32>
  %1 = tx.constant dense<7> : tensor<i32>
  %2 = tx.pad %0, %1 low = [0, 2] high = [0, 0] interior = [1, 0] : tensor<2x2xi32> -> tensor<3x4xi32>
  return %2 : tensor<3x4xi32>
}
// RANK2:      {{\[\[}}7, 7, 0, 1],
// RANK2-NEXT:  [7, 7, 7, 7],
// RANK2-NEXT:  [7, 7, 0, 1]]

func.func @dtypes(%a: tensor<37xf64>, %av: tensor<f64>, %b: tensor<37xbf16>, %bv: tensor<bf16>,
                  %c: tensor<5x7xi64>, %cv: tensor<i64>, %d: tensor<3xi1>, %dv: tensor<i1>,
                  %e: tensor<1000xf32>, %ev: tensor<f32>, %f: tensor<3xi8>, %fv: tensor<i8>)
    -> (tensor<40xf64>, tensor<73xbf16>, tensor<7x5xi64>, tensor<5xi1>, tensor<1001xf32>, tensor<4xi8>) {
  %0 = tx.pad %a, %av low = [2] high = [1] interior = [0] : tensor<37xf64> -> tensor<40xf64>
  %1 = tx.pad %b, %bv low = [0] high = [0] interior = [1] : tensor<37xbf16> -> tensor<73xbf16>
  %2 = tx.pad %c, %cv low = [1, -1] high = [1, -1] interior = [0, 0] : tensor<5x7xi64> -> tensor<7x5xi64>
  %3 = tx.pad %d, %dv low = [1] high = [1] interior = [0] : tensor<3xi1> -> tensor<5xi1>
  %4 = tx.pad %e, %ev low = [0] high = [1] interior = [0] : tensor<1000xf32> -> tensor<1001xf32>
  %5 = tx.pad %f, %fv low = [1] high = [0] interior = [0] : tensor<3xi8> -> tensor<4xi8>
  return %0, %1, %2, %3, %4, %5
      : tensor<40xf64>, tensor<73xbf16>, tensor<7x5xi64>, tensor<5xi1>, tensor<1001xf32>, tensor<4xi8>
}

func.func @symbolic(%x: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "x"}, %v: tensor<f32>)
    -> (tensor<?x?xf32, #tx.dims<[n + 3, m * 2 - 1]>>, tensor<?x?xf32, #tx.dims<[n - 1, m]>>) {
  %0 = tx.pad %x, %v low = [1, 0] high = [2, 0] interior = [0, 1]
      : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?x?xf32, #tx.dims<[n + 3, m * 2 - 1]>>
  %1 = tx.pad %x, %v low = [-1, 1] high = [0, -1] interior = [0, 0]
      : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?x?xf32, #tx.dims<[n - 1, m]>>
  return %0, %1
      : tensor<?x?xf32, #tx.dims<[n + 3, m * 2 - 1]>>, tensor<?x?xf32, #tx.dims<[n - 1, m]>>
}
