// RUN: split-file --leading-lines %s %t
// RUN: %tensorc-opt %t/in-place.mlir --pass-pipeline='builtin.module(txp.func(txp-fit-memory))' | FileCheck %t/in-place.mlir
// RUN: %tensorc-opt %t/order.mlir --pass-pipeline='builtin.module(txp.func(txp-fit-memory))' | FileCheck %t/order.mlir
// RUN: %tensorc-opt %t/repeat.mlir --pass-pipeline='builtin.module(txp.func(txp-fit-memory{launch-us=3}))' | FileCheck %t/repeat.mlir
// RUN: %tensorc-opt %t/repeat.mlir --pass-pipeline='builtin.module(txp.func(txp-fit-memory,txp-plan-memory))' | FileCheck %t/repeat.mlir --check-prefix=ARENA
// RUN: %tensorc-opt %t/spill.mlir --pass-pipeline='builtin.module(txp.func(txp-fit-memory{launch-us=3}))' | FileCheck %t/spill.mlir
// RUN: %tensorc-opt %t/spill.mlir --pass-pipeline='builtin.module(txp.func(txp-fit-memory{launch-us=3},txp-plan-memory))' | FileCheck %t/spill.mlir --check-prefix=ARENA
// RUN: sed 's/txp.host_gb_s/txp.other/' %t/spill.mlir > %t/stays.mlir
// RUN: %exits 1 %tensorc-opt %t/stays.mlir --pass-pipeline='builtin.module(txp.func(txp-fit-memory{launch-us=3}))' 2>&1 | FileCheck %t/spill.mlir --check-prefix=STAYS
// RUN: %tensorc-opt %t/cheaper.mlir --pass-pipeline='builtin.module(txp.func(txp-fit-memory{launch-us=3 memory-gb-s=0.01}))' | FileCheck %t/cheaper.mlir
// RUN: %exits 1 %tensorc-opt %t/awaited.mlir --pass-pipeline='builtin.module(txp.func(txp-fit-memory{launch-us=3 memory-gb-s=0.01}))' 2>&1 | FileCheck %t/awaited.mlir
// DEFINE: %{copies} = launch-us=3 copies-constants
// RUN: %tensorc-opt %t/stream.mlir --pass-pipeline='builtin.module(txp.func(txp-fit-memory{%{copies}}))' | FileCheck %t/stream.mlir
// RUN: %tensorc-opt %t/stream.mlir --pass-pipeline='builtin.module(txp.func(txp-fit-memory{%{copies}},txp-plan-memory))' | FileCheck %t/stream.mlir --check-prefix=ARENA
// RUN: %tensorc-opt %t/together.mlir --pass-pipeline='builtin.module(txp.func(txp-fit-memory{%{copies}}))' | FileCheck %t/together.mlir
// RUN: sed 's/3100/2100/' %t/stream.mlir > %t/tight.mlir
// RUN: %tensorc-opt %t/tight.mlir --pass-pipeline='builtin.module(txp.func(txp-fit-memory{%{copies}}))' | FileCheck %t/stream.mlir --check-prefix=TIGHT
// RUN: sed 's/3100/2000/' %t/stream.mlir > %t/least.mlir
// RUN: %exits 1 %tensorc-opt %t/least.mlir --pass-pipeline='builtin.module(txp.func(txp-fit-memory{%{copies}}))' 2>&1 | FileCheck %t/stream.mlir --check-prefix=LEAST
// RUN: %tensorc-opt %t/twice.mlir --pass-pipeline='builtin.module(txp.func(txp-fit-memory{%{copies}}))' | FileCheck %t/twice.mlir
// RUN: %exits 1 %tensorc-opt %t/refused.mlir --pass-pipeline='builtin.module(txp.func(txp-fit-memory))' 2>&1 | FileCheck %t/refused.mlir
// RUN: %exits 1 %tensorc-opt %t/changed.mlir --pass-pipeline='builtin.module(txp.func(txp-fit-memory))' 2>&1 | FileCheck %t/changed.mlir
// RUN: %exits 1 %tensorc-opt %t/branch.mlir --pass-pipeline='builtin.module(txp.func(txp-fit-memory))' 2>&1 | FileCheck %t/branch.mlir
// RUN: %exits 1 %tensorc-opt %t/empty.mlir --pass-pipeline='builtin.module(txp.func(txp-fit-memory))' 2>&1 | FileCheck %t/empty.mlir
// RUN: %tensorc-opt %t/kept.mlir --pass-pipeline='builtin.module(txp.func(txp-fit-memory))' | FileCheck %t/kept.mlir

