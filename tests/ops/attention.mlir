// softmax(q kT) v: one kernel where the target has one for it, with the numbers of the
// ops that it is made of.
//
// RUN: %run_op --entry=heads --random-inputs --compare=reference
// RUN: %run_op --entry=single --random-inputs --compare=reference
// RUN: %run_op --entry=doubles --random-inputs --compare=reference
// RUN: %run_op --entry=halves --random-inputs --compare=reference
// RUN: %run_op --entry=bf16 --random-inputs --compare=reference
// RUN: %run_op --entry=wide --random-inputs --compare=reference
// RUN: %run_op --entry=wide_f32 --random-inputs --compare=reference
// RUN: %run_op --entry=narrow --random-inputs --compare=reference
// RUN: %run_op --entry=mixed --random-inputs --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=q:2,37,24 --shape=k:2,53,24 --shape=v:2,53,16 --shape=mask:2,37,53 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=q:1,1,24 --shape=k:1,1,24 --shape=v:1,1,16 --shape=mask:1,1,1 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=q:2,9,24 --shape=k:2,0,24 --shape=v:2,0,16 --shape=mask:2,9,0 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=q:0,3,24 --shape=k:0,4,24 --shape=v:0,4,16 --shape=mask:0,3,4 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=q:1,64,24 --shape=k:1,32,24 --shape=v:1,32,16 --shape=mask:1,64,32 --compare=reference
// RUN: %run_op --entry=named_halves --random-inputs --shape=q:2,70,32 --shape=k:2,61,32 --shape=v:2,61,32 --compare=reference
// RUN: %run_op --entry=named_halves --random-inputs --shape=q:1,1,32 --shape=k:1,1,32 --shape=v:1,1,32 --compare=reference
// RUN: %run_op --entry=named_halves --random-inputs --shape=q:1,5,32 --shape=k:1,0,32 --shape=v:1,0,32 --compare=reference
// RUN: %run_op --entry=library --random-inputs --compare=reference
// RUN: %run_op --entry=bias --random-inputs --compare=reference
// RUN: %run_op --entry=layouts --random-inputs --compare=reference
// RUN: %run_op --entry=merged --random-inputs --compare=reference
// RUN: %run_op --entry=merged_halves --random-inputs --compare=reference
// RUN: %run_op --entry=units --random-inputs --compare=reference
// RUN: %run_op --entry=squared --random-inputs --compare=reference
// RUN: %run_op --entry=bias_joined --random-inputs --compare=reference
// RUN: %run_op --entry=bias_turned --random-inputs --compare=reference
// RUN: %run_op --entry=bias_taken --random-inputs --compare=reference
// RUN: %npy %t.lq.npy f32 '[[256.0, 1.0]] * 9'
// RUN: %npy %t.lk.npy f32 '[[256.0, 0.0], [256.0, 3.0], [255.0, 0.0]]'
// RUN: %npy %t.lv.npy f32 '[[0.0], [1.0], [1000.0]]'
// RUN: %run_op --entry=large --input=%t.lq.npy --input=%t.lk.npy --input=%t.lv.npy | FileCheck %s --check-prefix=LARGE
// RUN: %npy %t.large.npy f32 '[[x] * 160 for x in [-1e9, -1e10, -1e30, -2.382e38, -3.4028234e38]] + [[x] * 96 + [0.0] * 64 for x in [-1e9, -1e10, -1e30, -2.382e38, -3.4028234e38]]'
// RUN: %run_op --entry=masked_halves --random-inputs --input=mask=%t.large.npy --compare=reference
// RUN: %run_op --entry=masked_bf16 --random-inputs --input=mask=%t.large.npy --compare=reference
// RUN: %npy %t.q.npy f32 '[[0.0] * 4] * 8'
// RUN: %npy %t.k.npy f32 '[[0.0] * 4] * 80'
// RUN: %npy %t.bias.npy f32 '[[0.0] * 80, [-inf] * 80, [-inf] * 79 + [0.0], [0.0] * 79 + [1000.0], [0.0] * 3 + [inf] + [0.0] * 76, [0.0] * 70 + [nan] + [0.0] * 9, [-1000.0] + [-inf] * 78 + [-2000.0], [-inf] * 70 + [0.0] * 10]'
// RUN: %run_op --entry=special --input=%t.q.npy --input=%t.k.npy --input=%t.bias.npy | FileCheck %s --check-prefix=SPECIAL
// RUN: %npy %t.hq.npy f32 '[[0.0] * 16] * 8'
// RUN: %npy %t.hk.npy f32 '[[-3.0] * 16, [-2.0] * 16, [-1.0] * 16, [0.0] * 16, [1.0] * 16, [2.0] * 16, [3.0] * 16, [4.0] * 16] * 10'
// RUN: %run_op --entry=special_halves --input=%t.hq.npy --input=%t.hk.npy --input=%t.bias.npy | FileCheck %s --check-prefix=HALVES

// Heads as batch dims, with a scale; sizes that no tile divides, another head size of v.
func.func @heads(%q: tensor<2x3x37x20xf32>, %k: tensor<2x3x29x20xf32>, %v: tensor<2x3x29x12xf32>)
    -> tensor<2x3x37x12xf32> {
  %p = tx.dot_general %q, %k batch = [0, 1] x [0, 1] contracting = [3] x [3]
      : (tensor<2x3x37x20xf32>, tensor<2x3x29x20xf32>) -> tensor<2x3x37x29xf32>
  %c = tx.constant dense<0.25> : tensor<f32>
  %cb = tx.broadcast %c dims = [] : tensor<f32> -> tensor<2x3x37x29xf32>
  %x = tx.mul %p, %cb : tensor<2x3x37x29xf32>
  %wm = tx.reduce_max %x dims = [3] : tensor<2x3x37x29xf32> -> tensor<2x3x37xf32>
  %wmb = tx.broadcast %wm dims = [0, 1, 2] : tensor<2x3x37xf32> -> tensor<2x3x37x29xf32>
  %wd = tx.sub %x, %wmb : tensor<2x3x37x29xf32>
  %we = tx.exp %wd : tensor<2x3x37x29xf32>
  %ws = tx.sum %we dims = [3] : tensor<2x3x37x29xf32> -> tensor<2x3x37xf32>
  %wsb = tx.broadcast %ws dims = [0, 1, 2] : tensor<2x3x37xf32> -> tensor<2x3x37x29xf32>
  %w = tx.div %we, %wsb : tensor<2x3x37x29xf32>
  %o = tx.dot_general %w, %v batch = [0, 1] x [0, 1] contracting = [3] x [2]
      : (tensor<2x3x37x29xf32>, tensor<2x3x29x12xf32>) -> tensor<2x3x37x12xf32>
  return %o : tensor<2x3x37x12xf32>
}

