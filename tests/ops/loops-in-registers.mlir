// Loops of small values, which a CPU keeps in registers.
//
// RUN: %npy %t.x.npy f32 '[1, 2, 3]'
// RUN: %run_op --entry=moves --input=x=%t.x.npy | FileCheck %s --check-prefix=MOVES
// RUN: %run_op --entry=odd --random-inputs --compare=reference
// RUN: %run_op --entry=dtypes --random-inputs --compare=reference
// RUN: %run_op --entry=nan | FileCheck %s --check-prefix=NAN
// RUN: %run_op --entry=branch --random-inputs --compare=reference
// RUN: %run_op --entry=steps --random-inputs --compare=reference
// RUN: %run_op --entry=indexed --random-inputs --compare=reference
// RUN: %run_op --entry=rows --random-inputs --compare=reference
// RUN: %run_op --entry=unrolled --random-inputs | FileCheck %s --check-prefix=UNROLLED
// RUN: %run_op --entry=empty --input=x=%t.x.npy | FileCheck %s --check-prefix=EMPTY
// RUN: %run_op --entry=same | FileCheck %s --check-prefix=SAME

// Elements move between the carried values: a transposition, a pad with holes, a
// slice with a stride, a concatenation, a window.
func.func @moves(%x: tensor<3xf32> {tx.name = "x"}) -> (tensor<3xf32>, tensor<2x5xf32>) {
  %0:2 = tx.scan <[2]> carried = 1 scanned = 0 (%x) : (tensor<3xf32>) -> (tensor<3xf32>, tensor<2x5xf32>) {
  ^bb0(%i: tensor<i64>, %a: tensor<3xf32>):
    %n = tx.constant dense<-1.0> : tensor<f32>
    %p = tx.pad %a, %n low = [0] high = [0] interior = [1] : tensor<3xf32> -> tensor<5xf32>
    %back = tx.slice %a offsets = [2] strides = [-1] : tensor<3xf32> -> tensor<3xf32>
    %c = tx.concatenate %a, %back dim = 0 : (tensor<3xf32>, tensor<3xf32>) -> tensor<6xf32>
    %m = tx.reshape %c : tensor<6xf32> -> tensor<2x3xf32>
    %t = tx.transpose %m permutation = [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
    %f = tx.reshape %t : tensor<3x2xf32> -> tensor<6xf32>
    %r = tx.slice %f offsets = [1] strides = [2] : tensor<6xf32> -> tensor<3xf32>
    tx.return %r, %p : tensor<3xf32>, tensor<5xf32>
  }
  return %0#0, %0#1 : tensor<3xf32>, tensor<2x5xf32>
}
// MOVES: [1, 2, 3]
// MOVES: {{\[}}[1, -1, 2, -1, 3],
// MOVES-NEXT: [3, -1, 2, -1, 1]]

// Numbers of elements that fill no register, of which the last is alone.
func.func @odd(%x: tensor<3x11xf32> {tx.name = "x"}, %z: tensor<9x11x5xf32>) -> (tensor<3x11xf32>, tensor<9x3xf32>, tensor<9x5xf32>) {
  %0:3 = tx.scan <[9]> carried = 1 scanned = 1 (%x, %z) reverse : (tensor<3x11xf32>, tensor<9x11x5xf32>) -> (tensor<3x11xf32>, tensor<9x3xf32>, tensor<9x5xf32>) {
  ^bb0(%i: tensor<i64>, %a: tensor<3x11xf32>, %b: tensor<11x5xf32>):
    %d = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [0] : (tensor<3x11xf32>, tensor<11x5xf32>) -> tensor<3x5xf32>
    %rows = tx.sum %d dims = [1] : tensor<3x5xf32> -> tensor<3xf32>
    %columns = tx.reduce_max %d dims = [0] : tensor<3x5xf32> -> tensor<5xf32>
    %e = tx.dot_general %d, %b batch = [] x [] contracting = [1] x [1] : (tensor<3x5xf32>, tensor<11x5xf32>) -> tensor<3x11xf32>
    %r = tx.tanh %e : tensor<3x11xf32>
    tx.return %r, %rows, %columns : tensor<3x11xf32>, tensor<3xf32>, tensor<5xf32>
  }
  return %0#0, %0#1, %0#2 : tensor<3x11xf32>, tensor<9x3xf32>, tensor<9x5xf32>
}

// Carried and stacked values of several dtypes.
func.func @dtypes(%x: tensor<5xf16>, %y: tensor<3xf64>, %k: tensor<6xi32>) -> (tensor<5xf16>, tensor<3xf64>, tensor<6xi32>, tensor<i1>, tensor<7x6xi1>, tensor<7xi64>) {
  %no = tx.constant dense<false> : tensor<i1>
  %0:6 = tx.scan <[7]> carried = 4 scanned = 0 (%x, %y, %k, %no) : (tensor<5xf16>, tensor<3xf64>, tensor<6xi32>, tensor<i1>) -> (tensor<5xf16>, tensor<3xf64>, tensor<6xi32>, tensor<i1>, tensor<7x6xi1>, tensor<7xi64>) {
  ^bb0(%i: tensor<i64>, %a: tensor<5xf16>, %b: tensor<3xf64>, %c: tensor<6xi32>, %p: tensor<i1>):
    %h = tx.constant dense<0.5> : tensor<5xf16>
    %a1 = tx.mul %a, %h : tensor<5xf16>
    %w = tx.convert %i : tensor<i64> -> tensor<f64>
    %wb = tx.broadcast %w dims = [] : tensor<f64> -> tensor<3xf64>
    %b1 = tx.add %b, %wb : tensor<3xf64>
    %j = tx.iota dim = 0 : tensor<6xi32>
    %c1 = tx.add %c, %j : tensor<6xi32>
    %four = tx.constant dense<4> : tensor<6xi32>
    %q = tx.gt %c1, %four : tensor<6xi32>
    %p1 = tx.any %q dims = [0] : tensor<6xi1> -> tensor<i1>
    %n = tx.count_nonzero %c1 dims = [0] : tensor<6xi32> -> tensor<i64>
    tx.return %a1, %b1, %c1, %p1, %q, %n : tensor<5xf16>, tensor<3xf64>, tensor<6xi32>, tensor<i1>, tensor<6xi1>, tensor<i64>
  }
  return %0#0, %0#1, %0#2, %0#3, %0#4, %0#5 : tensor<5xf16>, tensor<3xf64>, tensor<6xi32>, tensor<i1>, tensor<7x6xi1>, tensor<7xi64>
}

// A sum of -0 is 0, of one element as of several; a maximum passes NaN on.
func.func @nan() -> (tensor<2xf32>, tensor<f32>, tensor<f32>) {
  %x = tx.constant dense<[-0.0, -0.0]> : tensor<2xf32>
  %zero = tx.constant dense<0.0> : tensor<f32>
  %0:3 = tx.scan <[1]> carried = 3 scanned = 0 (%x, %zero, %zero) : (tensor<2xf32>, tensor<f32>, tensor<f32>) -> (tensor<2xf32>, tensor<f32>, tensor<f32>) {
  ^bb0(%i: tensor<i64>, %a: tensor<2xf32>, %b: tensor<f32>, %c: tensor<f32>):
    %s = tx.sum %a dims = [0] : tensor<2xf32> -> tensor<f32>
    %q = tx.sqrt %a : tensor<2xf32>
    %one = tx.constant dense<1.0> : tensor<2xf32>
    %n = tx.sub %a, %one : tensor<2xf32>
    %r = tx.sqrt %n : tensor<2xf32>
    %both = tx.concatenate %one, %r dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
    %m = tx.reduce_max %both dims = [0] : tensor<4xf32> -> tensor<f32>
    tx.return %q, %s, %m : tensor<2xf32>, tensor<f32>, tensor<f32>
  }
  return %0#0, %0#1, %0#2 : tensor<2xf32>, tensor<f32>, tensor<f32>
}
// NAN: [-0, -0]
// NAN: {{^}}0
// NAN: nan

// A branch in each iteration.
func.func @branch(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<20xf32>) {
  %0:2 = tx.scan <[20]> carried = 1 scanned = 0 (%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<20xf32>) {
  ^bb0(%i: tensor<i64>, %a: tensor<4xf32>):
    %s = tx.sum %a dims = [0] : tensor<4xf32> -> tensor<f32>
    %limit = tx.constant dense<1.0> : tensor<f32>
    %p = tx.lt %s, %limit : tensor<f32>
    %r = tx.if %p (%a) : tensor<i1>, (tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%b: tensor<4xf32>):
      %one = tx.constant dense<1.0> : tensor<4xf32>
      %c = tx.add %b, %one : tensor<4xf32>
      tx.return %c : tensor<4xf32>
    } else {
    ^bb0(%b: tensor<4xf32>):
      %n = tx.neg %b : tensor<4xf32>
      tx.return %n : tensor<4xf32>
    }
    tx.return %r, %s : tensor<4xf32>, tensor<f32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<20xf32>
}

// The same bits as those of the kernels of the ops.
func.func @unrolled(%x: tensor<5x45xf32>, %w: tensor<45x3xf32>) -> (tensor<5x3xi32>, tensor<5xi32>, tensor<45xi32>) {
  %0:3 = tx.scan <[1]> carried = 0 scanned = 0 (%x, %w) : (tensor<5x45xf32>, tensor<45x3xf32>) -> (tensor<1x5x3xf32>, tensor<1x5xf32>, tensor<1x45xf32>) {
  ^bb0(%i: tensor<i64>, %a: tensor<5x45xf32>, %b: tensor<45x3xf32>):
    %d = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [0] : (tensor<5x45xf32>, tensor<45x3xf32>) -> tensor<5x3xf32>
    %s = tx.sum %a dims = [1] : tensor<5x45xf32> -> tensor<5xf32>
    %c = tx.sum %a dims = [0] : tensor<5x45xf32> -> tensor<45xf32>
    tx.return %d, %s, %c : tensor<5x3xf32>, tensor<5xf32>, tensor<45xf32>
  }
  %d = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0] : (tensor<5x45xf32>, tensor<45x3xf32>) -> tensor<5x3xf32>
  %s = tx.sum %x dims = [1] : tensor<5x45xf32> -> tensor<5xf32>
  %c = tx.sum %x dims = [0] : tensor<5x45xf32> -> tensor<45xf32>
  %d0 = tx.reshape %0#0 : tensor<1x5x3xf32> -> tensor<5x3xf32>
  %s0 = tx.reshape %0#1 : tensor<1x5xf32> -> tensor<5xf32>
  %c0 = tx.reshape %0#2 : tensor<1x45xf32> -> tensor<45xf32>
  %db = tx.bitcast %d : tensor<5x3xf32> -> tensor<5x3xi32>
  %sb = tx.bitcast %s : tensor<5xf32> -> tensor<5xi32>
  %cb = tx.bitcast %c : tensor<45xf32> -> tensor<45xi32>
  %d0b = tx.bitcast %d0 : tensor<5x3xf32> -> tensor<5x3xi32>
  %s0b = tx.bitcast %s0 : tensor<5xf32> -> tensor<5xi32>
  %c0b = tx.bitcast %c0 : tensor<45xf32> -> tensor<45xi32>
  %r0 = tx.sub %db, %d0b : tensor<5x3xi32>
  %r1 = tx.sub %sb, %s0b : tensor<5xi32>
  %r2 = tx.sub %cb, %c0b : tensor<45xi32>
  return %r0, %r1, %r2 : tensor<5x3xi32>, tensor<5xi32>, tensor<45xi32>
}
// UNROLLED-COUNT-3: i32[
// UNROLLED-NOT: {{[1-9][0-9]*[,\]]}}

