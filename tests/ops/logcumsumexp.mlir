// Logarithms of sums of exponentials so far. Numbers of NumPy's logaddexp.accumulate.
//
// RUN: %npy %t.x.npy f64 '[[0, 1, 2, 3], [1000, 1000, -1000, 0], [-inf, -inf, 0, -inf], [-5, inf, 1, -inf], [1, nan, 0, inf]]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=floats --input=%t.x.npy | FileCheck %s --check-prefix=FLOAT
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:13,40 --compare=reference
// RUN: %run_op --entry=named --random-inputs=1 --shape=x:129,67 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:1,0 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:0,3 --compare=reference
// RUN: %run_op --entry=fused --random-inputs --compare=reference

func.func @main(%x: tensor<5x4xf64>) -> (tensor<5x4xf64>, tensor<5x4xf64>, tensor<5x4xf64>, tensor<5x4xf64>, tensor<5x4xf64>) {
  %0 = tx.logcumsumexp %x dim = 1 : tensor<5x4xf64>
  %1 = tx.logcumsumexp %x dim = 1 reverse : tensor<5x4xf64>
  %2 = tx.logcumsumexp %x dim = 1 exclusive : tensor<5x4xf64>
  %3 = tx.logcumsumexp %x dim = 1 reverse exclusive : tensor<5x4xf64>
  %4 = tx.logcumsumexp %x dim = 0 : tensor<5x4xf64>
  return %0, %1, %2, %3, %4 : tensor<5x4xf64>, tensor<5x4xf64>, tensor<5x4xf64>, tensor<5x4xf64>, tensor<5x4xf64>
}
// CHECK:      out0: f64[5,4]
// CHECK-NEXT: {{\[\[}}0, 1.31326{{[0-9]*}}, 2.40760{{[0-9]*}}, 3.44018{{[0-9]*}}],
// CHECK-NEXT:  [1000, 1000.69{{[0-9]*}}, 1000.69{{[0-9]*}}, 1000.69{{[0-9]*}}],
// CHECK-NEXT:  [-inf, -inf, 0, 0],
// CHECK-NEXT:  [-5, inf, inf, inf],
// CHECK-NEXT:  [1, nan, nan, nan]]
// CHECK-NEXT: out1: f64[5,4]
// CHECK-NEXT: {{\[\[}}3.44018{{[0-9]*}}, 3.40760{{[0-9]*}}, 3.31326{{[0-9]*}}, 3],
// CHECK-NEXT:  [1000.69{{[0-9]*}}, 1000, 0, 0],
// CHECK-NEXT:  [0, 0, 0, -inf],
// CHECK-NEXT:  [inf, inf, 1, -inf],
// CHECK-NEXT:  [nan, nan, inf, inf]]
// CHECK-NEXT: out2: f64[5,4]
// CHECK-NEXT: {{\[\[}}-inf, 0, 1.31326{{[0-9]*}}, 2.40760{{[0-9]*}}],
// CHECK-NEXT:  [-inf, 1000, 1000.69{{[0-9]*}}, 1000.69{{[0-9]*}}],
// CHECK-NEXT:  [-inf, -inf, -inf, 0],
// CHECK-NEXT:  [-inf, -5, inf, inf],
// CHECK-NEXT:  [-inf, 1, nan, nan]]
// CHECK-NEXT: out3: f64[5,4]
// CHECK-NEXT: {{\[\[}}3.40760{{[0-9]*}}, 3.31326{{[0-9]*}}, 3, -inf],
// CHECK-NEXT:  [1000, 0, 0, -inf],
// CHECK-NEXT:  [0, 0, -inf, -inf],
// CHECK-NEXT:  [inf, 1, -inf, -inf],
// CHECK-NEXT:  [nan, inf, inf, -inf]]
// CHECK-NEXT: out4: f64[5,4]
// CHECK-NEXT: {{\[\[}}0, 1, 2, 3],
// CHECK-NEXT:  [1000, 1000, 2, 3.04858{{[0-9]*}}],
// CHECK-NEXT:  [1000, 1000, 2.12692{{[0-9]*}}, 3.04858{{[0-9]*}}],
// CHECK-NEXT:  [1000, inf, 2.40760{{[0-9]*}}, 3.04858{{[0-9]*}}],
// CHECK-NEXT:  [1000, nan, 2.49381{{[0-9]*}}, inf]]

