// Reductions by the threads of a block, and their numbers on every kind of shape.
//
// RUN: %tensorc compile %s --entry=short_rows --target=cuda:sm_90 --stop-after=emit | FileCheck %s --check-prefix=SHORT
// RUN: %tensorc compile %s --entry=softmax --target=cuda:sm_90 --stop-after=emit | FileCheck %s --check-prefix=SOFTMAX
// RUN: %tensorc compile %s --entry=softmax --target=rocm:gfx942 --stop-after=emit | FileCheck %s --check-prefix=WIDE
// RUN: %tensorc compile %s --entry=rows --target=cuda:sm_90 --stop-after=emit | FileCheck %s --check-prefix=ROWS
// RUN: %tensorc compile %s --entry=column --target=cuda:sm_90 --stop-after=emit | FileCheck %s --check-prefix=COLUMN
// RUN: %tensorc compile %s --entry=whole --target=cuda:sm_90 --stop-after=emit | FileCheck %s --check-prefix=WHOLE
// RUN: %tensorc run %s --entry=short_rows --device=sim:sm_90a --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=softmax --device=sim:sm_90a --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=softmax --device=sim:gfx942 --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=rows --device=sim:sm_90a --random-inputs --shape=arg0:3,40004 --compare=reference
// RUN: %tensorc run %s --entry=rows --device=sim:sm_90a --random-inputs --shape=arg0:5,17 --compare=reference
// RUN: %tensorc run %s --entry=rows --device=sim:gfx942 --random-inputs --shape=arg0:2,1023 --compare=reference
// RUN: %tensorc run %s --entry=rows --device=sim:sm_90a --random-inputs --shape=arg0:0,7 --compare=reference
// RUN: %tensorc run %s --entry=rows --device=sim:sm_90a --random-inputs --shape=arg0:300,3 --compare=reference
// RUN: %tensorc run %s --entry=rows --device=sim:gfx942 --random-inputs --shape=arg0:9,1028 --compare=reference
// RUN: %tensorc run %s --entry=column --device=sim:sm_90a --random-inputs --shape=arg0:1000,40 --compare=reference
// RUN: %tensorc run %s --entry=column --device=sim:sm_90a --random-inputs --shape=arg0:3,0 --compare=reference
// RUN: %tensorc run %s --entry=vectors --device=sim:gfx942 --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=largest --device=sim:sm_90a --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=whole --device=sim:sm_90a --random-inputs --shape=arg0:100000 --compare=reference
// RUN: %tensorc run %s --entry=whole --device=sim:sm_90a --random-inputs --shape=arg0:0 --compare=reference
// RUN: %tensorc run %s --entry=middle --device=sim:sm_90a --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=columns --device=sim:sm_90a --random-inputs --shape=arg0:1000,33 --compare=reference
// RUN: %tensorc run %s --entry=columns --device=sim:gfx942 --random-inputs --shape=arg0:257,1 --compare=reference

// A row of 24 has two threads, so that a subgroup has 16 rows, and no barrier.
// SHORT-LABEL: gpu.func @sum(
// SHORT-NOT:   gpu.barrier
// SHORT:       vector.load {{.*}} vector<4xf32>
// SHORT-COUNT-1: gpu.shuffle xor
// SHORT-NOT:   gpu.shuffle
// SHORT:       gpu.return
func.func @short_rows(%x: tensor<300x24xf32>) -> tensor<300xf32> {
  %0 = tx.sum %x dims = [1] : tensor<300x24xf32> -> tensor<300xf32>
  return %0 : tensor<300xf32>
}

// A block takes a row: lanes, threads of a subgroup, subgroups; two phases use two buffers in turn.
// SOFTMAX-LABEL: gpu.func @softmax(
// SOFTMAX-SAME:  workgroup(%{{.*}} : memref<8xf32, #gpu.address_space<workgroup>>, %{{.*}} : memref<8xf32, #gpu.address_space<workgroup>>)
// SOFTMAX:       arith.maximumf {{.*}} vector<4xf32>
// SOFTMAX-COUNT-5: gpu.shuffle xor
// SOFTMAX:       gpu.barrier
// SOFTMAX-COUNT-3: gpu.shuffle xor
// SOFTMAX:       math.exp
// SOFTMAX:       gpu.barrier
// SOFTMAX-NOT:   gpu.barrier
// SOFTMAX:       vector.store {{.*}} {alignment = 16 : i64}
//
// WIDE:          memref<4xf32, #gpu.address_space<workgroup>>
// WIDE-COUNT-6:  gpu.shuffle xor
// WIDE:          gpu.barrier
func.func @softmax(%x: tensor<5x2052xf32>) -> tensor<5x2052xf32> {
  %0 = tx.softmax %x dim = 1 : tensor<5x2052xf32>
  return %0 : tensor<5x2052xf32>
}

