// Files: no input is destroyed, nothing waits for a pipe, links stay, and a
// write that fails is an error like any other.
//
// RUN: rm -rf %t && mkdir %t && cp %s %t/a.mlir && cp %s %t/before
// RUN: ln %t/a.mlir %t/hard && ln -s a.mlir %t/soft
// RUN: %exits 2 %tensorc compile %t/a.mlir -o %t/a.mlir 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: %exits 2 %tensorc compile %t/a.mlir -o %t/./a.mlir --stop-after=fuse 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: %exits 2 %tensorc compile %t/a.mlir -o %t/hard 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: %exits 2 %tensorc compile %t/a.mlir -o %t/soft --emit=asm 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: %exits 2 %tensorc bench %t/a.mlir --iterations=1 --json=%t/a.mlir 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: %exits 2 %tensorc compile %t/a.mlir --constants=a.mlir -o %t/z.tcpkg 2>&1 | FileCheck %s --check-prefix=CONSTANTS
// RUN: %exits 2 %tensorc compile %t/a.mlir --constants=z.tcpkg -o %t/z.tcpkg 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: %exits 2 %tensorc compile %t/a.mlir --constants=a.tcpkg 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: diff %t/a.mlir %t/before
// RUN: not ls %t/z.tcpkg
// INPUT: tensorc: error: the output {{.*}} is the input
// CONSTANTS: tensorc: error: the file of constants {{.*}}a.mlir is the input
// TWICE: tensorc: error: the file of constants {{.*}}.tcpkg is the output

// What is not a regular file is not waited for; what the shell opened is read.
// RUN: mkfifo %t/pipe %t/pipe.tcpkg
// RUN: %exits 1 %tensorc run %t/pipe 2>&1 | FileCheck %s --check-prefix=PIPE
// RUN: %exits 1 %tensorc compile %t/pipe 2>&1 | FileCheck %s --check-prefix=PIPE
// RUN: %exits 1 %tensorc run %t/pipe.tcpkg 2>&1 | FileCheck %s --check-prefix=PIPE
// RUN: %exits 1 %tensorc explain %t/pipe.tcpkg 2>&1 | FileCheck %s --check-prefix=PIPE
// RUN: %exits 1 %tensorc run %s --input=%t/pipe 2>&1 | FileCheck %s --check-prefix=PIPE
// RUN: %exits 1 %tensorc run /dev/zero 2>&1 | FileCheck %s --check-prefix=PIPE
// RUN: cat %s | %tensorc compile /dev/stdin --stop-after=import | FileCheck %s --check-prefix=STDIN
// PIPE: tensorc: error: {{.*}} is not a regular file
// STDIN: func.func @main

// A link's target is written, also one that is not there yet.
// RUN: mkdir %t/far && ln -s far/x.tcpkg %t/link && ln -s link %t/link2
// RUN: %tensorc compile %t/a.mlir -o %t/link2
// RUN: readlink %t/link2 %t/link | FileCheck %s --check-prefix=LINK
// RUN: %tensorc run %t/far/x.tcpkg --random-inputs | FileCheck %s --check-prefix=RAN
// LINK: link
// LINK: far/x.tcpkg
// RAN: out0: f32[4]

// RUN: %exits 1 sh -c '%tensorc compile %t/a.mlir --emit=asm >/dev/full' 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: %exits 1 sh -c '%tensorc run %t/a.mlir --random-inputs >/dev/full' 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: %exits 1 sh -c '%tensorc --help >/dev/full' 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: %exits 1 sh -c 'ulimit -f 1; %tensorc compile %t/a.mlir --emit=asm -o %t/l.s' 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: ls %t | FileCheck %s --check-prefix=NONE
// FULL-NOT: LLVM
// FULL: tensorc: error: cannot write stdout: No space left on device
// FULL-NOT: LLVM
// LARGE-NOT: LLVM
// LARGE: tensorc: error: cannot write {{.*}}l.s: File too large
// NONE-NOT: l.s

func.func @main(%x: tensor<4xf32> {tx.name = "x"}) -> tensor<4xf32> {
  %0 = tx.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
