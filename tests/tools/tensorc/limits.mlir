// What a process may take: beyond a limit it ends with status 1, a text, and no file that is
// not whole.
//
// RUN: rm -rf %t && split-file --leading-lines %s %t
// RUN: %tensorc run %t/ops.mlir --random-inputs --max-ops=5 --max-time=100 | FileCheck %s --check-prefix=RUNS
// RUN: %exits 1 %tensorc run %t/ops.mlir --random-inputs --max-ops=3 2>&1 | FileCheck %s --check-prefix=OPS
// RUN: %exits 1 %tensorc compile %t/ops.mlir --max-ops=3 -o %t/out.tcpkg 2>&1 | FileCheck %s --check-prefix=OPS
// RUN: %exits 1 %tensorc explain %t/ops.mlir --max-ops=3 2>&1 | FileCheck %s --check-prefix=OPS
// RUN: %exits 1 %tensorc bench %t/ops.mlir --max-ops=3 2>&1 | FileCheck %s --check-prefix=OPS
// RUNS: out0: f32[4]

// RUN: %exits 2 %tensorc run x.mlir --max-ops=0 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: %exits 2 %tensorc run x.mlir --max-time=soon 2>&1 | FileCheck %s --check-prefix=SECONDS
// RUN: %exits 2 %tensorc run x.mlir --max-time=-1 2>&1 | FileCheck %s --check-prefix=SECONDS
// RUN: %exits 2 %tensorc run x.mlir --max-memory=2T 2>&1 | FileCheck %s --check-prefix=BYTES
// RUN: %exits 1 %tensorc-opt x.mlir --max-time=0 2>&1 | FileCheck %s --check-prefix=SECONDS
// COUNT: error: --max-ops: '0' is not a count above 0
// SECONDS: error: --max-time: '{{.*}}' is not a number of seconds
// BYTES: error: --max-memory: '2T' is not a number of bytes, or one with K, M or G

// A product that the interpreter takes minutes for.
// RUN: %exits 1 %tensorc run %t/long.mlir --device=reference --random-inputs --shape=x:3000,3000 --shape=y:3000,3000 --max-time=0.5 --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=TIME
// TIME: tensorc: error: out of time: --max-time allows {{0|1|4}}.5 s

// A kernel that does not end, in a thread of the pool or not.
// RUN: %exits 1 %tensorc run %t/long.mlir --device=cpu --random-inputs --shape=x:5000,5000 --shape=y:5000,5000 --max-time=1.5 2>&1 | FileCheck %s --check-prefix=TIME

// What the tool started ends too, and its files go.
// RUN: mkdir -p %t/files
// RUN: %exits 1 env PATH=%S/Inputs/sleeping:/usr/bin:/bin TMPDIR=%t/files %tensorc compile %t/ops.mlir --target=cuda:sm_80 --emit=cubin -o %t/out.cubin --max-time=4.5 2>&1 | FileCheck %s --check-prefix=TIME
// RUN: %python %S/Inputs/ended.py %t/pid
// RUN: ls -A %t/files | count 0

// tensorc-opt, while it waits for its input.
// RUN: %python -c "import os, subprocess, sys; sys.exit(subprocess.run(sys.argv[1:], stdin=os.pipe()[0]).returncode)" %exits 1 %tensorc-opt --max-time=0.3 - -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=WAITS
// WAITS: tensorc-opt: error: out of time: --max-time allows 0.3 s
// RUN: ls -A %t | FileCheck %s --check-prefix=NONE
// NONE-NOT: out
// NONE-NOT: tmp

//--- ops.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tx.exp %x : tensor<4xf32>
  %1 = tx.exp %0 : tensor<4xf32>
  // OPS: ops.mlir:[[#@LINE+1]]:8: error: more operations than --max-ops allows: 3
  %2 = tx.exp %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

//--- long.mlir
func.func @main(%x: tensor<?x?xf32, #tx.dims<[m, k]>> {tx.name = "x"}, %y: tensor<?x?xf32, #tx.dims<[k, n]>> {tx.name = "y"}) -> tensor<?x?xf32, #tx.dims<[m, n]>> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
       : (tensor<?x?xf32, #tx.dims<[m, k]>>, tensor<?x?xf32, #tx.dims<[k, n]>>) -> tensor<?x?xf32, #tx.dims<[m, n]>>
  return %0 : tensor<?x?xf32, #tx.dims<[m, n]>>
}