// No batch, k given as its transpose, which is not along the depth; a residual behind.
func.func @single(%q: tensor<67x16xf32>, %k: tensor<16x130xf32>, %v: tensor<130x16xf32>, %r: tensor<67x16xf32>)
    -> tensor<67x16xf32> {
  %p = tx.dot_general %q, %k batch = [] x [] contracting = [1] x [0]
      : (tensor<67x16xf32>, tensor<16x130xf32>) -> tensor<67x130xf32>
  %wm = tx.reduce_max %p dims = [1] : tensor<67x130xf32> -> tensor<67xf32>
  %wmb = tx.broadcast %wm dims = [0] : tensor<67xf32> -> tensor<67x130xf32>
  %wd = tx.sub %p, %wmb : tensor<67x130xf32>
  %we = tx.exp %wd : tensor<67x130xf32>
  %ws = tx.sum %we dims = [1] : tensor<67x130xf32> -> tensor<67xf32>
  %wsb = tx.broadcast %ws dims = [0] : tensor<67xf32> -> tensor<67x130xf32>
  %w = tx.div %we, %wsb : tensor<67x130xf32>
  %o = tx.dot_general %w, %v batch = [] x [] contracting = [1] x [0]
      : (tensor<67x130xf32>, tensor<130x16xf32>) -> tensor<67x16xf32>
  %res = tx.add %o, %r : tensor<67x16xf32>
  return %res : tensor<67x16xf32>
}

// A causal mask, compared from positions.
func.func @doubles(%q: tensor<2x33x8xf64>, %k: tensor<2x41x8xf64>, %v: tensor<2x41x8xf64>)
    -> tensor<2x33x8xf64> {
  %p = tx.dot_general %q, %k batch = [0] x [0] contracting = [2] x [2]
      : (tensor<2x33x8xf64>, tensor<2x41x8xf64>) -> tensor<2x33x41xf64>
  %row = tx.iota dim = 0 : tensor<33x41xi32>
  %col = tx.iota dim = 1 : tensor<33x41xi32>
  %mask = tx.ge %row, %col : tensor<33x41xi32>
  %never = tx.constant dense<0xFFF0000000000000> : tensor<f64>
  %nb = tx.broadcast %never dims = [] : tensor<f64> -> tensor<2x33x41xf64>
  %mb = tx.broadcast %mask dims = [1, 2] : tensor<33x41xi1> -> tensor<2x33x41xi1>
  %xs = tx.select %mb, %p, %nb : tensor<2x33x41xi1>, tensor<2x33x41xf64>
  %wm = tx.reduce_max %xs dims = [2] : tensor<2x33x41xf64> -> tensor<2x33xf64>
  %wmb = tx.broadcast %wm dims = [0, 1] : tensor<2x33xf64> -> tensor<2x33x41xf64>
  %wd = tx.sub %xs, %wmb : tensor<2x33x41xf64>
  %we = tx.exp %wd : tensor<2x33x41xf64>
  %ws = tx.sum %we dims = [2] : tensor<2x33x41xf64> -> tensor<2x33xf64>
  %wsb = tx.broadcast %ws dims = [0, 1] : tensor<2x33xf64> -> tensor<2x33x41xf64>
  %w = tx.div %we, %wsb : tensor<2x33x41xf64>
  %o = tx.dot_general %w, %v batch = [0] x [0] contracting = [2] x [1]
      : (tensor<2x33x41xf64>, tensor<2x41x8xf64>) -> tensor<2x33x8xf64>
  return %o : tensor<2x33x8xf64>
}

// As the library records it: scores and softmax are in f32, a row without any key is 0.
func.func @halves(%q: tensor<2x70x40xf16>, %k: tensor<2x97x40xf16>, %v: tensor<2x97x24xf16>, %mask: tensor<70x97xi1>)
    -> tensor<2x70x24xf16> {
  %p = tx.dot_general %q, %k batch = [0] x [0] contracting = [2] x [2]
      : (tensor<2x70x40xf16>, tensor<2x97x40xf16>) -> tensor<2x70x97xf16>
  %pw = tx.convert %p : tensor<2x70x97xf16> -> tensor<2x70x97xf32>
  %c = tx.constant dense<0.15> : tensor<f32>
  %cb = tx.broadcast %c dims = [] : tensor<f32> -> tensor<2x70x97xf32>
  %x = tx.mul %pw, %cb : tensor<2x70x97xf32>
  %never = tx.constant dense<0xFF800000> : tensor<f32>
  %nb = tx.broadcast %never dims = [] : tensor<f32> -> tensor<2x70x97xf32>
  %mb = tx.broadcast %mask dims = [1, 2] : tensor<70x97xi1> -> tensor<2x70x97xi1>
  %xs = tx.select %mb, %x, %nb : tensor<2x70x97xi1>, tensor<2x70x97xf32>
  %wm = tx.reduce_max %xs dims = [2] : tensor<2x70x97xf32> -> tensor<2x70xf32>
  %winf = tx.constant dense<0xFF800000> : tensor<2x70xf32>
  %wzs = tx.constant dense<0.0> : tensor<f32>
  %wz = tx.broadcast %wzs dims = [] : tensor<f32> -> tensor<2x70xf32>
  %wnone = tx.eq %wm, %winf : tensor<2x70xf32>
  %wshift = tx.select %wnone, %wz, %wm : tensor<2x70xi1>, tensor<2x70xf32>
  %wmb = tx.broadcast %wshift dims = [0, 1] : tensor<2x70xf32> -> tensor<2x70x97xf32>
  %wd = tx.sub %xs, %wmb : tensor<2x70x97xf32>
  %we = tx.exp %wd : tensor<2x70x97xf32>
  %ws = tx.sum %we dims = [2] : tensor<2x70x97xf32> -> tensor<2x70xf32>
  %wones = tx.constant dense<1.0> : tensor<f32>
  %wone = tx.broadcast %wones dims = [] : tensor<f32> -> tensor<2x70xf32>
  %wq = tx.div %wone, %ws : tensor<2x70xf32>
  %wf = tx.select %wnone, %wz, %wq : tensor<2x70xi1>, tensor<2x70xf32>
  %wfb = tx.broadcast %wf dims = [0, 1] : tensor<2x70xf32> -> tensor<2x70x97xf32>
  %w = tx.mul %we, %wfb : tensor<2x70x97xf32>
  %wn = tx.convert %w : tensor<2x70x97xf32> -> tensor<2x70x97xf16>
  %o = tx.dot_general %wn, %v batch = [0] x [0] contracting = [2] x [1]
      : (tensor<2x70x97xf16>, tensor<2x97x24xf16>) -> tensor<2x70x24xf16>
  return %o : tensor<2x70x24xf16>
}

// Whole tiles, and a mask that is added.
func.func @bf16(%q: tensor<2x64x64xbf16>, %k: tensor<2x128x64xbf16>, %v: tensor<2x128x64xbf16>, %mask: tensor<2x64x128xf32>, %r: tensor<2x64x64xbf16>)
    -> tensor<2x64x64xbf16> {
  %p = tx.dot_general %q, %k batch = [0] x [0] contracting = [2] x [2]
      : (tensor<2x64x64xbf16>, tensor<2x128x64xbf16>) -> tensor<2x64x128xbf16>
  %pw = tx.convert %p : tensor<2x64x128xbf16> -> tensor<2x64x128xf32>
  %c = tx.constant dense<0.125> : tensor<f32>
  %cb = tx.broadcast %c dims = [] : tensor<f32> -> tensor<2x64x128xf32>
  %x = tx.mul %pw, %cb : tensor<2x64x128xf32>
  %xm = tx.add %x, %mask : tensor<2x64x128xf32>
  %wm = tx.reduce_max %xm dims = [2] : tensor<2x64x128xf32> -> tensor<2x64xf32>
  %wmb = tx.broadcast %wm dims = [0, 1] : tensor<2x64xf32> -> tensor<2x64x128xf32>
  %wd = tx.sub %xm, %wmb : tensor<2x64x128xf32>
  %we = tx.exp %wd : tensor<2x64x128xf32>
  %ws = tx.sum %we dims = [2] : tensor<2x64x128xf32> -> tensor<2x64xf32>
  %wsb = tx.broadcast %ws dims = [0, 1] : tensor<2x64xf32> -> tensor<2x64x128xf32>
  %w = tx.div %we, %wsb : tensor<2x64x128xf32>
  %wn = tx.convert %w : tensor<2x64x128xf32> -> tensor<2x64x128xbf16>
  %o = tx.dot_general %wn, %v batch = [0] x [0] contracting = [2] x [1]
      : (tensor<2x64x128xbf16>, tensor<2x128x64xbf16>) -> tensor<2x64x64xbf16>
  %res = tx.add %o, %r : tensor<2x64x64xbf16>
  return %res : tensor<2x64x64xbf16>
}

