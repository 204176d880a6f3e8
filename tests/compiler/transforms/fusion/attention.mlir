// softmax(q kT) v becomes one kernel where the target has one for it, with all ops of it or none.
//
// RUN: %tensorc compile %s --entry=plain --target=cuda:sm_80 --stop-after=fuse | FileCheck %s --check-prefix=PLAIN
// RUN: %tensorc compile %s --entry=recorded --target=cuda:sm_80 --stop-after=fuse | FileCheck %s --check-prefix=RECORDED
// RUN: %tensorc compile %s --entry=named --target=rocm:gfx942 --stop-after=fuse | FileCheck %s --check-prefix=NAMED
// RUN: %tensorc explain %s --entry=plain --target=cpu | FileCheck %s --check-prefix=CPU
// RUN: %tensorc explain %s --entry=recorded --target=cuda:sm_80 | FileCheck %s --check-prefix=TILES
// RUN: %tensorc explain %s --entry=recorded --target=cuda:sm_75 | FileCheck %s --check-prefix=SINGLES
// RUN: %tensorc explain %root/tests/ops/attention.mlir --entry=library --target=cuda:sm_80 | FileCheck %s --check-prefix=LIBRARY
// RUN: %tensorc explain %s --entry=shown --target=cuda:sm_80 | FileCheck %s --check-prefix=SHOWN
// RUN: %tensorc explain %s --entry=huge_heads --target=cuda:sm_80 | FileCheck %s --check-prefix=HUGE
// RUN: %tensorc explain %s --entry=one_query --target=cuda:sm_80 | FileCheck %s --check-prefix=ONE
// RUN: %tensorc explain %s --entry=named_heads --target=cuda:sm_80 | FileCheck %s --check-prefix=HEADS
// RUN: %tensorc explain %s --entry=other_axis --target=cuda:sm_80 | FileCheck %s --check-prefix=AXIS
// RUN: %tensorc explain %s --entry=costly --target=cuda:sm_80 | FileCheck %s --check-prefix=COSTLY
// RUN: %tensorc explain %s --entry=merged --target=cuda:sm_80 | FileCheck %s --check-prefix=MERGED
// RUN: %tensorc explain %s --entry=claimed --target=cuda:sm_80 | FileCheck %s --check-prefix=CLAIMED
// RUN: %tensorc explain %root/tests/ops/attention.mlir --entry=squared --target=cuda:sm_80 | FileCheck %s --check-prefix=SQUARED
// RUN: %tensorc explain %s --entry=plain --target=cuda:sm_80 --memory | FileCheck %s --check-prefix=MEMORY
// RUN: %tensorc explain %s --entry=plain --target=cpu --memory | FileCheck %s --check-prefix=SCORES

