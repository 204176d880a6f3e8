// Loops within loops of small values, which a CPU keeps in registers.
//
// RUN: %npy %t.x.npy f32 '[1, 2, 3]'
// RUN: %run_op --entry=stacked --random-inputs --compare=reference
// RUN: %run_op --entry=reread --random-inputs --compare=reference
// RUN: %run_op --entry=roots --random-inputs --compare=reference
// RUN: %run_op --entry=branches --random-inputs --compare=reference
// RUN: %run_op --entry=switched --random-inputs --compare=reference
// RUN: %run_op --entry=solved --random-inputs --compare=reference
// RUN: %run_op --entry=parts | FileCheck %s --check-prefix=PARTS
// RUN: %run_op --entry=condition | FileCheck %s --check-prefix=CONDITION
// RUN: %run_op --entry=long | FileCheck %s --check-prefix=LONG
// RUN: %run_op --entry=never --random-inputs --compare=reference

// A while whose body continues the value of a while. Like @parts, it has more iterations in
// long-loops-in-registers.
// LONG: 155
// LONG: 5
func.func @long() -> (tensor<i64>, tensor<i64>) {
  %z = tx.constant dense<0> : tensor<i64>
  %0:2 = tx.while (%z, %z) : (tensor<i64>, tensor<i64>) -> (tensor<i64>, tensor<i64>) {
  ^bb0(%a: tensor<i64>, %n: tensor<i64>):
    %m = tx.constant dense<5> : tensor<i64>
    %p = tx.lt %n, %m : tensor<i64>
    tx.return %p : tensor<i1>
  } do {
  ^bb0(%a: tensor<i64>, %n: tensor<i64>):
    %z1 = tx.constant dense<0> : tensor<i64>
    %1:2 = tx.while (%a, %z1) : (tensor<i64>, tensor<i64>) -> (tensor<i64>, tensor<i64>) {
    ^bb1(%b: tensor<i64>, %k: tensor<i64>):
      %m = tx.constant dense<31> : tensor<i64>
      %p = tx.lt %k, %m : tensor<i64>
      tx.return %p : tensor<i1>
    } do {
    ^bb1(%b: tensor<i64>, %k: tensor<i64>):
      %one = tx.constant dense<1> : tensor<i64>
      %c = tx.add %b, %one : tensor<i64>
      %l = tx.add %k, %one : tensor<i64>
      tx.return %c, %l : tensor<i64>, tensor<i64>
    }
    %one = tx.constant dense<1> : tensor<i64>
    %n1 = tx.add %n, %one : tensor<i64>
    tx.return %1#0, %n1 : tensor<i64>, tensor<i64>
  }
  return %0#0, %0#1 : tensor<i64>, tensor<i64>
}

// A loop in the condition. Like @parts, it has more iterations in long-loops-in-registers.
// CONDITION: 3
func.func @condition() -> tensor<i64> {
  %zero = tx.constant dense<0> : tensor<i64>
  %0 = tx.while (%zero) : (tensor<i64>) -> tensor<i64> {
  ^bb0(%n: tensor<i64>):
    %start = tx.constant dense<0> : tensor<i64>
    %last = tx.constant dense<100> : tensor<i64>
    %1 = tx.while (%start) : (tensor<i64>) -> tensor<i64> {
    ^bb1(%i: tensor<i64>):
      %end = tx.constant dense<100> : tensor<i64>
      %p = tx.lt %i, %end : tensor<i64>
      tx.return %p : tensor<i1>
    } do {
    ^bb1(%i: tensor<i64>):
      %one = tx.constant dense<1> : tensor<i64>
      %next = tx.add %i, %one : tensor<i64>
      tx.return %next : tensor<i64>
    }
    %done = tx.eq %1, %last : tensor<i64>
    %three = tx.constant dense<3> : tensor<i64>
    %few = tx.lt %n, %three : tensor<i64>
    %both = tx.and %done, %few : tensor<i1>
    tx.return %both : tensor<i1>
  } do {
  ^bb0(%n: tensor<i64>):
    %one = tx.constant dense<1> : tensor<i64>
    %next = tx.add %n, %one : tensor<i64>
    tx.return %next : tensor<i64>
  }
  return %0 : tensor<i64>
}

