// The plan of the program's memory, in numbers or in formulas of the sizes.
//
// RUN: %tensorc explain %s --memory | FileCheck %s
// RUN: %tensorc explain %s --memory --json | FileCheck %s --check-prefix=JSON
// RUN: %tensorc explain %s --memory --shape=x:100,64 | FileCheck %s --check-prefix=STATIC

// Three products in a row: the first two are temporaries.
// CHECK:      memory
// CHECK-NEXT:   inputs     n * 256 + 16384 bytes
// CHECK-NEXT:   constants  0 bytes
// CHECK-NEXT:   outputs    n * 256 bytes
// CHECK-NEXT:   arena      n * 512 bytes
// CHECK-NEXT:   peak       n * 768 bytes (outputs and arena)
// CHECK-NEXT:   temporary  at 0, n * 256 bytes: dot_general
// CHECK-NEXT:   temporary  at n * 256, n * 256 bytes: dot_general
// JSON:       "memory": {
// JSON:         "peak": "n * 768"
// STATIC:       peak       76800 bytes

// The same of a package.
// RUN: %tensorc compile %s -o %t.tcpkg && %tensorc explain %t.tcpkg --memory | FileCheck %s --check-prefix=PACKAGE
// RUN: %tensorc explain %t.tcpkg --json | FileCheck %s --check-prefix=PACKAGE-JSON
// RUN: %tensorc explain %t.tcpkg | FileCheck %s --check-prefix=WITHOUT
// PACKAGE:        memory of main
// PACKAGE-NEXT:   inputs     n * 256 + 16384 bytes
// PACKAGE-NEXT:   constants  0 bytes
// PACKAGE-NEXT:   outputs    n * 256 bytes
// PACKAGE-NEXT:   arena      n * 512 bytes
// PACKAGE-NEXT:   peak       n * 768 bytes (outputs and arena)
// PACKAGE-NEXT:   temporary  at 0, n * 256 bytes
// PACKAGE-NEXT:   temporary  at n * 256, n * 256 bytes
// PACKAGE-JSON:   "peak": "n * 768"
// WITHOUT-NOT:    memory

func.func @main(%x: tensor<?x64xf32, #tx.dims<[n, 64]>> {tx.name = "x"}, %w: tensor<64x64xf32>)
    -> tensor<?x64xf32, #tx.dims<[n, 64]>> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0]
       : (tensor<?x64xf32, #tx.dims<[n, 64]>>, tensor<64x64xf32>) -> tensor<?x64xf32, #tx.dims<[n, 64]>>
  %1 = tx.dot_general %0, %w batch = [] x [] contracting = [1] x [0]
       : (tensor<?x64xf32, #tx.dims<[n, 64]>>, tensor<64x64xf32>) -> tensor<?x64xf32, #tx.dims<[n, 64]>>
  %2 = tx.dot_general %1, %w batch = [] x [] contracting = [1] x [0]
       : (tensor<?x64xf32, #tx.dims<[n, 64]>>, tensor<64x64xf32>) -> tensor<?x64xf32, #tx.dims<[n, 64]>>
  return %2 : tensor<?x64xf32, #tx.dims<[n, 64]>>
}

// Temporaries begin at multiples of 64 bytes.
// RUN: %tensorc explain %s --memory --entry=rounded | FileCheck %s --check-prefix=ROUNDED
// RUN: %tensorc compile %s --entry=rounded -o %t.rounded.tcpkg && %tensorc explain %t.rounded.tcpkg --memory | FileCheck %s --check-prefix=ROUNDED
// ROUNDED:      arena      ((n * 40 + 63) floordiv 64) * 128 bytes
// ROUNDED-NEXT: peak       n * 40 + ((n * 40 + 63) floordiv 64) * 128 bytes (outputs and arena)
func.func @rounded(%x: tensor<?x10xf32, #tx.dims<[n, 10]>>, %w: tensor<10x10xf32>) -> tensor<?x10xf32, #tx.dims<[n, 10]>> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0]
       : (tensor<?x10xf32, #tx.dims<[n, 10]>>, tensor<10x10xf32>) -> tensor<?x10xf32, #tx.dims<[n, 10]>>
  %1 = tx.dot_general %0, %w batch = [] x [] contracting = [1] x [0]
       : (tensor<?x10xf32, #tx.dims<[n, 10]>>, tensor<10x10xf32>) -> tensor<?x10xf32, #tx.dims<[n, 10]>>
  %2 = tx.dot_general %1, %w batch = [] x [] contracting = [1] x [0]
       : (tensor<?x10xf32, #tx.dims<[n, 10]>>, tensor<10x10xf32>) -> tensor<?x10xf32, #tx.dims<[n, 10]>>
  return %2 : tensor<?x10xf32, #tx.dims<[n, 10]>>
}
