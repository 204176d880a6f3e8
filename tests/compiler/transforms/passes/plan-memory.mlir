// RUN: %tensorc-opt %s --split-input-file --pass-pipeline='builtin.module(txp.func(txp-plan-memory),cse)' | FileCheck %s

func.func private @k()

// The third temporary takes the first one's place (cse merges their views); the
// result stays.
// CHECK-LABEL: txp.func @chain(
// CHECK-SAME: %[[X:.*]]: !txp.buffer
// CHECK-DAG: %[[C100:.*]] = arith.constant 100 : i64
// CHECK-DAG: %[[C256:.*]] = arith.constant 256 : i64
// CHECK-DAG: %[[C384:.*]] = arith.constant 384 : i64
// CHECK: %[[ARENA:.*]] = txp.alloc %[[C384]]
// CHECK: %[[C0:.*]] = arith.constant 0 : i64
// CHECK: %[[A:.*]] = txp.view %[[ARENA]][%[[C0]]] bytes(%[[C256]])
// CHECK: txp.launch @k {{.*}} ins(%[[X]]) outs(%[[A]])
// CHECK: %[[B:.*]] = txp.view %[[ARENA]][%[[C256]]] bytes(%[[C100]])
// CHECK: txp.launch @k {{.*}} ins(%[[A]]) outs(%[[B]])
// CHECK-NOT: txp.alloc
// CHECK: txp.launch @k {{.*}} ins(%[[B]]) outs(%[[A]])
// CHECK: %[[Y:.*]] = txp.alloc %[[C256]]
// CHECK: txp.launch @k {{.*}} ins(%[[A]]) outs(%[[Y]])
// CHECK: txp.return %[[Y]]
txp.func @chain(%x: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<64xf32>], outputs = [tensor<64xf32>]} {
  %n = arith.constant 64 : i64
  %c256 = arith.constant 256 : i64
  %c100 = arith.constant 100 : i64
  %a = txp.alloc %c256
  txp.launch @k extent(%n) grain(%n) ins(%x) outs(%a)
  %b = txp.alloc %c100
  txp.launch @k extent(%n) grain(%n) ins(%a) outs(%b)
  %c = txp.alloc %c256
  txp.launch @k extent(%n) grain(%n) ins(%b) outs(%c)
  %y = txp.alloc %c256
  txp.launch @k extent(%n) grain(%n) ins(%c) outs(%y)
  txp.return %y
}

// -----
func.func private @k()

// Best fit: while b (256) and d live, the places of a (512) and c (128) around b
// are free; e goes into c's, the smaller gap.
// CHECK-LABEL: txp.func @gaps(
// CHECK: %[[ARENA:.*]] = txp.alloc %c960_i64
// CHECK: txp.view %[[ARENA]][%c0_i64] bytes(%c512_i64)
// CHECK: txp.view %[[ARENA]][%c512_i64] bytes(%c256_i64)
// CHECK: txp.view %[[ARENA]][%c768_i64] bytes(%c128_i64)
// CHECK: txp.view %[[ARENA]][%c896_i64] bytes(%c64_i64)
// CHECK: %[[E:.*]] = txp.view %[[ARENA]][%c768_i64] bytes(%c64_i64)
// CHECK: txp.launch {{.*}} outs(%[[E]])
// CHECK-NOT: txp.alloc
txp.func @gaps(%x: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<64xf32>], outputs = [tensor<64xf32>]} {
  %n = arith.constant 64 : i64
  %c512 = arith.constant 512 : i64
  %c256 = arith.constant 256 : i64
  %c128 = arith.constant 128 : i64
  %a = txp.alloc %c512
  %b = txp.alloc %c256
  %c = txp.alloc %c128
  %d = txp.alloc %n
  txp.launch @k extent(%n) grain(%n) outs(%a, %b, %c, %d)
  %e = txp.alloc %n
  txp.launch @k extent(%n) grain(%n) ins(%b, %d) outs(%e)
  txp.return %x
}

// -----
func.func private @k()

