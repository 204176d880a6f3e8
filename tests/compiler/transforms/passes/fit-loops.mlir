// RUN: split-file --leading-lines %s %t
// DEFINE: %{fit} = txp-fit-memory{launch-us=3 copies-constants}
// RUN: %tensorc-opt %t/repeat.mlir --pass-pipeline='builtin.module(txp.func(%{fit}))' | FileCheck %t/repeat.mlir
// RUN: %tensorc-opt %t/repeat.mlir --pass-pipeline='builtin.module(txp.func(%{fit},txp-plan-memory))' | FileCheck %t/repeat.mlir --check-prefix=ARENA
// RUN: %tensorc-opt %t/spill.mlir --pass-pipeline='builtin.module(txp.func(%{fit}))' | FileCheck %t/spill.mlir
// RUN: %tensorc-opt %t/spill.mlir --pass-pipeline='builtin.module(txp.func(%{fit},txp-plan-memory))' | FileCheck %t/spill.mlir --check-prefix=ARENA
// RUN: %exits 1 %tensorc-opt %t/changed.mlir --pass-pipeline='builtin.module(txp.func(%{fit}))' 2>&1 | FileCheck %t/changed.mlir
// RUN: %exits 1 %tensorc-opt %t/carried.mlir --pass-pipeline='builtin.module(txp.func(%{fit}))' 2>&1 | FileCheck %t/carried.mlir
// RUN: %exits 1 %tensorc-opt %t/carried.mlir --pass-pipeline='builtin.module(txp.func(txp-fit-memory))' 2>&1 | FileCheck %t/carried.mlir --check-prefix=OUTLINED
// RUN: %tensorc-opt %t/outside.mlir --pass-pipeline='builtin.module(txp.func(%{fit}))' | FileCheck %t/outside.mlir
// RUN: %tensorc-opt %t/around.mlir --pass-pipeline='builtin.module(txp.func(%{fit}))' | FileCheck %t/around.mlir

// In each iteration, what f computes is needed before and after the peak, and
// computed twice. The arena is allocated before the loop.
//--- repeat.mlir
module attributes {txp.memory_limit = 1700 : i64} {
func.func private @f()
func.func private @g()
// CHECK-LABEL: txp.func @main(
// CHECK-SAME: fitted = 1344 : i64, limit = 1700 : i64, moved = 0 : i64, natural = 2496 : i64
// CHECK: scf.for {{.*}} iter_args(%[[X:[a-z0-9]+]] = %{{.*}})
// CHECK: txp.launch @f {{.*}} ins(%[[X]]) outs(%[[A:.*]])
// CHECK: txp.launch @g {{.*}} ins(%[[A]]) outs(%[[S:.*]])
// CHECK: txp.launch @f {{.*}} ins(%[[S]]) outs(%[[P:.*]])
// CHECK: txp.launch @g {{.*}} ins(%[[P]]) outs(%[[T:.*]])
// CHECK: %[[AGAIN:.*]] = txp.alloc
// CHECK: txp.launch @f {{.*}} ins(%[[X]]) outs(%[[AGAIN]])
// CHECK-SAME: txp.fit = {bytes = 1024 : i64, decision = "repeated", microseconds = 2.4
// CHECK: txp.launch @g {{.*}} ins(%[[T]], %[[AGAIN]])
// ARENA-LABEL: txp.func @main(
// ARENA: %[[ARENA:.*]] = txp.alloc %c1088_i64
// ARENA: scf.for
// ARENA-COUNT-5: txp.view %[[ARENA]]
// ARENA: txp.alloc %c64_i64
// ARENA-NOT: txp.alloc
txp.func @main(%x: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<16xf32>], outputs = [tensor<16xf32>]} {
  %n = arith.constant 64 : i64
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %c1024 = arith.constant 1024 : i64
  %z = scf.for %i = %c0 to %c8 step %c1 iter_args(%c = %x) -> (!txp.buffer) : i64 {
    %a = txp.alloc %c1024
    txp.launch @f extent(%n) grain(%n) ins(%c) outs(%a)
    %s = txp.alloc %n
    txp.launch @g extent(%n) grain(%n) ins(%a) outs(%s)
    %p = txp.alloc %c1024
    txp.launch @f extent(%n) grain(%n) ins(%s) outs(%p)
    %t = txp.alloc %n
    txp.launch @g extent(%n) grain(%n) ins(%p) outs(%t)
    %y = txp.alloc %n
    txp.launch @g extent(%n) grain(%n) ins(%t, %a) outs(%y)
    scf.yield %y : !txp.buffer
  }
  txp.return %z
}
}

