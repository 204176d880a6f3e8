// Attentions keep their results in registers: no spills, and copies that stay asynchronous.
// REQUIRES: ptxas
//
// RUN: %tensorc compile %s --target=cuda:sm_80 --emit=ptx -o %t.80.ptx
// RUN: %python %S/../Inputs/check_ptx.py --no-spills sm_80 %t.80.ptx | FileCheck %s
// RUN: %tensorc compile %s --target=cuda:sm_90a --emit=ptx -o %t.90a.ptx
// RUN: %python %S/../Inputs/check_ptx.py --no-spills sm_90a %t.90a.ptx | FileCheck %s
// RUN: FileCheck %s --check-prefix=PTX < %t.80.ptx
// CHECK: kernels assembled
// Between the products nothing passes through shared memory.
// PTX: .entry attention(
// PTX: cp.async.cg.shared.global
// PTX: shfl.sync.bfly
// PTX-NOT: {{ld|st}}.shared
// PTX: ex2.approx.ftz.f32
// PTX-NOT: {{ld|st}}.shared
// PTX: cvt.rn.f16x2.f32
// PTX-NOT: {{ld|st}}.shared
// PTX: mma.sync

// Enough queries for blocks of 128 rows.
func.func @heads64(%q: tensor<16x1024x64xf16>, %k: tensor<16x1024x64xf16>, %v: tensor<16x1024x64xf16>)
    -> tensor<16x1024x64xf16> {
  %p = tx.dot_general %q, %k batch = [0] x [0] contracting = [2] x [2]
      : (tensor<16x1024x64xf16>, tensor<16x1024x64xf16>) -> tensor<16x1024x1024xf16>
  %pw = tx.convert %p : tensor<16x1024x1024xf16> -> tensor<16x1024x1024xf32>
  %c = tx.constant dense<0.125> : tensor<f32>
  %cb = tx.broadcast %c dims = [] : tensor<f32> -> tensor<16x1024x1024xf32>
  %x = tx.mul %pw, %cb : tensor<16x1024x1024xf32>
  %row = tx.iota dim = 0 : tensor<1024x1024xi32>
  %col = tx.iota dim = 1 : tensor<1024x1024xi32>
  %mask = tx.ge %row, %col : tensor<1024x1024xi32>
  %never = tx.constant dense<0xFF800000> : tensor<f32>
  %nb = tx.broadcast %never dims = [] : tensor<f32> -> tensor<16x1024x1024xf32>
  %mb = tx.broadcast %mask dims = [1, 2] : tensor<1024x1024xi1> -> tensor<16x1024x1024xi1>
  %xs = tx.select %mb, %x, %nb : tensor<16x1024x1024xi1>, tensor<16x1024x1024xf32>
  %wm = tx.reduce_max %xs dims = [2] : tensor<16x1024x1024xf32> -> tensor<16x1024xf32>
  %winf = tx.constant dense<0xFF800000> : tensor<16x1024xf32>
  %wzs = tx.constant dense<0.0> : tensor<f32>
  %wz = tx.broadcast %wzs dims = [] : tensor<f32> -> tensor<16x1024xf32>
  %wnone = tx.eq %wm, %winf : tensor<16x1024xf32>
  %wshift = tx.select %wnone, %wz, %wm : tensor<16x1024xi1>, tensor<16x1024xf32>
  %wmb = tx.broadcast %wshift dims = [0, 1] : tensor<16x1024xf32> -> tensor<16x1024x1024xf32>
  %wd = tx.sub %xs, %wmb : tensor<16x1024x1024xf32>
  %we = tx.exp %wd : tensor<16x1024x1024xf32>
  %ws = tx.sum %we dims = [2] : tensor<16x1024x1024xf32> -> tensor<16x1024xf32>
  %wones = tx.constant dense<1.0> : tensor<f32>
  %wone = tx.broadcast %wones dims = [] : tensor<f32> -> tensor<16x1024xf32>
  %wq = tx.div %wone, %ws : tensor<16x1024xf32>
  %wf = tx.select %wnone, %wz, %wq : tensor<16x1024xi1>, tensor<16x1024xf32>
  %wfb = tx.broadcast %wf dims = [0, 1] : tensor<16x1024xf32> -> tensor<16x1024x1024xf32>
  %w = tx.mul %we, %wfb : tensor<16x1024x1024xf32>
  %wn = tx.convert %w : tensor<16x1024x1024xf32> -> tensor<16x1024x1024xf16>
  %o = tx.dot_general %wn, %v batch = [0] x [0] contracting = [2] x [1]
      : (tensor<16x1024x1024xf16>, tensor<16x1024x64xf16>) -> tensor<16x1024x64xf16>
  return %o : tensor<16x1024x64xf16>
}

