// tensorc bench: text and JSON.
//
// RUN: %tensorc bench %s --iterations=5 --json=%t.json | FileCheck %s
// RUN: %python -c "import json, sys; d = json.load(open(sys.argv[1])); print(d['iterations'], d['min_seconds'] <= d['median_seconds'], len(d['kernels']))" %t.json | FileCheck %s --check-prefix=JSON
// RUN: %tensorc bench %s --iterations=2 --device=reference | FileCheck %s --check-prefix=REFERENCE
// RUN: %tensorc bench %s --iterations=4 --cpu-time --json=%t.json | FileCheck %s --check-prefix=CPU
// RUN: %python -c "import json, sys; d = json.load(open(sys.argv[1])); print(d['time'], 0 < d['min_seconds'] <= d['median_seconds'], 0 < d['kernels'][0]['min_seconds'] <= d['mean_seconds'])" %t.json | FileCheck %s --check-prefix=CPU-JSON
// CHECK: device     cpu
// CHECK: time       real
// CHECK: compile    {{.*}} ms
// CHECK: iterations 5
// CHECK: median     {{.*}} ms
// CHECK: kernel     {{.*}}: {{.*}} ms x 1
// JSON: 5 True 1
// REFERENCE: iterations 2
// CPU: time       cpu
// CPU: kernel     {{.*}}: {{.*}} ms x 1
// CPU-JSON: cpu True True

func.func @main(%x: tensor<?xf32, #tx.dims<[n]>>) -> tensor<?xf32, #tx.dims<[n]>> {
  %0 = tx.add %x, %x : tensor<?xf32, #tx.dims<[n]>>
  return %0 : tensor<?xf32, #tx.dims<[n]>>
}