// A kernel that may run in place takes over its input's memory.
//--- in-place.mlir
module attributes {txp.memory_limit = 800 : i64} {
func.func private @k()
// CHECK-LABEL: txp.func @main(
// CHECK-SAME: txp.fit = {fitted = 768 : i64, limit = 800 : i64, moved = 0 : i64, natural = 1024 : i64}
// CHECK: %[[A:.*]] = txp.alloc
// CHECK: txp.launch @k {{.*}} outs(%[[A]])
// CHECK: txp.launch @k {{.*}} ins(%[[A]]) outs(%[[A]])
// CHECK-SAME: txp.fit = {bytes = 256 : i64, decision = "in place"
// CHECK: txp.launch @k {{.*}} ins(%[[A]]) outs(%[[Y:.*]])
// CHECK: txp.return %[[Y]]
txp.func @main(%x: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<64xf32>], outputs = [tensor<64xf32>]} {
  %n = arith.constant 64 : i64
  %c256 = arith.constant 256 : i64
  %a = txp.alloc %c256
  txp.launch @k extent(%n) grain(%n) ins(%x) outs(%a)
  %b = txp.alloc %c256
  txp.launch @k extent(%n) grain(%n) ins(%a) outs(%b) {txp.in_place = array<i64: 0, 0>}
  %y = txp.alloc %c256
  txp.launch @k extent(%n) grain(%n) ins(%b) outs(%y)
  txp.return %y
}
}

// Of two chains the first ends before the second begins; the check stays first.
//--- order.mlir
module attributes {txp.memory_limit = 2000 : i64} {
func.func private @f()
func.func private @g()
// CHECK-LABEL: txp.func @main(
// CHECK-SAME: fitted = 1472 : i64, limit = 2000 : i64, moved = 2 : i64, natural = 2624 : i64
// CHECK: txp.assert
// CHECK: txp.launch @f {{.*}} outs(%[[A:.*]])
// CHECK: txp.launch @g {{.*}} ins(%[[A]])
// CHECK: txp.launch @f {{.*}} outs(%[[B:.*]])
// CHECK: txp.launch @g {{.*}} ins(%[[B]])
txp.func @main(%x: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<64xf32>], outputs = [tensor<16xf32>]} {
  %n = arith.constant 64 : i64
  %c1024 = arith.constant 1024 : i64
  %size = txp.dim %x, 0
  %same = arith.cmpi eq, %size, %n : i64
  txp.assert %same, "dim 0 is not 64"
  %a = txp.alloc %c1024
  txp.launch @f extent(%n) grain(%n) ins(%x) outs(%a)
  %b = txp.alloc %c1024
  txp.launch @f extent(%n) grain(%n) ins(%x) outs(%b)
  %s = txp.alloc %n
  txp.launch @g extent(%n) grain(%n) ins(%a) outs(%s)
  %t = txp.alloc %n
  txp.launch @g extent(%n) grain(%n) ins(%b) outs(%t)
  %y = txp.alloc %n
  txp.launch @f extent(%n) grain(%n) ins(%s, %t) outs(%y)
  txp.return %y
}
}

