// Where memory runs out, within a limit or without one, there is a text and status 1, whoever
// asked for it.
//
// UNSUPPORTED: asan, tsan
// RUN: rm -rf %t && mkdir %t
// RUN: %tensorc run %s --random-inputs --shape=x:1000 --max-memory=1G | FileCheck %s --check-prefix=RUNS
// RUNS: y: f32[1000]

// The program's buffers.
// RUN: %exits 1 %tensorc run %s --device=cpu --random-inputs --shape=x:100000000 --max-memory=500M 2>&1 | FileCheck %s
// RUN: %exits 1 %tensorc run %s --device=reference --random-inputs --shape=x:100000000 --max-memory=500M 2>&1 | FileCheck %s
// CHECK: error: {{.*}}not {{.*}}memory

// The parser's: a text of 40 MB.
// RUN: %python -c "print('func.func @main(%%x: tensor<f32>) { ' + ' '.join('%%%%%%d = tx.exp %%%%x : tensor<f32>' %% i for i in range(10**6)) + ' return }')" > %t/large.mlir
// RUN: %exits 1 %tensorc compile %t/large.mlir --max-memory=150M -o %t/out.tcpkg 2>&1 | FileCheck %s --check-prefix=TOOL
// RUN: %exits 1 %tensorc-opt %t/large.mlir --max-memory=150M -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=TOOL
// TOOL: tensorc{{(-opt)?}}: error: not enough memory: --max-memory allows 150M
// RUN: ls -A %t | FileCheck %s --check-prefix=NONE
// NONE-NOT: out

// What the tool cannot even start with.
// RUN: %exits 1 %tensorc run %s --random-inputs --max-memory=1M 2>&1 | FileCheck %s --check-prefix=START
// START: tensorc: error: not enough memory: --max-memory allows 1M

func.func @main(%x: tensor<?xf32, #tx.dims<[n]>> {tx.name = "x"}) -> (tensor<?xf32, #tx.dims<[n]>> {tx.name = "y"}) {
  %0 = tx.exp %x : tensor<?xf32, #tx.dims<[n]>>
  return %0 : tensor<?xf32, #tx.dims<[n]>>
}