// Symbolic sizes: the same size computed twice shares, n*256 fits where n*512
// was, m needs its own, rounded up; sizes move up to the arena.
// CHECK-LABEL: txp.func @symbolic(
// CHECK-SAME: %[[X:.*]]: !txp.buffer
// CHECK-DAG: %[[N:.*]] = txp.dim %[[X]], 0
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i64
// CHECK-DAG: %[[M:.*]] = txp.dim %[[X]], 1
// CHECK-DAG: %[[BIG:.*]] = arith.muli %[[N]], %{{.*}}
// CHECK-DAG: %[[UP:.*]] = arith.addi %[[M]], %{{.*}}
// CHECK-DAG: %[[ROUND:.*]] = arith.andi %[[UP]], %{{.*}}
// CHECK-DAG: %[[TOTAL:.*]] = arith.addi %[[BIG]], %[[ROUND]]
// CHECK: %[[ARENA:.*]] = txp.alloc %[[TOTAL]]
// CHECK: txp.view %[[ARENA]][%[[C0]]] bytes(%[[BIG]])
// CHECK: txp.view %[[ARENA]][%[[BIG]]] bytes(%[[M]])
// CHECK: txp.view %[[ARENA]][%[[C0]]] bytes(%{{.*}})
// CHECK: txp.view %[[ARENA]][%[[C0]]] bytes(%{{.*}})
// CHECK-NOT: txp.alloc
txp.func @symbolic(%x: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<?x?xf32>], outputs = [tensor<?x?xf32>]} {
  %n = txp.dim %x, 0
  %c512 = arith.constant 512 : i64
  %c128 = arith.constant 128 : i64
  %c2 = arith.constant 2 : i64
  %c4 = arith.constant 4 : i64
  %big = arith.muli %n, %c512 : i64
  %a = txp.alloc %big
  txp.launch @k extent(%n) grain(%c4) ins(%x) outs(%a)
  %m = txp.dim %x, 1
  %b = txp.alloc %m
  txp.launch @k extent(%n) grain(%c4) ins(%a) outs(%b)
  %half = arith.muli %n, %c128 : i64
  %small = arith.muli %half, %c2 : i64
  %c = txp.alloc %small
  txp.launch @k extent(%n) grain(%c4) ins(%b) outs(%c)
  %again = arith.muli %small, %c2 : i64
  %d = txp.alloc %again
  txp.launch @k extent(%n) grain(%c4) ins(%b) outs(%d)
  txp.return %x
}

// -----
func.func private @k()

// A size that is read from the device opens an arena of its own.
// CHECK-LABEL: txp.func @late(
// CHECK: %[[FIRST:.*]] = txp.alloc
// CHECK: txp.view %[[FIRST]]
// CHECK: txp.view %[[FIRST]]
// CHECK: %[[S:.*]] = txp.read_scalar
// CHECK: %[[SECOND:.*]] = txp.alloc
// CHECK: txp.view %[[SECOND]]
// CHECK: txp.view %[[SECOND]]
txp.func @late(%x: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<?x?xf32>], outputs = [tensor<?x?xf32>]} {
  %n = txp.dim %x, 0
  %c0 = arith.constant 0 : i64
  %a = txp.alloc %n
  %b = txp.alloc %n
  txp.launch @k extent(%n) grain(%n) ins(%a) outs(%b)
  %s = txp.read_scalar %b[%c0] : i64
  %c = txp.alloc %s
  %d = txp.alloc %s
  txp.launch @k extent(%n) grain(%n) ins(%c) outs(%d)
  txp.return %x
}

// -----
func.func private @k()

// What a loop carries leaves its block; what it does not carry is planned, and
// allocated once for all iterations.
// CHECK-LABEL: txp.func @loop(
// CHECK: %[[ARENA:.*]] = txp.alloc
// CHECK: scf.for
// CHECK: txp.view %[[ARENA]]
// CHECK: txp.view %[[ARENA]]
// CHECK: %[[NEXT:.*]] = txp.alloc
// CHECK: scf.yield %[[NEXT]]
txp.func @loop(%x: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<?x?xf32>], outputs = [tensor<?x?xf32>]} {
  %n = txp.dim %x, 0
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%at = %x) -> (!txp.buffer) : i64 {
    %a = txp.alloc %n
    %b = txp.alloc %n
    txp.launch @k extent(%n) grain(%n) ins(%at) outs(%a, %b)
    %next = txp.alloc %n
    txp.launch @k extent(%n) grain(%n) ins(%a, %b) outs(%next)
    scf.yield %next : !txp.buffer
  }
  txp.return %r
}

// -----
func.func private @k()