func.func @floats(%x: tensor<5x4xf64>) -> (tensor<5x4xf32>, tensor<5x4xf16>, tensor<5x4xbf16>) {
  %a = tx.convert %x : tensor<5x4xf64> -> tensor<5x4xf32>
  %0 = tx.logcumsumexp %a dim = 1 : tensor<5x4xf32>
  %b = tx.convert %x : tensor<5x4xf64> -> tensor<5x4xf16>
  %1 = tx.logcumsumexp %b dim = 1 : tensor<5x4xf16>
  %c = tx.convert %x : tensor<5x4xf64> -> tensor<5x4xbf16>
  %2 = tx.logcumsumexp %c dim = 1 : tensor<5x4xbf16>
  return %0, %1, %2 : tensor<5x4xf32>, tensor<5x4xf16>, tensor<5x4xbf16>
}
// FLOAT:      out0: f32[5,4]
// FLOAT-NEXT: {{\[\[}}0, 1.31326{{[0-9]*}}, 2.40760{{[0-9]*}}, 3.44018{{[0-9]*}}],
// FLOAT-NEXT:  [1000, 1000.69{{[0-9]*}}, 1000.69{{[0-9]*}}, 1000.69{{[0-9]*}}],
// FLOAT-NEXT:  [-inf, -inf, 0, 0],
// FLOAT-NEXT:  [-5, inf, inf, inf],
// FLOAT-NEXT:  [1, nan, nan, nan]]
// FLOAT-NEXT: out1: f16[5,4]
// FLOAT-NEXT: {{\[\[}}0, 1.3{{[0-9]*}}, 2.4{{[0-9]*}}, 3.4{{[0-9]*}}],
// FLOAT-NEXT:  [1000, 1000.5{{[0-9]*}}, 1000.5{{[0-9]*}}, 1000.5{{[0-9]*}}],
// FLOAT-NEXT:  [-inf, -inf, 0, 0],
// FLOAT-NEXT:  [-5, inf, inf, inf],
// FLOAT-NEXT:  [1, nan, nan, nan]]
// FLOAT-NEXT: out2: bf16[5,4]
// FLOAT-NEXT: {{\[\[}}0, 1.3{{[0-9]*}}, 2.4{{[0-9]*}}, 3.4{{[0-9]*}}],
// FLOAT-NEXT:  [1000, 1000, 1000, 1000],
// FLOAT-NEXT:  [-inf, -inf, 0, 0],
// FLOAT-NEXT:  [-5, inf, inf, inf],
// FLOAT-NEXT:  [1, nan, nan, nan]]

func.func @sizes(%a: tensor<1000xf32>, %b: tensor<37x41xf32>, %c: tensor<3x5x67xbf16>, %d: tensor<1x1xf64>, %e: tensor<0x5xf32>, %h: tensor<5x9xf16>, %k: tensor<2x9001xf32>, %u: tensor<1x0x2xf64>)
    -> (tensor<1000xf32>, tensor<37x41xf32>, tensor<37x41xf32>, tensor<3x5x67xbf16>, tensor<1x1xf64>, tensor<0x5xf32>, tensor<5x9xf16>, tensor<2x9001xf32>, tensor<1x0x2xf64>) {
  %0 = tx.logcumsumexp %a dim = 0 : tensor<1000xf32>
  %1 = tx.logcumsumexp %b dim = 0 : tensor<37x41xf32>
  %2 = tx.logcumsumexp %b dim = 1 reverse : tensor<37x41xf32>
  %3 = tx.logcumsumexp %c dim = 1 exclusive : tensor<3x5x67xbf16>
  %4 = tx.logcumsumexp %d dim = 0 : tensor<1x1xf64>
  %5 = tx.logcumsumexp %e dim = 0 : tensor<0x5xf32>
  %6 = tx.logcumsumexp %h dim = 1 : tensor<5x9xf16>
  %7 = tx.logcumsumexp %k dim = 1 : tensor<2x9001xf32>
  %8 = tx.logcumsumexp %u dim = 1 : tensor<1x0x2xf64>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8
      : tensor<1000xf32>, tensor<37x41xf32>, tensor<37x41xf32>, tensor<3x5x67xbf16>, tensor<1x1xf64>, tensor<0x5xf32>, tensor<5x9xf16>, tensor<2x9001xf32>, tensor<1x0x2xf64>
}

func.func @named(%x: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "x"})
    -> (tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x?xf32, #tx.dims<[n, m]>>) {
  %0 = tx.logcumsumexp %x dim = 0 : tensor<?x?xf32, #tx.dims<[n, m]>>
  %1 = tx.logcumsumexp %x dim = 1 reverse exclusive : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %0, %1 : tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x?xf32, #tx.dims<[n, m]>>
}

func.func @fused(%x: tensor<33x65xf32>, %y: tensor<33x65xf32>) -> tensor<33x65xf32> {
  %d = tx.sub %x, %y : tensor<33x65xf32>
  %0 = tx.logcumsumexp %d dim = 1 : tensor<33x65xf32>
  %1 = tx.sub %0, %d : tensor<33x65xf32>
  return %1 : tensor<33x65xf32>
}