// What f computes is needed before and after the peak, and computed twice.
//--- repeat.mlir
module attributes {txp.memory_limit = 2000 : i64} {
func.func private @f()
func.func private @g()
// CHECK-LABEL: txp.func @main(
// CHECK-SAME: %[[X:.*]]: !txp.buffer
// CHECK-SAME: fitted = 1472 : i64, limit = 2000 : i64, moved = 0 : i64, natural = 2624 : i64
// CHECK: txp.launch @f {{.*}} ins(%[[X]]) outs(%[[A:.*]])
// CHECK: txp.launch @g {{.*}} ins(%[[A]]) outs(%[[S:.*]])
// CHECK: txp.launch @f {{.*}} ins(%[[S]]) outs(%[[P:.*]])
// CHECK: txp.launch @g {{.*}} ins(%[[P]]) outs(%[[T:.*]])
// CHECK: %[[AGAIN:.*]] = txp.alloc
// CHECK: txp.launch @f {{.*}} ins(%[[X]]) outs(%[[AGAIN]])
// CHECK-SAME: txp.fit = {bytes = 1024 : i64, decision = "repeated", microseconds = 3.0
// CHECK: txp.launch @g {{.*}} ins(%[[T]], %[[AGAIN]])
// ARENA: %[[ARENA:.*]] = txp.alloc %c1088_i64
// ARENA-COUNT-5: txp.view %[[ARENA]]
txp.func @main(%x: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<64xf32>], outputs = [tensor<16xf32>]} {
  %n = arith.constant 64 : i64
  %c1024 = arith.constant 1024 : i64
  %a = txp.alloc %c1024
  txp.launch @f extent(%n) grain(%n) ins(%x) outs(%a)
  %s = txp.alloc %n
  txp.launch @g extent(%n) grain(%n) ins(%a) outs(%s)
  %p = txp.alloc %c1024
  txp.launch @f extent(%n) grain(%n) ins(%s) outs(%p)
  %t = txp.alloc %n
  txp.launch @g extent(%n) grain(%n) ins(%p) outs(%t)
  %y = txp.alloc %n
  txp.launch @g extent(%n) grain(%n) ins(%t, %a) outs(%y)
  txp.return %y
}
}

// What %a holds cannot be computed again, and is on the host during the peak.
// Each copy takes 5 us, and overlaps with launches of 3 us where their memory is
// not needed: two launches and one.
//--- spill.mlir
module attributes {txp.memory_limit = 2000 : i64, txp.host_gb_s = 0.2048 : f64} {
func.func private @f()
func.func private @g()
// STAYS: stays.mlir:{{.*}}: error: main does not fit into the memory limit of 2000 bytes: at least 2880 are needed
// CHECK-LABEL: txp.func @main(
// CHECK-SAME: fitted = 1728 : i64, limit = 2000 : i64, moved = 0 : i64, natural = 2880 : i64
// CHECK: txp.launch @f {{.*}} outs(%[[A:.*]])
// CHECK: %[[E:.*]] = txp.record{{$}}
// CHECK: txp.wait %[[E]] queue(1)
// CHECK: %[[H:.*]] = txp.spill %[[A]] queue(1) {txp.fit = {bytes = 1024 : i64, decision = "spilled", microseconds = 2.000000e+01
// CHECK: %[[E:.*]] = txp.record queue(1)
// CHECK: txp.launch @g {{.*}} outs(%[[U:.*]])
// CHECK: txp.launch @g {{.*}} ins(%[[U]]) outs(%[[V:.*]])
// CHECK: txp.wait %[[E]]{{$}}
// CHECK: txp.launch @f {{.*}} ins(%[[V]]) outs(%[[P:.*]])
// CHECK: txp.launch @g {{.*}} ins(%[[P]]) outs(%[[T:.*]])
// CHECK: %[[BACK:.*]] = txp.alloc
// CHECK: %[[E:.*]] = txp.record{{$}}
// CHECK: txp.wait %[[E]] queue(1)
// CHECK: txp.restore %[[H]] to %[[BACK]] queue(1)
// CHECK: %[[E:.*]] = txp.record queue(1)
// CHECK: txp.launch @g {{.*}} ins(%[[T]]) outs(%[[Z:.*]])
// CHECK: txp.wait %[[E]]{{$}}
// CHECK: txp.launch @g {{.*}} ins(%[[Z]], %[[BACK]])
// ARENA: %[[ARENA:.*]] = txp.alloc %c1344_i64
// ARENA-COUNT-8: txp.view %[[ARENA]]
txp.func @main(%x: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<64xf32>], outputs = [tensor<16xf32>]} {
  %n = arith.constant 64 : i64
  %c1024 = arith.constant 1024 : i64
  %s = txp.alloc %n
  txp.fill %s with %n width 4
  %a = txp.alloc %c1024
  txp.launch @f extent(%n) grain(%n) ins(%s) outs(%a)
  txp.fill %s with %c1024 width 4
  %u = txp.alloc %n
  txp.launch @g extent(%n) grain(%n) ins(%s) outs(%u)
  %v = txp.alloc %n
  txp.launch @g extent(%n) grain(%n) ins(%u) outs(%v)
  %c1280 = arith.constant 1280 : i64
  %p = txp.alloc %c1280
  txp.launch @f extent(%n) grain(%n) ins(%v) outs(%p)
  %t = txp.alloc %n
  txp.launch @g extent(%n) grain(%n) ins(%p) outs(%t)
  %z = txp.alloc %n
  txp.launch @g extent(%n) grain(%n) ins(%t) outs(%z)
  %y = txp.alloc %n
  txp.launch @g extent(%n) grain(%n) ins(%z, %a) outs(%y)
  txp.return %y
}
}

