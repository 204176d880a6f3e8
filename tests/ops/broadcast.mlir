// Repeats along new dimensions and along dimensions of size 1.
//
// RUN: %npy %t.npy f32 '[1, -0.0, nan]'
// RUN: %run_op --input=%t.npy | FileCheck %s
// RUN: %run_op --entry=dtypes --random-inputs --compare=reference
// RUN: %run_op --entry=symbolic --random-inputs --compare=reference
// RUN: %run_op --entry=symbolic --random-inputs --shape=x:37 --shape=y:1000,1 --compare=reference
// RUN: %run_op --entry=symbolic --random-inputs --shape=x:1 --shape=y:1,1 --compare=reference

func.func @main(%x: tensor<3xf32>)
    -> (tensor<2x3xf32>, tensor<3x2xf32>, tensor<3x3xf32>, tensor<0x3xf32>, tensor<1x3x1xf32>) {
  %0 = tx.broadcast %x dims = [1] : tensor<3xf32> -> tensor<2x3xf32>
  %1 = tx.broadcast %x dims = [0] : tensor<3xf32> -> tensor<3x2xf32>
  %c = tx.reshape %x : tensor<3xf32> -> tensor<3x1xf32>
  %2 = tx.broadcast %c dims = [0, 1] : tensor<3x1xf32> -> tensor<3x3xf32>
  %3 = tx.broadcast %x dims = [1] : tensor<3xf32> -> tensor<0x3xf32>
  %4 = tx.broadcast %x dims = [1] : tensor<3xf32> -> tensor<1x3x1xf32>
  return %0, %1, %2, %3, %4
      : tensor<2x3xf32>, tensor<3x2xf32>, tensor<3x3xf32>, tensor<0x3xf32>, tensor<1x3x1xf32>
}
// CHECK:      out0: f32[2,3]
// CHECK-NEXT: {{\[\[}}1, -0, nan],
// CHECK-NEXT:  [1, -0, nan]]
// CHECK-NEXT: out1: f32[3,2]
// CHECK-NEXT: {{\[\[}}1, 1],
// CHECK-NEXT:  [-0, -0],
// CHECK-NEXT:  [nan, nan]]
// CHECK-NEXT: out2: f32[3,3]
// CHECK-NEXT: {{\[\[}}1, 1, 1],
// CHECK-NEXT:  [-0, -0, -0],
// CHECK-NEXT:  [nan, nan, nan]]
// CHECK-NEXT: out3: f32[0,3]
// CHECK-NEXT: []
// CHECK-NEXT: out4: f32[1,3,1]
// CHECK-NEXT: {{\[\[\[}}1],
// CHECK-NEXT:   [-0],
// CHECK-NEXT:   [nan]]]

func.func @dtypes(%a: tensor<5xf64>, %b: tensor<5xbf16>, %c: tensor<5xi32>,
                  %d: tensor<5xi64>, %e: tensor<5xi1>, %f: tensor<f32>,
                  %g: tensor<5xi8>, %h: tensor<5xf16>)
    -> (tensor<37x5xf64>, tensor<5x37xbf16>, tensor<7x5x3xi32>, tensor<1x5xi64>,
        tensor<37x5xi1>, tensor<1000xf32>, tensor<3x5xi8>, tensor<3x5xf16>) {
  %0 = tx.broadcast %a dims = [1] : tensor<5xf64> -> tensor<37x5xf64>
  %1 = tx.broadcast %b dims = [0] : tensor<5xbf16> -> tensor<5x37xbf16>
  %2 = tx.broadcast %c dims = [1] : tensor<5xi32> -> tensor<7x5x3xi32>
  %3 = tx.broadcast %d dims = [1] : tensor<5xi64> -> tensor<1x5xi64>
  %4 = tx.broadcast %e dims = [1] : tensor<5xi1> -> tensor<37x5xi1>
  %5 = tx.broadcast %f dims = [] : tensor<f32> -> tensor<1000xf32>
  %6 = tx.broadcast %g dims = [1] : tensor<5xi8> -> tensor<3x5xi8>
  %7 = tx.broadcast %h dims = [1] : tensor<5xf16> -> tensor<3x5xf16>
  return %0, %1, %2, %3, %4, %5, %6, %7
      : tensor<37x5xf64>, tensor<5x37xbf16>, tensor<7x5x3xi32>, tensor<1x5xi64>,
        tensor<37x5xi1>, tensor<1000xf32>, tensor<3x5xi8>, tensor<3x5xf16>
}

func.func @symbolic(%x: tensor<?xf32, #tx.dims<[m]>> {tx.name = "x"},
                    %y: tensor<?x1xf32, #tx.dims<[n, 1]>> {tx.name = "y"})
    -> (tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x?xf32, #tx.dims<[n, m]>>,
        tensor<?x3xf32, #tx.dims<[m, 3]>>) {
  %0 = tx.broadcast %x dims = [1] : tensor<?xf32, #tx.dims<[m]>> -> tensor<?x?xf32, #tx.dims<[n, m]>>
  %1 = tx.broadcast %y dims = [0, 1] : tensor<?x1xf32, #tx.dims<[n, 1]>> -> tensor<?x?xf32, #tx.dims<[n, m]>>
  %2 = tx.broadcast %x dims = [0] : tensor<?xf32, #tx.dims<[m]>> -> tensor<?x3xf32, #tx.dims<[m, 3]>>
  return %0, %1, %2
      : tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x?xf32, #tx.dims<[n, m]>>,
        tensor<?x3xf32, #tx.dims<[m, 3]>>
}
