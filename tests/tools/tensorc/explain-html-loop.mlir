// A loop of several kernels is a function that calls them. Its assembly names the loop's line, too.
//
// RUN: tensorc explain %s --html=%t.html --target=cpu:x86-64-v3 2>&1 | count 0
// RUN: %python %S/Inputs/report_data.py %t.html | FileCheck %s
//
// CHECK: "name": "cumsum"
// CHECK: "name": "asm"
// CHECK: "name": "sort_add"
// CHECK: "name": "asm"
// CHECK: "texts"
// CHECK: explain-html-loop.mlir:[[@LINE+9]]\n

#all = #tx.dims<[n, m]>
#row = #tx.dims<[m]>

func.func @main(%c: tensor<?xf32, #row> {tx.name = "c"}, %x: tensor<?x?xf32, #all> {tx.name = "x"})
    -> (tensor<?xf32, #row> {tx.name = "y"}) {
  %0 = tx.scan <[n]> carried = 1 scanned = 1 (%c, %x) : (tensor<?xf32, #row>, tensor<?x?xf32, #all>) -> tensor<?xf32, #row> {
  ^bb0(%i: tensor<i64>, %a: tensor<?xf32, #row>, %b: tensor<?xf32, #row>):
    %s = tx.cumsum %a dim = 0 : tensor<?xf32, #row>
    %t = tx.sort %s dim = 0 : tensor<?xf32, #row>
    %u = tx.add %t, %b : tensor<?xf32, #row>
    tx.return %u : tensor<?xf32, #row>
  }
  return %0 : tensor<?xf32, #row>
}
