// tensorc explain --measure: a row for each kernel, of given figures.
//
// RUN: rm -rf %t && mkdir %t
// RUN: echo '{"cpu:0": {"launch_us": 1, "memory_gb_s": 10, "gop_s": {"f64": 1, "f32": 20, "f16": 1, "integer": 1}}}' > %t/figures.json
// RUN: env TENSORC_FIGURES=%t/figures.json %tensorc explain %s --measure --shape=x:40,30 | FileCheck %s
// RUN: env TENSORC_FIGURES=%t/figures.json %tensorc explain %s --measure --json --shape=x:40,30 | %python -c "import json, sys; d = json.load(sys.stdin); print([(k['name'], k['bound'], k['launches'], k['share'] > 0, abs(k['share'] * k['seconds'] - k['bound_seconds']) < 1e-12) for k in d['kernels']], d['runs'] > 2)" | FileCheck %s --check-prefix=JSON
// RUN: env TENSORC_FIGURES=%t/figures.json %tensorc explain %s --measure --cpu-time --shape=x:40,30 | FileCheck %s --check-prefix=CPU
// Processor time of two threads is compared with a bound of both: 144,800 bytes by 10 GB/s, 1.2 M operations by 20 G/s.
// RUN: env TENSORC_FIGURES=%t/figures.json TENSORC_NUM_THREADS=2 %tensorc explain %s --measure --cpu-time --json --shape=x:40,30 | %python -c "import json, sys; d = json.load(sys.stdin); print(d['time'], [round(k['bound_seconds'] * 1e6, 3) for k in d['kernels']])" | FileCheck %s --check-prefix=CPU-JSON
// RUN: %exits 2 %tensorc explain %s --cpu-time 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: %tensorc compile %s -o %t/p.tcpkg
// RUN: env TENSORC_FIGURES=%t/figures.json %tensorc explain %t/p.tcpkg --measure | FileCheck %s --check-prefix=PACKAGE
// RUN: %exits 2 %tensorc explain %s --measure --memory 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: %exits 2 %tensorc explain %s --measure --target=cuda:sm_80 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: %exits 1 %tensorc explain %s --measure --shape=x:2 2>&1 | FileCheck %s --check-prefix=SHAPE

// CHECK:      measured on cpu, {{[0-9]+}} runs: 10.0 GB/s, 20.0 G f32 operations/s
// CHECK-NEXT: kernel launches ms bytes flops bound share
// 40 x 30 and 30 x 500 f32 are read, 40 x 500 written.
// CHECK-NEXT: dot_general 1 {{[0-9.]+}} 144800 1200000 arithmetic {{[0-9.]+$}}
// CHECK-NEXT: sort 1 {{[0-9.]+}} 160000 0 memory {{[0-9.]+$}}
// CHECK-NOT:  {{.}}
// JSON: [('dot_general', 'arithmetic', 1, True, True), ('sort', 'memory', 1, True, True)] True
// PACKAGE:      measured on cpu
// PACKAGE-NEXT: kernel
// PACKAGE-NEXT: dot_general 1 {{[0-9.]+}} - - - -{{$}}
// PACKAGE-NEXT: sort 1
// CPU:      measured on cpu, {{[0-9]+}} runs, cpu time: 10.0 GB/s, 20.0 G f32 operations/s
// CPU:      dot_general 1 {{[0-9.]+}} 144800 1200000 arithmetic {{[0-9.]+$}}
// CPU-JSON: cpu [120.0, 32.0]
// ALONE: --cpu-time goes with --measure
// MEMORY: --measure runs on the cpu, and does not go with --memory
// TARGET: --measure runs on the cpu, and does not go with --target
// SHAPE: error:

func.func @main(%x: tensor<?x?xf32, #tx.dims<[n, k]>> {tx.name = "x"}, %w: tensor<?x500xf32, #tx.dims<[k, 500]>>)
    -> tensor<?x500xf32, #tx.dims<[n, 500]>> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0]
      : (tensor<?x?xf32, #tx.dims<[n, k]>>, tensor<?x500xf32, #tx.dims<[k, 500]>>) -> tensor<?x500xf32, #tx.dims<[n, 500]>>
  %1 = tx.sort %0 dim = 1 : tensor<?x500xf32, #tx.dims<[n, 500]>>
  return %1 : tensor<?x500xf32, #tx.dims<[n, 500]>>
}