// No iteration.
func.func @empty(%x: tensor<3xf32> {tx.name = "x"}) -> (tensor<3xf32>, tensor<0x3xf32>) {
  %0:2 = tx.scan <[0]> carried = 1 scanned = 0 (%x) : (tensor<3xf32>) -> (tensor<3xf32>, tensor<0x3xf32>) {
  ^bb0(%i: tensor<i64>, %a: tensor<3xf32>):
    %r = tx.neg %a : tensor<3xf32>
    tx.return %r, %a : tensor<3xf32>, tensor<3xf32>
  }
  return %0#0, %0#1 : tensor<3xf32>, tensor<0x3xf32>
}
// EMPTY: [1, 2, 3]

// Two whole vectors of steps and some more: recurrences, values between them, the
// previous step's values, an unchanged value, the number of the step.
func.func @steps(%v: tensor<f32>, %s: tensor<f32>, %p: tensor<f32>, %x: tensor<37xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<37xf32>, tensor<37xf32>, tensor<f32>) {
  %0:5 = tx.scan <[37]> carried = 4 scanned = 1 (%v, %s, %p, %v, %x) : (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<37xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<37xf32>) {
  ^bb0(%i: tensor<i64>, %a: tensor<f32>, %b: tensor<f32>, %last: tensor<f32>, %same: tensor<f32>, %z: tensor<f32>):
    %half = tx.constant dense<0.5> : tensor<f32>
    %square = tx.mul %z, %z : tensor<f32>
    %h = tx.mul %a, %half : tensor<f32>
    %a1 = tx.add %h, %square : tensor<f32>
    %e = tx.exp %a1 : tensor<f32>
    %l = tx.tanh %last : tensor<f32>
    %n = tx.convert %i : tensor<i64> -> tensor<f32>
    %t = tx.add %e, %l : tensor<f32>
    %u = tx.sub %t, %n : tensor<f32>
    %w = tx.mul %u, %same : tensor<f32>
    %b1 = tx.add %b, %w : tensor<f32>
    tx.return %a1, %b1, %z, %same, %w : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
  }
  %1:2 = tx.scan <[37]> carried = 1 scanned = 2 (%s, %x, %0#4) reverse : (tensor<f32>, tensor<37xf32>, tensor<37xf32>) -> (tensor<f32>, tensor<37xf32>) {
  ^bb0(%i: tensor<i64>, %a: tensor<f32>, %z: tensor<f32>, %y: tensor<f32>):
    %e = tx.exp %z : tensor<f32>
    %d = tx.div %y, %e : tensor<f32>
    %sixteenth = tx.constant dense<0.0625> : tensor<f32>
    %q = tx.mul %d, %sixteenth : tensor<f32>
    %r = tx.add %a, %q : tensor<f32>
    %c = tx.cos %r : tensor<f32>
    tx.return %r, %c : tensor<f32>, tensor<f32>
  }
  return %0#0, %0#1, %0#2, %0#4, %1#1, %1#0 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<37xf32>, tensor<37xf32>, tensor<f32>
}