// %a is written in two launches, so it cannot be computed again. It is on the
// host during the peak of each iteration.
//--- spill.mlir
module attributes {txp.memory_limit = 1700 : i64, txp.host_gb_s = 0.2048 : f64} {
func.func private @f()
func.func private @g()
// CHECK-LABEL: txp.func @main(
// CHECK: scf.for
// CHECK: txp.launch @g {{.*}} ins(%{{.*}}) outs(%[[A:.*]]) {txp.updates}
// CHECK: %[[HOST:.*]] = txp.spill %[[A]] queue(1) {txp.fit = {{.*}}decision = "spilled"
// CHECK: txp.launch @f {{.*}} outs(%[[P:.*]])
// CHECK: txp.restore %[[HOST]] to %[[BACK:.*]] queue(1)
// CHECK: txp.wait
// CHECK: txp.launch @g {{.*}} ins(%{{.*}}, %[[BACK]])
// CHECK: scf.yield
// ARENA-LABEL: txp.func @main(
// ARENA: txp.alloc
// ARENA: scf.for
// ARENA: txp.spill
txp.func @main(%x: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<16xf32>], outputs = [tensor<16xf32>]} {
  %n = arith.constant 64 : i64
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %c1024 = arith.constant 1024 : i64
  %z = scf.for %i = %c0 to %c8 step %c1 iter_args(%c = %x) -> (!txp.buffer) : i64 {
    %a = txp.alloc %c1024
    txp.launch @f extent(%n) grain(%n) ins(%c) outs(%a)
    txp.launch @g extent(%n) grain(%n) ins(%x) outs(%a) {txp.updates}
    %s = txp.alloc %n
    txp.launch @g extent(%n) grain(%n) ins(%a) outs(%s)
    %p = txp.alloc %c1024
    txp.launch @f extent(%n) grain(%n) ins(%s) outs(%p)
    %t = txp.alloc %n
    txp.launch @g extent(%n) grain(%n) ins(%p) outs(%t)
    %y = txp.alloc %n
    txp.launch @g extent(%n) grain(%n) ins(%t, %a) outs(%y)
    scf.yield %y : !txp.buffer
  }
  txp.return %z
}
}

// %a was read from memory that the iteration changes.
//--- changed.mlir
module attributes {txp.memory_limit = 1700 : i64} {
func.func private @f()
func.func private @g()
// CHECK: changed.mlir:{{.*}}: error: main does not fit into the memory limit of 1700 bytes: at least 2496 are needed
txp.func @main(%x: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<16xf32>], outputs = [tensor<16xf32>]} {
  %n = arith.constant 64 : i64
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %c1024 = arith.constant 1024 : i64
  %out = txp.alloc %n
  txp.fill %out with %n width 4
  %z = scf.for %i = %c0 to %c8 step %c1 iter_args(%c = %x) -> (!txp.buffer) : i64 {
    %v = txp.view %out[%c0] bytes(%n)
    %a = txp.alloc %c1024
    txp.launch @f extent(%n) grain(%n) ins(%v) outs(%a)
    %s = txp.alloc %n
    txp.launch @g extent(%n) grain(%n) ins(%a) outs(%s)
    %p = txp.alloc %c1024
    txp.launch @f extent(%n) grain(%n) ins(%s) outs(%p)
    txp.launch @g extent(%n) grain(%n) ins(%p) outs(%v)
    %y = txp.alloc %n
    txp.launch @g extent(%n) grain(%n) ins(%v, %a) outs(%y)
    scf.yield %y : !txp.buffer
  }
  txp.return %z
}
}

