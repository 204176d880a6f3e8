// Normal numbers: the quantiles of the bits' probabilities, as the standard library of Python computes them.
//
// RUN: %npy %t.bits.npy ui32 '[0, 2147483648, 536870912, 1610612736, 2415919104, 123456789]'
// RUN: %run_op --input=bits=%t.bits.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --shape=n:3,5 --compare=reference
// RUN: %run_op --entry=sizes --random-inputs --shape=n:33,257 --compare=reference

func.func @main(%bits: tensor<6xui32> {tx.name = "bits"}) -> (tensor<6xf32> {tx.name = "f32"}) {
  %0 = tx.randn %bits : (tensor<6xui32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
// CHECK: f32: f32[6]
// CHECK-NEXT: [6.3379{{[0-9]*}}, -6.3379{{[0-9]*}}, 1.1503{{[0-9]*}}, 0.3186{{[0-9]*}}, -1.5341{{[0-9]*}}, 1.8995{{[0-9]*}}]

func.func @sizes(%n: tensor<?x?xui32, #tx.dims<[n, m]>> {tx.name = "n"}, %d: tensor<37xui64>) -> (tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<37xf64>) {
  %0 = tx.randn %n : (tensor<?x?xui32, #tx.dims<[n, m]>>) -> tensor<?x?xf32, #tx.dims<[n, m]>>
  %1 = tx.randn %d : (tensor<37xui64>) -> tensor<37xf64>
  return %0, %1 : tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<37xf64>
}