// To compute %a again takes longer than to copy it twice.
//--- cheaper.mlir
module attributes {txp.memory_limit = 2000 : i64, txp.host_gb_s = 0.2048 : f64} {
func.func private @f()
func.func private @g()
// CHECK-LABEL: txp.func @main(
// CHECK: txp.spill {{.*}} decision = "spilled"
// CHECK-NOT: decision
txp.func @main(%x: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<64xf32>], outputs = [tensor<16xf32>]} {
  %n = arith.constant 64 : i64
  %c1024 = arith.constant 1024 : i64
  %a = txp.alloc %c1024
  txp.launch @f extent(%n) grain(%n) ins(%x) outs(%a) {txp.sizes = #tx.dims<[64, 0, 256, 1024]>}
  %s = txp.alloc %n
  txp.launch @g extent(%n) grain(%n) ins(%a) outs(%s)
  %p = txp.alloc %c1024
  txp.launch @f extent(%n) grain(%n) ins(%s) outs(%p)
  %t = txp.alloc %n
  txp.launch @g extent(%n) grain(%n) ins(%p) outs(%t)
  %y = txp.alloc %n
  txp.launch @g extent(%n) grain(%n) ins(%t, %a) outs(%y)
  txp.return %y
}
}

// At the new peak, the copy of %a to the host is awaited, but no launch after it
// reads %a.
//--- awaited.mlir
module attributes {txp.memory_limit = 1000 : i64, txp.host_gb_s = 0.2048 : f64} {
func.func private @f()
func.func private @g()
// CHECK: awaited.mlir:{{.*}}: error: main does not fit into the memory limit of 1000 bytes: at least 2624 are needed
txp.func @main(%x: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<64xf32>], outputs = [tensor<16xf32>]} {
  %n = arith.constant 64 : i64
  %c1024 = arith.constant 1024 : i64
  %c1088 = arith.constant 1088 : i64
  %a = txp.alloc %c1024
  txp.launch @f extent(%n) grain(%n) ins(%x) outs(%a) {txp.sizes = #tx.dims<[64, 0, 256, 1024]>}
  %s = txp.alloc %n
  txp.launch @g extent(%n) grain(%n) ins(%a) outs(%s)
  %p = txp.alloc %c1024
  txp.launch @f extent(%n) grain(%n) ins(%s) outs(%p)
  %t = txp.alloc %n
  txp.launch @g extent(%n) grain(%n) ins(%p) outs(%t)
  %q = txp.alloc %c1024
  txp.launch @f extent(%n) grain(%n) ins(%t) outs(%q)
  %r = txp.alloc %c1088
  txp.launch @g extent(%n) grain(%n) ins(%q) outs(%r)
  %y = txp.alloc %n
  txp.launch @g extent(%n) grain(%n) ins(%r, %a) outs(%y)
  txp.return %y
}
}

