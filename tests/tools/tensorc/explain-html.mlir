// The page of --html holds the facts that --json prints, the texts of each
// stage, and the source. tests/report looks at it in a browser.
//
// RUN: tensorc explain %s --html=%t.html --target=cpu:x86-64-v3
// RUN: %python %S/Inputs/report_data.py %t.html | FileCheck %s
// RUN: tensorc explain %s --html=%t.cuda.html --target=cuda:sm_80
// RUN: %python %S/Inputs/report_data.py %t.cuda.html | FileCheck %s --check-prefix=CUDA
// RUN: tensorc explain %s --html=%t.run.html --measure --shape=x:8,64
// RUN: %python %S/Inputs/report_data.py %t.run.html | FileCheck %s --check-prefix=MEASURED
//
// CHECK: "entry": "main"
// CHECK: "bytes": "n * 256"
// CHECK-NEXT: "from": 0
// CHECK-NEXT: "to": 1
// CHECK: "kind": "argument"
// CHECK-NEXT: "name": "x"
// CHECK-NEXT: "type": "f32[n, 64]"
// CHECK: "kernels"
// CHECK: "bytes_read": "n * 256"
// CHECK: "lines": [
// CHECK-NEXT: [
// CHECK-NEXT: explain-html.mlir",
// CHECK-NEXT: [[@LINE+25]]
// CHECK-NOT: "measured"
// CHECK: "name": "tanh_sum"
// CHECK: "name": "fuse"
// CHECK: "name": "emit"
// CHECK: "name": "lower"
// CHECK: "name": "asm"
// CHECK: "memory"
// CHECK: "steps": [
// CHECK-NEXT: "tanh_sum"
// CHECK: "sources"
// CHECK: The page of --html holds the facts
// CHECK: "stages"
// CHECK: "name": "import"
// CHECK: "name": "lower"
// CHECK: "target": "cpu:x86-64-v3"
// CHECK: "texts"
// CHECK: tx.fusion {{.*}}(%arg0)
//
// CUDA: .visible .entry tanh_sum(
// MEASURED: "launches": 1
// MEASURED: "name": "tanh_sum"

func.func @main(%x: tensor<?x64xf32, #tx.dims<[n, 64]>> {tx.name = "x"})
    -> (tensor<?xf32, #tx.dims<[n]>> {tx.name = "y"}) {
  %0 = tx.tanh %x : tensor<?x64xf32, #tx.dims<[n, 64]>>
  %1 = tx.sum %0 dims = [1] : tensor<?x64xf32, #tx.dims<[n, 64]>> -> tensor<?xf32, #tx.dims<[n]>>
  return %1 : tensor<?xf32, #tx.dims<[n]>>
}

// What does not go with it is refused, and a page that cannot be written.
// RUN: not tensorc explain %s --html=%t.no.html --json 2>&1 | FileCheck %s --check-prefix=JSON
// JSON: --html does not go with --json
// RUN: not tensorc explain %s --html=%t.no.html --memory-limit=1M 2>&1 | FileCheck %s --check-prefix=LIMIT
// LIMIT: --html does not go with --memory-limit: the page shows the plan without a limit
// RUN: tensorc compile %s -o %t.tcpkg
// RUN: not tensorc explain %t.tcpkg --html=%t.no.html 2>&1 | FileCheck %s --check-prefix=PACKAGE
// PACKAGE: a package holds no IR
// RUN: cp %s %t.copy.mlir
// RUN: not tensorc explain %t.copy.mlir --html=%t.copy.mlir 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: is the input
// RUN: not tensorc explain %s --html=%t.missing/page.html 2>&1 | FileCheck %s --check-prefix=WRITE
// WRITE: No such file or directory
// RUN: not ls %t.no.html