// A loop of no iterations around another one.
func.func @never(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = tx.scan <[8]> carried = 1 scanned = 0 (%x) : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%i: tensor<i64>, %a: tensor<2xf32>):
    %1 = tx.scan <[0]> carried = 1 scanned = 0 (%a) : (tensor<2xf32>) -> tensor<2xf32> {
    ^bb1(%j: tensor<i64>, %b: tensor<2xf32>):
      %2 = tx.scan <[3]> carried = 1 scanned = 0 (%b) : (tensor<2xf32>) -> tensor<2xf32> {
      ^bb2(%k: tensor<i64>, %c: tensor<2xf32>):
        %d = tx.add %c, %c : tensor<2xf32>
        tx.return %d : tensor<2xf32>
      }
      tx.return %2 : tensor<2xf32>
    }
    %e = tx.neg %1 : tensor<2xf32>
    tx.return %e : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// The inner results are slices of the outer ones; slices of slices are scanned.
func.func @stacked(%x: tensor<3xf32>, %z: tensor<5x4x3xf32>) -> (tensor<3xf32>, tensor<5x4x3xf32>, tensor<5x4xf32>) {
  %0:3 = tx.scan <[5]> carried = 1 scanned = 1 (%x, %z) reverse : (tensor<3xf32>, tensor<5x4x3xf32>) -> (tensor<3xf32>, tensor<5x4x3xf32>, tensor<5x4xf32>) {
  ^bb0(%i: tensor<i64>, %a: tensor<3xf32>, %b: tensor<4x3xf32>):
    %1:3 = tx.scan <[4]> carried = 1 scanned = 1 (%a, %b) : (tensor<3xf32>, tensor<4x3xf32>) -> (tensor<3xf32>, tensor<4x3xf32>, tensor<4xf32>) {
    ^bb1(%j: tensor<i64>, %c: tensor<3xf32>, %d: tensor<3xf32>):
      %half = tx.constant dense<0.5> : tensor<3xf32>
      %e = tx.mul %c, %half : tensor<3xf32>
      %f = tx.add %e, %d : tensor<3xf32>
      %s = tx.sum %f dims = [0] : tensor<3xf32> -> tensor<f32>
      tx.return %f, %c, %s : tensor<3xf32>, tensor<3xf32>, tensor<f32>
    }
    tx.return %1#0, %1#1, %1#2 : tensor<3xf32>, tensor<4x3xf32>, tensor<4xf32>
  }
  return %0#0, %0#1, %0#2 : tensor<3xf32>, tensor<5x4x3xf32>, tensor<5x4xf32>
}

// A stacked result is scanned by the next loop and read at an index; another is used
// as a whole. A predicate is stacked, too.
func.func @reread(%x: tensor<2xf32>, %w: tensor<6x2xf32>) -> (tensor<2xf32>, tensor<7xf32>) {
  %0:2 = tx.scan <[7]> carried = 1 scanned = 0 (%x, %w) : (tensor<2xf32>, tensor<6x2xf32>) -> (tensor<2xf32>, tensor<7xf32>) {
  ^bb0(%i: tensor<i64>, %a: tensor<2xf32>, %m: tensor<6x2xf32>):
    %1:4 = tx.scan <[6]> carried = 1 scanned = 1 (%a, %m) : (tensor<2xf32>, tensor<6x2xf32>) -> (tensor<2xf32>, tensor<6x2xf32>, tensor<6x2xf32>, tensor<6xi1>) {
    ^bb1(%j: tensor<i64>, %c: tensor<2xf32>, %d: tensor<2xf32>):
      %e = tx.sub %d, %c : tensor<2xf32>
      %t = tx.tanh %e : tensor<2xf32>
      %s = tx.sum %t dims = [0] : tensor<2xf32> -> tensor<f32>
      %zero = tx.constant dense<0.0> : tensor<f32>
      %p = tx.gt %s, %zero : tensor<f32>
      tx.return %t, %c, %e, %p : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<i1>
    }
    %2 = tx.scan <[6]> carried = 1 scanned = 2 (%1#0, %1#1, %1#3) reverse : (tensor<2xf32>, tensor<6x2xf32>, tensor<6xi1>) -> tensor<2xf32> {
    ^bb1(%j: tensor<i64>, %c: tensor<2xf32>, %d: tensor<2xf32>, %p: tensor<i1>):
      %e = tx.sub %c, %d : tensor<2xf32>
      %pb = tx.broadcast %p dims = [] : tensor<i1> -> tensor<2xi1>
      %r = tx.select %pb, %e, %c : tensor<2xi1>, tensor<2xf32>
      tx.return %r : tensor<2xf32>
    }
    %whole = tx.sum %1#2 dims = [0, 1] : tensor<6x2xf32> -> tensor<f32>
    tx.return %2, %whole : tensor<2xf32>, tensor<f32>
  }
  return %0#0, %0#1 : tensor<2xf32>, tensor<7xf32>
}

