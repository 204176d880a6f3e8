// --shape fixes and names dims everywhere; what cannot be is a located error.
//
// RUN: %tensorc compile %s --entry=plain --shape=x:8,3 --stop-after=import | FileCheck %s --check-prefix=FIXED
// RUN: %tensorc compile %s --entry=plain --shape=x:m,m --stop-after=import | FileCheck %s --check-prefix=SAME
// RUN: %tensorc compile %s --entry=plain --shape=x:8,k --shape=y:k,8 --stop-after=import | FileCheck %s --check-prefix=BOTH
// FIXED: func.func @plain(%{{.*}}: tensor<8x3xf32> {{.*}}, %{{.*}}: tensor<3x8xf32> {{.*}}) -> tensor<8x3xf32>
// SAME: tensor<?x?xf32, #tx.dims<[m, m]>>
// BOTH: tensor<8x?xf32, #tx.dims<[8, k]>> {{.*}}tensor<?x8xf32, #tx.dims<[k, 8]>>

// A size of what follows from a name is one of the name.
// RUN: %tensorc compile %s --entry=derived --shape=y:9 --stop-after=import | FileCheck %s --check-prefix=SOLVED
// RUN: %tensorc compile %s --entry=derived --shape=x:4 --shape=y:9 --stop-after=import | FileCheck %s --check-prefix=SOLVED
// SOLVED: @derived(%{{.*}}: tensor<4xf32> {{.*}}tensor<9xf32>

// Facts about a name go along with it, or are checked at once.
// RUN: %tensorc compile %s --entry=facts --shape=x:m --stop-after=import | FileCheck %s --check-prefix=MOVED
// RUN: %tensorc compile %s --entry=facts --shape=x:16 --stop-after=import | FileCheck %s --check-prefix=ALLOWED
// MOVED: tx.symbols = [#tx.symbol<"m", min = 8, max = 64, divisor = 8>]
// ALLOWED: func.func @facts(%{{.*}}: tensor<16xf32>
// ALLOWED-NOT: tx.symbols

// An argument that gave the size must then have it.
// RUN: %tensorc compile %s --entry=index --shape=k:5 --stop-after=import | FileCheck %s --check-prefix=INDEX
// RUN: %tensorc compile %s --entry=index --shape=k:5 -o %t.tcpkg
// RUN: %exits 1 %tensorc run %t.tcpkg --shape=k:6 --random-inputs 2>&1 | FileCheck %s --check-prefix=NOTFIVE
// INDEX: func.func @index(%{{.*}}: index {tx.symbol = "k"}) -> tensor<5xf32> attributes {tx.symbols = [#tx.symbol<"k", min = 5, max = 5>]}
// NOTFIVE: k is above 5

// So do sizes that are not of a type: of tx.size, and the length of a scan.
// RUN: %tensorc compile %s --entry=lengths --shape=x:6 --stop-after=import | FileCheck %s --check-prefix=LENGTHS
// RUN: %tensorc run %s --entry=lengths --shape=x:6 --random-inputs --compare=reference | FileCheck %s --check-prefix=RUNS
// LENGTHS: func.func @lengths(%{{.*}}: tensor<6xf32>
// LENGTHS: tx.size <[12]>
// LENGTHS: tx.scan <[6]>
// RUNS: out1: f32{{\[}}6]