// The limit has room for two of three constants: two are uploaded when they are
// used, the second one during the launch before that.
//--- stream.mlir
module attributes {txp.memory_limit = 3100 : i64, txp.host_gb_s = 1.024 : f64} {
func.func private @f()
// CHECK-LABEL: txp.func @main(
// CHECK-SAME: %[[X:.*]]: !txp.buffer
// CHECK-SAME: fitted = 3072 : i64, limit = 3100 : i64, moved = 0 : i64, natural = 4096 : i64
// CHECK: %[[V:.*]] = txp.alloc
// CHECK: %[[E:.*]] = txp.record{{$}}
// CHECK: txp.wait %[[E]] queue(1)
// CHECK: txp.restore %{{.*}} to %[[V]] queue(1) {txp.fit = {bytes = 1024 : i64, decision = "streamed", microseconds = 1.000000e+01
// CHECK: %[[E:.*]] = txp.record queue(1)
// CHECK: txp.wait %[[E]]{{$}}
// CHECK: txp.launch @f {{.*}} ins(%[[X]], %[[V]]) outs(%[[A:.*]])
// CHECK: %[[U:.*]] = txp.alloc
// CHECK: txp.restore %{{.*}} to %[[U]] queue(1) {txp.fit = {bytes = 1024 : i64, decision = "streamed", microseconds = 7.000000e+00
// CHECK: %[[E:.*]] = txp.record queue(1)
// CHECK-NOT: txp.wait
// CHECK: %[[W:.*]] = txp.constant_buffer dense<2.0
// CHECK: txp.launch @f {{.*}} ins(%[[A]], %[[W]]) outs(%[[B:.*]])
// CHECK: txp.wait %[[E]]{{$}}
// CHECK: txp.launch @f {{.*}} ins(%[[B]], %[[U]])
// ARENA: %[[ARENA:.*]] = txp.alloc %c1536_i64
// ARENA-COUNT-4: txp.view %[[ARENA]]
// TIGHT: fitted = 2048 : i64
// TIGHT-COUNT-3: txp.restore
// LEAST: error: main does not fit into the memory limit of 2000 bytes: at least 2048 are needed (inputs 256, constants 0, results 256, temporaries 1536)
// LEAST: note: here a temporary of 1024 bytes is needed
txp.func @main(%x: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<64xf32>], outputs = [tensor<64xf32>]} {
  %n = arith.constant 64 : i64
  %c256 = arith.constant 256 : i64
  %v = txp.constant_buffer dense<1.0> : tensor<256xf32>
  %w = txp.constant_buffer dense<2.0> : tensor<256xf32>
  %u = txp.constant_buffer dense<3.0> : tensor<256xf32>
  %a = txp.alloc %c256
  txp.launch @f extent(%n) grain(%n) ins(%x, %v) outs(%a)
  %b = txp.alloc %c256
  txp.launch @f extent(%n) grain(%n) ins(%a, %w) outs(%b)
  %y = txp.alloc %c256
  txp.launch @f extent(%n) grain(%n) ins(%b, %u) outs(%y)
  txp.return %y
}
}

// All uses of both constants are at the peak, so that one alone saves nothing.
//--- together.mlir
module attributes {txp.memory_limit = 2100 : i64, txp.host_gb_s = 1.024 : f64} {
func.func private @f()
// CHECK-LABEL: txp.func @main(
// CHECK-SAME: limit = 2100 : i64
// CHECK-COUNT-2: decision = "streamed"
txp.func @main(%x: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<64xf32>], outputs = [tensor<64xf32>]} {
  %n = arith.constant 64 : i64
  %c256 = arith.constant 256 : i64
  %v = txp.constant_buffer dense<1.0> : tensor<256xf32>
  %w = txp.constant_buffer dense<2.0> : tensor<256xf32>
  %a = txp.alloc %c256
  txp.launch @f extent(%n) grain(%n) ins(%x, %v) outs(%a)
  %y = txp.alloc %c256
  txp.launch @f extent(%n) grain(%n) ins(%a, %w) outs(%y)
  txp.return %y
}
}