// Scores that read memory for each key, or compute more of it.
func.func @masked64(%q: tensor<16x1024x64xf16>, %k: tensor<16x1024x64xf16>, %v: tensor<16x1024x64xf16>, %mask: tensor<1024x1024xf32>)
    -> tensor<16x1024x64xf16> {
  %p = tx.dot_general %q, %k batch = [0] x [0] contracting = [2] x [2]
      : (tensor<16x1024x64xf16>, tensor<16x1024x64xf16>) -> tensor<16x1024x1024xf32>
  %mb = tx.broadcast %mask dims = [1, 2] : tensor<1024x1024xf32> -> tensor<16x1024x1024xf32>
  %x = tx.add %p, %mb : tensor<16x1024x1024xf32>
  %wm = tx.reduce_max %x dims = [2] : tensor<16x1024x1024xf32> -> tensor<16x1024xf32>
  %wmb = tx.broadcast %wm dims = [0, 1] : tensor<16x1024xf32> -> tensor<16x1024x1024xf32>
  %wd = tx.sub %x, %wmb : tensor<16x1024x1024xf32>
  %we = tx.exp %wd : tensor<16x1024x1024xf32>
  %ws = tx.sum %we dims = [2] : tensor<16x1024x1024xf32> -> tensor<16x1024xf32>
  %wsb = tx.broadcast %ws dims = [0, 1] : tensor<16x1024xf32> -> tensor<16x1024x1024xf32>
  %w = tx.div %we, %wsb : tensor<16x1024x1024xf32>
  %wn = tx.convert %w : tensor<16x1024x1024xf32> -> tensor<16x1024x1024xf16>
  %o = tx.dot_general %wn, %v batch = [0] x [0] contracting = [2] x [1]
      : (tensor<16x1024x1024xf16>, tensor<16x1024x64xf16>) -> tensor<16x1024x64xf16>
  return %o : tensor<16x1024x64xf16>
}

func.func @capped64(%q: tensor<16x1024x64xf16>, %k: tensor<16x1024x64xf16>, %v: tensor<16x1024x64xf16>)
    -> tensor<16x1024x64xf16> {
  %p = tx.dot_general %q, %k batch = [0] x [0] contracting = [2] x [2]
      : (tensor<16x1024x64xf16>, tensor<16x1024x64xf16>) -> tensor<16x1024x1024xf32>
  %c = tx.constant dense<50.0> : tensor<f32>
  %cb = tx.broadcast %c dims = [] : tensor<f32> -> tensor<16x1024x1024xf32>
  %pc = tx.div %p, %cb : tensor<16x1024x1024xf32>
  %t = tx.tanh %pc : tensor<16x1024x1024xf32>
  %x = tx.mul %t, %cb : tensor<16x1024x1024xf32>
  %wm = tx.reduce_max %x dims = [2] : tensor<16x1024x1024xf32> -> tensor<16x1024xf32>
  %wmb = tx.broadcast %wm dims = [0, 1] : tensor<16x1024xf32> -> tensor<16x1024x1024xf32>
  %wd = tx.sub %x, %wmb : tensor<16x1024x1024xf32>
  %we = tx.exp %wd : tensor<16x1024x1024xf32>
  %ws = tx.sum %we dims = [2] : tensor<16x1024x1024xf32> -> tensor<16x1024xf32>
  %wsb = tx.broadcast %ws dims = [0, 1] : tensor<16x1024xf32> -> tensor<16x1024x1024xf32>
  %w = tx.div %we, %wsb : tensor<16x1024x1024xf32>
  %wn = tx.convert %w : tensor<16x1024x1024xf32> -> tensor<16x1024x1024xf16>
  %o = tx.dot_general %wn, %v batch = [0] x [0] contracting = [2] x [1]
      : (tensor<16x1024x1024xf16>, tensor<16x1024x64xf16>) -> tensor<16x1024x64xf16>
  return %o : tensor<16x1024x64xf16>
}