// The temporaries of two loops take the same place, also of one whose condition
// needs them. A size that an iteration computes is allocated there.
// CHECK-LABEL: txp.func @loops(
// CHECK: %[[ARENA:.*]] = txp.alloc
// CHECK: %[[T:.*]] = txp.view %[[ARENA]]
// CHECK-NOT: txp.alloc
// CHECK: scf.while
// CHECK: txp.launch @k {{.*}} outs(%[[T]])
// CHECK: scf.for
// CHECK: txp.launch @k {{.*}} outs(%[[T]])
// CHECK: %[[OWN:.*]] = txp.alloc %{{.*}}
// CHECK: txp.launch @k {{.*}} outs(%[[OWN]])
txp.func @loops(%x: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<64xf32>], outputs = [tensor<64xf32>]} {
  %n = arith.constant 256 : i64
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = scf.while (%b = %x) : (!txp.buffer) -> !txp.buffer {
    %t = txp.alloc %n
    txp.launch @k extent(%n) grain(%n) ins(%b) outs(%t)
    %word = txp.read_scalar %t[%c0] : i64
    %more = arith.cmpi ne, %word, %c0 : i64
    scf.condition(%more) %b : !txp.buffer
  } do {
  ^bb0(%b: !txp.buffer):
    scf.yield %b : !txp.buffer
  }
  scf.for %i = %c0 to %n step %c1 : i64 {
    %t = txp.alloc %n
    txp.launch @k extent(%n) grain(%n) ins(%r) outs(%t)
    %own = txp.alloc %i
    txp.launch @k extent(%n) grain(%n) ins(%t) outs(%own)
  }
  txp.return %r
}

// -----
func.func private @k()

// The spill of an iteration ends in it, so the next one may use the memory. A call
// on another queue for which nothing waits may last longer.
// CHECK-LABEL: txp.func @queues(
// CHECK: txp.alloc
// CHECK: scf.for
// CHECK-NOT: txp.alloc
// CHECK: txp.spill
// CHECK: }
// CHECK: scf.for
// CHECK: txp.alloc
// CHECK: txp.custom_call
txp.func @queues(%x: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<64xf32>], outputs = [tensor<64xf32>]} {
  %n = arith.constant 256 : i64
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %i = %c0 to %n step %c1 : i64 {
    %t = txp.alloc %n
    txp.launch @k extent(%n) grain(%n) ins(%x) outs(%t)
    %before = txp.record
    txp.wait %before queue(1)
    %h = txp.spill %t queue(1)
    txp.restore %h to %t queue(1)
    %done = txp.record queue(1)
    txp.wait %done
  }
  scf.for %i = %c0 to %n step %c1 : i64 {
    %t = txp.alloc %n
    txp.launch @k extent(%n) grain(%n) ins(%x) outs(%t)
    txp.custom_call "f" outs(%t) queue(1)
  }
  txp.return %x
}

// -----
func.func private @k()

// A buffer on another queue shares with nobody.
// CHECK-LABEL: txp.func @queues(
// CHECK-DAG: %[[C128:.*]] = arith.constant 128 : i64
// CHECK: txp.alloc %[[C128]]
txp.func @queues(%x: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<?xf32>], outputs = [tensor<?xf32>]} {
  %c64 = arith.constant 64 : i64
  %a = txp.alloc %c64
  txp.launch @k extent(%c64) grain(%c64) ins(%x) outs(%a) queue(1)
  %b = txp.alloc %c64
  txp.launch @k extent(%c64) grain(%c64) ins(%x) outs(%b)
  txp.return %x
}

// -----
func.func private @k()

// Between the record and the wait another queue uses %a and %c: %b has other
// memory than %a, and %d than %c. %c takes the place of %a, and %d that of %b.
// CHECK-LABEL: txp.func @spilled(
// CHECK: %[[ARENA:.*]] = txp.alloc %c512_i64
// CHECK: %[[A:.*]] = txp.view %[[ARENA]][%c0_i64] bytes(%c256_i64)
// CHECK: txp.spill %[[A]] queue(1)
// CHECK: %[[B:.*]] = txp.view %[[ARENA]][%c256_i64] bytes(%c256_i64)
// CHECK: txp.launch @k {{.*}} outs(%[[B]])
// CHECK: txp.restore %{{.*}} to %[[A]] queue(1)
// CHECK: txp.launch @k {{.*}} outs(%[[B]])
txp.func @spilled(%x: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<64xf32>], outputs = [tensor<64xf32>]} {
  %n = arith.constant 64 : i64
  %c256 = arith.constant 256 : i64
  %a = txp.alloc %c256
  txp.launch @k extent(%n) grain(%n) ins(%x) outs(%a)
  %e = txp.record
  txp.wait %e queue(1)
  %h = txp.spill %a queue(1)
  %f = txp.record queue(1)
  %b = txp.alloc %c256
  txp.launch @k extent(%n) grain(%n) ins(%x) outs(%b)
  txp.wait %f
  %c = txp.alloc %c256
  %g = txp.record
  txp.wait %g queue(1)
  txp.restore %h to %c queue(1)
  %i = txp.record queue(1)
  %d = txp.alloc %c256
  txp.launch @k extent(%n) grain(%n) ins(%x) outs(%d)
  txp.wait %i
  %y = txp.alloc %c256
  txp.launch @k extent(%n) grain(%n) ins(%c) outs(%y)
  txp.return %y
}