// RUN: not %tensorc compile %s --entry=plain --shape=x:8 --stop-after=import 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not %tensorc compile %s --entry=plain --shape=z:8 --stop-after=import 2>&1 | FileCheck %s --check-prefix=NOBODY
// RUN: not %tensorc compile %s --entry=plain --shape=x:8,3 --shape=y:4,8 --stop-after=import 2>&1 | FileCheck %s --check-prefix=CONFLICT
// RUN: not %tensorc compile %s --entry=derived --shape=x:5 --shape=y:9 --stop-after=import 2>&1 | FileCheck %s --check-prefix=FOLLOWS
// RUN: not %tensorc compile %s --entry=derived --shape=y:8 --stop-after=import 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: not %tensorc compile %s --entry=derived --shape=y:m --stop-after=import 2>&1 | FileCheck %s --check-prefix=CALLED
// RUN: not %tensorc compile %s --entry=facts --shape=x:12 --stop-after=import 2>&1 | FileCheck %s --check-prefix=FORBIDDEN
// RUN: not %tensorc compile %s --entry=fixed --shape=x:5 --stop-after=import 2>&1 | FileCheck %s --check-prefix=STATIC
// RUN: %exits 2 %tensorc compile %s --shape=x 2>&1 | FileCheck %s --check-prefix=FORM
// RANK: shape.mlir:[[#PLAIN:]]:18: error: --shape of x does not fit its type 'tensor<?x?xf32, #tx.dims<[n, k]>>': ranks differ
// NOBODY: error: has no argument z for --shape
// CONFLICT: error: --shape of y does not fit its type {{.*}}: dimension k is both 3 and 4
// FOLLOWS: error: --shape of y does not fit its type {{.*}}: dimension n is both 5 and 4
// NEVER: error: --shape of y does not fit its type {{.*}}: a dimension is n * 2 + 1, which is never 8
// CALLED: error: --shape of y does not fit its type {{.*}}: a dimension is n * 2 + 1, which cannot be called m
// FORBIDDEN: error: --shape makes n 12, which its tx.symbols do not allow
// STATIC: error: --shape of x does not fit its type 'tensor<4xf32>': a dimension is 4, not 5
// FORM: 'x' is not of the form --shape=x:1,3,n,n

func.func @plain(%x: tensor<?x?xf32, #tx.dims<[n, k]>> {tx.name = "x"},
                 %y: tensor<?x?xf32, #tx.dims<[k, n]>> {tx.name = "y"})
    -> tensor<?x?xf32, #tx.dims<[n, k]>> {
  %0 = tx.exp %x : tensor<?x?xf32, #tx.dims<[n, k]>>
  return %0 : tensor<?x?xf32, #tx.dims<[n, k]>>
}

func.func @derived(%x: tensor<?xf32, #tx.dims<[n]>> {tx.name = "x"},
                   %y: tensor<?xf32, #tx.dims<[n * 2 + 1]>> {tx.name = "y"})
    -> tensor<?xf32, #tx.dims<[n]>> {
  return %x : tensor<?xf32, #tx.dims<[n]>>
}

func.func @facts(%x: tensor<?xf32, #tx.dims<[n]>> {tx.name = "x"})
    -> tensor<?xf32, #tx.dims<[n]>>
    attributes {tx.symbols = [#tx.symbol<"n", min = 8, max = 64, divisor = 8>]} {
  return %x : tensor<?xf32, #tx.dims<[n]>>
}

func.func @fixed(%x: tensor<4xf32> {tx.name = "x"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

func.func @index(%k: index {tx.symbol = "k"}) -> tensor<?xf32, #tx.dims<[k]>> {
  %0 = tx.constant dense<1.0> : tensor<f32>
  %1 = tx.broadcast %0 dims = [] : tensor<f32> -> tensor<?xf32, #tx.dims<[k]>>
  return %1 : tensor<?xf32, #tx.dims<[k]>>
}

func.func @lengths(%x: tensor<?xf32, #tx.dims<[n]>> {tx.name = "x"})
    -> (tensor<f32>, tensor<?xf32, #tx.dims<[n]>>) {
  %size = tx.size <[n * 2]> : tensor<f32>
  %0:2 = tx.scan <[n]> carried = 1 scanned = 1 (%size, %x) : (tensor<f32>, tensor<?xf32, #tx.dims<[n]>>) -> (tensor<f32>, tensor<?xf32, #tx.dims<[n]>>) {
  ^bb0(%i: tensor<i64>, %sum: tensor<f32>, %value: tensor<f32>):
    %next = tx.add %sum, %value : tensor<f32>
    tx.return %next, %next : tensor<f32>, tensor<f32>
  }
  return %0#0, %0#1 : tensor<f32>, tensor<?xf32, #tx.dims<[n]>>
}
