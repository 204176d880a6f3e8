// --constants: a package whose weights lie in a file beside it, which is mapped
// and must be the one that was written with the package.
//
// RUN: rm -rf %t && mkdir %t %t/moved
// RUN: %tensorc compile %s -o %t/whole.tcpkg
// RUN: %tensorc compile %s --constants=weights.bin -o %t/split.tcpkg
// RUN: %tensorc run %t/whole.tcpkg --random-inputs=3 >%t/expected
// RUN: %tensorc run %t/split.tcpkg --random-inputs=3 | diff - %t/expected
// RUN: cd %t && %tensorc run split.tcpkg --random-inputs=3 | diff - %t/expected
// RUN: cp %t/split.tcpkg %t/weights.bin %t/moved
// RUN: %tensorc run %t/moved/split.tcpkg --random-inputs=3 | diff - %t/expected
// RUN: %tensorc explain %t/split.tcpkg | FileCheck %s
// CHECK: constants    1, 512 bytes in weights.bin

// Two packages share one file, which is written the same.
// RUN: cp %t/weights.bin %t/before
// RUN: %tensorc compile %s --constants=weights.bin --target=cpu:x86-64-v2 -o %t/old.tcpkg
// RUN: cmp %t/before %t/weights.bin
// RUN: %tensorc run %t/split.tcpkg --random-inputs=3 | diff - %t/expected

// Without the file, with half of it, with another one, with a pipe in its place.
// RUN: mv %t/moved/weights.bin %t/moved/w && %exits 1 %tensorc run %t/moved/split.tcpkg --random-inputs 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: head -c 4300 %t/moved/w >%t/moved/weights.bin && %exits 1 %tensorc run %t/moved/split.tcpkg --random-inputs 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: cp %s %t/moved/weights.bin && %exits 1 %tensorc run %t/moved/split.tcpkg --random-inputs 2>&1 | FileCheck %s --check-prefix=STRANGE
// RUN: sed 's/dense<\[0.0, /dense<[1.5, /' %s >%t/other.mlir
// RUN: %tensorc compile %t/other.mlir --constants=weights.bin -o %t/moved/other.tcpkg
// RUN: %exits 1 %tensorc run %t/moved/split.tcpkg --random-inputs 2>&1 | FileCheck %s --check-prefix=ANOTHER
// RUN: rm %t/moved/weights.bin && mkfifo %t/moved/weights.bin && %exits 1 timeout 900 %tensorc run %t/moved/split.tcpkg --random-inputs 2>&1 | FileCheck %s --check-prefix=PIPE
// RUN: mkfifo %t/pipe.tcpkg && %exits 1 timeout 900 %tensorc run %t/pipe.tcpkg --random-inputs 2>&1 | FileCheck %s --check-prefix=PIPEPKG
// MISSING: cannot read '{{.*}}moved/weights.bin': No such file or directory
// SHORT: package: 'weights.bin' is truncated or another package's: it has 4300 bytes, expected 4608
// STRANGE: package: 'weights.bin' is not a file of constants
// PIPE: '{{.*}}moved/weights.bin' is not a regular file
// PIPEPKG: '{{.*}}pipe.tcpkg' is not a regular file
// ANOTHER: package: 'weights.bin' holds the constants of another package

// RUN: %exits 2 %tensorc compile %s --constants=a/b -o %t/x.tcpkg 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: %exits 2 %tensorc compile %s --constants=b --emit=object -o %t/x.o 2>&1 | FileCheck %s --check-prefix=KIND
// FOLDER: --constants is a file's name, without a folder
// KIND: --constants is for packages

// When the package cannot be written, neither is its file.
// RUN: mkdir %t/dir %t/dir/x.tcpkg && %exits 1 %tensorc compile %s --constants=c.bin -o %t/dir/x.tcpkg
// RUN: ls %t/dir | count 1

func.func @main(%x: tensor<128xf32> {tx.name = "x", tx.donated}) -> tensor<128xf32> {
  %w = tx.constant dense<[0.0, 2.3125, 4.625, 0.625, 2.9375, 5.25, 1.25, 3.5625, 5.875, 1.875, 4.1875, 0.1875, 2.5, 4.8125, 0.8125, 3.125, 5.4375, 1.4375, 3.75, 6.0625, 2.0625, 4.375, 0.375, 2.6875, 5.0, 1.0, 3.3125, 5.625, 1.625, 3.9375, 6.25, 2.25, 4.5625, 0.5625, 2.875, 5.1875, 1.1875, 3.5, 5.8125, 1.8125, 4.125, 0.125, 2.4375, 4.75, 0.75, 3.0625, 5.375, 1.375, 3.6875, 6.0, 2.0, 4.3125, 0.3125, 2.625, 4.9375, 0.9375, 3.25, 5.5625, 1.5625, 3.875, 6.1875, 2.1875, 4.5, 0.5, 2.8125, 5.125, 1.125, 3.4375, 5.75, 1.75, 4.0625, 0.0625, 2.375, 4.6875, 0.6875, 3.0, 5.3125, 1.3125, 3.625, 5.9375, 1.9375, 4.25, 0.25, 2.5625, 4.875, 0.875, 3.1875, 5.5, 1.5, 3.8125, 6.125, 2.125, 4.4375, 0.4375, 2.75, 5.0625, 1.0625, 3.375, 5.6875, 1.6875, 4.0, 0.0, 2.3125, 4.625, 0.625, 2.9375, 5.25, 1.25, 3.5625, 5.875, 1.875, 4.1875, 0.1875, 2.5, 4.8125, 0.8125, 3.125, 5.4375, 1.4375, 3.75, 6.0625, 2.0625, 4.375, 0.375, 2.6875, 5.0, 1.0, 3.3125]> : tensor<128xf32>
  %1 = tx.mul %x, %w : tensor<128xf32>
  return %1 : tensor<128xf32>
}