// Newton's method in each iteration of a while and of a scan.
func.func @roots(%x: tensor<4xf32>, %k: tensor<i32>) -> (tensor<4xf32>, tensor<9x4xf32>) {
  %n = tx.constant dense<0> : tensor<i32>
  %0:2 = tx.while (%x, %n) : (tensor<4xf32>, tensor<i32>) -> (tensor<4xf32>, tensor<i32>) {
  ^bb0(%a: tensor<4xf32>, %i: tensor<i32>):
    %m = tx.constant dense<6> : tensor<i32>
    %p = tx.lt %i, %m : tensor<i32>
    tx.return %p : tensor<i1>
  } do {
  ^bb0(%a: tensor<4xf32>, %i: tensor<i32>):
    %two = tx.constant dense<2.0> : tensor<4xf32>
    %square = tx.mul %a, %a : tensor<4xf32>
    %y = tx.add %square, %two : tensor<4xf32>
    %1:2 = tx.while (%y, %i, %y) : (tensor<4xf32>, tensor<i32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>) {
    ^bb1(%g: tensor<4xf32>, %j: tensor<i32>, %v: tensor<4xf32>):
      %m = tx.constant dense<20> : tensor<i32>
      %p = tx.lt %j, %m : tensor<i32>
      tx.return %p : tensor<i1>
    } do {
    ^bb1(%g: tensor<4xf32>, %j: tensor<i32>, %v: tensor<4xf32>):
      %q = tx.div %v, %g : tensor<4xf32>
      %s = tx.add %g, %q : tensor<4xf32>
      %half = tx.constant dense<0.5> : tensor<4xf32>
      %r = tx.mul %s, %half : tensor<4xf32>
      %one = tx.constant dense<1> : tensor<i32>
      %l = tx.add %j, %one : tensor<i32>
      tx.return %r, %l : tensor<4xf32>, tensor<i32>
    }
    %one = tx.constant dense<1> : tensor<i32>
    %i1 = tx.add %i, %one : tensor<i32>
    tx.return %1#0, %i1 : tensor<4xf32>, tensor<i32>
  }
  %2:2 = tx.scan <[9]> carried = 1 scanned = 0 (%0#0) reverse : (tensor<4xf32>) -> (tensor<4xf32>, tensor<9x4xf32>) {
  ^bb0(%i: tensor<i64>, %a: tensor<4xf32>):
    %3:2 = tx.while (%a, %i) : (tensor<4xf32>, tensor<i64>) -> (tensor<4xf32>, tensor<i64>) {
    ^bb1(%g: tensor<4xf32>, %j: tensor<i64>):
      %zero = tx.constant dense<0> : tensor<i64>
      %p = tx.gt %j, %zero : tensor<i64>
      tx.return %p : tensor<i1>
    } do {
    ^bb1(%g: tensor<4xf32>, %j: tensor<i64>):
      %r = tx.cos %g : tensor<4xf32>
      %one = tx.constant dense<1> : tensor<i64>
      %l = tx.sub %j, %one : tensor<i64>
      tx.return %r, %l : tensor<4xf32>, tensor<i64>
    }
    tx.return %3#0, %3#0 : tensor<4xf32>, tensor<4xf32>
  }
  return %2#0, %2#1 : tensor<4xf32>, tensor<9x4xf32>
}

