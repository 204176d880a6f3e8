// tensorc tune measures the schedules that are offered for each kernel, and --tuning reads what it keeps.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %tensorc tune %s --shape=x:96,64 --time=1s -o %t/a.tctune | FileCheck %s
// CHECK: kernel launches tried usual ms ms gain schedule
// CHECK-DAG: dot_general 2 {{[0-9]+/[0-9]+ +[0-9.]+ +[0-9.]+ +[0-9.]+}}
// CHECK-DAG: exp 1 {{[0-9]+/[0-9]+ +[0-9.]+ +[0-9.]+ +[0-9.]+}}
// RUN: %tensorc explain %s --shape=x:96,64 --tuning=%t/a.tctune 2>&1 | FileCheck %s --check-prefix=READ
// READ-NOT: note
// READ: 3 kernels
// A winner is computed by, in packages too, with the same bits.
// RUN: %python %S/Inputs/tuned.py %tensorc %s %t --shape=x:96,64

// A file that is there is added to; a kernel whose usual schedule wins leaves it.
// RUN: %tensorc tune %s --shape=x:32,64 --time=1s -o %t/a.tctune | FileCheck %s
// RUN: %tensorc run %s --device=cpu --random-inputs --shape=x:32,64 --tuning=%t/a.tctune | FileCheck %s --check-prefix=RAN
// RAN: out0: f32[32,64]
// With little time, only what it takes to measure the usual schedules.
// RUN: %tensorc tune %s --shape=x:32,64 --time=0.000001s -o - | FileCheck %s --check-prefix=EMPTY
// EMPTY:      {"tensorc_tuning": 1,
// EMPTY-NEXT: "kernels": []}

// RUN: %exits 1 %tensorc tune %s -o %t/b.tctune 2>&1 | FileCheck %s --check-prefix=SIZES
// SIZES: error: tuning needs sizes, and the argument 'x' has names for some: give them with --shape=x:...
// RUN: %exits 2 %tensorc tune %s --shape=x:4,64 --time=0 2>&1 | FileCheck %s --check-prefix=TIME
// TIME: error: --time: '0' is not a time above 0, as 60s or 5m
// RUN: %exits 2 %tensorc tune %s --shape=x:4,64 --target=cuda:sm_80 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: --target: kernels are measured on the cpu, not for cuda:sm_80: give --device
// A GPU's kernels are measured on the GPU, here a simulated one.
// RUN: %tensorc tune %s --shape=x:16,64 --device=sim:sm_80 --time=0.01s -o %t/sim.tctune | FileCheck %s --check-prefix=SIM
// SIM: dot_general 2 {{[0-9]+/[0-9]+}}
// RUN: %exits 2 %tensorc tune %s --shape=x:4,64 --device=reference 2>&1 | FileCheck %s --check-prefix=REFERENCE
// REFERENCE: error: --device: kernels are measured on one device, not by 'reference'
// RUN: %exits 2 %tensorc tune %t/tuned.tcpkg 2>&1 | FileCheck %s --check-prefix=PACKAGE
// PACKAGE: error: a package is compiled already: tune the program, and compile it with --tuning=FILE
// RUN: %exits 2 %tensorc run %t/tuned.tcpkg --tuning=%t/a.tctune 2>&1 | FileCheck %s --check-prefix=DONE
// DONE: --tuning does not apply to the package
// RUN: %exits 1 %tensorc tune %s --shape=x:4,64 -o %s.tctune/a.tctune 2>&1 | FileCheck %s --check-prefix=WRITE
// WRITE: error:
// RUN: not ls %t/b.tctune

// RUN: echo '{"tensorc_tuning": 2, "kernels": []}' > %t/version.tctune
// RUN: %exits 1 %tensorc run %s --tuning=%t/version.tctune 2>&1 | FileCheck %s --check-prefix=VERSION
// VERSION: error: --tuning: {{.*}}version.tctune: has version 2; this compiler reads 1
// RUN: echo '{"kernels": []}' > %t/none.tctune
// RUN: %exits 1 %tensorc tune %s --shape=x:4,64 -o %t/none.tctune 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: {{.*}}none.tctune: is not a tuning file: it has no 'tensorc_tuning'
// RUN: head -c 90 %t/tuned.tctune > %t/short.tctune
// RUN: %exits 1 %tensorc compile %s --tuning=%t/short.tctune -o %t/no.tcpkg 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: error: --tuning: {{.*}}short.tctune: [1:{{[0-9]+}}, byte={{[0-9]+}}]:
// RUN: sed 's/lanes=/lanes/' %t/tuned.tctune > %t/word.tctune
// RUN: %exits 1 %tensorc compile %s --tuning=%t/word.tctune -o %t/no.tcpkg 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: error: --tuning: {{.*}}word.tctune: kernels[0]: 'schedule' is not SKELETON NAME=NUMBER ...
// RUN: not ls %t/no.tcpkg
// Of another compiler, which offered more, nothing is taken.
// RUN: sed 's/lanes=/lanes=77/' %t/tuned.tctune > %t/other.tctune
// RUN: %tensorc explain %s --shape=x:96,64 --tuning=%t/other.tctune | FileCheck %s --check-prefix=READ
// RUN: %exits 2 %tensorc explain %s --schedule=@0123:rows=1 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: --schedule: '@0123:rows=1' begins with no kernel's name

func.func @main(%x: tensor<?x64xf32, #tx.dims<[m, 64]>> {tx.name = "x"}, %y: tensor<64x64xf32> {tx.name = "y"})
    -> tensor<?x64xf32, #tx.dims<[m, 64]>> {
  %0 = tx.exp %x : tensor<?x64xf32, #tx.dims<[m, 64]>>
  %1 = tx.dot_general %0, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<?x64xf32, #tx.dims<[m, 64]>>, tensor<64x64xf32>) -> tensor<?x64xf32, #tx.dims<[m, 64]>>
  %2 = tx.dot_general %1, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<?x64xf32, #tx.dims<[m, 64]>>, tensor<64x64xf32>) -> tensor<?x64xf32, #tx.dims<[m, 64]>>
  return %2 : tensor<?x64xf32, #tx.dims<[m, 64]>>
}
