// tensorc explain: kernels, their ops, bytes and flops.
//
// RUN: %tensorc explain %s | FileCheck %s
// RUN: %tensorc explain %s --shape=x:8,64 --json > %t.json
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: %python -c "import json, sys; json.load(open(sys.argv[1]))" %t.json

// CHECK:      1 kernel
// CHECK:      0: {{.*}} (loop)
// CHECK-NEXT:   ops      mul exp
// CHECK-NEXT:   reads    f32[n, 64]: n * 256 bytes
// CHECK-NEXT:   writes   f32[n, 64]: n * 256 bytes
// CHECK-NEXT:   flops    n * 128

// JSON: "bytes_read": 2048,
// JSON: "flops": 1024,
// JSON: "kind": "loop",

func.func @main(%x: tensor<?x64xf32, #tx.dims<[n, 64]>> {tx.name = "x"})
    -> tensor<?x64xf32, #tx.dims<[n, 64]>> {
  %0 = tx.mul %x, %x : tensor<?x64xf32, #tx.dims<[n, 64]>>
  %1 = tx.exp %0 : tensor<?x64xf32, #tx.dims<[n, 64]>>
  return %1 : tensor<?x64xf32, #tx.dims<[n, 64]>>
}