// A mask from positions, a scale and a residual are in the kernel, too.
// PLAIN:     tx.fusion "attention" "attention"
// PLAIN:     tx.iota
// PLAIN:     tx.add
// PLAIN-NOT: tx.fusion
// CPU:       order    fma lanes=1 keys=64
// CPU:       schedule blocks
// CPU-NOT:   kernel
// No scores: the program allocates nothing. A processor's threads have a block of them.
// MEMORY:     arena 0 bytes
// MEMORY-NOT: temporary
// SCORES:     arena 0 bytes
// SCORES-NOT: temporary
func.func @plain(%q: tensor<2x64x32xf32>, %k: tensor<2x96x32xf32>, %v: tensor<2x96x32xf32>, %r: tensor<2x64x32xf32>)
    -> tensor<2x64x32xf32> {
  %p = tx.dot_general %q, %k batch = [0] x [0] contracting = [2] x [2]
      : (tensor<2x64x32xf32>, tensor<2x96x32xf32>) -> tensor<2x64x96xf32>
  %c = tx.constant dense<0.25> : tensor<f32>
  %cb = tx.broadcast %c dims = [] : tensor<f32> -> tensor<2x64x96xf32>
  %x = tx.mul %p, %cb : tensor<2x64x96xf32>
  %row = tx.iota dim = 0 : tensor<64x96xi32>
  %col = tx.iota dim = 1 : tensor<64x96xi32>
  %mask = tx.ge %row, %col : tensor<64x96xi32>
  %never = tx.constant dense<0xFF800000> : tensor<f32>
  %nb = tx.broadcast %never dims = [] : tensor<f32> -> tensor<2x64x96xf32>
  %mb = tx.broadcast %mask dims = [1, 2] : tensor<64x96xi1> -> tensor<2x64x96xi1>
  %xs = tx.select %mb, %x, %nb : tensor<2x64x96xi1>, tensor<2x64x96xf32>
  %wm = tx.reduce_max %xs dims = [2] : tensor<2x64x96xf32> -> tensor<2x64xf32>
  %wmb = tx.broadcast %wm dims = [0, 1] : tensor<2x64xf32> -> tensor<2x64x96xf32>
  %wd = tx.sub %xs, %wmb : tensor<2x64x96xf32>
  %we = tx.exp %wd : tensor<2x64x96xf32>
  %ws = tx.sum %we dims = [2] : tensor<2x64x96xf32> -> tensor<2x64xf32>
  %wsb = tx.broadcast %ws dims = [0, 1] : tensor<2x64xf32> -> tensor<2x64x96xf32>
  %w = tx.div %we, %wsb : tensor<2x64x96xf32>
  %o = tx.dot_general %w, %v batch = [0] x [0] contracting = [2] x [1]
      : (tensor<2x64x96xf32>, tensor<2x96x32xf32>) -> tensor<2x64x32xf32>
  %res = tx.add %o, %r : tensor<2x64x32xf32>
  return %res : tensor<2x64x32xf32>
}

// RECORDED:     tx.fusion "attention"
// RECORDED-NOT: tx.fusion
// TILES:   1 kernel
// TILES:   order    matrix lanes=4 keys=64
// TILES:   schedule mma rows=64 columns=32 threads=128
// SINGLES: order    fma lanes=4 keys=32
// SINGLES: schedule fma rows=64 columns=32 threads=256
func.func @recorded(%q: tensor<2x64x32xf16>, %k: tensor<2x96x32xf16>, %v: tensor<2x96x32xf16>, %mask: tensor<64x96xi1>)
    -> tensor<2x64x32xf16> {
  %p = tx.dot_general %q, %k batch = [0] x [0] contracting = [2] x [2]
      : (tensor<2x64x32xf16>, tensor<2x96x32xf16>) -> tensor<2x64x96xf16>
  %pw = tx.convert %p : tensor<2x64x96xf16> -> tensor<2x64x96xf32>
  %never = tx.constant dense<0xFF800000> : tensor<f32>
  %nb = tx.broadcast %never dims = [] : tensor<f32> -> tensor<2x64x96xf32>
  %mb = tx.broadcast %mask dims = [1, 2] : tensor<64x96xi1> -> tensor<2x64x96xi1>
  %xs = tx.select %mb, %pw, %nb : tensor<2x64x96xi1>, tensor<2x64x96xf32>
  %wm = tx.reduce_max %xs dims = [2] : tensor<2x64x96xf32> -> tensor<2x64xf32>
  %winf = tx.constant dense<0xFF800000> : tensor<2x64xf32>
  %wzs = tx.constant dense<0.0> : tensor<f32>
  %wz = tx.broadcast %wzs dims = [] : tensor<f32> -> tensor<2x64xf32>
  %wnone = tx.eq %wm, %winf : tensor<2x64xf32>
  %wshift = tx.select %wnone, %wz, %wm : tensor<2x64xi1>, tensor<2x64xf32>
  %wmb = tx.broadcast %wshift dims = [0, 1] : tensor<2x64xf32> -> tensor<2x64x96xf32>
  %wd = tx.sub %xs, %wmb : tensor<2x64x96xf32>
  %we = tx.exp %wd : tensor<2x64x96xf32>
  %ws = tx.sum %we dims = [2] : tensor<2x64x96xf32> -> tensor<2x64xf32>
  %wones = tx.constant dense<1.0> : tensor<f32>
  %wone = tx.broadcast %wones dims = [] : tensor<f32> -> tensor<2x64xf32>
  %wq = tx.div %wone, %ws : tensor<2x64xf32>
  %wf = tx.select %wnone, %wz, %wq : tensor<2x64xi1>, tensor<2x64xf32>
  %wfb = tx.broadcast %wf dims = [0, 1] : tensor<2x64xf32> -> tensor<2x64x96xf32>
  %w = tx.mul %we, %wfb : tensor<2x64x96xf32>
  %wn = tx.convert %w : tensor<2x64x96xf32> -> tensor<2x64x96xf16>
  %o = tx.dot_general %wn, %v batch = [0] x [0] contracting = [2] x [1]
      : (tensor<2x64x96xf16>, tensor<2x96x32xf16>) -> tensor<2x64x32xf16>
  return %o : tensor<2x64x32xf16>
}