// -----

func.func private @k()

// A result may be computed where an argument is that nothing reads any more:
// %x, of which the launch reads each place before it writes it, and %z, which an
// earlier launch has read. %y is read elsewhere, %r returned.
// CHECK-LABEL: txp.func @reuses(
// CHECK: %[[OUT:.*]] = txp.alloc {{.*}} {txp.reuses = array<i64: 0, 2>, txp.written_last}
// CHECK: txp.launch @k {{.*}} outs(%[[OUT]])
txp.func @reuses(%x: !txp.buffer, %y: !txp.buffer, %z: !txp.buffer, %r: !txp.buffer) -> (!txp.buffer, !txp.buffer)
    attributes {inputs = [tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>],
                outputs = [tensor<64xf32>, tensor<64xf32>]} {
  %n = arith.constant 64 : i64
  %c256 = arith.constant 256 : i64
  %a = txp.alloc %c256
  txp.launch @k extent(%n) grain(%n) ins(%z, %r) outs(%a)
  %b = txp.alloc %c256
  txp.launch @k extent(%n) grain(%n) ins(%a, %x, %y) outs(%b) {txp.in_place = array<i64: 1, 0>}
  txp.return %b, %r : !txp.buffer, !txp.buffer
}

// -----

func.func private @k()

// After the first launch the run may still fail, so only who gives %x up in any
// case finds %a there.
// CHECK-LABEL: txp.func @fails_later(
// CHECK: %[[A:.*]] = txp.alloc %{{[^ ]*}} {txp.reuses = array<i64: 0>}
// CHECK: txp.launch @k {{.*}} outs(%[[A]])
// CHECK: txp.alloc %{{[^ ]*}} {txp.reuses = array<i64: 0>, txp.written_last}
txp.func @fails_later(%x: !txp.buffer) -> (!txp.buffer, !txp.buffer)
    attributes {inputs = [tensor<64xf32>], outputs = [tensor<64xf32>, tensor<64xf32>]} {
  %n = arith.constant 64 : i64
  %c256 = arith.constant 256 : i64
  %a = txp.alloc %c256
  txp.launch @k extent(%n) grain(%n) ins(%x) outs(%a) {txp.in_place = array<i64: 0, 0>}
  %b = txp.alloc %c256
  txp.launch @k extent(%n) grain(%n) ins(%a) outs(%b)
  txp.return %a, %b : !txp.buffer, !txp.buffer
}

// -----

func.func private @k()

// The first launch copies %x, which is nothing to do in place; the second one
// writes.
// CHECK-LABEL: txp.func @keeps(
// CHECK: txp.alloc %{{[^ ]*}} {txp.reuses = array<i64: 0>, txp.written_last}
// Where %x is computed, a run that fails between the two has spoilt it.
// CHECK-LABEL: txp.func @computes(
// CHECK: txp.alloc %{{[^ ]*}} {txp.reuses = array<i64: 0>}
txp.func @keeps(%x: !txp.buffer, %u: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<64xf32>, tensor<8xf32>], outputs = [tensor<64xf32>]} {
  %n = arith.constant 64 : i64
  %c256 = arith.constant 256 : i64
  %a = txp.alloc %c256
  txp.launch @k extent(%n) grain(%n) ins(%x, %u) outs(%a) {txp.in_place = array<i64: 0, 0>, txp.keeps}
  txp.launch @k extent(%n) grain(%n) ins(%x, %u) outs(%a) {txp.in_place = array<i64: 0, 0>, txp.updates}
  txp.return %a : !txp.buffer
}
txp.func @computes(%x: !txp.buffer, %u: !txp.buffer) -> !txp.buffer
    attributes {inputs = [tensor<64xf32>, tensor<8xf32>], outputs = [tensor<64xf32>]} {
  %n = arith.constant 64 : i64
  %c256 = arith.constant 256 : i64
  %a = txp.alloc %c256
  txp.launch @k extent(%n) grain(%n) ins(%x, %u) outs(%a) {txp.in_place = array<i64: 0, 0>}
  txp.launch @k extent(%n) grain(%n) ins(%x, %u) outs(%a) {txp.in_place = array<i64: 0, 0>, txp.updates}
  txp.return %a : !txp.buffer
}

