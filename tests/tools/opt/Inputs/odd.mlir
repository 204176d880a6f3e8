// Valid files that hold what passes do not expect.
module {}
// -----
func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32>
func.func @main(%x: tensor<4xf32> {tx.name = "x"}) -> (tensor<4xf32> {tx.name = "y"}) {
  %0 = tx.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
func.func @main(%x: memref<4xf32>) {
  %c = arith.constant 1000000000 : index
  %f = arith.constant 1.0 : f32
  memref.store %f, %x[%c] : memref<4xf32>
  return
}
// -----
func.func @main() {
  return
}
// -----
// No terminator that returns, several blocks, a block that nothing reaches.
func.func @main(%x: tensor<4xf32>, %b: i1) -> tensor<4xf32> {
  cf.cond_br %b, ^left, ^right(%x : tensor<4xf32>)
^left:
  %0 = tx.exp %x : tensor<4xf32>
  cf.br ^right(%0 : tensor<4xf32>)
^right(%1: tensor<4xf32>):
  return %1 : tensor<4xf32>
^nowhere:
  cf.br ^nowhere
}
// -----
func.func @forever() {
  cf.br ^loop
^loop:
  cf.br ^loop
}
// -----
func.func @types(%a: tuple<f32, i1>, %b: vector<[4]xf32>, %c: index, %d: complex<f32>,
                 %e: tensor<*xf32>, %f: memref<*xf32>, %g: none, %h: i1, %i: f8E5M2,
                 %j: vector<3x5xbf16>, %k: () -> i32, %l: tensor<0x3xf32>, %m: i128) {
  return
}
// -----
func.func @calls(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @calls(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
%0 = arith.constant dense<1.0> : tensor<4xf32>
%1 = arith.negf %0 : tensor<4xf32>
// -----
module @inner {
  module {
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = tx.neg %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
  }
}
// -----
gpu.module @kernels {}
// -----
gpu.module @kernels {
  gpu.func @empty() kernel {
    gpu.return
  }
  gpu.func @stores(%x: memref<?xf32>, %y: memref<4x4xf32, strided<[8, 1], offset: ?>>, %n: i64) kernel {
    %0 = arith.constant 0 : index
    %1 = memref.load %x[%0] : memref<?xf32>
    memref.store %1, %y[%0, %0] : memref<4x4xf32, strided<[8, 1], offset: ?>>
    gpu.barrier
    gpu.return
  }
}
// -----
gpu.module @kernels {
  llvm.func @declared(!llvm.ptr) -> i32
  llvm.func @defined() {
    llvm.return
  }
  llvm.mlir.global internal constant @c(1 : i32) : i32
}
// -----
module @kernels {}
// -----
module @kernels {
  func.func private @declared(memref<?xf32>)
  func.func @main(%x: memref<?xf32>, %y: memref<?xbf16>, %begin: i64, %end: i64) {
    %0 = arith.constant 0 : index
    %1 = memref.load %y[%0] : memref<?xbf16>
    %2 = arith.extf %1 : bf16 to f32
    %3 = math.erf %2 : f32
    memref.store %3, %x[%0] : memref<?xf32>
    return
  }
}
// -----
txp.func private @main() {
  txp.return
}
// -----
func.func @loops(%n: index, %x: memref<?xf16>, %v: vector<8xf16>) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 0 : index
  scf.for %i = %0 to %n step %1 {
    scf.while : () -> () {
      %2 = arith.cmpi slt, %i, %n : index
      scf.condition(%2)
    } do {
      %3 = math.fma %v, %v, %v : vector<8xf16>
      vector.store %3, %x[%i] : memref<?xf16>, vector<8xf16>
      scf.yield
    }
  }
  scf.parallel (%i) = (%0) to (%n) step (%n) {
    scf.reduce
  }
  return
}
// -----
func.func @accesses(%x: memref<4x4xf32>, %s: memref<f32>, %e: memref<0xf32>, %w: memref<4xf32, 3>,
                    %i: index, %d: memref<?x?xi4>) -> memref<?xf32> {
  %0 = memref.alloc(%i) : memref<?xf32>
  %1 = memref.alloca() : memref<4xvector<4xf32>>
  %2 = memref.subview %x[%i, 0] [1, 4] [1, 1] : memref<4x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
  %3 = memref.load %s[] : memref<f32>
  memref.store %3, %w[%i] : memref<4xf32, 3>
  %4 = memref.load %d[%i, %i] : memref<?x?xi4>
  %5 = memref.atomic_rmw addf %3, %x[%i, %i] : (f32, memref<4x4xf32>) -> f32
  %6 = memref.dim %0, %i : memref<?xf32>
  memref.copy %2, %2 : memref<1x4xf32, strided<[4, 1], offset: ?>> to memref<1x4xf32, strided<[4, 1], offset: ?>>
  return %0 : memref<?xf32>
}
// -----
func.func @numbers(%a: i64, %b: f64, %c: bf16, %d: i4, %e: vector<4xi1>, %f: tensor<4xf32>) -> f64 {
  %0 = arith.divsi %a, %a : i64
  %1 = math.powf %b, %b : f64
  %2 = arith.addf %c, %c : bf16
  %3 = arith.muli %d, %d : i4
  %4 = arith.xori %e, %e : vector<4xi1>
  %5 = math.sin %f : tensor<4xf32>
  %6 = math.ctpop %a : i64
  return %1 : f64
}
// -----
#map = affine_map<(d0)[s0] -> (d0 + s0)>
func.func @affine(%x: memref<?xf32>, %n: index) {
  affine.for %i = 0 to %n {
    %0 = affine.load %x[%i] : memref<?xf32>
    affine.store %0, %x[%i] : memref<?xf32>
  }
  %1 = affine.apply #map(%n)[%n]
  return
}
// -----
func.func @dim0(%x: tensor<0xf32>, %y: tensor<?x0xf32, #tx.dims<[n, 0]>>) -> (tensor<f32>, tensor<?x0xf32, #tx.dims<[n, 0]>>) {
  %0 = tx.sum %x dims = [0] : tensor<0xf32> -> tensor<f32>
  %1 = tx.exp %y : tensor<?x0xf32, #tx.dims<[n, 0]>>
  return %0, %1 : tensor<f32>, tensor<?x0xf32, #tx.dims<[n, 0]>>
}
// -----
func.func @fusion(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tx.fusion "no such kind" "name"(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    tx.yield %a : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
// -----
module attributes {tx.target = "no such target"} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = tx.neg %x : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  gpu.module @kernels {
    gpu.func @f(%x: memref<?xf32>) kernel {
      gpu.return
    }
  }
}
// -----
module @kernels {
  func.func private @declared(memref<?xf32>, index, index, memref<?xi8>) attributes {txk.kernel}
}
// -----
func.func @no_trailing(%x: memref<?xf32>) attributes {txk.kernel} {
  return
}
// -----
func.func @other_trailing(%x: memref<?xf32>, %a: f32, %b: vector<3xf32>, %c: tensor<2xi1>) attributes {txk.kernel} {
  return
}
// -----
func.func @kernel(%x: memref<3x?xf32>, %i: i4, %begin: index, %end: index, %scratch: memref<?xi8>) attributes {txk.kernel} {
  %0 = memref.load %x[%begin, %end] : memref<3x?xf32>
  memref.store %0, %x[%begin, %end] : memref<3x?xf32>
  return
}
// -----
module {
  txp.func @main(%x: !txp.buffer) -> !txp.buffer attributes {
      input_names = ["x"], inputs = [tensor<?xf32, #tx.dims<[n]>>], output_names = ["y"], outputs = [tensor<?xf32, #tx.dims<[n]>>]} {
    %0 = txp.dim %x, 0
    %1 = txp.alloc %0
    txp.return %1
  }
}
