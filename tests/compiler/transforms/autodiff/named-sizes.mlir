// Numbers of a gradient whose places depend on two sizes: each place of x asks
// which element of the slice is its own.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %tensorc differentiate %s --of=loss --wrt=x -o %t/step.mlir
// RUN: FileCheck %s --check-prefix=PROGRAM <%t/step.mlir
// RUN: %npy %t/x.npy f32 '[1, 2, 3, 4, 5, 6, 7, 8]'
// RUN: %npy %t/y.npy f32 '[10, 20, 30]'
// RUN: %tensorc run %t/step.mlir --input=x=%t/x.npy --input=y=%t/y.npy | FileCheck %s --check-prefix=THREE
// RUN: %tensorc run %t/step.mlir --input=x=%t/x.npy --input=y=%t/y.npy --device=reference | FileCheck %s --check-prefix=THREE
// RUN: %npy %t/one.npy f32 '[5]'
// RUN: %npy %t/none.npy f32 '[]'
// RUN: %tensorc run %t/step.mlir --input=x=%t/x.npy --input=y=%t/one.npy | FileCheck %s --check-prefix=ONE
// RUN: %tensorc run %t/step.mlir --input=x=%t/x.npy --input=y=%t/none.npy | FileCheck %s --check-prefix=NONE
// RUN: %tensorc run %t/step.mlir --random-inputs --shape=x:101 --shape=y:50 --compare=reference

// PROGRAM: tx.floor_div
// PROGRAM: tx.gather

// THREE: grad_x: f32[8]
// THREE: [0, 10, 0, 20, 0, 30, 0, 0]
// ONE:   [0, 5, 0, 0, 0, 0, 0, 0]
// NONE:  [0, 0, 0, 0, 0, 0, 0, 0]

#n = #tx.dims<[n]>
#m = #tx.dims<[m]>
func.func @main(%x: tensor<?xf32, #n> {tx.name = "x"}, %y: tensor<?xf32, #m> {tx.name = "y"}) -> (tensor<f32> {tx.name = "loss"}) {
  %s = tx.slice %x offsets = [1] strides = [2] : tensor<?xf32, #n> -> tensor<?xf32, #m>
  %p = tx.mul %s, %y : tensor<?xf32, #m>
  %l = tx.sum %p dims = [0] : tensor<?xf32, #m> -> tensor<f32>
  return %l : tensor<f32>
}
