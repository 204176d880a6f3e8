// Every stride-th element from an offset on; what is read must lie inside.
//
// RUN: %npy %t.npy f32 '[[0, 1, 2, 3, 4], [5, 6, nan, 8, -0.0]]'
// RUN: %run_op --input=%t.npy | FileCheck %s
// RUN: %run_op --entry=dtypes --random-inputs --compare=reference
// RUN: %run_op --entry=dynamic --random-inputs --shape=x:10 --shape=k:3 | FileCheck %s --check-prefix=DYNAMIC
// RUN: %run_op --entry=dynamic --random-inputs --shape=x:1000 --shape=k:998 --compare=reference
// RUN: %run_op --entry=dynamic --random-inputs --shape=x:2 --shape=k:0 --compare=reference
// RUN: not %run_op --entry=dynamic --random-inputs --shape=x:10 --shape=k:9 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not %run_op --entry=dynamic --random-inputs --shape=x:10 --shape=k:10000000000 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: %run_op --entry=symbolic --random-inputs --shape=x:9,7 --compare=reference

func.func @main(%x: tensor<2x5xf32>)
    -> (tensor<1x3xf32>, tensor<2x2xf32>, tensor<2x5xf32>, tensor<2x0xf32>) {
  %0 = tx.slice %x offsets = [1, 2] strides = [1, 1] : tensor<2x5xf32> -> tensor<1x3xf32>
  %1 = tx.slice %x offsets = [0, 1] strides = [1, 3] : tensor<2x5xf32> -> tensor<2x2xf32>
  // Backwards along both dimensions.
  %2 = tx.slice %x offsets = [1, 4] strides = [-1, -1] : tensor<2x5xf32> -> tensor<2x5xf32>
  %3 = tx.slice %x offsets = [0, 5] strides = [1, 1] : tensor<2x5xf32> -> tensor<2x0xf32>
  return %0, %1, %2, %3 : tensor<1x3xf32>, tensor<2x2xf32>, tensor<2x5xf32>, tensor<2x0xf32>
}
// CHECK:      out0: f32[1,3]
// CHECK-NEXT: {{\[\[}}nan, 8, -0]]
// CHECK-NEXT: out1: f32[2,2]
// CHECK-NEXT: {{\[\[}}1, 4],
// CHECK-NEXT:  [6, -0]]
// CHECK-NEXT: out2: f32[2,5]
// CHECK-NEXT: {{\[\[}}-0, 8, nan, 6, 5],
// CHECK-NEXT:  [4, 3, 2, 1, 0]]
// CHECK-NEXT: out3: f32[2,0]
// CHECK-NEXT: []

func.func @dtypes(%a: tensor<37xf64>, %b: tensor<37xbf16>, %c: tensor<37xi32>,
                  %d: tensor<37xi64>, %e: tensor<37xi1>, %f: tensor<1000x3xf32>,
                  %g: tensor<37xi8>, %h: tensor<37xf16>)
    -> (tensor<18xf64>, tensor<36xbf16>, tensor<1xi32>, tensor<37xi64>,
        tensor<13xi1>, tensor<333x1xf32>, tensor<5xi8>, tensor<7xf16>) {
  %0 = tx.slice %a offsets = [1] strides = [2] : tensor<37xf64> -> tensor<18xf64>
  %1 = tx.slice %b offsets = [1] strides = [1] : tensor<37xbf16> -> tensor<36xbf16>
  %2 = tx.slice %c offsets = [36] strides = [1] : tensor<37xi32> -> tensor<1xi32>
  %3 = tx.slice %d offsets = [36] strides = [-1] : tensor<37xi64> -> tensor<37xi64>
  %4 = tx.slice %e offsets = [0] strides = [3] : tensor<37xi1> -> tensor<13xi1>
  %5 = tx.slice %f offsets = [2, 1] strides = [3, 1] : tensor<1000x3xf32> -> tensor<333x1xf32>
  %6 = tx.slice %g offsets = [4] strides = [7] : tensor<37xi8> -> tensor<5xi8>
  %7 = tx.slice %h offsets = [30] strides = [-5] : tensor<37xf16> -> tensor<7xf16>
  return %0, %1, %2, %3, %4, %5, %6, %7
      : tensor<18xf64>, tensor<36xbf16>, tensor<1xi32>, tensor<37xi64>,
        tensor<13xi1>, tensor<333x1xf32>, tensor<5xi8>, tensor<7xf16>
}

// An offset that is an argument does not recompile; it is checked when it runs.
func.func @dynamic(%x: tensor<?xi64, #tx.dims<[n]>> {tx.name = "x"},
                   %k: index {tx.symbol = "k"}) -> (tensor<2xi64>, tensor<2xi64>) {
  %0 = tx.iota dim = 0 : tensor<?xi64, #tx.dims<[n]>>
  %1 = tx.slice %0 offsets = [%k] strides = [1] : tensor<?xi64, #tx.dims<[n]>> -> tensor<2xi64>
  %2 = tx.slice %x offsets = [%k] strides = [1] : tensor<?xi64, #tx.dims<[n]>> -> tensor<2xi64>
  return %1, %2 : tensor<2xi64>, tensor<2xi64>
}
// DYNAMIC:      out0: i64[2]
// DYNAMIC-NEXT: [3, 4]
// OUTSIDE: slice

func.func @symbolic(%x: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "x"})
    -> (tensor<?x?xf32, #tx.dims<[n - 1, m - 2]>>, tensor<?x?xf32, #tx.dims<[n ceildiv 2, m]>>) {
  %0 = tx.slice %x offsets = [1, 1] strides = [1, 1]
      : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?x?xf32, #tx.dims<[n - 1, m - 2]>>
  %1 = tx.slice %x offsets = [0, 0] strides = [2, 1]
      : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?x?xf32, #tx.dims<[n ceildiv 2, m]>>
  return %0, %1
      : tensor<?x?xf32, #tx.dims<[n - 1, m - 2]>>, tensor<?x?xf32, #tx.dims<[n ceildiv 2, m]>>
}