// Loops in branches.
func.func @branches(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  %0:2 = tx.scan <[8]> carried = 1 scanned = 0 (%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  ^bb0(%i: tensor<i64>, %a: tensor<4xf32>):
    %s = tx.sum %a dims = [0] : tensor<4xf32> -> tensor<f32>
    %limit = tx.constant dense<1.0> : tensor<f32>
    %p = tx.lt %s, %limit : tensor<f32>
    %r = tx.if %p (%a, %i) : tensor<i1>, (tensor<4xf32>, tensor<i64>) -> tensor<4xf32> {
    ^bb1(%b: tensor<4xf32>, %n: tensor<i64>):
      %1:2 = tx.while (%b, %n) : (tensor<4xf32>, tensor<i64>) -> (tensor<4xf32>, tensor<i64>) {
      ^bb2(%c: tensor<4xf32>, %j: tensor<i64>):
        %five = tx.constant dense<9> : tensor<i64>
        %q = tx.lt %j, %five : tensor<i64>
        tx.return %q : tensor<i1>
      } do {
      ^bb2(%c: tensor<4xf32>, %j: tensor<i64>):
        %one = tx.constant dense<1.0> : tensor<4xf32>
        %d = tx.add %c, %one : tensor<4xf32>
        %l1 = tx.constant dense<1> : tensor<i64>
        %l = tx.add %j, %l1 : tensor<i64>
        tx.return %d, %l : tensor<4xf32>, tensor<i64>
      }
      tx.return %1#0 : tensor<4xf32>
    } else {
    ^bb1(%b: tensor<4xf32>, %n: tensor<i64>):
      %1 = tx.scan <[3]> carried = 1 scanned = 0 (%b) : (tensor<4xf32>) -> tensor<4xf32> {
      ^bb2(%j: tensor<i64>, %c: tensor<4xf32>):
        %half = tx.constant dense<-0.5> : tensor<4xf32>
        %d = tx.mul %c, %half : tensor<4xf32>
        tx.return %d : tensor<4xf32>
      }
      tx.return %1 : tensor<4xf32>
    }
    tx.return %r, %s : tensor<4xf32>, tensor<f32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<8xf32>
}

// One of several blocks, one of which has a loop. The index is also out of range.
func.func @switched(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<9x3xf32>) {
  %0:2 = tx.scan <[9]> carried = 1 scanned = 0 (%x) : (tensor<3xf32>) -> (tensor<3xf32>, tensor<9x3xf32>) {
  ^bb0(%i: tensor<i64>, %a: tensor<3xf32>):
    %two = tx.constant dense<2> : tensor<i64>
    %n = tx.sub %i, %two : tensor<i64>
    %r = tx.switch %n (%a, %i) : tensor<i64>, (tensor<3xf32>, tensor<i64>) -> tensor<3xf32> {
    ^bb1(%b: tensor<3xf32>, %m: tensor<i64>):
      %s = tx.sin %b : tensor<3xf32>
      tx.return %s : tensor<3xf32>
    }, {
    ^bb1(%b: tensor<3xf32>, %m: tensor<i64>):
      %1:2 = tx.while (%b, %m) : (tensor<3xf32>, tensor<i64>) -> (tensor<3xf32>, tensor<i64>) {
      ^bb2(%c: tensor<3xf32>, %j: tensor<i64>):
        %limit = tx.constant dense<7> : tensor<i64>
        %q = tx.lt %j, %limit : tensor<i64>
        tx.return %q : tensor<i1>
      } do {
      ^bb2(%c: tensor<3xf32>, %j: tensor<i64>):
        %d = tx.add %c, %c : tensor<3xf32>
        %one = tx.constant dense<1> : tensor<i64>
        %l = tx.add %j, %one : tensor<i64>
        tx.return %d, %l : tensor<3xf32>, tensor<i64>
      }
      tx.return %1#0 : tensor<3xf32>
    }, {
    ^bb1(%b: tensor<3xf32>, %m: tensor<i64>):
      tx.return %b : tensor<3xf32>
    }, {
    ^bb1(%b: tensor<3xf32>, %m: tensor<i64>):
      %s = tx.cos %b : tensor<3xf32>
      tx.return %s : tensor<3xf32>
    }
    tx.return %r, %r : tensor<3xf32>, tensor<3xf32>
  }
  return %0#0, %0#1 : tensor<3xf32>, tensor<9x3xf32>
}

// A step of which the size is halved until it is accepted, in each of the points.
func.func @solved(%y: tensor<2xf32>, %ts: tensor<6xf32>) -> (tensor<2xf32>, tensor<6x2xf32>) {
  %0:2 = tx.scan <[6]> carried = 1 scanned = 1 (%y, %ts) : (tensor<2xf32>, tensor<6xf32>) -> (tensor<2xf32>, tensor<6x2xf32>) {
  ^bb0(%i: tensor<i64>, %a: tensor<2xf32>, %t: tensor<f32>):
    %start = tx.constant dense<0.0> : tensor<f32>
    %1:2 = tx.while (%a, %start, %t) : (tensor<2xf32>, tensor<f32>, tensor<f32>) -> (tensor<2xf32>, tensor<f32>) {
    ^bb1(%b: tensor<2xf32>, %s: tensor<f32>, %end: tensor<f32>):
      %p = tx.lt %s, %end : tensor<f32>
      tx.return %p : tensor<i1>
    } do {
    ^bb1(%b: tensor<2xf32>, %s: tensor<f32>, %end: tensor<f32>):
      %h = tx.constant dense<0.0625> : tensor<f32>
      %k = tx.scan <[4]> carried = 1 scanned = 0 (%b) : (tensor<2xf32>) -> tensor<2xf32> {
      ^bb2(%j: tensor<i64>, %c: tensor<2xf32>):
        %back = tx.slice %c offsets = [1] strides = [-1] : tensor<2xf32> -> tensor<2xf32>
        %e = tx.sin %back : tensor<2xf32>
        %f = tx.constant dense<0.25> : tensor<2xf32>
        %g = tx.mul %e, %f : tensor<2xf32>
        %r = tx.add %c, %g : tensor<2xf32>
        tx.return %r : tensor<2xf32>
      }
      %n = tx.add %s, %h : tensor<f32>
      tx.return %k, %n : tensor<2xf32>, tensor<f32>
    }
    tx.return %1#0, %1#0 : tensor<2xf32>, tensor<2xf32>
  }
  return %0#0, %0#1 : tensor<2xf32>, tensor<6x2xf32>
}

// Each inner loop goes on from the result of the one before it.
func.func @parts() -> (tensor<i64>, tensor<40xi64>) {
  %z = tx.constant dense<0> : tensor<i64>
  %0:2 = tx.scan <[40]> carried = 1 scanned = 0 (%z) reverse : (tensor<i64>) -> (tensor<i64>, tensor<40xi64>) {
  ^bb0(%i: tensor<i64>, %a: tensor<i64>):
    %z1 = tx.constant dense<0> : tensor<i64>
    %1:2 = tx.while (%a, %z1) : (tensor<i64>, tensor<i64>) -> (tensor<i64>, tensor<i64>) {
    ^bb1(%b: tensor<i64>, %k: tensor<i64>):
      %m = tx.constant dense<10> : tensor<i64>
      %p = tx.lt %k, %m : tensor<i64>
      tx.return %p : tensor<i1>
    } do {
    ^bb1(%b: tensor<i64>, %k: tensor<i64>):
      %one = tx.constant dense<1> : tensor<i64>
      %c = tx.add %b, %one : tensor<i64>
      %l = tx.add %k, %one : tensor<i64>
      tx.return %c, %l : tensor<i64>, tensor<i64>
    }
    tx.return %1#0, %1#0 : tensor<i64>, tensor<i64>
  }
  return %0#0, %0#1 : tensor<i64>, tensor<40xi64>
}
// PARTS: {{^}}400
// PARTS: [400, 390, 380