func.func @heads32(%q: tensor<16x1024x32xf16>, %k: tensor<16x1024x32xf16>, %v: tensor<16x1024x32xf16>)
    -> tensor<16x1024x32xf16> {
  %p = tx.dot_general %q, %k batch = [0] x [0] contracting = [2] x [2]
      : (tensor<16x1024x32xf16>, tensor<16x1024x32xf16>) -> tensor<16x1024x1024xf32>
  %c = tx.constant dense<0.125> : tensor<f32>
  %cb = tx.broadcast %c dims = [] : tensor<f32> -> tensor<16x1024x1024xf32>
  %x = tx.mul %p, %cb : tensor<16x1024x1024xf32>
  %wm = tx.reduce_max %x dims = [2] : tensor<16x1024x1024xf32> -> tensor<16x1024xf32>
  %wmb = tx.broadcast %wm dims = [0, 1] : tensor<16x1024xf32> -> tensor<16x1024x1024xf32>
  %wd = tx.sub %x, %wmb : tensor<16x1024x1024xf32>
  %we = tx.exp %wd : tensor<16x1024x1024xf32>
  %ws = tx.sum %we dims = [2] : tensor<16x1024x1024xf32> -> tensor<16x1024xf32>
  %wsb = tx.broadcast %ws dims = [0, 1] : tensor<16x1024xf32> -> tensor<16x1024x1024xf32>
  %w = tx.div %we, %wsb : tensor<16x1024x1024xf32>
  %wn = tx.convert %w : tensor<16x1024x1024xf32> -> tensor<16x1024x1024xf16>
  %o = tx.dot_general %wn, %v batch = [0] x [0] contracting = [2] x [1]
      : (tensor<16x1024x1024xf16>, tensor<16x1024x32xf16>) -> tensor<16x1024x32xf16>
  return %o : tensor<16x1024x32xf16>
}

