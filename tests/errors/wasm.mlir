// What WebAssembly modules cannot do, and what other targets cannot make.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %exits 1 %tensorc compile %s --entry=factor -o %t/no.wasm 2>&1 | FileCheck %s --check-prefix=CALL
// RUN: %exits 1 %tensorc compile %s --entry=factor --target=cpu:wasm32 -o %t/no.o 2>&1 | FileCheck %s --check-prefix=CALL
// CALL: error: the program calls 'linalg.cholesky', which WebAssembly code cannot: it has no imports
// RUN: %exits 1 %tensorc compile %s --entry=main --target=cpu -o %t/no.js 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: --emit=js is not available for the target cpu
// RUN: %exits 1 %tensorc compile %s --target=cpu:wasm32 -o %t/no.tcpkg 2>&1 | FileCheck %s --check-prefix=PACKAGE
// PACKAGE: --emit=package is not available for the target cpu:wasm32
// RUN: %exits 1 %tensorc compile %s --target=cpu:wasm32 -o %t/no.so 2>&1 | FileCheck %s --check-prefix=SHARED
// SHARED: --emit=shared is not available for the target cpu:wasm32
// RUN: %exits 1 %tensorc compile %s --target=cpu:wasm32 --emit=source -o %t/no 2>&1 | FileCheck %s --check-prefix=SOURCE
// SOURCE: --emit=source is not available for the target cpu:wasm32
// RUN: %exits 2 %tensorc compile %s --page=%s -o %t/no.js 2>&1 | FileCheck %s --check-prefix=PAGE
// PAGE: --page is for --emit=page
// RUN: %exits 1 %tensorc compile %s --entry=main --page=%t/none.html -o %t/no.html 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: cannot read {{.*}}none.html: No such file or directory
// RUN: %exits 2 %tensorc compile %s --emit=js -o - 2>&1 | FileCheck %s --check-prefix=STDOUT
// STDOUT: --emit=js writes several files: not to stdout
// RUN: %exits 1 %tensorc compile %s --entry=then -o %t/no.js 2>&1 | FileCheck %s --check-prefix=THEN
// THEN: error: an entry 'then' cannot be a method in JavaScript
// RUN: ls %t | count 0

func.func @main(%x: tensor<4xf32> {tx.name = "x"}) -> (tensor<4xf32> {tx.name = "y"}) {
  %0 = tx.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @factor(%x: tensor<300x300xf64>) -> tensor<300x300xf64> {
  %0 = tx.cholesky %x : (tensor<300x300xf64>) -> tensor<300x300xf64>
  return %0 : tensor<300x300xf64>
}

func.func @then(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tx.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
