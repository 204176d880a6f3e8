// A package with code for AMX beside older levels, on a machine that has AMX: it runs if the system permits its registers, and is passed
// over if the system refuses or if TENSORC_CPU names an older level. The bits are the same.
//
// REQUIRES: x86-64-amx
// RUN: rm -rf %t && mkdir %t %t.amx %t.v4 %t.refused %t.fork
// RUN: %tensorc compile %s --target=cpu:x86-64-amx,cpu:x86-64-v4,cpu:x86-64-v3 -o %t/p.tcpkg
// RUN: %tensorc run %t/p.tcpkg --random-inputs --output-dir=%t.amx
// RUN: env TENSORC_CPU=x86-64-v4 %tensorc run %t/p.tcpkg --random-inputs --output-dir=%t.v4
// RUN: cmp %t.amx/out0.npy %t.v4/out0.npy
// RUN: env TENSORC_LOG=devices %python %S/Inputs/refuse_amx.py %tensorc run %t/p.tcpkg --random-inputs --output-dir=%t.refused 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: tensorc: cpu: the system refuses permission to use AMX, so code with AMX (cpu:x86-64-amx) is not used
// RUN: cmp %t.amx/out0.npy %t.refused/out0.npy

// Alone it is refused by name.
// RUN: %tensorc compile %s --target=cpu:x86-64-amx -o %t/amx.tcpkg
// RUN: %exits 1 %python %S/Inputs/refuse_amx.py %tensorc run %t/amx.tcpkg --random-inputs 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: it holds code for cpu:x86-64-amx, none of which this device runs

// What is compiled for this machine.
// RUN: env -u TENSORC_TEST_CPU %tensorc explain %s | FileCheck %s --check-prefix=HOST
// RUN: env TENSORC_CPU=x86-64-amx %tensorc run %s --device=cpu --random-inputs --compare=reference
// RUN: %python %S/Inputs/refuse_amx.py %tensorc explain %s | FileCheck %s --check-prefix=WITHOUT
// RUN: env TENSORC_TEST_CPU=zen5 %tensorc explain %s | FileCheck %s --check-prefix=WITHOUT
// HOST: schedule amx
// WITHOUT-NOT: schedule amx

func.func @main(%x: tensor<100x200xi8>, %y: tensor<200x300xi8>) -> tensor<100x300xi32> {
  %a = tx.convert %x : tensor<100x200xi8> -> tensor<100x200xi32>
  %b = tx.convert %y : tensor<200x300xi8> -> tensor<200x300xi32>
  %0 = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [0] : (tensor<100x200xi32>, tensor<200x300xi32>) -> tensor<100x300xi32>
  return %0 : tensor<100x300xi32>
}
