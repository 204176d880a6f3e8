// Texts that are not ops of the dialect are refused at their place.
//
// RUN: split-file %s %t
// RUN: not %tensorc run %t/window.mlir --random-inputs 2>&1 | FileCheck %s --check-prefix=WINDOW
// RUN: not %tensorc run %t/types.mlir --random-inputs 2>&1 | FileCheck %s --check-prefix=TYPES
// RUN: not %tensorc run %t/list.mlir --random-inputs 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: not %tensorc run %t/format.mlir --random-inputs 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: not %tensorc run %t/while.mlir --random-inputs 2>&1 | FileCheck %s --check-prefix=WHILE

// WINDOW: window.mlir:2:{{.*}} error: {{.*}}expected valid keyword
// TYPES: types.mlir:2:{{.*}} error: {{.*}}has 2 operands and 3 types
// LIST: list.mlir:2:{{.*}} error: {{.*}}expected a number or a list behind 'dims ='
// FORMAT: format.mlir:2:{{.*}} error: {{.*}}'m7' is not a format
// WHILE: while.mlir:2:{{.*}} error: {{.*}}has 1 operands and 2 types

//--- window.mlir
func.func @main(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32> {
  %0 = stablehlo.convolution(%x, %x) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {[1]} : (tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>) -> tensor<1x1x1x1xf32>
  return %x : tensor<1x1x4x4xf32>
}
//--- types.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %x : tensor<4xf32>
}
//--- list.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.reverse %x, dims = <4> : tensor<4xf32>
  return %x : tensor<4xf32>
}
//--- format.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.reduce_precision %x, format = m7 : tensor<4xf32>
  return %x : tensor<4xf32>
}
//--- while.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.while(%a = %x) : tensor<4xf32>, tensor<4xf32> cond { stablehlo.return %a : tensor<4xf32> } do { stablehlo.return %a : tensor<4xf32> }
  return %x : tensor<4xf32>
}
