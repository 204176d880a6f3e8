// --layout: callers have an image's channels last, the program has them second.
// Dims keep their names, --shape is in the program's order.
//
// RUN: %tensorc compile %s --layout=x:NHWC --layout=y:NHWC --stop-after=import | FileCheck %s
// CHECK: func.func @main(%[[X:.*]]: tensor<?x2x3x2xf32, #tx.dims<[n, 2, 3, 2]>> {tx.name = "x"}) -> (tensor<?x2x3x1xf32, #tx.dims<[n, 2, 3, 1]>> {tx.name = "y"})
// CHECK: tx.transpose %[[X]] permutation = [0, 3, 1, 2]
// CHECK: tx.transpose {{.*}} permutation = [0, 2, 3, 1]

// RUN: %npy %t.x.npy f32 '[[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]]'
// RUN: %tensorc compile %s --layout=x:NHWC -o %t.tcpkg && %tensorc run %t.tcpkg --input=x=%t.x.npy | FileCheck %s --check-prefix=IN
// IN: y: f32[1,1,2,3]
// IN-NEXT: {{\[\[\[\[21, 43, 65\],}}
// IN-NEXT: {{\[87, 109, 131\]\]\]\]}}
// RUN: %tensorc compile %s --shape=x:1,2,2,3 --layout=x:NHWC --layout=y:NHWC --emit=header -o - | FileCheck %s --check-prefix=HEADER
// HEADER: const float *x; /* f32[1, 2, 3, 2] */

// The other way: a program with channels last for callers with channels second.
// RUN: %tensorc compile %s --layout=x:NCHW --stop-after=import | FileCheck %s --check-prefix=SECOND
// SECOND: func.func @main(%[[X:.*]]: tensor<?x3x2x2xf32, #tx.dims<[n, 3, 2, 2]>>
// SECOND: tx.transpose %[[X]] permutation = [0, 2, 3, 1]

// RUN: %exits 2 %tensorc compile %s --layout=x:HWC 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: 'x:HWC' is not of the form --layout=x:NHWC: an order is NHWC, NCHW, NWC, NCW, NDHWC or NCDHW
// RUN: %exits 1 %tensorc compile %s --layout=x:NWC 2>&1 | FileCheck %s --check-prefix=RANK
// RANK: layout.mlir:[[#]]:1: error: --layout: x is 'tensor<?x2x2x3xf32, #tx.dims<[n, 2, 2, 3]>>', and NWC has 3 dims
// RUN: %exits 1 %tensorc compile %s --layout=z:NHWC 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: --layout: no function has an argument or result 'z'

func.func @main(%x: tensor<?x2x2x3xf32, #tx.dims<[n, 2, 2, 3]>> {tx.name = "x"})
    -> (tensor<?x1x2x3xf32, #tx.dims<[n, 1, 2, 3]>> {tx.name = "y"}) {
  %w = tx.constant dense<[[[[1.0]], [[10.0]]]]> : tensor<1x2x1x1xf32>
  %y = tx.conv %x, %w groups = 1 sizes = [1, 1] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] input_dilations = [1, 1] : (tensor<?x2x2x3xf32, #tx.dims<[n, 2, 2, 3]>>, tensor<1x2x1x1xf32>) -> tensor<?x1x2x3xf32, #tx.dims<[n, 1, 2, 3]>>
  return %y : tensor<?x1x2x3xf32, #tx.dims<[n, 1, 2, 3]>>
}
