// Small matrices: each barrier is needed, of real and of complex ones.
//
// RUN: %bin/tensorc-sim-mutate %s | FileCheck %s --implicit-check-not=SURVIVES
// RUN: %bin/tensorc-sim-mutate %s --device=sim:gfx942 | FileCheck %s --implicit-check-not=SURVIVES
// CHECK-DAG: qr barrier {{[0-9]+}}: a race
// CHECK-DAG: lu barrier {{[0-9]+}}: a race
// CHECK-DAG: determinant barrier {{[0-9]+}}: a race

func.func @main(%x: tensor<20x5x5xf32>, %y: tensor<20x5x3xcomplex<f32>>, %z: tensor<20x5x5xcomplex<f32>>)
    -> (tensor<20x5x6xf32>, tensor<20x5x6xcomplex<f32>>, tensor<20x2xcomplex<f32>>, tensor<20x5x3xcomplex<f32>>) {
  %0 = tx.lu %x : (tensor<20x5x5xf32>) -> tensor<20x5x6xf32>
  %1 = tx.qr %y : (tensor<20x5x3xcomplex<f32>>) -> tensor<20x5x6xcomplex<f32>>
  %2 = tx.determinant %z logarithm : (tensor<20x5x5xcomplex<f32>>) -> tensor<20x2xcomplex<f32>>
  %3 = tx.solve %z, %y : (tensor<20x5x5xcomplex<f32>>, tensor<20x5x3xcomplex<f32>>) -> tensor<20x5x3xcomplex<f32>>
  return %0, %1, %2, %3 : tensor<20x5x6xf32>, tensor<20x5x6xcomplex<f32>>, tensor<20x2xcomplex<f32>>, tensor<20x5x3xcomplex<f32>>
}
