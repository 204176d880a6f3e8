// tensorc compile: each stage's text is the next one's input; --shape; files.
//
// RUN: %tensorc compile %s --stop-after=tensor | FileCheck %s --check-prefix=TENSOR
// RUN: %tensorc compile %s --stop-after=fuse | FileCheck %s --check-prefix=FUSE
// RUN: %tensorc compile %s --stop-after=lower > %t.once
// RUN: %tensorc compile %s --stop-after=import -o %t.import
// RUN: %tensorc compile %t.import --start-from=import --stop-after=tensor -o %t.tensor
// RUN: %tensorc compile %t.tensor --start-from=tensor --stop-after=fuse -o %t.fuse
// RUN: %tensorc compile %t.fuse --start-from=fuse --stop-after=emit -o %t.emit
// RUN: %tensorc compile %t.emit --start-from=emit --stop-after=lower -o %t.lower
// RUN: diff %t.once %t.lower
// RUN: %exits 2 %tensorc compile %t.fuse --start-from=fuse --stop-after=import

// TENSOR: tx.mul
// FUSE: tx.fusion "loop"

// RUN: %tensorc compile %s --emit=llvm | FileCheck %s --check-prefix=LLVM
// RUN: %tensorc compile %t.emit --start-from=emit --emit=llvm | FileCheck %s --check-prefix=LLVM
// RUN: %tensorc compile %s --emit=asm --target=cpu:x86-64-v3 | FileCheck %s --check-prefix=ASM
// LLVM: define {{.*}}void @
// ASM: vmulps {{.*}}%ymm

// A size for a name specializes it everywhere.
// RUN: %tensorc compile %s --shape=x:8,3 --stop-after=tensor | FileCheck %s --check-prefix=SIZE
// SIZE: func.func @main(%{{.*}}: tensor<8x3xf32> {tx.name = "x"}) -> tensor<8x3xf32>
// SIZE: tx.mul %{{.*}}, %{{.*}} : tensor<8x3xf32>
// RUN: %tensorc compile %s --shape=x:batch,3 --stop-after=tensor | FileCheck %s --check-prefix=NAME
// NAME: func.func @main(%{{.*}}: tensor<?x3xf32, #tx.dims<[batch, 3]>>

// A package lands beside IN, and runs.
// RUN: rm -rf %t.dir && mkdir %t.dir && cp %s %t.dir/y.mlir
// RUN: %tensorc compile %t.dir/y.mlir
// RUN: %tensorc run %t.dir/y.tcpkg --random-inputs=3 > %t.package
// RUN: %tensorc run %s --random-inputs=3 | diff - %t.package
// RUN: %exits 1 %tensorc run %t.dir/y.tcpkg --device=reference --random-inputs 2>&1 | FileCheck %s --check-prefix=INTERPRET
// INTERPRET: a package holds no expressions to interpret
// RUN: %exits 1 %tensorc compile %s --emit=cubin 2>&1 | FileCheck %s --check-prefix=CUBIN
// CUBIN: tensorc: error: --emit=cubin is not available for the target cpu
// RUN: %exits 1 %tensorc compile %s --target=cuda:sm_42 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: %exits 1 %tensorc explain %s --target=cuda:sm_42 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: {{^}}tensorc: error: unknown target 'cuda:sm_42': known are cpu, {{.*}}cuda:sm_90, {{.*}}rocm:gfx942

// RUN: rm -rf %t.dump
// RUN: %tensorc compile %s --dump=%t.dump -o %t.tcpkg --time --verbose 2>&1 | FileCheck %s --check-prefix=TIME
// RUN: ls %t.dump | FileCheck %s --check-prefix=DUMP
// TIME: compiling {{.*}} for cpu at -O2
// TIME: fuse {{.*}} ms
// DUMP: fuse.mlir
// DUMP: emit.mlir

func.func @main(%x: tensor<?x3xf32, #tx.dims<[n, 3]>> {tx.name = "x"})
    -> tensor<?x3xf32, #tx.dims<[n, 3]>> {
  %0 = tx.mul %x, %x : tensor<?x3xf32, #tx.dims<[n, 3]>>
  return %0 : tensor<?x3xf32, #tx.dims<[n, 3]>>
}
