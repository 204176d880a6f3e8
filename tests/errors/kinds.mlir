// What a file holds is what its name and the options say, on both sides of the compiler.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %tensorc compile %s --target=cpu:x86-64-v3 -o %t/y.o && %python -c "assert open('%t/y.o', 'rb').read(4) == b'\x7fELF'"
// RUN: %tensorc compile %s --target=cpu:x86-64-v3 -o %t/y.so && %python -c "assert open('%t/y.so', 'rb').read(4) == b'\x7fELF'"
// RUN: %tensorc compile %s -o %t/y.h && grep '#ifndef TENSORC_OBJECT' %t/y.h
// RUN: %tensorc compile %s -o %t/y.ll && grep 'define ' %t/y.ll
// RUN: %tensorc compile %s -o %t/y.s && grep '.globl' %t/y.s
// RUN: %tensorc compile %s --target=cuda:sm_80 -o %t/y.ptx && grep '.target sm_80' %t/y.ptx
// RUN: %tensorc compile %s -o %t/y.tcpkg && %tensorc explain %t/y.tcpkg | grep '^package'
// RUN: %tensorc compile %s -o %t/anything && cp %t/anything %t/anything.tcpkg && %tensorc explain %t/anything.tcpkg | grep '^package'
// RUN: rm -rf %t/no.* && %exits 1 %tensorc compile %s -o %t/no.ptx 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: %exits 2 %tensorc compile %s --emit=asm -o %t/no.o 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: %exits 2 %tensorc compile %s --emit=package -o %t/no.so 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: %exits 2 %tensorc compile %s -o %t/no.mlir 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: %exits 2 %tensorc compile %s -o %t/no.foo 2>&1 | FileCheck %s --check-prefix=SUFFIX
// RUN: not ls %t/no.foo
// RUN: %tensorc compile %s --emit=package -o %t/yes.foo && %tensorc compile %s --stop-after=fuse -o %t/yes.txt
// RUN: %exits 2 %tensorc compile %s --stop-after=fuse -o %t/no.o 2>&1 | FileCheck %s --check-prefix=STOP
// TARGET: --emit=ptx is not available for the target cpu
// OTHER:  --emit=asm, but {{.*}}no.o is the name of a file of kind object
// SHARED: --emit=package, but {{.*}}no.so is the name of a file of kind shared
// TEXT:   no.mlir is the name of MLIR text, which --stop-after=STAGE prints
// SUFFIX: the suffix of {{.*}}no.foo says nothing of its kind: .tcpkg, .o, .a, .so, .h, .wasm, .js, .html, .ll, .s, .ptx, .cubin, .hsaco, .spv, .metal; or give --emit=KIND
// STOP:   --stop-after prints MLIR text, and {{.*}}no.o is the name of a file of kind object

// RUN: %exits 1 %tensorc run %t/y.o 2>&1 | FileCheck %s --check-prefix=ELF
// RUN: %exits 1 %tensorc-opt %t/y.so 2>&1 | FileCheck %s --check-prefix=ELF
// RUN: %exits 1 %tensorc explain %t/y.ptx 2>&1 | FileCheck %s --check-prefix=PTX
// RUN: %exits 1 %tensorc run %t/anything 2>&1 | FileCheck %s --check-prefix=PACKAGE
// RUN: cp %s %t/text.tcpkg && %exits 1 %tensorc run %t/text.tcpkg 2>&1 | FileCheck %s --check-prefix=NOT
// ELF: tensorc{{.*}}: error: {{.*}}/y.{{s?}}o: is an ELF object or library
// PTX: y.ptx: is PTX; a program is {{.*}}MLIR text (.mlir), or a package (.tcpkg)
// PACKAGE: anything: is a package, whose name must end in .tcpkg
// NOT: {{.*}}text.tcpkg: package: not a tensorc package

// A package that nobody could enter.
// RUN: echo 'gpu.module @mine { gpu.func @f() kernel { gpu.return } }' > %t/kernels.mlir
// RUN: %exits 1 %tensorc compile %t/kernels.mlir -o %t/no.tcpkg 2>&1 | FileCheck %s --check-prefix=KERNELS
// RUN: echo 'module {}' | %exits 1 %tensorc compile - -o %t/no.tcpkg 2>&1 | FileCheck %s --check-prefix=EMPTY
// KERNELS: kernels.mlir: contains no function to call
// EMPTY: -: contains no function to call
// RUN: ls %t | FileCheck %s --check-prefix=NONE
// NONE-NOT: no.

func.func @main(%x: tensor<4xf32> {tx.name = "x"}) -> (tensor<4xf32> {tx.name = "y"}) {
  %0 = tx.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
