// What would have to be said when a package was compiled is bad usage afterwards.
//
// RUN: rm -rf %t && mkdir %t && %tensorc compile %s -o %t/c.tcpkg
// RUN: %exits 2 %tensorc run %t/c.tcpkg --random-inputs --fast-math 2>&1 | FileCheck %s --check-prefix=FAST
// RUN: %exits 2 %tensorc bench %t/c.tcpkg --iterations=1 --fast-math 2>&1 | FileCheck %s --check-prefix=FAST
// RUN: %exits 2 %tensorc run %t/c.tcpkg --random-inputs --dump=%t/d 2>&1 | FileCheck %s --check-prefix=DUMP
// RUN: %exits 2 %tensorc run %t/c.tcpkg --random-inputs --compare=reference 2>&1 | FileCheck %s --check-prefix=COMPARE
// RUN: %exits 2 %tensorc explain %t/c.tcpkg --target=cpu 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: %exits 2 %tensorc explain %t/c.tcpkg --shape=x:4 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: %exits 1 %tensorc compile %t/c.tcpkg 2>&1 | FileCheck %s --check-prefix=COMPILE
// FAST: tensorc: error: --fast-math does not apply to the package {{.*}}c.tcpkg, which is compiled already
// DUMP: tensorc: error: --dump does not apply to the package
// COMPARE-NOT: f32[
// COMPARE: tensorc: error: --compare does not apply to the package {{.*}} and holds nothing to interpret
// TARGET: tensorc: error: --target does not apply to the package
// SHAPE: tensorc: error: --shape does not apply to the package
// COMPILE: tensorc: error: {{.*}}c.tcpkg: a package is compiled already

// RUN: %exits 2 %tensorc run %s --random-inputs=abc 2>&1 | FileCheck %s --check-prefix=SEED
// RUN: %exits 2 %tensorc bench %s --random-inputs=-1 2>&1 | FileCheck %s --check-prefix=SEED
// SEED: tensorc: error: --random-inputs: '{{abc|-1}}' is not a seed

// The memory that a package takes is in its programs; an entry chooses one.
// RUN: %tensorc explain %t/c.tcpkg --memory | FileCheck %s --check-prefix=MEMORY
// RUN: %tensorc explain %t/c.tcpkg --entry=second | FileCheck %s --check-prefix=ONE
// RUN: %exits 1 %tensorc explain %t/c.tcpkg --entry=third 2>&1 | FileCheck %s --check-prefix=NONE
// MEMORY: allocates  n * 4 bytes
// ONE-NOT: main
// ONE: entry        second(
// ONE-NOT: main
// ONE: program    second:
// ONE-NOT: program
// NONE: no entry 'third'; there are: main, second

func.func @main(%x: tensor<?xf32, #tx.dims<[n]>> {tx.name = "x"}) -> tensor<?xf32, #tx.dims<[n]>> {
  %0 = tx.exp %x : tensor<?xf32, #tx.dims<[n]>>
  return %0 : tensor<?xf32, #tx.dims<[n]>>
}
func.func @second(%x: tensor<?xf32, #tx.dims<[n]>> {tx.name = "x"}) -> tensor<?xf32, #tx.dims<[n]>> {
  %0 = tx.log %x : tensor<?xf32, #tx.dims<[n]>>
  return %0 : tensor<?xf32, #tx.dims<[n]>>
}