// A constant that is used before and after the peak is uploaded twice. One that
// is a part of another value stays.
//--- twice.mlir
module attributes {txp.memory_limit = 5700 : i64, txp.host_gb_s = 1.024 : f64} {
func.func private @f()
// CHECK-LABEL: txp.func @main(
// CHECK-SAME: fitted = 5632 : i64, limit = 5700 : i64, moved = 0 : i64, natural = 6656 : i64
// CHECK: %[[V:.*]] = txp.constant_buffer dense<1.0
// CHECK: txp.restore %[[V]] to %[[V1:.*]] queue(1) {txp.fit = {bytes = 1024 : i64
// CHECK: txp.launch @f {{.*}} ins(%{{.*}}, %[[V1]])
// CHECK: %[[W:.*]] = txp.constant_buffer dense<2.0
// CHECK: txp.view %[[W]]
// CHECK: txp.launch
// CHECK: txp.launch
// CHECK: txp.restore %[[V]] to %[[V2:.*]] queue(1) {txp.fit = {bytes = 0 : i64
// CHECK: txp.launch
// CHECK: txp.launch @f {{.*}} ins(%{{.*}}, %[[V2]])
txp.func @main(%x: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<64xf32>], outputs = [tensor<64xf32>]} {
  %n = arith.constant 64 : i64
  %c0 = arith.constant 0 : i64
  %c256 = arith.constant 256 : i64
  %c2048 = arith.constant 2048 : i64
  %v = txp.constant_buffer dense<1.0> : tensor<256xf32>
  %w = txp.constant_buffer dense<2.0> : tensor<256xf32>
  %part = txp.view %w[%c0] bytes(%c256)
  %a = txp.alloc %c256
  txp.launch @f extent(%n) grain(%n) ins(%x, %v) outs(%a)
  %p = txp.alloc %c2048
  txp.launch @f extent(%n) grain(%n) ins(%a, %part) outs(%p)
  %q = txp.alloc %c2048
  txp.launch @f extent(%n) grain(%n) ins(%p) outs(%q)
  %b = txp.alloc %c256
  txp.launch @f extent(%n) grain(%n) ins(%q) outs(%b)
  %y = txp.alloc %c256
  txp.launch @f extent(%n) grain(%n) ins(%b, %v) outs(%y)
  txp.return %y
}
}

// The refusal names the smallest limit, and the line of the peak.
//--- refused.mlir
module attributes {txp.memory_limit = 1000 : i64} {
func.func private @f()
txp.func @main(%x: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<64xf32>], outputs = [tensor<16xf32>]} {
  %n = arith.constant 64 : i64
  %c1024 = arith.constant 1024 : i64
// CHECK: refused.mlir:[[#@LINE+6]]:3: error: main does not fit into the memory limit of 1000 bytes: at least 2368 are needed (inputs 256, constants 0, results 64, temporaries 2048)
// CHECK: refused.mlir:[[#@LINE+2]]:8: note: here a temporary of 1024 bytes is needed
// CHECK: refused.mlir:[[#@LINE+3]]:8: note: here a temporary of 1024 bytes is needed
  %a = txp.alloc %c1024
  txp.launch @f extent(%n) grain(%n) ins(%x) outs(%a)
  %b = txp.alloc %c1024
  txp.launch @f extent(%n) grain(%n) ins(%a) outs(%b)
  %y = txp.alloc %n
  txp.launch @f extent(%n) grain(%n) ins(%b) outs(%y)
  txp.return %y
}
}

