// A size that becomes negative is refused before anything is launched, also where no buffer has it.
//
// RUN: split-file --leading-lines %s %t
// RUN: %exits 1 %tensorc run %t/concatenate.mlir --random-inputs --shape=x:1 --shape=y:5 2>&1 | FileCheck %s
// RUN: %exits 1 %tensorc run %t/concatenate.mlir --random-inputs --shape=x:0 --shape=y:5 2>&1 | FileCheck %s
// RUN: %tensorc run %t/concatenate.mlir --random-inputs --shape=x:2 --shape=y:5 --compare=reference
// RUN: %tensorc compile %t/concatenate.mlir -o %t.tcpkg
// RUN: %exits 1 %tensorc run %t.tcpkg --random-inputs --shape=x:0 --shape=y:5 2>&1 | FileCheck %s
// RUN: %exits 1 %tensorc run %t/pad.mlir --random-inputs --shape=x:1 2>&1 | FileCheck %s
// RUN: %exits 1 %tensorc run %t/mean.mlir --random-inputs --shape=x:1 2>&1 | FileCheck %s
// RUN: %tensorc-opt %t/twice.mlir --tx-fuse-ops --tx-choose-schedules --tx-emit-program | FileCheck %s --check-prefix=TWICE
//
// CHECK: error: {{.*}}slice: the size n - 2 is negative
// One word of the program for each size.
// TWICE: txp.assert {{.*}}the size n - 2 is negative
// TWICE-NOT: is negative

//--- concatenate.mlir
func.func @main(%x: tensor<?xf64, #tx.dims<[n]>> {tx.name = "x"}, %y: tensor<?xf64, #tx.dims<[m]>> {tx.name = "y"})
    -> tensor<?xf64, #tx.dims<[m + n - 2]>> {
  %s = tx.slice %x offsets = [1] strides = [1] : tensor<?xf64, #tx.dims<[n]>> -> tensor<?xf64, #tx.dims<[n - 2]>>
  %r = tx.concatenate %s, %y dim = 0 : (tensor<?xf64, #tx.dims<[n - 2]>>, tensor<?xf64, #tx.dims<[m]>>) -> tensor<?xf64, #tx.dims<[m + n - 2]>>
  return %r : tensor<?xf64, #tx.dims<[m + n - 2]>>
}

//--- pad.mlir
func.func @main(%x: tensor<?xf64, #tx.dims<[n]>> {tx.name = "x"}, %v: tensor<f64>) -> tensor<?xf64, #tx.dims<[n + 4]>> {
  %s = tx.slice %x offsets = [1] strides = [1] : tensor<?xf64, #tx.dims<[n]>> -> tensor<?xf64, #tx.dims<[n - 2]>>
  %r = tx.pad %s, %v low = [3] high = [3] interior = [0] : tensor<?xf64, #tx.dims<[n - 2]>> -> tensor<?xf64, #tx.dims<[n + 4]>>
  return %r : tensor<?xf64, #tx.dims<[n + 4]>>
}

//--- mean.mlir
func.func @main(%x: tensor<?xf64, #tx.dims<[n]>> {tx.name = "x"}) -> tensor<f64> {
  %s = tx.slice %x offsets = [1] strides = [1] : tensor<?xf64, #tx.dims<[n]>> -> tensor<?xf64, #tx.dims<[n - 2]>>
  %r = tx.sum %s dims = [0] : tensor<?xf64, #tx.dims<[n - 2]>> -> tensor<f64>
  return %r : tensor<f64>
}

//--- twice.mlir
module attributes {tx.target = "cpu"} {
func.func @main(%x: tensor<?xf64, #tx.dims<[n]>> {tx.name = "x"}) -> tensor<?xf64, #tx.dims<[n - 2]>> {
  %s = tx.slice %x offsets = [1] strides = [1] : tensor<?xf64, #tx.dims<[n]>> -> tensor<?xf64, #tx.dims<[n - 2]>>
  %e = tx.exp %s : tensor<?xf64, #tx.dims<[n - 2]>>
  %r = tx.neg %e : tensor<?xf64, #tx.dims<[n - 2]>>
  return %r : tensor<?xf64, #tx.dims<[n - 2]>>
}
}