// -----

func.func private @update()
func.func private @k()

// The update of %w comes behind what else reads %w, so that %b may be its memory. %g lives on for another reader anyway.
// CHECK-LABEL: txp.func @sinks(
// CHECK:       txp.launch @k {{.*}} ins(%arg1) outs(%[[G:.*]])
// CHECK:       txp.launch @k {{.*}} ins(%[[G]], %arg0)
// CHECK-NEXT:  txp.launch @update {{.*}} ins(%[[G]], %arg0)
txp.func @sinks(%w: !txp.buffer, %x: !txp.buffer) -> (!txp.buffer, !txp.buffer)
    attributes {inputs = [tensor<64xf32>, tensor<64xf32>], outputs = [tensor<64xf32>, tensor<64xf32>]} {
  %n = arith.constant 64 : i64
  %c256 = arith.constant 256 : i64
  %g = txp.alloc %c256
  txp.launch @k extent(%n) grain(%n) ins(%x) outs(%g)
  %b = txp.alloc %c256
  txp.launch @update extent(%n) grain(%n) ins(%g, %w) outs(%b) {txp.in_place = array<i64: 1, 0>}
  %c = txp.alloc %c256
  txp.launch @k extent(%n) grain(%n) ins(%g, %w) outs(%c)
  txp.return %b, %c : !txp.buffer, !txp.buffer
}

// -----

func.func private @update()
func.func private @k()

// Here %g, which is larger than what would be saved, would live longer.
// CHECK-LABEL: txp.func @stays(
// CHECK:       txp.launch @update
// CHECK:       txp.launch @k
txp.func @stays(%w: !txp.buffer, %x: !txp.buffer) -> (!txp.buffer, !txp.buffer)
    attributes {inputs = [tensor<64xf32>, tensor<64xf32>], outputs = [tensor<64xf32>, tensor<64xf32>]} {
  %n = arith.constant 64 : i64
  %c256 = arith.constant 256 : i64
  %c512 = arith.constant 512 : i64
  %g = txp.alloc %c512
  txp.launch @k extent(%n) grain(%n) ins(%x) outs(%g)
  %b = txp.alloc %c256
  txp.launch @update extent(%n) grain(%n) ins(%g, %w) outs(%b) {txp.in_place = array<i64: 1, 0>}
  %c = txp.alloc %c256
  txp.launch @k extent(%n) grain(%n) ins(%x, %w) outs(%c)
  txp.return %b, %c : !txp.buffer, !txp.buffer
}

// -----

func.func private @update()
func.func private @k()

// Nor is it moved behind what reads its result, or writes what it reads.
// CHECK-LABEL: txp.func @read(
// CHECK:       txp.launch @update
// CHECK:       txp.launch @k
// CHECK-LABEL: txp.func @written(
// CHECK:       txp.launch @update
// CHECK:       txp.launch @k
txp.func @read(%w: !txp.buffer) -> (!txp.buffer, !txp.buffer)
    attributes {inputs = [tensor<64xf32>], outputs = [tensor<64xf32>, tensor<64xf32>]} {
  %n = arith.constant 64 : i64
  %c256 = arith.constant 256 : i64
  %b = txp.alloc %c256
  txp.launch @update extent(%n) grain(%n) ins(%w) outs(%b) {txp.in_place = array<i64: 0, 0>}
  %c = txp.alloc %c256
  txp.launch @k extent(%n) grain(%n) ins(%b, %w) outs(%c)
  txp.return %b, %c : !txp.buffer, !txp.buffer
}
txp.func @written(%w: !txp.buffer, %x: !txp.buffer) -> (!txp.buffer, !txp.buffer)
    attributes {inputs = [tensor<64xf32>, tensor<64xf32>], outputs = [tensor<64xf32>, tensor<64xf32>]} {
  %n = arith.constant 64 : i64
  %c256 = arith.constant 256 : i64
  %g = txp.alloc %c256
  txp.launch @k extent(%n) grain(%n) ins(%x) outs(%g)
  %b = txp.alloc %c256
  txp.launch @update extent(%n) grain(%n) ins(%g, %w) outs(%b) {txp.in_place = array<i64: 1, 0>}
  txp.launch @k extent(%n) grain(%n) ins(%w) outs(%g) {txp.updates}
  txp.return %b, %g : !txp.buffer, !txp.buffer
}