// What a launch read from a buffer that changes cannot be computed again.
//--- changed.mlir
module attributes {txp.memory_limit = 2000 : i64} {
func.func private @f()
// CHECK: changed.mlir:{{.*}}: error: main does not fit into the memory limit of 2000 bytes: at least 2624 are needed
txp.func @main(%x: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<64xf32>], outputs = [tensor<16xf32>]} {
  %n = arith.constant 64 : i64
  %c1024 = arith.constant 1024 : i64
  %s = txp.alloc %n
  txp.fill %s with %n width 4
  %a = txp.alloc %c1024
  txp.launch @f extent(%n) grain(%n) ins(%s) outs(%a)
  txp.fill %s with %c1024 width 4
  %p = txp.alloc %c1024
  txp.launch @f extent(%n) grain(%n) ins(%s) outs(%p)
  %t = txp.alloc %n
  txp.launch @f extent(%n) grain(%n) ins(%p) outs(%t)
  %y = txp.alloc %n
  txp.launch @f extent(%n) grain(%n) ins(%t, %a) outs(%y)
  txp.return %y
}
}

// A branch reads %t, and returns another buffer: %t is a temporary and no result.
//--- branch.mlir
module attributes {txp.memory_limit = 100 : i64} {
func.func private @f()
// CHECK: branch.mlir:{{.*}}: error: main does not fit into the memory limit of 100 bytes: at least 576 are needed (inputs 256, constants 0, results 64, temporaries 256)
txp.func @main(%x: !txp.buffer) -> (!txp.buffer, !txp.buffer)
    attributes {inputs = [tensor<64xf32>], outputs = [tensor<16xf32>, tensor<32xf32>]} {
  %n = arith.constant 64 : i64
  %c128 = arith.constant 128 : i64
  %zero = arith.constant 0 : i64
  %t = txp.alloc %c128
  txp.launch @f extent(%n) grain(%n) ins(%x) outs(%t)
  %y = txp.alloc %n
  txp.launch @f extent(%n) grain(%n) ins(%x) outs(%y)
  %word = txp.read_scalar %y[%zero] : i64
  %is = arith.cmpi eq, %word, %zero : i64
  %z = scf.if %is -> (!txp.buffer) {
    %a = txp.alloc %c128
    txp.launch @f extent(%n) grain(%n) ins(%t) outs(%a)
    scf.yield %a : !txp.buffer
  } else {
    %b = txp.alloc %c128
    txp.launch @f extent(%n) grain(%n) ins(%x) outs(%b)
    scf.yield %b : !txp.buffer
  }
  txp.return %y, %z
}
}

// A program without launches has no peak.
//--- empty.mlir
module attributes {txp.memory_limit = 100 : i64} {
// CHECK: empty.mlir:[[#@LINE+2]]:1: error: main does not fit into the memory limit of 100 bytes: at least 256 are needed (inputs 256, constants 0, results 0, temporaries 0)
// CHECK-NOT: note:
txp.func @main(%x: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<64xf32>], outputs = [tensor<64xf32>]} {
  txp.return %x
}
}

// A program that fits, or whose sizes are unknown, stays as it is.
//--- kept.mlir
module attributes {txp.memory_limit = 100000 : i64} {
func.func private @f()
// CHECK-LABEL: txp.func @unknown(
// CHECK-NOT: txp.fit
txp.func @unknown(%x: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<?xf32>], outputs = [tensor<?xf32>]} {
  %n = txp.dim %x, 0
  %y = txp.alloc %n
  txp.launch @f extent(%n) grain(%n) ins(%x) outs(%y)
  txp.return %y
}
// CHECK-LABEL: txp.func @fits(
// CHECK-SAME: fitted = 384 : i64, limit = 100000 : i64, moved = 0 : i64, natural = 384 : i64
// CHECK: txp.launch @f {{.*}} grain(%{{.*}}) ins(%{{.*}}) outs(%{{[^)]*}})
// CHECK-NOT: txp.fit
txp.func @fits(%x: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<64xf32>], outputs = [tensor<16xf32>]} {
  %n = arith.constant 64 : i64
  %a = txp.alloc %n
  txp.launch @f extent(%n) grain(%n) ins(%x) outs(%a)
  %y = txp.alloc %n
  txp.launch @f extent(%n) grain(%n) ins(%a) outs(%y) {txp.in_place = array<i64: 0, 0>}
  txp.return %y
}
}