// Three buffers of %y are in use: those of an iteration and of the two before. On
// a CPU the loop may become a kernel, whose scratch memory has them, too.
//--- carried.mlir
module attributes {txp.memory_limit = 100 : i64} {
func.func private @f()
// CHECK: carried.mlir:{{.*}}: error: main does not fit into the memory limit of 100 bytes: at least 256 are needed (inputs 64, constants 0, results 0, temporaries 192)
// OUTLINED: at least {{[0-9]+}} are needed (inputs 64, constants 0, results 0, temporaries 1152)
txp.func @main(%x: !txp.buffer) -> (!txp.buffer, !txp.buffer)
    attributes {inputs = [tensor<16xf32>], outputs = [tensor<16xf32>, tensor<16xf32>]} {
  %n = arith.constant 64 : i64
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %z:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %x, %b = %x) -> (!txp.buffer, !txp.buffer) : i64 {
    %y = txp.alloc %n
    txp.launch @f extent(%n) grain(%n) ins(%b) outs(%y)
    scf.yield %b, %y : !txp.buffer, !txp.buffer
  }
  txp.return %z#0, %z#1
}
}

// A buffer from outside the loop is none of the iteration's.
//--- outside.mlir
module attributes {txp.memory_limit = 2600 : i64} {
func.func private @f()
func.func private @g()
// CHECK-LABEL: txp.func @main(
// CHECK: txp.launch @f {{.*}} outs(%[[O:.*]])
// CHECK: scf.for
// CHECK: txp.launch @f {{.*}} ins(%{{.*}}, %[[O]]) outs(%[[A:.*]])
// CHECK: txp.launch @f {{.*}} ins(%[[O]], %[[S:.*]]) outs(
// CHECK: txp.launch @f {{.*}} ins(%{{.*}}, %[[O]]) outs(%[[AGAIN:.*]]) {txp.fit = {{.*}}decision = "repeated"
// CHECK: txp.launch @g {{.*}} ins(%{{.*}}, %[[O]], %[[AGAIN]])
txp.func @main(%x: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<16xf32>], outputs = [tensor<16xf32>]} {
  %n = arith.constant 64 : i64
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %c1024 = arith.constant 1024 : i64
  %o = txp.alloc %c1024
  txp.launch @f extent(%n) grain(%n) ins(%x) outs(%o)
  %z = scf.for %i = %c0 to %c8 step %c1 iter_args(%c = %x) -> (!txp.buffer) : i64 {
    %a = txp.alloc %c1024
    txp.launch @f extent(%n) grain(%n) ins(%c, %o) outs(%a)
    %s = txp.alloc %n
    txp.launch @g extent(%n) grain(%n) ins(%a) outs(%s)
    %p = txp.alloc %c1024
    txp.launch @f extent(%n) grain(%n) ins(%o, %s) outs(%p)
    %t = txp.alloc %n
    txp.launch @g extent(%n) grain(%n) ins(%p) outs(%t)
    %y = txp.alloc %n
    txp.launch @g extent(%n) grain(%n) ins(%t, %o, %a) outs(%y)
    scf.yield %y : !txp.buffer
  }
  txp.return %z
}
}

// %a is needed before and after the loop, whose iterations are the peak.
//--- around.mlir
module attributes {txp.memory_limit = 2600 : i64} {
func.func private @f()
func.func private @g()
// CHECK-LABEL: txp.func @main(
// CHECK: txp.launch @f {{.*}} ins(%[[X:.*]]) outs(%[[A:.*]])
// CHECK: scf.for
// CHECK: txp.launch @f {{.*}} ins(%[[X]]) outs(%[[AGAIN:.*]]) {txp.fit = {{.*}}decision = "repeated"
// CHECK: txp.launch @g {{.*}} ins(%{{.*}}, %[[AGAIN]])
txp.func @main(%x: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<16xf32>], outputs = [tensor<16xf32>]} {
  %n = arith.constant 64 : i64
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %c1024 = arith.constant 1024 : i64
  %a = txp.alloc %c1024
  txp.launch @f extent(%n) grain(%n) ins(%x) outs(%a)
  %s = txp.alloc %n
  txp.launch @g extent(%n) grain(%n) ins(%a) outs(%s)
  %z = scf.for %i = %c0 to %c8 step %c1 iter_args(%c = %s) -> (!txp.buffer) : i64 {
    %p = txp.alloc %c1024
    txp.launch @f extent(%n) grain(%n) ins(%c) outs(%p)
    %q = txp.alloc %c1024
    txp.launch @f extent(%n) grain(%n) ins(%p) outs(%q)
    %t = txp.alloc %n
    txp.launch @g extent(%n) grain(%n) ins(%q) outs(%t)
    scf.yield %t : !txp.buffer
  }
  %y = txp.alloc %n
  txp.launch @g extent(%n) grain(%n) ins(%z, %a) outs(%y)
  txp.return %y
}
}