// The length of a row is named: the kernel computes the number of a row's threads, 1 << %[[LOG]], and a block has
// 256 >> %[[LOG]] rows. Only threads of one row exchange states, and only those of a long row in shared memory. The
// number of blocks is computed from both sizes.
// ROWS-LABEL: gpu.func @sum_sub(
// ROWS:       %[[LONG:.*]] = arith.cmpi ugt, %{{.*}}, %c256
// ROWS:       %[[LOG:.*]] = arith.select %[[LONG]], %c8, %{{.*}}
// ROWS:       arith.shli %c1, %[[LOG]]
// ROWS:       arith.shrui %thread_id_x, %[[LOG]]
// ROWS:       scf.for
// ROWS:         %[[MANY:.*]] = arith.cmpi ugt, %{{.*}}, %c16_i32
// ROWS-NEXT:    scf.if %[[MANY]]
// ROWS-NEXT:      gpu.shuffle xor %{{.*}}, %c16_i32
// ROWS:         %[[ALL:.*]] = arith.cmpi ugt, %{{.*}}, %c32_i32
// ROWS-NEXT:    scf.if %[[ALL]]
// ROWS:           gpu.barrier
// ROWS-COUNT-3:   gpu.shuffle xor
// ROWS:         } else {
// ROWS:       txp.func @rows
// ROWS-DAG:   %[[N:.*]] = txp.dim %{{.*}}, 0
// ROWS:       %[[PERBLOCK:.*]] = arith.floordivsi %c256_i64, %{{.*}}
// ROWS:       %[[BLOCKS:.*]] = arith.ceildivsi %[[N]], %[[PERBLOCK]]
// ROWS:       %[[EXTENT:.*]] = arith.ceildivsi %[[BLOCKS]],
// ROWS:       txp.launch @kernels::@sum_sub extent(%[[EXTENT]])
func.func @rows(%x: tensor<?x?xf32, #tx.dims<[n, m]>>) -> (tensor<?xf32, #tx.dims<[n]>>, tensor<?x?xf32, #tx.dims<[n, m]>>) {
  %0 = tx.sum %x dims = [1] : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?xf32, #tx.dims<[n]>>
  %1 = tx.broadcast %0 dims = [0] : tensor<?xf32, #tx.dims<[n]>> -> tensor<?x?xf32, #tx.dims<[n, m]>>
  %2 = tx.sub %x, %1 : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %0, %2 : tensor<?xf32, #tx.dims<[n]>>, tensor<?x?xf32, #tx.dims<[n, m]>>
}

// Threads are consecutive along the columns; 8 slots share the rows of a chunk.
// COLUMN-LABEL: gpu.func @sum(
// COLUMN-SAME:  memref<256xf32, #gpu.address_space<workgroup>>
// COLUMN:       gpu.barrier
// COLUMN-NOT:   gpu.shuffle
// COLUMN:       gpu.return
func.func @column(%x: tensor<?x?xf32, #tx.dims<[n, m]>>) -> tensor<?xf32, #tx.dims<[m]>> {
  %0 = tx.sum %x dims = [0] : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?xf32, #tx.dims<[m]>>
  return %0 : tensor<?xf32, #tx.dims<[m]>>
}

// In vectors, and in two kernels: 256 columns are too few blocks.
func.func @vectors(%x: tensor<1100x256xbf16>) -> tensor<256xbf16> {
  %0 = tx.sum %x dims = [0] : tensor<1100x256xbf16> -> tensor<256xbf16>
  return %0 : tensor<256xbf16>
}

func.func @largest(%x: tensor<300x7xf32>) -> (tensor<7xi64>, tensor<300xi64>) {
  %0 = tx.argmax %x dims = [0] : tensor<300x7xf32> -> tensor<7xi64>
  %1 = tx.argmax %x dims = [1] : tensor<300x7xf32> -> tensor<300xi64>
  return %0, %1 : tensor<7xi64>, tensor<300xi64>
}

// WHOLE: gpu.func @sum_partial(
// WHOLE: gpu.func @sum(
// WHOLE: txp.launch @kernels::@sum_partial
// WHOLE: txp.launch @kernels::@sum extent(%c1
func.func @whole(%x: tensor<?xf32, #tx.dims<[n]>>) -> tensor<f32> {
  %0 = tx.sum %x dims = [0] : tensor<?xf32, #tx.dims<[n]>> -> tensor<f32>
  return %0 : tensor<f32>
}

func.func @middle(%x: tensor<9x40x11x3xf32>) -> tensor<40x3xf32> {
  %0 = tx.reduce_max %x dims = [0, 2] : tensor<9x40x11x3xf32> -> tensor<40x3xf32>
  return %0 : tensor<40x3xf32>
}

// Two phases and two states along columns: results go back to all slots.
func.func @columns(%a: tensor<?x?xf32, #tx.dims<[n, m]>>) -> (tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?xi64, #tx.dims<[m]>>) {
  %m = tx.reduce_max %a dims = [0] : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?xf32, #tx.dims<[m]>>
  %mb = tx.broadcast %m dims = [1] : tensor<?xf32, #tx.dims<[m]>> -> tensor<?x?xf32, #tx.dims<[n, m]>>
  %d = tx.sub %a, %mb : tensor<?x?xf32, #tx.dims<[n, m]>>
  %e = tx.exp %d : tensor<?x?xf32, #tx.dims<[n, m]>>
  %s = tx.sum %e dims = [0] : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?xf32, #tx.dims<[m]>>
  %sb = tx.broadcast %s dims = [1] : tensor<?xf32, #tx.dims<[m]>> -> tensor<?x?xf32, #tx.dims<[n, m]>>
  %q = tx.div %e, %sb : tensor<?x?xf32, #tx.dims<[n, m]>>
  %i = tx.argmax %a dims = [0] : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?xi64, #tx.dims<[m]>>
  return %q, %i : tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?xi64, #tx.dims<[m]>>
}