// Heads of 256: two subgroups share a row.
func.func @wide(%q: tensor<48x256xf16>, %k: tensor<40x256xf16>, %v: tensor<40x200xf16>)
    -> tensor<48x200xf16> {
  %p = tx.dot_general %q, %k batch = [] x [] contracting = [1] x [1]
      : (tensor<48x256xf16>, tensor<40x256xf16>) -> tensor<48x40xf16>
  %pw = tx.convert %p : tensor<48x40xf16> -> tensor<48x40xf32>
  %c = tx.constant dense<0.0625> : tensor<f32>
  %cb = tx.broadcast %c dims = [] : tensor<f32> -> tensor<48x40xf32>
  %x = tx.mul %pw, %cb : tensor<48x40xf32>
  %wm = tx.reduce_max %x dims = [1] : tensor<48x40xf32> -> tensor<48xf32>
  %wmb = tx.broadcast %wm dims = [0] : tensor<48xf32> -> tensor<48x40xf32>
  %wd = tx.sub %x, %wmb : tensor<48x40xf32>
  %we = tx.exp %wd : tensor<48x40xf32>
  %ws = tx.sum %we dims = [1] : tensor<48x40xf32> -> tensor<48xf32>
  %wsb = tx.broadcast %ws dims = [0] : tensor<48xf32> -> tensor<48x40xf32>
  %w = tx.div %we, %wsb : tensor<48x40xf32>
  %wn = tx.convert %w : tensor<48x40xf32> -> tensor<48x40xf16>
  %o = tx.dot_general %wn, %v batch = [] x [] contracting = [1] x [0]
      : (tensor<48x40xf16>, tensor<40x200xf16>) -> tensor<48x200xf16>
  return %o : tensor<48x200xf16>
}

func.func @wide_f32(%q: tensor<24x256xf32>, %k: tensor<40x256xf32>, %v: tensor<40x160xf32>)
    -> tensor<24x160xf32> {
  %p = tx.dot_general %q, %k batch = [] x [] contracting = [1] x [1]
      : (tensor<24x256xf32>, tensor<40x256xf32>) -> tensor<24x40xf32>
  %c = tx.constant dense<0.0625> : tensor<f32>
  %cb = tx.broadcast %c dims = [] : tensor<f32> -> tensor<24x40xf32>
  %x = tx.mul %p, %cb : tensor<24x40xf32>
  %wm = tx.reduce_max %x dims = [1] : tensor<24x40xf32> -> tensor<24xf32>
  %wmb = tx.broadcast %wm dims = [0] : tensor<24xf32> -> tensor<24x40xf32>
  %wd = tx.sub %x, %wmb : tensor<24x40xf32>
  %we = tx.exp %wd : tensor<24x40xf32>
  %ws = tx.sum %we dims = [1] : tensor<24x40xf32> -> tensor<24xf32>
  %wsb = tx.broadcast %ws dims = [0] : tensor<24xf32> -> tensor<24x40xf32>
  %w = tx.div %we, %wsb : tensor<24x40xf32>
  %o = tx.dot_general %w, %v batch = [] x [] contracting = [1] x [0]
      : (tensor<24x40xf32>, tensor<40x160xf32>) -> tensor<24x160xf32>
  return %o : tensor<24x160xf32>
}

// All in f16, exp and sum too; k as its transpose.
func.func @narrow(%q: tensor<1x40x16xf16>, %k: tensor<1x16x50xf16>, %v: tensor<1x50x16xf16>)
    -> tensor<1x40x16xf16> {
  %p = tx.dot_general %q, %k batch = [0] x [0] contracting = [2] x [1]
      : (tensor<1x40x16xf16>, tensor<1x16x50xf16>) -> tensor<1x40x50xf16>
  %wm = tx.reduce_max %p dims = [2] : tensor<1x40x50xf16> -> tensor<1x40xf16>
  %wmb = tx.broadcast %wm dims = [0, 1] : tensor<1x40xf16> -> tensor<1x40x50xf16>
  %wd = tx.sub %p, %wmb : tensor<1x40x50xf16>
  %we = tx.exp %wd : tensor<1x40x50xf16>
  %ws = tx.sum %we dims = [2] : tensor<1x40x50xf16> -> tensor<1x40xf16>
  %wsb = tx.broadcast %ws dims = [0, 1] : tensor<1x40xf16> -> tensor<1x40x50xf16>
  %w = tx.div %we, %wsb : tensor<1x40x50xf16>
  %o = tx.dot_general %w, %v batch = [0] x [0] contracting = [2] x [1]
      : (tensor<1x40x50xf16>, tensor<1x50x16xf16>) -> tensor<1x40x16xf16>
  return %o : tensor<1x40x16xf16>
}

// Positions of q and k differ in number, one key.
func.func @mixed(%q: tensor<3x17x5xf32>, %k: tensor<3x1x5xf32>, %v: tensor<3x1x3xf32>)
    -> tensor<3x17x3xf32> {
  %p = tx.dot_general %q, %k batch = [0] x [0] contracting = [2] x [2]
      : (tensor<3x17x5xf32>, tensor<3x1x5xf32>) -> tensor<3x17x1xf32>
  %row = tx.iota dim = 0 : tensor<17x1xi32>
  %col = tx.iota dim = 1 : tensor<17x1xi32>
  %mask = tx.ge %row, %col : tensor<17x1xi32>
  %never = tx.constant dense<0xFF800000> : tensor<f32>
  %nb = tx.broadcast %never dims = [] : tensor<f32> -> tensor<3x17x1xf32>
  %mb = tx.broadcast %mask dims = [1, 2] : tensor<17x1xi1> -> tensor<3x17x1xi1>
  %xs = tx.select %mb, %p, %nb : tensor<3x17x1xi1>, tensor<3x17x1xf32>
  %wm = tx.reduce_max %xs dims = [2] : tensor<3x17x1xf32> -> tensor<3x17xf32>
  %wmb = tx.broadcast %wm dims = [0, 1] : tensor<3x17xf32> -> tensor<3x17x1xf32>
  %wd = tx.sub %xs, %wmb : tensor<3x17x1xf32>
  %we = tx.exp %wd : tensor<3x17x1xf32>
  %ws = tx.sum %we dims = [2] : tensor<3x17x1xf32> -> tensor<3x17xf32>
  %wsb = tx.broadcast %ws dims = [0, 1] : tensor<3x17xf32> -> tensor<3x17x1xf32>
  %w = tx.div %we, %wsb : tensor<3x17x1xf32>
  %o = tx.dot_general %w, %v batch = [0] x [0] contracting = [2] x [1]
      : (tensor<3x17x1xf32>, tensor<3x1x3xf32>) -> tensor<3x17x3xf32>
  return %o : tensor<3x17x3xf32>
}

