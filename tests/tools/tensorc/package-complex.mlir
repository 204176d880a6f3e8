// Complex arguments of a package: drawn, read from a file and written to one.

// RUN: %tensorc compile %s -o %t.tcpkg
// RUN: %tensorc run %t.tcpkg --random-inputs=3 | FileCheck %s
// RUN: %tensorc run %s --random-inputs=3 | FileCheck %s
// RUN: %tensorc run %t.tcpkg --random-inputs=3 --output-dir=%t.dir
// RUN: %tensorc run %t.tcpkg --random-inputs=3 --input=x=%t.dir/z.npy | FileCheck %s --check-prefix=FILE
// RUN: %tensorc bench %t.tcpkg --iterations=1
// CHECK: z: c64[2,5]
// CHECK: w: c128[2]
// FILE: z: c64[2,5]
func.func @main(%x: tensor<2x?xcomplex<f32>, #tx.dims<[2, n]>> {tx.name = "x"}, %y: tensor<2xcomplex<f64>>)
    -> (tensor<2x?xcomplex<f32>, #tx.dims<[2, n]>> {tx.name = "z"}, tensor<2xcomplex<f64>> {tx.name = "w"}) {
  %z = tx.mul %x, %x : tensor<2x?xcomplex<f32>, #tx.dims<[2, n]>>
  %w = tx.exp %y : tensor<2xcomplex<f64>>
  return %z, %w : tensor<2x?xcomplex<f32>, #tx.dims<[2, n]>>, tensor<2xcomplex<f64>>
}
