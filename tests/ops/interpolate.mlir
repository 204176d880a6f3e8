// Images of another size.
//
// RUN: %npy %t.x.npy f64 '[[[0.0, 1.0, 4.0]]]'
// RUN: %run_op --input=x=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=repeated --input=x=%t.x.npy | FileCheck %s --check-prefix=REPEATED
// RUN: %run_op --entry=sizes --random-inputs --shape=n:2,4,7,5 --compare=reference
// RUN: %run_op --entry=sizes --random-inputs --shape=n:1,4,16,33 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:2,3,5 --shape=like:7 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:1,3,1 --shape=like:1 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:1,3,4 --shape=like:1 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:1,3,9 --shape=like:9 --compare=reference

func.func @main(%x: tensor<1x1x3xf64> {tx.name = "x"})
    -> (tensor<1x1x5xf64> {tx.name = "nearest"},
        tensor<1x1x6xf64> {tx.name = "linear"},
        tensor<1x1x5xf64> {tx.name = "corners"}) {
  %r_nearest = tx.interpolate %x dims = [2] : (tensor<1x1x3xf64>) -> tensor<1x1x5xf64>
  %r_linear = tx.interpolate %x linear dims = [2] : (tensor<1x1x3xf64>) -> tensor<1x1x6xf64>
  %r_corners = tx.interpolate %x linear align_corners dims = [2] : (tensor<1x1x3xf64>) -> tensor<1x1x5xf64>
  return %r_nearest, %r_linear, %r_corners
      : tensor<1x1x5xf64>, tensor<1x1x6xf64>, tensor<1x1x5xf64>
}
// CHECK: nearest: f64[1,1,5]
// CHECK-NEXT: {{-?(0|[0-9.]+e-1[0-9])}}, {{-?(0|[0-9.]+e-1[0-9])}}, {{1|0\.9999[0-9]*|1\.0000[0-9]*}}, {{1|0\.9999[0-9]*|1\.0000[0-9]*}}, {{4|3\.9999[0-9]*|4\.0000[0-9]*}}
// CHECK: linear: f64[1,1,6]
// CHECK-NEXT: {{-?(0|[0-9.]+e-1[0-9])}}, {{0\.25|0\.249999[0-9]*|0\.250000[0-9]*}}, {{0\.75|0\.749999[0-9]*|0\.750000[0-9]*}}, {{1\.75|1\.749999[0-9]*|1\.750000[0-9]*}}, {{3\.25|3\.249999[0-9]*|3\.250000[0-9]*}}, {{4|3\.9999[0-9]*|4\.0000[0-9]*}}
// CHECK: corners: f64[1,1,5]
// CHECK-NEXT: {{-?(0|[0-9.]+e-1[0-9])}}, {{0\.5|0\.49999[0-9]*|0\.50000[0-9]*}}, {{1|0\.9999[0-9]*|1\.0000[0-9]*}}, {{2\.5|2\.49999[0-9]*|2\.50000[0-9]*}}, {{4|3\.9999[0-9]*|4\.0000[0-9]*}}

func.func @sizes(%n: tensor<?x4x?x?xf32, #tx.dims<[n, 4, h, w]>> {tx.name = "n"}) -> tensor<?x4x9x11xf32, #tx.dims<[n, 4, 9, 11]>> {
  %0 = tx.interpolate %n linear dims = [2, 3] : (tensor<?x4x?x?xf32, #tx.dims<[n, 4, h, w]>>) -> tensor<?x4x9x11xf32, #tx.dims<[n, 4, 9, 11]>>
  return %0 : tensor<?x4x9x11xf32, #tx.dims<[n, 4, 9, 11]>>
}

func.func @named(%x: tensor<?x3x?xf32, #tx.dims<[n, 3, w]>> {tx.name = "x"}, %like: tensor<?xf32, #tx.dims<[to]>> {tx.name = "like"})
    -> (tensor<?x3x?xf32, #tx.dims<[n, 3, to]>>, tensor<?x3x?xf32, #tx.dims<[n, 3, to]>>, tensor<?x3x?xf32, #tx.dims<[n, 3, to]>>) {
  %0 = tx.interpolate %x linear dims = [2] : (tensor<?x3x?xf32, #tx.dims<[n, 3, w]>>) -> tensor<?x3x?xf32, #tx.dims<[n, 3, to]>>
  %1 = tx.interpolate %x linear align_corners dims = [2] : (tensor<?x3x?xf32, #tx.dims<[n, 3, w]>>) -> tensor<?x3x?xf32, #tx.dims<[n, 3, to]>>
  %2 = tx.interpolate %x dims = [2] : (tensor<?x3x?xf32, #tx.dims<[n, 3, w]>>) -> tensor<?x3x?xf32, #tx.dims<[n, 3, to]>>
  return %0, %1, %2 : tensor<?x3x?xf32, #tx.dims<[n, 3, to]>>, tensor<?x3x?xf32, #tx.dims<[n, 3, to]>>, tensor<?x3x?xf32, #tx.dims<[n, 3, to]>>
}

// Each element as often: no index is computed.
func.func @repeated(%x: tensor<1x1x3xf64> {tx.name = "x"}) -> tensor<1x1x12xf64> {
  %0 = tx.interpolate %x dims = [2] : (tensor<1x1x3xf64>) -> tensor<1x1x12xf64>
  return %0 : tensor<1x1x12xf64>
}
// REPEATED: [0, 0, 0, 0, 1, 1, 1, 1, 4, 4, 4, 4]
