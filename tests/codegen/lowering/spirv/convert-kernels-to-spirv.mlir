// Kernels become one module of SPIR-V, for OpenCL and for Vulkan: arguments are 64-bit words, buffers addresses.
// RUN: %tensorc-opt %s --txk-convert-kernels-to-spirv --split-input-file | FileCheck %s --check-prefixes=BOTH,KERNEL
// RUN: %tensorc-opt %s --txk-convert-kernels-to-spirv=flavour=shader --split-input-file | FileCheck %s --check-prefixes=BOTH,SHADER

// KERNEL: spirv.module @kernels Physical64 OpenCL requires #spirv.vce<v1.2, [Kernel, Addresses, Int64], []>
// SHADER: spirv.module @kernels PhysicalStorageBuffer64 GLSL450 requires #spirv.vce<v1.5, [Shader, PhysicalStorageBufferAddresses, SignedZeroInfNanPreserve, Int64], []>
gpu.module @kernels {
  // KERNEL: spirv.func @scale(%[[X:.*]]: i64, %[[S:.*]]: i64) "None" attributes {txk.kernel}
  // SHADER: spirv.GlobalVariable @scale_words : !spirv.ptr<!spirv.struct<(i64 [0], i64 [8], i64 [16]), Block>, PushConstant>
  // SHADER: spirv.func @scale() "None" attributes {txk.kernel}
  gpu.func @scale(%x: memref<?xf32>, %s: f32) kernel attributes {known_block_size = array<i32: 256, 1, 1>, txk.kernel} {
    // BOTH: spirv.SConvert %{{.*}} : i64 to i32
    // BOTH: spirv.Bitcast %{{.*}} : i32 to f32
    // KERNEL: spirv.CompositeExtract %{{.*}}[0 : i32] : vector<3xi64>
    // SHADER: spirv.CompositeExtract %{{.*}}[0 : i32] : vector<3xi32>
    %t = gpu.thread_id x
    // KERNEL: spirv.ConvertUToPtr %[[X]] : i64 to !spirv.ptr<f32, CrossWorkgroup>
    // KERNEL: spirv.PtrAccessChain
    // KERNEL: spirv.Load "CrossWorkgroup" %{{.*}} ["Aligned", 4] : f32
    // SHADER: spirv.ConvertUToPtr %{{.*}} : i64 to !spirv.ptr<!spirv.struct<(!spirv.rtarray<f32, stride=4> [0]), Block>, PhysicalStorageBuffer>
    // SHADER: spirv.Load "PhysicalStorageBuffer" %{{.*}} ["Aligned", 4] : f32
    %0 = memref.load %x[%t] : memref<?xf32>
    // KERNEL: spirv.FMul %{{.*}}, %{{.*}} : f32
    // SHADER: spirv.FMul %{{.*}} {no_contraction} : f32
    %1 = arith.mulf %0, %s : f32
    memref.store %1, %x[%t] : memref<?xf32>
    gpu.return
  }
  // KERNEL: spirv.EntryPoint "Kernel" @scale, @{{.*}}LocalInvocationId
  // KERNEL-NEXT: spirv.ExecutionMode @scale "LocalSize", 256, 1, 1
  // KERNEL-NEXT: spirv.ExecutionMode @scale "ContractionOff"
  // SHADER: spirv.EntryPoint "GLCompute" @scale, @scale_words
  // SHADER-NEXT: spirv.ExecutionMode @scale "LocalSize", 256, 1, 1
  // SHADER-NEXT: spirv.ExecutionMode @scale "SignedZeroInfNanPreserve", 32
  // SHADER-NEXT: spirv.ExecutionMode @scale "SignedZeroInfNanPreserve", 64
}

// -----