// SQUARED: 3 kernels
// LIBRARY: 1 kernel
// LIBRARY: attention (attention)
// NAMED:     tx.fusion "attention"
// NAMED-NOT: tx.fusion
func.func @named(%q: tensor<?x?x32xbf16, #tx.dims<[b, m, 32]>> {tx.name = "q"}, %k: tensor<?x?x32xbf16, #tx.dims<[b, n, 32]>> {tx.name = "k"}, %v: tensor<?x?x32xbf16, #tx.dims<[b, n, 32]>> {tx.name = "v"}, %mask: tensor<?x?x?xf32, #tx.dims<[b, m, n]>> {tx.name = "mask"})
    -> tensor<?x?x32xbf16, #tx.dims<[b, m, 32]>> {
  %p = tx.dot_general %q, %k batch = [0] x [0] contracting = [2] x [2]
      : (tensor<?x?x32xbf16, #tx.dims<[b, m, 32]>>, tensor<?x?x32xbf16, #tx.dims<[b, n, 32]>>) -> tensor<?x?x?xbf16, #tx.dims<[b, m, n]>>
  %pw = tx.convert %p : tensor<?x?x?xbf16, #tx.dims<[b, m, n]>> -> tensor<?x?x?xf32, #tx.dims<[b, m, n]>>
  %xm = tx.add %pw, %mask : tensor<?x?x?xf32, #tx.dims<[b, m, n]>>
  %wm = tx.reduce_max %xm dims = [2] : tensor<?x?x?xf32, #tx.dims<[b, m, n]>> -> tensor<?x?xf32, #tx.dims<[b, m]>>
  %wmb = tx.broadcast %wm dims = [0, 1] : tensor<?x?xf32, #tx.dims<[b, m]>> -> tensor<?x?x?xf32, #tx.dims<[b, m, n]>>
  %wd = tx.sub %xm, %wmb : tensor<?x?x?xf32, #tx.dims<[b, m, n]>>
  %we = tx.exp %wd : tensor<?x?x?xf32, #tx.dims<[b, m, n]>>
  %ws = tx.sum %we dims = [2] : tensor<?x?x?xf32, #tx.dims<[b, m, n]>> -> tensor<?x?xf32, #tx.dims<[b, m]>>
  %wsb = tx.broadcast %ws dims = [0, 1] : tensor<?x?xf32, #tx.dims<[b, m]>> -> tensor<?x?x?xf32, #tx.dims<[b, m, n]>>
  %w = tx.div %we, %wsb : tensor<?x?x?xf32, #tx.dims<[b, m, n]>>
  %wn = tx.convert %w : tensor<?x?x?xf32, #tx.dims<[b, m, n]>> -> tensor<?x?x?xbf16, #tx.dims<[b, m, n]>>
  %o = tx.dot_general %wn, %v batch = [0] x [0] contracting = [2] x [1]
      : (tensor<?x?x?xbf16, #tx.dims<[b, m, n]>>, tensor<?x?x32xbf16, #tx.dims<[b, n, 32]>>) -> tensor<?x?x32xbf16, #tx.dims<[b, m, 32]>>
  return %o : tensor<?x?x32xbf16, #tx.dims<[b, m, 32]>>
}

// Weights that something else reads are in memory anyway.
// SHOWN-NOT: (attention)
func.func @shown(%q: tensor<2x64x32xf32>, %k: tensor<2x96x32xf32>, %v: tensor<2x96x32xf32>)
    -> (tensor<2x64x32xf32>, tensor<2x64x96xf32>) {
  %p = tx.dot_general %q, %k batch = [0] x [0] contracting = [2] x [2]
      : (tensor<2x64x32xf32>, tensor<2x96x32xf32>) -> tensor<2x64x96xf32>
  %wm = tx.reduce_max %p dims = [2] : tensor<2x64x96xf32> -> tensor<2x64xf32>
  %wmb = tx.broadcast %wm dims = [0, 1] : tensor<2x64xf32> -> tensor<2x64x96xf32>
  %wd = tx.sub %p, %wmb : tensor<2x64x96xf32>
  %we = tx.exp %wd : tensor<2x64x96xf32>
  %ws = tx.sum %we dims = [2] : tensor<2x64x96xf32> -> tensor<2x64xf32>
  %wsb = tx.broadcast %ws dims = [0, 1] : tensor<2x64xf32> -> tensor<2x64x96xf32>
  %w = tx.div %we, %wsb : tensor<2x64x96xf32>
  %o = tx.dot_general %w, %v batch = [0] x [0] contracting = [2] x [1]
      : (tensor<2x64x96xf32>, tensor<2x96x32xf32>) -> tensor<2x64x32xf32>
  return %o, %w : tensor<2x64x32xf32>, tensor<2x64x96xf32>
}

// HUGE-NOT: (attention)
// HUGE:     heads of 512 and 512 elements leave an attention no room in shared memory
func.func @huge_heads(%q: tensor<64x512xf16>, %k: tensor<96x512xf16>, %v: tensor<96x512xf16>)
    -> tensor<64x512xf16> {
  %p = tx.dot_general %q, %k batch = [] x [] contracting = [1] x [1]
      : (tensor<64x512xf16>, tensor<96x512xf16>) -> tensor<64x96xf16>
  %pw = tx.convert %p : tensor<64x96xf16> -> tensor<64x96xf32>
  %wm = tx.reduce_max %pw dims = [1] : tensor<64x96xf32> -> tensor<64xf32>
  %wmb = tx.broadcast %wm dims = [0] : tensor<64xf32> -> tensor<64x96xf32>
  %wd = tx.sub %pw, %wmb : tensor<64x96xf32>
  %we = tx.exp %wd : tensor<64x96xf32>
  %ws = tx.sum %we dims = [1] : tensor<64x96xf32> -> tensor<64xf32>
  %wsb = tx.broadcast %ws dims = [0] : tensor<64xf32> -> tensor<64x96xf32>
  %w = tx.div %we, %wsb : tensor<64x96xf32>
  %wn = tx.convert %w : tensor<64x96xf32> -> tensor<64x96xf16>
  %o = tx.dot_general %wn, %v batch = [] x [] contracting = [1] x [0]
      : (tensor<64x96xf16>, tensor<96x512xf16>) -> tensor<64x512xf16>
  return %o : tensor<64x512xf16>
}

// ONE-NOT: (attention)
// ONE:     an attention of few queries runs faster as contractions
func.func @one_query(%q: tensor<4x1x32xf16>, %k: tensor<4x96x32xf16>, %v: tensor<4x96x32xf16>)
    -> tensor<4x1x32xf16> {
  %p = tx.dot_general %q, %k batch = [0] x [0] contracting = [2] x [2]
      : (tensor<4x1x32xf16>, tensor<4x96x32xf16>) -> tensor<4x1x96xf16>
  %pw = tx.convert %p : tensor<4x1x96xf16> -> tensor<4x1x96xf32>
  %wm = tx.reduce_max %pw dims = [2] : tensor<4x1x96xf32> -> tensor<4x1xf32>
  %wmb = tx.broadcast %wm dims = [0, 1] : tensor<4x1xf32> -> tensor<4x1x96xf32>
  %wd = tx.sub %pw, %wmb : tensor<4x1x96xf32>
  %we = tx.exp %wd : tensor<4x1x96xf32>
  %ws = tx.sum %we dims = [2] : tensor<4x1x96xf32> -> tensor<4x1xf32>
  %wsb = tx.broadcast %ws dims = [0, 1] : tensor<4x1xf32> -> tensor<4x1x96xf32>
  %w = tx.div %we, %wsb : tensor<4x1x96xf32>
  %wn = tx.convert %w : tensor<4x1x96xf32> -> tensor<4x1x96xf16>
  %o = tx.dot_general %wn, %v batch = [0] x [0] contracting = [2] x [1]
      : (tensor<4x1x96xf16>, tensor<4x96x32xf16>) -> tensor<4x1x32xf16>
  return %o : tensor<4x1x32xf16>
}

// HEADS-NOT: (attention)
// HEADS:     an attention's head size has a name
func.func @named_heads(%q: tensor<64x?xf32, #tx.dims<[64, h]>> {tx.name = "q"}, %k: tensor<96x?xf32, #tx.dims<[96, h]>> {tx.name = "k"}, %v: tensor<96x32xf32> {tx.name = "v"})
    -> tensor<64x32xf32> {
  %p = tx.dot_general %q, %k batch = [] x [] contracting = [1] x [1]
      : (tensor<64x?xf32, #tx.dims<[64, h]>>, tensor<96x?xf32, #tx.dims<[96, h]>>) -> tensor<64x96xf32>
  %wm = tx.reduce_max %p dims = [1] : tensor<64x96xf32> -> tensor<64xf32>
  %wmb = tx.broadcast %wm dims = [0] : tensor<64xf32> -> tensor<64x96xf32>
  %wd = tx.sub %p, %wmb : tensor<64x96xf32>
  %we = tx.exp %wd : tensor<64x96xf32>
  %ws = tx.sum %we dims = [1] : tensor<64x96xf32> -> tensor<64xf32>
  %wsb = tx.broadcast %ws dims = [0] : tensor<64xf32> -> tensor<64x96xf32>
  %w = tx.div %we, %wsb : tensor<64x96xf32>
  %o = tx.dot_general %w, %v batch = [] x [] contracting = [1] x [0]
      : (tensor<64x96xf32>, tensor<96x32xf32>) -> tensor<64x32xf32>
  return %o : tensor<64x32xf32>
}

// A softmax over the queries is none of an attention.
// AXIS-NOT: (attention)
func.func @other_axis(%q: tensor<2x96x32xf32>, %k: tensor<2x96x32xf32>, %v: tensor<2x96x32xf32>)
    -> tensor<2x96x32xf32> {
  %p = tx.dot_general %q, %k batch = [0] x [0] contracting = [2] x [2]
      : (tensor<2x96x32xf32>, tensor<2x96x32xf32>) -> tensor<2x96x96xf32>
  %wm = tx.reduce_max %p dims = [1] : tensor<2x96x96xf32> -> tensor<2x96xf32>
  %wmb = tx.broadcast %wm dims = [0, 2] : tensor<2x96xf32> -> tensor<2x96x96xf32>
  %wd = tx.sub %p, %wmb : tensor<2x96x96xf32>
  %we = tx.exp %wd : tensor<2x96x96xf32>
  %ws = tx.sum %we dims = [1] : tensor<2x96x96xf32> -> tensor<2x96xf32>
  %wsb = tx.broadcast %ws dims = [0, 2] : tensor<2x96xf32> -> tensor<2x96x96xf32>
  %w = tx.div %we, %wsb : tensor<2x96x96xf32>
  %o = tx.dot_general %w, %v batch = [0] x [0] contracting = [2] x [1]
      : (tensor<2x96x96xf32>, tensor<2x96x32xf32>) -> tensor<2x96x32xf32>
  return %o : tensor<2x96x32xf32>
}

// What is costly on the way of the scores is theirs, each of them computed once;
// a costly bias is a kernel of its own.
// COSTLY: (loop)
// COSTLY: ops exp
// COSTLY: (attention)
// COSTLY: tanh
func.func @costly(%q: tensor<2x64x32xf32>, %b: tensor<2x64x96xf32>, %k: tensor<2x96x32xf32>, %v: tensor<2x96x32xf32>)
    -> tensor<2x64x32xf32> {
  %p = tx.dot_general %q, %k batch = [0] x [0] contracting = [2] x [2]
      : (tensor<2x64x32xf32>, tensor<2x96x32xf32>) -> tensor<2x64x96xf32>
  %t = tx.tanh %p : tensor<2x64x96xf32>
  %eb = tx.exp %b : tensor<2x64x96xf32>
  %x = tx.add %t, %eb : tensor<2x64x96xf32>
  %wm = tx.reduce_max %x dims = [2] : tensor<2x64x96xf32> -> tensor<2x64xf32>
  %wmb = tx.broadcast %wm dims = [0, 1] : tensor<2x64xf32> -> tensor<2x64x96xf32>
  %wd = tx.sub %x, %wmb : tensor<2x64x96xf32>
  %we = tx.exp %wd : tensor<2x64x96xf32>
  %ws = tx.sum %we dims = [2] : tensor<2x64x96xf32> -> tensor<2x64xf32>
  %wsb = tx.broadcast %ws dims = [0, 1] : tensor<2x64xf32> -> tensor<2x64x96xf32>
  %w = tx.div %we, %wsb : tensor<2x64x96xf32>
  %o = tx.dot_general %w, %v batch = [0] x [0] contracting = [2] x [1]
      : (tensor<2x64x96xf32>, tensor<2x96x32xf32>) -> tensor<2x64x32xf32>
  return %o : tensor<2x64x32xf32>
}

// Heads side by side: the result is stored in another order, beside what else is read there.
// MERGED: 1 kernel
// MERGED: attention (attention)
// MERGED: writes   f32[2, 17, 3, 8]
func.func @merged(%q: tensor<2x3x17x16xf32>, %k: tensor<2x3x31x16xf32>, %v: tensor<2x3x31x8xf32>, %b: tensor<2x17x3x8xf32>) -> (tensor<2x17x3x8xf32>) {
  %p = tx.dot_general %q, %k batch = [0, 1] x [0, 1] contracting = [3] x [3] : (tensor<2x3x17x16xf32>, tensor<2x3x31x16xf32>) -> tensor<2x3x17x31xf32>
  %wm = tx.reduce_max %p dims = [3] : tensor<2x3x17x31xf32> -> tensor<2x3x17xf32>
  %wmb = tx.broadcast %wm dims = [0, 1, 2] : tensor<2x3x17xf32> -> tensor<2x3x17x31xf32>
  %wd = tx.sub %p, %wmb : tensor<2x3x17x31xf32>
  %we = tx.exp %wd : tensor<2x3x17x31xf32>
  %ws = tx.sum %we dims = [3] : tensor<2x3x17x31xf32> -> tensor<2x3x17xf32>
  %wsb = tx.broadcast %ws dims = [0, 1, 2] : tensor<2x3x17xf32> -> tensor<2x3x17x31xf32>
  %w = tx.div %we, %wsb : tensor<2x3x17x31xf32>
  %o = tx.dot_general %w, %v batch = [0, 1] x [0, 1] contracting = [3] x [2] : (tensor<2x3x17x31xf32>, tensor<2x3x31x8xf32>) -> tensor<2x3x17x8xf32>
  %t = tx.transpose %o permutation = [0, 2, 1, 3] : tensor<2x3x17x8xf32> -> tensor<2x17x3x8xf32>
  %r = tx.add %t, %b : tensor<2x17x3x8xf32>
  return %r : tensor<2x17x3x8xf32>
}

// A bias that is a product of its own, as relative positions are. Of single ops nobody could tell which of the
// two products are the scores; of tx.attention it is known.
// CLAIMED: 2 kernels
// CLAIMED: (contraction)
// CLAIMED: attention (attention)
func.func @claimed(%q: tensor<2x64x32xf32>, %k: tensor<2x96x32xf32>, %v: tensor<2x96x32xf32>, %r: tensor<2x96x32xf32>, %s: tensor<f32> {tx.scalar})
    -> tensor<2x64x32xf32> {
  %p = tx.dot_general %q, %r batch = [0] x [0] contracting = [2] x [2]
      : (tensor<2x64x32xf32>, tensor<2x96x32xf32>) -> tensor<2x64x96xf32>
  %b = tx.add %p, %p : tensor<2x64x96xf32>
  %0 = tx.attention %q, %k, %v, %s mask %b groups = 1
      : (tensor<2x64x32xf32>, tensor<2x96x32xf32>, tensor<2x96x32xf32>, tensor<f32>, tensor<2x64x96xf32>) -> tensor<2x64x32xf32>
  return %0 : tensor<2x64x32xf32>
}