// Any number of heads, queries and keys; over no keys the sum is 0.
func.func @named(%q: tensor<?x?x24xf32, #tx.dims<[b, m, 24]>> {tx.name = "q"}, %k: tensor<?x?x24xf32, #tx.dims<[b, n, 24]>> {tx.name = "k"}, %v: tensor<?x?x16xf32, #tx.dims<[b, n, 16]>> {tx.name = "v"}, %mask: tensor<?x?x?xf32, #tx.dims<[b, m, n]>> {tx.name = "mask"})
    -> tensor<?x?x16xf32, #tx.dims<[b, m, 16]>> {
  %p = tx.dot_general %q, %k batch = [0] x [0] contracting = [2] x [2]
      : (tensor<?x?x24xf32, #tx.dims<[b, m, 24]>>, tensor<?x?x24xf32, #tx.dims<[b, n, 24]>>) -> tensor<?x?x?xf32, #tx.dims<[b, m, n]>>
  %xm = tx.add %p, %mask : tensor<?x?x?xf32, #tx.dims<[b, m, n]>>
  %wm = tx.reduce_max %xm dims = [2] : tensor<?x?x?xf32, #tx.dims<[b, m, n]>> -> tensor<?x?xf32, #tx.dims<[b, m]>>
  %wmb = tx.broadcast %wm dims = [0, 1] : tensor<?x?xf32, #tx.dims<[b, m]>> -> tensor<?x?x?xf32, #tx.dims<[b, m, n]>>
  %wd = tx.sub %xm, %wmb : tensor<?x?x?xf32, #tx.dims<[b, m, n]>>
  %we = tx.exp %wd : tensor<?x?x?xf32, #tx.dims<[b, m, n]>>
  %ws = tx.sum %we dims = [2] : tensor<?x?x?xf32, #tx.dims<[b, m, n]>> -> tensor<?x?xf32, #tx.dims<[b, m]>>
  %wsb = tx.broadcast %ws dims = [0, 1] : tensor<?x?xf32, #tx.dims<[b, m]>> -> tensor<?x?x?xf32, #tx.dims<[b, m, n]>>
  %w = tx.div %we, %wsb : tensor<?x?x?xf32, #tx.dims<[b, m, n]>>
  %o = tx.dot_general %w, %v batch = [0] x [0] contracting = [2] x [1]
      : (tensor<?x?x?xf32, #tx.dims<[b, m, n]>>, tensor<?x?x16xf32, #tx.dims<[b, n, 16]>>) -> tensor<?x?x16xf32, #tx.dims<[b, m, 16]>>
  return %o : tensor<?x?x16xf32, #tx.dims<[b, m, 16]>>
}

func.func @named_halves(%q: tensor<?x?x32xbf16, #tx.dims<[b, m, 32]>> {tx.name = "q"}, %k: tensor<?x?x32xbf16, #tx.dims<[b, n, 32]>> {tx.name = "k"}, %v: tensor<?x?x32xbf16, #tx.dims<[b, n, 32]>> {tx.name = "v"})
    -> tensor<?x?x32xbf16, #tx.dims<[b, m, 32]>> {
  %p = tx.dot_general %q, %k batch = [0] x [0] contracting = [2] x [2]
      : (tensor<?x?x32xbf16, #tx.dims<[b, m, 32]>>, tensor<?x?x32xbf16, #tx.dims<[b, n, 32]>>) -> tensor<?x?x?xbf16, #tx.dims<[b, m, n]>>
  %pw = tx.convert %p : tensor<?x?x?xbf16, #tx.dims<[b, m, n]>> -> tensor<?x?x?xf32, #tx.dims<[b, m, n]>>
  %row = tx.iota dim = 0 : tensor<?x?xi32, #tx.dims<[m, n]>>
  %col = tx.iota dim = 1 : tensor<?x?xi32, #tx.dims<[m, n]>>
  %mask = tx.ge %row, %col : tensor<?x?xi32, #tx.dims<[m, n]>>
  %never = tx.constant dense<0xFF800000> : tensor<f32>
  %nb = tx.broadcast %never dims = [] : tensor<f32> -> tensor<?x?x?xf32, #tx.dims<[b, m, n]>>
  %mb = tx.broadcast %mask dims = [1, 2] : tensor<?x?xi1, #tx.dims<[m, n]>> -> tensor<?x?x?xi1, #tx.dims<[b, m, n]>>
  %xs = tx.select %mb, %pw, %nb : tensor<?x?x?xi1, #tx.dims<[b, m, n]>>, tensor<?x?x?xf32, #tx.dims<[b, m, n]>>
  %wm = tx.reduce_max %xs dims = [2] : tensor<?x?x?xf32, #tx.dims<[b, m, n]>> -> tensor<?x?xf32, #tx.dims<[b, m]>>
  %winfs = tx.constant dense<0xFF800000> : tensor<f32>
  %winf = tx.broadcast %winfs dims = [] : tensor<f32> -> tensor<?x?xf32, #tx.dims<[b, m]>>
  %wzs = tx.constant dense<0.0> : tensor<f32>
  %wz = tx.broadcast %wzs dims = [] : tensor<f32> -> tensor<?x?xf32, #tx.dims<[b, m]>>
  %wnone = tx.eq %wm, %winf : tensor<?x?xf32, #tx.dims<[b, m]>>
  %wshift = tx.select %wnone, %wz, %wm : tensor<?x?xi1, #tx.dims<[b, m]>>, tensor<?x?xf32, #tx.dims<[b, m]>>
  %wmb = tx.broadcast %wshift dims = [0, 1] : tensor<?x?xf32, #tx.dims<[b, m]>> -> tensor<?x?x?xf32, #tx.dims<[b, m, n]>>
  %wd = tx.sub %xs, %wmb : tensor<?x?x?xf32, #tx.dims<[b, m, n]>>
  %we = tx.exp %wd : tensor<?x?x?xf32, #tx.dims<[b, m, n]>>
  %ws = tx.sum %we dims = [2] : tensor<?x?x?xf32, #tx.dims<[b, m, n]>> -> tensor<?x?xf32, #tx.dims<[b, m]>>
  %wones = tx.constant dense<1.0> : tensor<f32>
  %wone = tx.broadcast %wones dims = [] : tensor<f32> -> tensor<?x?xf32, #tx.dims<[b, m]>>
  %wq = tx.div %wone, %ws : tensor<?x?xf32, #tx.dims<[b, m]>>
  %wf = tx.select %wnone, %wz, %wq : tensor<?x?xi1, #tx.dims<[b, m]>>, tensor<?x?xf32, #tx.dims<[b, m]>>
  %wfb = tx.broadcast %wf dims = [0, 1] : tensor<?x?xf32, #tx.dims<[b, m]>> -> tensor<?x?x?xf32, #tx.dims<[b, m, n]>>
  %w = tx.mul %we, %wfb : tensor<?x?x?xf32, #tx.dims<[b, m, n]>>
  %wn = tx.convert %w : tensor<?x?x?xf32, #tx.dims<[b, m, n]>> -> tensor<?x?x?xbf16, #tx.dims<[b, m, n]>>
  %o = tx.dot_general %wn, %v batch = [0] x [0] contracting = [2] x [1]
      : (tensor<?x?x?xbf16, #tx.dims<[b, m, n]>>, tensor<?x?x32xbf16, #tx.dims<[b, n, 32]>>) -> tensor<?x?x32xbf16, #tx.dims<[b, m, 32]>>
  return %o : tensor<?x?x32xbf16, #tx.dims<[b, m, 32]>>
}

// As one op: causal, two heads share keys.
func.func @library(%arg0: tensor<2x8x40x24xf16>, %arg1: tensor<2x4x33x24xf16>, %arg2: tensor<2x4x33x20xf16>, %arg3: tensor<f16> {tx.scalar}) -> tensor<2x8x40x20xf16> {
  %0 = tx.attention %arg0, %arg1, %arg2, %arg3 groups = 2 causal
      : (tensor<2x8x40x24xf16>, tensor<2x4x33x24xf16>, tensor<2x4x33x20xf16>, tensor<f16>) -> tensor<2x8x40x20xf16>
  return %0 : tensor<2x8x40x20xf16>
}

// The bias is a product of its own.
func.func @bias(%q: tensor<2x37x20xf32>, %k: tensor<2x29x20xf32>, %v: tensor<2x29x12xf32>, %r: tensor<2x29x20xf32>,
                %s: tensor<f32> {tx.scalar}) -> tensor<2x37x12xf32> {
  %b = tx.dot_general %q, %r batch = [0] x [0] contracting = [2] x [2]
      : (tensor<2x37x20xf32>, tensor<2x29x20xf32>) -> tensor<2x37x29xf32>
  %0 = tx.attention %q, %k, %v, %s mask %b groups = 1
      : (tensor<2x37x20xf32>, tensor<2x29x20xf32>, tensor<2x29x12xf32>, tensor<f32>, tensor<2x37x29xf32>) -> tensor<2x37x12xf32>
  return %0 : tensor<2x37x12xf32>
}

// Heads and rows change places before (b, n, h, d) and behind, four heads share keys,
// and their queries are computed.
func.func @layouts(%q: tensor<2x21x8x16xf16>, %k: tensor<2x35x2x16xf16>, %v: tensor<2x35x2x16xf16>,
                   %s: tensor<f16> {tx.scalar}) -> tensor<2x21x128xf16> {
  %sb = tx.broadcast %s dims = [] : tensor<f16> -> tensor<2x21x8x16xf16>
  %qs = tx.mul %q, %sb : tensor<2x21x8x16xf16>
  %qt = tx.transpose %qs permutation = [0, 2, 1, 3] : tensor<2x21x8x16xf16> -> tensor<2x8x21x16xf16>
  %qg = tx.reshape %qt : tensor<2x8x21x16xf16> -> tensor<2x2x84x16xf16>
  %kt = tx.transpose %k permutation = [0, 2, 1, 3] : tensor<2x35x2x16xf16> -> tensor<2x2x35x16xf16>
  %p = tx.dot_general %qg, %kt batch = [0, 1] x [0, 1] contracting = [3] x [3]
      : (tensor<2x2x84x16xf16>, tensor<2x2x35x16xf16>) -> tensor<2x2x84x35xf16>
  %ph = tx.reshape %p : tensor<2x2x84x35xf16> -> tensor<2x8x21x35xf16>
  %x = tx.convert %ph : tensor<2x8x21x35xf16> -> tensor<2x8x21x35xf32>
  %row = tx.iota dim = 2 : tensor<2x8x21x35xi32>
  %col = tx.iota dim = 3 : tensor<2x8x21x35xi32>
  %head = tx.iota dim = 1 : tensor<2x8x21x35xi32>
  %far = tx.sub %col, %row : tensor<2x8x21x35xi32>
  %bi = tx.mul %far, %head : tensor<2x8x21x35xi32>
  %bias = tx.convert %bi : tensor<2x8x21x35xi32> -> tensor<2x8x21x35xf32>
  %tenth = tx.constant dense<0.01> : tensor<2x8x21x35xf32>
  %slope = tx.mul %bias, %tenth : tensor<2x8x21x35xf32>
  %xb = tx.add %x, %slope : tensor<2x8x21x35xf32>
  %m = tx.reduce_max %xb dims = [3] : tensor<2x8x21x35xf32> -> tensor<2x8x21xf32>
  %mb = tx.broadcast %m dims = [0, 1, 2] : tensor<2x8x21xf32> -> tensor<2x8x21x35xf32>
  %d = tx.sub %xb, %mb : tensor<2x8x21x35xf32>
  %e = tx.exp %d : tensor<2x8x21x35xf32>
  %t = tx.sum %e dims = [3] : tensor<2x8x21x35xf32> -> tensor<2x8x21xf32>
  %tb = tx.broadcast %t dims = [0, 1, 2] : tensor<2x8x21xf32> -> tensor<2x8x21x35xf32>
  %w = tx.div %e, %tb : tensor<2x8x21x35xf32>
  %wn = tx.convert %w : tensor<2x8x21x35xf32> -> tensor<2x8x21x35xf16>
  %wg = tx.reshape %wn : tensor<2x8x21x35xf16> -> tensor<2x2x84x35xf16>
  %vt = tx.transpose %v permutation = [0, 2, 1, 3] : tensor<2x35x2x16xf16> -> tensor<2x2x35x16xf16>
  %o = tx.dot_general %wg, %vt batch = [0, 1] x [0, 1] contracting = [3] x [2]
      : (tensor<2x2x84x35xf16>, tensor<2x2x35x16xf16>) -> tensor<2x2x84x16xf16>
  %oh = tx.reshape %o : tensor<2x2x84x16xf16> -> tensor<2x8x21x16xf16>
  %ot = tx.transpose %oh permutation = [0, 2, 1, 3] : tensor<2x8x21x16xf16> -> tensor<2x21x8x16xf16>
  %res = tx.reshape %ot : tensor<2x21x8x16xf16> -> tensor<2x21x128xf16>
  return %res : tensor<2x21x128xf16>
}

// Scores are %bias, values 0 to 79. Rows: equal scores; only -inf; -inf except for the last
// key; 1000 there; +inf; NaN; -1000 and -2000 beside -inf; -inf for 70 keys.
func.func @special(%any: tensor<8x4xf32>, %keys: tensor<80x4xf32>, %bias: tensor<8x80xf32>) -> (tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf16>) {
  %vi = tx.iota dim = 0 : tensor<80x1xi32>
  %v = tx.convert %vi : tensor<80x1xi32> -> tensor<80x1xf32>
  %sp = tx.dot_general %any, %keys batch = [] x [] contracting = [1] x [1]
      : (tensor<8x4xf32>, tensor<80x4xf32>) -> tensor<8x80xf32>
  %sx = tx.add %sp, %bias : tensor<8x80xf32>
  %sm = tx.reduce_max %sx dims = [1] : tensor<8x80xf32> -> tensor<8xf32>
  %smb = tx.broadcast %sm dims = [0] : tensor<8xf32> -> tensor<8x80xf32>
  %sd = tx.sub %sx, %smb : tensor<8x80xf32>
  %se = tx.exp %sd : tensor<8x80xf32>
  %ss = tx.sum %se dims = [1] : tensor<8x80xf32> -> tensor<8xf32>
  %ssb = tx.broadcast %ss dims = [0] : tensor<8xf32> -> tensor<8x80xf32>
  %s = tx.div %se, %ssb : tensor<8x80xf32>
  %so = tx.dot_general %s, %v batch = [] x [] contracting = [1] x [0]
      : (tensor<8x80xf32>, tensor<80x1xf32>) -> tensor<8x1xf32>
  %tp = tx.dot_general %any, %keys batch = [] x [] contracting = [1] x [1]
      : (tensor<8x4xf32>, tensor<80x4xf32>) -> tensor<8x80xf32>
  %tx = tx.add %tp, %bias : tensor<8x80xf32>
  %tm = tx.reduce_max %tx dims = [1] : tensor<8x80xf32> -> tensor<8xf32>
  %tinf = tx.constant dense<0xFF800000> : tensor<8xf32>
  %tzs = tx.constant dense<0.0> : tensor<f32>
  %tz = tx.broadcast %tzs dims = [] : tensor<f32> -> tensor<8xf32>
  %tnone = tx.eq %tm, %tinf : tensor<8xf32>
  %tshift = tx.select %tnone, %tz, %tm : tensor<8xi1>, tensor<8xf32>
  %tmb = tx.broadcast %tshift dims = [0] : tensor<8xf32> -> tensor<8x80xf32>
  %td = tx.sub %tx, %tmb : tensor<8x80xf32>
  %te = tx.exp %td : tensor<8x80xf32>
  %ts = tx.sum %te dims = [1] : tensor<8x80xf32> -> tensor<8xf32>
  %tones = tx.constant dense<1.0> : tensor<f32>
  %tone = tx.broadcast %tones dims = [] : tensor<f32> -> tensor<8xf32>
  %tq = tx.div %tone, %ts : tensor<8xf32>
  %tf = tx.select %tnone, %tz, %tq : tensor<8xi1>, tensor<8xf32>
  %tfb = tx.broadcast %tf dims = [0] : tensor<8xf32> -> tensor<8x80xf32>
  %t = tx.mul %te, %tfb : tensor<8x80xf32>
  %to = tx.dot_general %t, %v batch = [] x [] contracting = [1] x [0]
      : (tensor<8x80xf32>, tensor<80x1xf32>) -> tensor<8x1xf32>
  %anyh = tx.convert %any : tensor<8x4xf32> -> tensor<8x4xf16>
  %keysh = tx.convert %keys : tensor<80x4xf32> -> tensor<80x4xf16>
  %vh = tx.convert %v : tensor<80x1xf32> -> tensor<80x1xf16>
  %bh = tx.convert %bias : tensor<8x80xf32> -> tensor<8x80xf16>
  %up = tx.dot_general %anyh, %keysh batch = [] x [] contracting = [1] x [1]
      : (tensor<8x4xf16>, tensor<80x4xf16>) -> tensor<8x80xf16>
  %ux = tx.add %up, %bh : tensor<8x80xf16>
  %um = tx.reduce_max %ux dims = [1] : tensor<8x80xf16> -> tensor<8xf16>
  %umb = tx.broadcast %um dims = [0] : tensor<8xf16> -> tensor<8x80xf16>
  %ud = tx.sub %ux, %umb : tensor<8x80xf16>
  %ue = tx.exp %ud : tensor<8x80xf16>
  %us = tx.sum %ue dims = [1] : tensor<8x80xf16> -> tensor<8xf16>
  %usb = tx.broadcast %us dims = [0] : tensor<8xf16> -> tensor<8x80xf16>
  %u = tx.div %ue, %usb : tensor<8x80xf16>
  %uo = tx.dot_general %u, %vh batch = [] x [] contracting = [1] x [0]
      : (tensor<8x80xf16>, tensor<80x1xf16>) -> tensor<8x1xf16>
  return %so, %to, %uo : tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf16>
}
// SPECIAL:      out0: f32[8,1]
// SPECIAL-NEXT: {{\[\[}}39.5],
// SPECIAL-NEXT:  [nan],
// SPECIAL-NEXT:  [79],
// SPECIAL-NEXT:  [79],
// SPECIAL-NEXT:  [nan],
// SPECIAL-NEXT:  [nan],
// SPECIAL-NEXT:  [0],
// SPECIAL-NEXT:  [74.5]]
// SPECIAL-NEXT: out1: f32[8,1]
// SPECIAL-NEXT: {{\[\[}}39.5],
// SPECIAL-NEXT:  [0],
// SPECIAL-NEXT:  [79],
// SPECIAL-NEXT:  [79],
// SPECIAL-NEXT:  [nan],
// SPECIAL-NEXT:  [nan],
// SPECIAL-NEXT:  [0],
// SPECIAL-NEXT:  [74.5]]
// SPECIAL-NEXT: out2: f16[8,1]
// SPECIAL-NEXT: {{\[\[}}39.5],
// SPECIAL-NEXT:  [nan],
// SPECIAL-NEXT:  [79],
// SPECIAL-NEXT:  [79],
// SPECIAL-NEXT:  [nan],
// SPECIAL-NEXT:  [nan],
// SPECIAL-NEXT:  [0],
// SPECIAL-NEXT:  [74.5]]

// Heads side by side: the result in another order.
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

// Its rows innermost.
func.func @merged_halves(%q: tensor<2x3x17x16xf16>, %k: tensor<2x3x31x16xf16>, %v: tensor<2x3x31x8xf16>, %b: tensor<2x8x3x17xf16>) -> (tensor<2x8x3x17xf16>) {
  %p = tx.dot_general %q, %k batch = [0, 1] x [0, 1] contracting = [3] x [3] : (tensor<2x3x17x16xf16>, tensor<2x3x31x16xf16>) -> tensor<2x3x17x31xf16>
  %wm = tx.reduce_max %p dims = [3] : tensor<2x3x17x31xf16> -> tensor<2x3x17xf16>
  %wmb = tx.broadcast %wm dims = [0, 1, 2] : tensor<2x3x17xf16> -> tensor<2x3x17x31xf16>
  %wd = tx.sub %p, %wmb : tensor<2x3x17x31xf16>
  %we = tx.exp %wd : tensor<2x3x17x31xf16>
  %ws = tx.sum %we dims = [3] : tensor<2x3x17x31xf16> -> tensor<2x3x17xf16>
  %wsb = tx.broadcast %ws dims = [0, 1, 2] : tensor<2x3x17xf16> -> tensor<2x3x17x31xf16>
  %w = tx.div %we, %wsb : tensor<2x3x17x31xf16>
  %o = tx.dot_general %w, %v batch = [0, 1] x [0, 1] contracting = [3] x [2] : (tensor<2x3x17x31xf16>, tensor<2x3x31x8xf16>) -> tensor<2x3x17x8xf16>
  %t = tx.transpose %o permutation = [0, 3, 1, 2] : tensor<2x3x17x8xf16> -> tensor<2x8x3x17xf16>
  %r = tx.add %t, %b : tensor<2x8x3x17xf16>
  return %r : tensor<2x8x3x17xf16>
}

// Dims of size 1, in another order, and read twice.
func.func @units(%arg0: tensor<1x1x17x1xi1>, %arg1: tensor<1x1x17x16xf64>, %arg2: tensor<1x1x31x16xf64>, %arg3: tensor<1x1x31x1xf64>, %arg4: tensor<f64> {tx.scalar}) -> tensor<1x17x1x1xf64> {
  %0 = tx.attention %arg1, %arg2, %arg3, %arg4 groups = 1
      : (tensor<1x1x17x16xf64>, tensor<1x1x31x16xf64>, tensor<1x1x31x1xf64>, tensor<f64>) -> tensor<1x1x17x1xf64>
  %1 = tx.select %arg0, %0, %0 : tensor<1x1x17x1xi1>, tensor<1x1x17x1xf64>
  %2 = tx.transpose %1 permutation = [0, 2, 3, 1] : tensor<1x1x17x1xf64> -> tensor<1x17x1x1xf64>
  return %2 : tensor<1x17x1x1xf64>
}

// The weights are v, too, so they are stored.
func.func @squared(%a: tensor<19x19xf32>) -> tensor<19x19xf32> {
  %p = tx.dot_general %a, %a batch = [] x [] contracting = [1] x [1] : (tensor<19x19xf32>, tensor<19x19xf32>) -> tensor<19x19xf32>
  %m = tx.reduce_max %p dims = [1] : tensor<19x19xf32> -> tensor<19xf32>
  %mb = tx.broadcast %m dims = [0] : tensor<19xf32> -> tensor<19x19xf32>
  %d = tx.sub %p, %mb : tensor<19x19xf32>
  %e = tx.exp %d : tensor<19x19xf32>
  %s = tx.sum %e dims = [1] : tensor<19x19xf32> -> tensor<19xf32>
  %sb = tx.broadcast %s dims = [0] : tensor<19xf32> -> tensor<19x19xf32>
  %w = tx.div %e, %sb : tensor<19x19xf32>
  %o = tx.dot_general %w, %w batch = [] x [] contracting = [1] x [0] : (tensor<19x19xf32>, tensor<19x19xf32>) -> tensor<19x19xf32>
  return %o : tensor<19x19xf32>
}

// Scores of halves are f32: these are 65536, 65539 and 65280, which bf16 and f16 do not tell apart.
func.func @large(%q: tensor<9x2xf32>, %k: tensor<3x2xf32>, %v: tensor<3x1xf32>)
    -> (tensor<9x1xbf16> {tx.name = "bf16"}, tensor<1x1xbf16> {tx.name = "one"}, tensor<9x1xf16> {tx.name = "f16"}) {
  %scale = tx.constant dense<1.0> : tensor<f32>
  %qb = tx.convert %q : tensor<9x2xf32> -> tensor<9x2xbf16>
  %kb = tx.convert %k : tensor<3x2xf32> -> tensor<3x2xbf16>
  %vb = tx.convert %v : tensor<3x1xf32> -> tensor<3x1xbf16>
  %b = tx.attention %qb, %kb, %vb, %scale groups = 1
      : (tensor<9x2xbf16>, tensor<3x2xbf16>, tensor<3x1xbf16>, tensor<f32>) -> tensor<9x1xbf16>
  %q1 = tx.slice %qb offsets = [0, 0] strides = [1, 1] : tensor<9x2xbf16> -> tensor<1x2xbf16>
  %o = tx.attention %q1, %kb, %vb, %scale groups = 1
      : (tensor<1x2xbf16>, tensor<3x2xbf16>, tensor<3x1xbf16>, tensor<f32>) -> tensor<1x1xbf16>
  %qh = tx.convert %q : tensor<9x2xf32> -> tensor<9x2xf16>
  %kh = tx.convert %k : tensor<3x2xf32> -> tensor<3x2xf16>
  %vh = tx.convert %v : tensor<3x1xf32> -> tensor<3x1xf16>
  %h = tx.attention %qh, %kh, %vh, %scale groups = 1
      : (tensor<9x2xf16>, tensor<3x2xf16>, tensor<3x1xf16>, tensor<f32>) -> tensor<9x1xf16>
  return %b, %o, %h : tensor<9x1xbf16>, tensor<1x1xbf16>, tensor<9x1xf16>
}
// LARGE: bf16: bf16[9,1]
// LARGE-NEXT: [0.953],
// LARGE: one: bf16[1,1]
// LARGE-NEXT: [0.953]
// LARGE: f16: f16[9,1]
// LARGE-NEXT: [0.952

// The same in f16, where k is also v: hidden rows, a single key, infinity, NaN.
// HALVES:      [0.5,
// HALVES-NEXT: [nan,
// HALVES-NEXT: [4,
// HALVES-NEXT: [4,
// HALVES-NEXT: [nan,
// HALVES-NEXT: [nan,
// HALVES-NEXT: [-3,
// HALVES-NEXT: [1.1,
func.func @special_halves(%qs: tensor<8x16xf32>, %ks: tensor<80x16xf32>, %bias: tensor<8x80xf32>) -> tensor<8x16xf16> {
  %q = tx.convert %qs : tensor<8x16xf32> -> tensor<8x16xf16>
  %k = tx.convert %ks : tensor<80x16xf32> -> tensor<80x16xf16>
  %p = tx.dot_general %q, %k batch = [] x [] contracting = [1] x [1]
      : (tensor<8x16xf16>, tensor<80x16xf16>) -> tensor<8x80xf32>
  %x = tx.add %p, %bias : tensor<8x80xf32>
  %wm = tx.reduce_max %x dims = [1] : tensor<8x80xf32> -> tensor<8xf32>
  %wmb = tx.broadcast %wm dims = [0] : tensor<8xf32> -> tensor<8x80xf32>
  %wd = tx.sub %x, %wmb : tensor<8x80xf32>
  %we = tx.exp %wd : tensor<8x80xf32>
  %ws = tx.sum %we dims = [1] : tensor<8x80xf32> -> tensor<8xf32>
  %wsb = tx.broadcast %ws dims = [0] : tensor<8xf32> -> tensor<8x80xf32>
  %w = tx.div %we, %wsb : tensor<8x80xf32>
  %wn = tx.convert %w : tensor<8x80xf32> -> tensor<8x80xf16>
  %o = tx.dot_general %wn, %k batch = [] x [] contracting = [1] x [0]
      : (tensor<8x80xf16>, tensor<80x16xf16>) -> tensor<8x16xf16>
  return %o : tensor<8x16xf16>
}

// Masks of large numbers hide rows: with all keys hidden a row is the mean of v.
func.func @masked_halves(%q: tensor<10x16xf16>, %k: tensor<160x16xf16>, %v: tensor<160x16xf16>, %mask: tensor<10x160xf32> {tx.name = "mask"})
    -> tensor<10x16xf16> {
  %p = tx.dot_general %q, %k batch = [] x [] contracting = [1] x [1]
      : (tensor<10x16xf16>, tensor<160x16xf16>) -> tensor<10x160xf32>
  %x = tx.add %p, %mask : tensor<10x160xf32>
  %wm = tx.reduce_max %x dims = [1] : tensor<10x160xf32> -> tensor<10xf32>
  %wmb = tx.broadcast %wm dims = [0] : tensor<10xf32> -> tensor<10x160xf32>
  %wd = tx.sub %x, %wmb : tensor<10x160xf32>
  %we = tx.exp %wd : tensor<10x160xf32>
  %ws = tx.sum %we dims = [1] : tensor<10x160xf32> -> tensor<10xf32>
  %wsb = tx.broadcast %ws dims = [0] : tensor<10xf32> -> tensor<10x160xf32>
  %w = tx.div %we, %wsb : tensor<10x160xf32>
  %wn = tx.convert %w : tensor<10x160xf32> -> tensor<10x160xf16>
  %o = tx.dot_general %wn, %v batch = [] x [] contracting = [1] x [0]
      : (tensor<10x160xf16>, tensor<160x16xf16>) -> tensor<10x16xf16>
  return %o : tensor<10x16xf16>
}

func.func @masked_bf16(%q: tensor<10x16xbf16>, %k: tensor<160x16xbf16>, %v: tensor<160x16xbf16>, %mask: tensor<10x160xf32> {tx.name = "mask"})
    -> tensor<10x16xbf16> {
  %p = tx.dot_general %q, %k batch = [] x [] contracting = [1] x [1]
      : (tensor<10x16xbf16>, tensor<160x16xbf16>) -> tensor<10x160xf32>
  %x = tx.add %p, %mask : tensor<10x160xf32>
  %wm = tx.reduce_max %x dims = [1] : tensor<10x160xf32> -> tensor<10xf32>
  %wmb = tx.broadcast %wm dims = [0] : tensor<10xf32> -> tensor<10x160xf32>
  %wd = tx.sub %x, %wmb : tensor<10x160xf32>
  %we = tx.exp %wd : tensor<10x160xf32>
  %ws = tx.sum %we dims = [1] : tensor<10x160xf32> -> tensor<10xf32>
  %wsb = tx.broadcast %ws dims = [0] : tensor<10xf32> -> tensor<10x160xf32>
  %w = tx.div %we, %wsb : tensor<10x160xf32>
  %wn = tx.convert %w : tensor<10x160xf32> -> tensor<10x160xbf16>
  %o = tx.dot_general %wn, %v batch = [] x [] contracting = [1] x [0]
      : (tensor<10x160xbf16>, tensor<160x16xbf16>) -> tensor<10x16xbf16>
  return %o : tensor<10x16xbf16>
}

// The keys of a bias come from two inputs, and are read along keys, across them, by indices.
func.func @bias_joined(%q: tensor<10x16xf16>, %k: tensor<160x16xf16>, %v: tensor<160x16xf16>, %l: tensor<10x63xf32>, %r: tensor<10x97xf32>)
    -> tensor<10x16xf16> {
  %b = tx.concatenate %l, %r dim = 1 : (tensor<10x63xf32>, tensor<10x97xf32>) -> tensor<10x160xf32>
  %p = tx.dot_general %q, %k batch = [] x [] contracting = [1] x [1]
      : (tensor<10x16xf16>, tensor<160x16xf16>) -> tensor<10x160xf32>
  %x = tx.add %p, %b : tensor<10x160xf32>
  %wm = tx.reduce_max %x dims = [1] : tensor<10x160xf32> -> tensor<10xf32>
  %wmb = tx.broadcast %wm dims = [0] : tensor<10xf32> -> tensor<10x160xf32>
  %wd = tx.sub %x, %wmb : tensor<10x160xf32>
  %we = tx.exp %wd : tensor<10x160xf32>
  %ws = tx.sum %we dims = [1] : tensor<10x160xf32> -> tensor<10xf32>
  %wsb = tx.broadcast %ws dims = [0] : tensor<10xf32> -> tensor<10x160xf32>
  %w = tx.div %we, %wsb : tensor<10x160xf32>
  %wn = tx.convert %w : tensor<10x160xf32> -> tensor<10x160xf16>
  %o = tx.dot_general %wn, %v batch = [] x [] contracting = [1] x [0]
      : (tensor<10x160xf16>, tensor<160x16xf16>) -> tensor<10x16xf16>
  return %o : tensor<10x16xf16>
}

func.func @bias_turned(%q: tensor<10x16xf16>, %k: tensor<160x16xf16>, %v: tensor<160x16xf16>, %t: tensor<160x10xf32>)
    -> tensor<10x16xf16> {
  %b = tx.transpose %t permutation = [1, 0] : tensor<160x10xf32> -> tensor<10x160xf32>
  %p = tx.dot_general %q, %k batch = [] x [] contracting = [1] x [1]
      : (tensor<10x16xf16>, tensor<160x16xf16>) -> tensor<10x160xf32>
  %x = tx.add %p, %b : tensor<10x160xf32>
  %wm = tx.reduce_max %x dims = [1] : tensor<10x160xf32> -> tensor<10xf32>
  %wmb = tx.broadcast %wm dims = [0] : tensor<10xf32> -> tensor<10x160xf32>
  %wd = tx.sub %x, %wmb : tensor<10x160xf32>
  %we = tx.exp %wd : tensor<10x160xf32>
  %ws = tx.sum %we dims = [1] : tensor<10x160xf32> -> tensor<10xf32>
  %wsb = tx.broadcast %ws dims = [0] : tensor<10xf32> -> tensor<10x160xf32>
  %w = tx.div %we, %wsb : tensor<10x160xf32>
  %wn = tx.convert %w : tensor<10x160xf32> -> tensor<10x160xf16>
  %o = tx.dot_general %wn, %v batch = [] x [] contracting = [1] x [0]
      : (tensor<10x160xf16>, tensor<160x16xf16>) -> tensor<10x16xf16>
  return %o : tensor<10x16xf16>
}

func.func @bias_taken(%q: tensor<10x16xf16>, %k: tensor<160x16xf16>, %v: tensor<160x16xf16>, %t: tensor<10x33xf32>, %i: tensor<160xi32>)
    -> tensor<10x16xf16> {
  %b = tx.gather %t, %i offset_dims = [0] collapsed_slice_dims = [1] start_index_map = [1] index_vector_dim = 1
      slice_sizes = [10, 1] : (tensor<10x33xf32>, tensor<160xi32>) -> tensor<10x160xf32>
  %p = tx.dot_general %q, %k batch = [] x [] contracting = [1] x [1]
      : (tensor<10x16xf16>, tensor<160x16xf16>) -> tensor<10x160xf32>
  %x = tx.add %p, %b : tensor<10x160xf32>
  %wm = tx.reduce_max %x dims = [1] : tensor<10x160xf32> -> tensor<10xf32>
  %wmb = tx.broadcast %wm dims = [0] : tensor<10xf32> -> tensor<10x160xf32>
  %wd = tx.sub %x, %wmb : tensor<10x160xf32>
  %we = tx.exp %wd : tensor<10x160xf32>
  %ws = tx.sum %we dims = [1] : tensor<10x160xf32> -> tensor<10xf32>
  %wsb = tx.broadcast %ws dims = [0] : tensor<10xf32> -> tensor<10x160xf32>
  %w = tx.div %we, %wsb : tensor<10x160xf32>
  %wn = tx.convert %w : tensor<10x160xf32> -> tensor<10x160xf16>
  %o = tx.dot_general %wn, %v batch = [] x [] contracting = [1] x [0]
      : (tensor<10x160xf16>, tensor<160x16xf16>) -> tensor<10x16xf16>
  return %o : tensor<10x16xf16>
}