// A loop's results have their initial values if it has no iterations. Values are exchanged through both memories. For Vulkan, where a driver
// may end loops early, a kernel stores whether that happened; and it hides zeros from drivers that would fold x + 0.
// SHADER: spirv.SpecConstant @distrusts_driver spec_id(0) = 1 : i32
// BOTH: spirv.GlobalVariable @sum_shared0 : !spirv.ptr<!spirv.array<64 x f32>, Workgroup>
gpu.module @kernels {
  // BOTH: spirv.func @sum(
  gpu.func @sum(%x: memref<?xf32>, %n: i64) workgroup(%w: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>, txk.kernel} {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %end = arith.index_cast %n : i64 to index
    %t = gpu.thread_id x
    // SHADER: %[[HIDDEN:.*]] = spirv.BitwiseAnd %{{.*}}, %{{.*}} : i32
    // SHADER: %[[ZERO:.*]] = spirv.Bitcast %{{.*}} : i32 to f32
    // KERNEL: spirv.Store "Function" %[[SUM:.*]], %{{.*}} : f32
    // SHADER: spirv.Store "Function" %[[SUM:.*]], %[[ZERO]] : f32
    // BOTH: spirv.Store "Function" %[[I:.*]], %{{.*}} : i64
    // BOTH: spirv.mlir.loop
    // BOTH: spirv.SLessThan
    // BOTH: spirv.BranchConditional
    // BOTH: spirv.Load "Function" %[[SUM]] : f32
    // BOTH: spirv.FAdd
    // BOTH: spirv.Store "Function" %[[SUM]]
    // BOTH: spirv.Store "Function" %[[I]]
    // SHADER: spirv.Store "Function" %[[GOESON:.*]], %{{.*}} : i32
    // BOTH: spirv.mlir.merge
    // SHADER: spirv.Load "Function" %[[GOESON]] : i32
    // SHADER: spirv.BitwiseOr
    // BOTH: %[[R:.*]] = spirv.Load "Function" %[[SUM]] : f32
    %sum = scf.for %i = %c0 to %end step %c1 iter_args(%s = %zero) -> (f32) {
      %v = memref.load %x[%i] : memref<?xf32>
      %r = arith.addf %s, %v : f32
      scf.yield %r : f32
    }
    // BOTH: spirv.Store "Workgroup" %{{.*}}, %[[R]] : f32
    memref.store %sum, %w[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    // KERNEL: spirv.ControlBarrier <Workgroup>, <Workgroup>, <AcquireRelease|WorkgroupMemory|CrossWorkgroupMemory>
    // SHADER: spirv.ControlBarrier <Workgroup>, <Workgroup>, <AcquireRelease|UniformMemory|WorkgroupMemory>
    gpu.barrier
    // KERNEL-NOT: spirv.mlir.selection
    // SHADER: spirv.mlir.selection
    // SHADER: spirv.Store "PhysicalStorageBuffer" %{{.*}} ["Aligned", 4] : i32
    // BOTH: spirv.Return
    gpu.return
  }
}

// -----

// NaN wins, and -0 is below 0: what FMax leaves open. Tables are variables, one for both reads.
gpu.module @kernels {
  // BOTH: spirv.func @rest(
  gpu.func @rest(%x: memref<?xf32>, %b: memref<?xi1>, %k: i64)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>, txk.kernel} {
    // BOTH: spirv.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : {{.*}} : !spirv.array<3 x f32>
    // BOTH-NOT: spirv.Constant dense
    %table = arith.constant dense<[1.0, 2.0, 3.0]> : vector<3xf32>
    %i = arith.index_cast %k : i64 to index
    %0 = vector.extract %table[%i] : f32 from vector<3xf32>
    %1 = vector.extract %table[%i] : f32 from vector<3xf32>
    // BOTH: spirv.FOrdGreaterThan
    // BOTH: spirv.FOrdEqual
    // KERNEL: spirv.Unordered
    // SHADER: spirv.IsNan
    %2 = arith.maximumf %0, %1 : f32
    memref.store %2, %x[%i] : memref<?xf32>
    // BOTH: spirv.INotEqual %{{.*}}, %{{.*}} : i8
    %3 = memref.load %b[%i] : memref<?xi1>
    // BOTH: spirv.mlir.selection
    scf.if %3 {
      // BOTH: spirv.CompositeConstruct %{{.*}} : (f32, f32) -> vector<2xf32>
      %4 = vector.load %x[%i] : memref<?xf32>, vector<2xf32>
      // BOTH-COUNT-2: spirv.CompositeExtract %{{.*}} : vector<2xf32>
      vector.store %4, %x[%i] : memref<?xf32>, vector<2xf32>
    }
    gpu.return
  }
}

// -----

// Gathers and masked accesses are a branch per element.
gpu.module @kernels {
  // BOTH: spirv.func @masked(
  gpu.func @masked(%x: memref<?xi8>, %k: i64) kernel attributes {known_block_size = array<i32: 64, 1, 1>, txk.kernel} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant dense<0> : vector<2xi8>
    %i = arith.index_cast %k : i64 to index
    // BOTH-COUNT-2: spirv.mlir.selection
    %mask = vector.load %x[%i] : memref<?xi8>, vector<2xi8>
    %on = arith.cmpi ne, %mask, %zero : vector<2xi8>
    %at = arith.index_cast %mask : vector<2xi8> to vector<2xindex>
    %0 = vector.gather %x[%c0] [%at], %on, %zero : memref<?xi8>, vector<2xindex>, vector<2xi1>, vector<2xi8> into vector<2xi8>
    // BOTH-COUNT-2: spirv.mlir.selection
    vector.maskedstore %x[%i], %on, %0 : memref<?xi8>, vector<2xi1>, vector<2xi8>
    gpu.return
  }
}

// -----

// A remainder is x - x / y * y, and quotients that are rounded up or down are expanded. A scalar of type index is its word.
gpu.module @kernels {
  // BOTH: spirv.func @division(
  gpu.func @division(%x: memref<?xi8>, %at: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>, txk.kernel} {
    %c3 = arith.constant 3 : i8
    %v = memref.load %x[%at] : memref<?xi8>
    // BOTH: %[[Q:.*]] = spirv.SDiv %[[V:.*]], %[[C3:.*]] : i8
    // BOTH: %[[P:.*]] = spirv.IMul %[[Q]], %[[C3]] : i8
    // BOTH: spirv.ISub %[[V]], %[[P]] : i8
    %r = arith.remsi %v, %c3 : i8
    // BOTH: spirv.SDiv
    %u = arith.ceildivsi %r, %c3 : i8
    // BOTH: spirv.SDiv
    %d = arith.floordivsi %u, %c3 : i8
    memref.store %d, %x[%at] : memref<?xi8>
    gpu.return
  }
}