// Elements and rows at computed indices, also beyond the ends; one of the tensors is
// read as a whole, too.
func.func @indexed(%x: tensor<300xf32>, %m: tensor<40x3x2xf32>, %w: tensor<6xf32>, %s: tensor<f32>) -> (tensor<f32>, tensor<3x2xf32>, tensor<50xf32>) {
  %z = tx.constant dense<0.0> : tensor<3x2xf32>
  %0:3 = tx.scan <[50]> carried = 2 scanned = 0 (%s, %z, %x, %m, %w) : (tensor<f32>, tensor<3x2xf32>, tensor<300xf32>, tensor<40x3x2xf32>, tensor<6xf32>) -> (tensor<f32>, tensor<3x2xf32>, tensor<50xf32>) {
  ^bb0(%i: tensor<i64>, %a: tensor<f32>, %b: tensor<3x2xf32>, %p: tensor<300xf32>, %q: tensor<40x3x2xf32>, %r: tensor<6xf32>):
    %seven = tx.constant dense<7> : tensor<i64>
    %zero = tx.constant dense<0> : tensor<i64>
    %j = tx.mul %i, %seven : tensor<i64>
    %five = tx.constant dense<-5> : tensor<i64>
    %k = tx.add %i, %five : tensor<i64>
    %e = tx.gather %p, %j offset_dims = [] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 0 slice_sizes = [1] : (tensor<300xf32>, tensor<i64>) -> tensor<f32>
    %row = tx.dynamic_slice %q[%k, %zero, %zero] slice_sizes = [1, 3, 2] : (tensor<40x3x2xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<1x3x2xf32>
    %f = tx.reshape %row : tensor<1x3x2xf32> -> tensor<3x2xf32>
    %g = tx.gather %r, %i offset_dims = [] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 0 slice_sizes = [1] : (tensor<6xf32>, tensor<i64>) -> tensor<f32>
    %t = tx.sum %r dims = [0] : tensor<6xf32> -> tensor<f32>
    %h = tx.constant dense<0.5> : tensor<3x2xf32>
    %b1 = tx.mul %b, %h : tensor<3x2xf32>
    %b2 = tx.add %b1, %f : tensor<3x2xf32>
    %a1 = tx.add %a, %e : tensor<f32>
    %a2 = tx.sin %a1 : tensor<f32>
    %u = tx.mul %g, %t : tensor<f32>
    tx.return %a2, %b2, %u : tensor<f32>, tensor<3x2xf32>, tensor<f32>
  }
  return %0#0, %0#1, %0#2 : tensor<f32>, tensor<3x2xf32>, tensor<50xf32>
}

// Rows at several indices, of a matrix in memory and of a carried one; columns of
// pairs; indices that are clamped.
func.func @rows(%x: tensor<20x3xf32>, %a: tensor<3x3xf32>, %p: tensor<2x2xi64>) -> (tensor<3x3xf32>, tensor<2x3xf32>) {
  %start = tx.constant dense<0.0> : tensor<2x3xf32>
  %0:2 = tx.scan <[25]> carried = 2 scanned = 0 (%a, %start, %x, %p) : (tensor<3x3xf32>, tensor<2x3xf32>, tensor<20x3xf32>, tensor<2x2xi64>) -> (tensor<3x3xf32>, tensor<2x3xf32>) {
  ^bb0(%i: tensor<i64>, %b: tensor<3x3xf32>, %c: tensor<2x3xf32>, %m: tensor<20x3xf32>, %q: tensor<2x2xi64>):
    %order = tx.constant dense<[2, 0, 1]> : tensor<3xi32>
    %permuted = tx.gather %b, %order offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1 slice_sizes = [1, 3] : (tensor<3x3xf32>, tensor<3xi32>) -> tensor<3x3xf32>
    %two = tx.constant dense<[[-3], [1]]> : tensor<2x1xi64>
    %ib = tx.broadcast %i dims = [] : tensor<i64> -> tensor<2x1xi64>
    %at = tx.add %two, %ib : tensor<2x1xi64>
    %rows = tx.gather %m, %at offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1 slice_sizes = [1, 3] : (tensor<20x3xf32>, tensor<2x1xi64>) -> tensor<2x3xf32>
    %pairs = tx.gather %m, %q offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0, 1] index_vector_dim = 1 slice_sizes = [1, 2] : (tensor<20x3xf32>, tensor<2x2xi64>) -> tensor<2x2xf32>
    %s = tx.sum %pairs dims = [0, 1] : tensor<2x2xf32> -> tensor<f32>
    %sum = tx.add %c, %rows : tensor<2x3xf32>
    %sb = tx.broadcast %s dims = [] : tensor<f32> -> tensor<2x3xf32>
    %scaled = tx.add %sum, %sb : tensor<2x3xf32>
    tx.return %permuted, %scaled : tensor<3x3xf32>, tensor<2x3xf32>
  }
  return %0#0, %0#1 : tensor<3x3xf32>, tensor<2x3xf32>
}

// Two carried values begin with one constant. long-loops-in-registers has more iterations.
// SAME: 200
// SAME: 400
func.func @same() -> (tensor<i64>, tensor<i64>) {
  %z = tx.constant dense<0> : tensor<i64>
  %0:2 = tx.scan <[200]> carried = 2 scanned = 0 (%z, %z) : (tensor<i64>, tensor<i64>) -> (tensor<i64>, tensor<i64>) {
  ^bb0(%i: tensor<i64>, %a: tensor<i64>, %b: tensor<i64>):
    %one = tx.constant dense<1> : tensor<i64>
    %two = tx.constant dense<2> : tensor<i64>
    %c = tx.add %a, %one : tensor<i64>
    %d = tx.add %b, %two : tensor<i64>
    tx.return %c, %d : tensor<i64>, tensor<i64>
  }
  return %0#0, %0#1 : tensor<i64>, tensor<i64>
}
