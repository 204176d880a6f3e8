// tensorc bench: text and JSON.
//
// RUN: %tensorc bench %s --iterations=5 --json=%t.json | FileCheck %s
// RUN: %python -c "import json, sys; d = json.load(open(sys.argv[1])); print(d['iterations'], d['min_seconds'] <= d['median_seconds'], len(d['kernels']))" %t.json | FileCheck %s --check-prefix=JSON
// RUN: %tensorc bench %s --iterations=2 --device=reference | FileCheck %s --check-prefix=REFERENCE
// CHECK: device     cpu
// CHECK: compile    {{.*}} ms
// CHECK: iterations 5
// CHECK: median     {{.*}} ms
// CHECK: kernel     {{.*}}: {{.*}} ms x 1
// JSON: 5 True 1
// REFERENCE: iterations 2

func.func @main(%x: tensor<?xf32, #tx.dims<[n]>>) -> tensor<?xf32, #tx.dims<[n]>> {
  %0 = tx.add %x, %x : tensor<?xf32, #tx.dims<[n]>>
  return %0 : tensor<?xf32, #tx.dims<[n]>>
}