func.func @heads128(%q: tensor<?x?x128xbf16, #tx.dims<[b, m, 128]>>, %k: tensor<?x?x128xbf16, #tx.dims<[b, n, 128]>>, %v: tensor<?x?x128xbf16, #tx.dims<[b, n, 128]>>, %mask: tensor<?x?x?xf32, #tx.dims<[b, m, n]>>)
    -> tensor<?x?x128xbf16, #tx.dims<[b, m, 128]>> {
  %p = tx.dot_general %q, %k batch = [0] x [0] contracting = [2] x [2]
      : (tensor<?x?x128xbf16, #tx.dims<[b, m, 128]>>, tensor<?x?x128xbf16, #tx.dims<[b, n, 128]>>) -> tensor<?x?x?xbf16, #tx.dims<[b, m, n]>>
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
      : (tensor<?x?x?xbf16, #tx.dims<[b, m, n]>>, tensor<?x?x128xbf16, #tx.dims<[b, n, 128]>>) -> tensor<?x?x128xbf16, #tx.dims<[b, m, 128]>>
  return %o : tensor<?x?x128xbf16, #tx.dims<[b, m, 128]>>
}

func.func @heads256(%q: tensor<4x1024x256xf16>, %k: tensor<4x1024x256xf16>, %v: tensor<4x1024x256xf16>)
    -> tensor<4x1024x256xf16> {
  %p = tx.dot_general %q, %k batch = [0] x [0] contracting = [2] x [2]
      : (tensor<4x1024x256xf16>, tensor<4x1024x256xf16>) -> tensor<4x1024x1024xf16>
  %pw = tx.convert %p : tensor<4x1024x1024xf16> -> tensor<4x1024x1024xf32>
  %wm = tx.reduce_max %pw dims = [2] : tensor<4x1024x1024xf32> -> tensor<4x1024xf32>
  %wmb = tx.broadcast %wm dims = [0, 1] : tensor<4x1024xf32> -> tensor<4x1024x1024xf32>
  %wd = tx.sub %pw, %wmb : tensor<4x1024x1024xf32>
  %we = tx.exp %wd : tensor<4x1024x1024xf32>
  %ws = tx.sum %we dims = [2] : tensor<4x1024x1024xf32> -> tensor<4x1024xf32>
  %wsb = tx.broadcast %ws dims = [0, 1] : tensor<4x1024xf32> -> tensor<4x1024x1024xf32>
  %w = tx.div %we, %wsb : tensor<4x1024x1024xf32>
  %wn = tx.convert %w : tensor<4x1024x1024xf32> -> tensor<4x1024x1024xf16>
  %o = tx.dot_general %wn, %v batch = [0] x [0] contracting = [2] x [1]
      : (tensor<4x1024x1024xf16>, tensor<4x1024x256xf16>) -> tensor<4x1024x256xf16>
  return %o : tensor<4x1024x256xf16>
}

func.func @singles(%q: tensor<4x1024x64xf32>, %k: tensor<4x1024x64xf32>, %v: tensor<4x1024x64xf32>)
    -> tensor<4x1024x64xf32> {
  %p = tx.dot_general %q, %k batch = [0] x [0] contracting = [2] x [2]
      : (tensor<4x1024x64xf32>, tensor<4x1024x64xf32>) -> tensor<4x1024x1024xf32>
  %row = tx.iota dim = 0 : tensor<1024x1024xi32>
  %col = tx.iota dim = 1 : tensor<1024x1024xi32>
  %mask = tx.ge %row, %col : tensor<1024x1024xi32>
  %never = tx.constant dense<0xFF800000> : tensor<f32>
  %nb = tx.broadcast %never dims = [] : tensor<f32> -> tensor<4x1024x1024xf32>
  %mb = tx.broadcast %mask dims = [1, 2] : tensor<1024x1024xi1> -> tensor<4x1024x1024xi1>
  %xs = tx.select %mb, %p, %nb : tensor<4x1024x1024xi1>, tensor<4x1024x1024xf32>
  %wm = tx.reduce_max %xs dims = [2] : tensor<4x1024x1024xf32> -> tensor<4x1024xf32>
  %wmb = tx.broadcast %wm dims = [0, 1] : tensor<4x1024xf32> -> tensor<4x1024x1024xf32>
  %wd = tx.sub %xs, %wmb : tensor<4x1024x1024xf32>
  %we = tx.exp %wd : tensor<4x1024x1024xf32>
  %ws = tx.sum %we dims = [2] : tensor<4x1024x1024xf32> -> tensor<4x1024xf32>
  %wsb = tx.broadcast %ws dims = [0, 1] : tensor<4x1024xf32> -> tensor<4x1024x1024xf32>
  %w = tx.div %we, %wsb : tensor<4x1024x1024xf32>
  %o = tx.dot_general %w, %v batch = [0] x [0] contracting = [2] x [1]
      : (tensor<4x1024x1024xf32>, tensor<4x1024x64xf32>) -> tensor<4x1024x64xf32>
  return %o : tensor<4x1024x64xf32>
}
