// --schedule picks a schedule by hand: other code, and the same bits.
//
// RUN: %tensorc compile %s --target=cuda:sm_80 --stop-after=fuse --schedule=dot_general:rows=128,stages=2 | FileCheck %s
// RUN: %tensorc explain %s --target=cuda:sm_80 --schedule=dot_general:stages=2 --schedule=exp:lanes=1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: %tensorc explain %s --target=sim:sm_90a --shape=x:1024,64 --schedule=dot_general:skeleton=mma | FileCheck %s --check-prefix=SKELETON
// RUN: %tensorc compile %s --target=cpu:x86-64-v3 --schedule=dot_general:rows=3 -o %t.tcpkg
// RUN: %tensorc explain %t.tcpkg | FileCheck %s --check-prefix=PACKAGE
// RUN: %tensorc run %s --device=cpu --random-inputs --shape=x:64,64 --schedule=dot_general:vectors=1 --compare=reference | FileCheck %s --check-prefix=RAN
// RUN: %tensorc bench %s --device=cpu --shape=x:64,64 --iterations=1 --schedule=dot_general:vectors=1 | FileCheck %s --check-prefix=BENCH
// CHECK: "dot_general"{{.*}}#tx.order<"matrix">{{.*}}#tx.schedule<"mma", rows = 128, columns = 128, threads = 256, stages = 2>
// EXPLAIN: schedule elements lanes=1 threads=256
// EXPLAIN: schedule mma rows=128 columns=128 threads=256 stages=2
// SKELETON: schedule mma rows=64 columns=64 threads=128 stages=3
// PACKAGE: schedule   panel outer=1 rows=3 vectors=2 lanes=8
// RAN: compare out0:
// BENCH: device     cpu

// RUN: %exits 1 %tensorc explain %s --schedule=matmul:rows=64 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: --schedule: no kernel is called 'matmul': there are exp, dot_general
// RUN: %exits 1 %tensorc explain %s --target=cuda:sm_80 --schedule=dot_general:rows=48 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: schedule.mlir:{{[0-9]+}}:{{.*}}error: --schedule: dot_general: rows=48 is not offered here, only 128 or 64
// RUN: %exits 1 %tensorc explain %s --target=cuda:sm_80 --schedule=dot_general:colums=64 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: --schedule: dot_general: the skeleton "mma" has no colums: its schedule is "mma rows=128 columns=128 threads=256 stages=4"
// RUN: %exits 1 %tensorc explain %s --target=cuda:sm_80 --schedule=dot_general:skeleton=wgmma 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: --schedule: dot_general: skeleton=wgmma is not offered here, only mma
// RUN: %exits 2 %tensorc explain %s --schedule=dot_general 2>&1 | FileCheck %s --check-prefix=SYNTAX
// SYNTAX: error: --schedule: 'dot_general' is not KERNEL:NAME=NUMBER,...
// RUN: %exits 2 %tensorc run %s --schedule=dot_general:rows=many 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: error: --schedule: 'rows=many' of 'dot_general:rows=many' is not NAME=NUMBER
// RUN: %exits 2 %tensorc compile %s --stop-after=tensor --schedule=dot_general:rows=1 2>&1 | FileCheck %s --check-prefix=EARLY
// EARLY: --schedule is for the stage fuse, which is not reached
// RUN: %exits 2 %tensorc compile %s --start-from=fuse --schedule=dot_general:rows=1 2>&1 | FileCheck %s --check-prefix=LATE
// LATE: --schedule is for the stage fuse, which IN has behind it
// RUN: %exits 2 %tensorc run %t.tcpkg --schedule=dot_general:rows=1 2>&1 | FileCheck %s --check-prefix=DONE
// DONE: --schedule does not apply to the package

func.func @main(%x: tensor<?x64xf16, #tx.dims<[m, 64]>> {tx.name = "x"}, %y: tensor<64x1024xf16> {tx.name = "y"})
    -> (tensor<?x1024xf16, #tx.dims<[m, 1024]>>, tensor<?x64xf16, #tx.dims<[m, 64]>>) {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<?x64xf16, #tx.dims<[m, 64]>>, tensor<64x1024xf16>) -> tensor<?x1024xf16, #tx.dims<[m, 1024]>>
  %1 = tx.exp %x : tensor<?x64xf16, #tx.dims<[m, 64]>>
  return %0, %1 : tensor<?x1024xf16, #tx.dims<[m, 1024]>>, tensor<?x64xf16, #tx.dims<[m, 64]>>
}
