// Loops of small values with more iterations than a launch may do. Other devices than CPUs run
// kernels for each iteration, and the interpreter takes seconds; loops-in-registers and
// nested-loops-in-registers have the same functions with few iterations.
//
// REQUIRES: target-cpu
// RUN: %run_op --entry=long | FileCheck %s --check-prefix=LONG
// RUN: %run_op --entry=parts | FileCheck %s --check-prefix=PARTS
// RUN: %run_op --entry=condition | FileCheck %s --check-prefix=CONDITION
// RUN: %run_op --entry=same | FileCheck %s --check-prefix=SAME

// A loop in the condition runs as a whole, however long it is.
// CONDITION: 3
func.func @condition() -> tensor<i64> {
  %zero = tx.constant dense<0> : tensor<i64>
  %0 = tx.while (%zero) : (tensor<i64>) -> tensor<i64> {
  ^bb0(%n: tensor<i64>):
    %start = tx.constant dense<0> : tensor<i64>
    %last = tx.constant dense<100000> : tensor<i64>
    %1 = tx.while (%start) : (tensor<i64>) -> tensor<i64> {
    ^bb1(%i: tensor<i64>):
      %end = tx.constant dense<100000> : tensor<i64>
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

// Inner loops with more iterations than a launch may do, in a while.
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
      %m = tx.constant dense<300001> : tensor<i64>
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
// LONG: 1500005
// LONG: 5

// A launch ends during an iteration of a scan; the next one repeats it.
func.func @parts() -> (tensor<i64>, tensor<40xi64>) {
  %z = tx.constant dense<0> : tensor<i64>
  %0:2 = tx.scan <[40]> carried = 1 scanned = 0 (%z) reverse : (tensor<i64>) -> (tensor<i64>, tensor<40xi64>) {
  ^bb0(%i: tensor<i64>, %a: tensor<i64>):
    %z1 = tx.constant dense<0> : tensor<i64>
    %1:2 = tx.while (%a, %z1) : (tensor<i64>, tensor<i64>) -> (tensor<i64>, tensor<i64>) {
    ^bb1(%b: tensor<i64>, %k: tensor<i64>):
      %m = tx.constant dense<10000> : tensor<i64>
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
// PARTS: {{^}}400000
// PARTS: [400000, 390000, 380000

// Two carried values begin with one constant, and several launches continue them.
// SAME: 200000
// SAME: 400000
func.func @same() -> (tensor<i64>, tensor<i64>) {
  %z = tx.constant dense<0> : tensor<i64>
  %0:2 = tx.scan <[200000]> carried = 2 scanned = 0 (%z, %z) : (tensor<i64>, tensor<i64>) -> (tensor<i64>, tensor<i64>) {
  ^bb0(%i: tensor<i64>, %a: tensor<i64>, %b: tensor<i64>):
    %one = tx.constant dense<1> : tensor<i64>
    %two = tx.constant dense<2> : tensor<i64>
    %c = tx.add %a, %one : tensor<i64>
    %d = tx.add %b, %two : tensor<i64>
    tx.return %c, %d : tensor<i64>, tensor<i64>
  }
  return %0#0, %0#1 : tensor<i64>, tensor<i64>
}
