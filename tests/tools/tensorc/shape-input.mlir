// --shape of run and bench: what compile refuses is refused, nothing is changed
// silently; names say that sizes are equal.
//
// RUN: %exits 1 %tensorc run %s --random-inputs --shape=x:2,3 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: %exits 1 %tensorc bench %s --iterations=1 --shape=x:2,3 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: %exits 1 %tensorc explain %s --shape=x:2,3 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: %exits 1 %tensorc run %s --random-inputs --shape=x:3,3 --shape=y:8 2>&1 | FileCheck %s --check-prefix=DERIVED
// BOTH-NOT: f32[
// BOTH: --shape of x does not fit its type 'tensor<?x?xf32, #tx.dims<[n, n]>>': dimension n is both 2 and 3
// DERIVED: --shape of y does not fit its type {{.*}}: dimension n is both 3 and 4

// A package knows no less.
// RUN: %tensorc compile %s -o %t.tcpkg
// RUN: %exits 1 %tensorc run %t.tcpkg --random-inputs --shape=x:2,3 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: %exits 1 %tensorc bench %t.tcpkg --iterations=1 --shape=x:2,3 2>&1 | FileCheck %s --check-prefix=BOTH

// RUN: %tensorc run %s --random-inputs --shape=y:14 | FileCheck %s --check-prefix=SOLVED
// RUN: %tensorc run %t.tcpkg --random-inputs --shape=y:14 | FileCheck %s --check-prefix=SOLVED
// SOLVED: out0: f32[7,7]

// A name says that sizes are equal.
// RUN: %tensorc run %s --entry=pair --random-inputs --shape=x:m,m | FileCheck %s --check-prefix=EQUAL
// EQUAL: out0: f32[5,5]

// An input that is given has the size that --shape says.
// RUN: %npy %t.x.npy f32 '[[1, 2, 3], [4, 5, 6]]'
// RUN: %exits 1 %tensorc run %s --entry=pair --input=x=%t.x.npy --shape=x:4,3 2>&1 | FileCheck %s --check-prefix=GIVEN
// RUN: %exits 1 %tensorc run %s --entry=pair --input=x=%t.x.npy --shape=x:m,m 2>&1 | FileCheck %s --check-prefix=NAMED
// RUN: %tensorc run %s --entry=pair --input=x=%t.x.npy --shape=x:2,3 | FileCheck %s --check-prefix=FITS
// GIVEN: error: dimension 0 of x is 2, not 4
// NAMED: error: dimension m is 2 (dimension 0 of x) and 3 (dimension 1 of x)
// FITS: out0: f32[2,3]

func.func @main(%x: tensor<?x?xf32, #tx.dims<[n, n]>> {tx.name = "x"},
                %y: tensor<?xf32, #tx.dims<[n * 2]>> {tx.name = "y"})
    -> tensor<?x?xf32, #tx.dims<[n, n]>> {
  %0 = tx.exp %x : tensor<?x?xf32, #tx.dims<[n, n]>>
  return %0 : tensor<?x?xf32, #tx.dims<[n, n]>>
}

func.func @pair(%x: tensor<?x?xf32, #tx.dims<[n, k]>> {tx.name = "x"})
    -> tensor<?x?xf32, #tx.dims<[n, k]>> {
  %0 = tx.exp %x : tensor<?x?xf32, #tx.dims<[n, k]>>
  return %0 : tensor<?x?xf32, #tx.dims<[n, k]>>
}
