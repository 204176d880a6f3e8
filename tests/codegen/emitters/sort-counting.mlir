// Long rows of small integers: the keys of each value are counted, and none is moved. Rows with fewer keys than there are values
// are distributed by digits.
//
// RUN: %tensorc compile %s --entry=words --target=cpu:x86-64-v4 --stop-after=emit | FileCheck %s --check-prefix=WORDS
// RUN: %tensorc compile %s --entry=bytes --target=cpu:x86-64-v4 --stop-after=emit | FileCheck %s --check-prefix=BYTES
// RUN: %tensorc compile %s --entry=few --target=cpu:x86-64-v4 --stop-after=emit | FileCheck %s --check-prefix=FEW
// RUN: env TENSORC_CPU=x86-64-v3 %tensorc run %s --entry=words --device=cpu --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=words --device=cpu --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=bytes --device=cpu --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=named --shape=x:2,66003 --device=cpu --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=named --shape=x:3,5003 --device=cpu --random-inputs --compare=reference
//
// The first and the last value alone.
// RUN: %npy %t.ends.npy i8 '[[127,-128]]'
// RUN: %tensorc run %s --entry=ends --input=x=%t.ends.npy --device=cpu --compare=reference

// WORDS-LABEL: func.func @sort(
// WORDS:         memref.view {{.*}} : memref<?xi8> to memref<65536xi32>
// WORDS:         memref.load {{.*}} : memref<65536xi32>
// WORDS:         vector.broadcast {{.*}} : i16 to vector<32xi16>
// WORDS:         vector.store {{.*}} : memref<{{.*}}xi16>, vector<32xi16>
// WORDS:         scf.for {{.*}} step %c32
// WORDS-NOT:     memref<512xi64>
func.func @words(%x: tensor<66001xi16>) -> tensor<66001xi16> {
  %0 = tx.sort %x dim = 0 descending : tensor<66001xi16>
  return %0 : tensor<66001xi16>
}

// BYTES-LABEL: func.func @sort(
// BYTES:         vector.broadcast {{.*}} : i8 to vector<64xi8>
// BYTES-NEXT:    memref.load {{.*}} : memref<256xi32>
func.func @bytes(%x: tensor<5x1001xui8>) -> tensor<5x1001xui8> {
  %0 = tx.sort %x dim = 1 : tensor<5x1001xui8>
  return %0 : tensor<5x1001xui8>
}

// FEW-LABEL: func.func @sort(
// FEW-NOT:     memref<65536xi32>
// FEW:         memref.view {{.*}} to memref<512xi64>
// FEW-NOT:     memref<65536xi32>
func.func @few(%x: tensor<65535xi16>) -> tensor<65535xi16> {
  %0 = tx.sort %x dim = 0 : tensor<65535xi16>
  return %0 : tensor<65535xi16>
}

func.func @named(%x: tensor<?x?xui16, #tx.dims<[n, m]>> {tx.name = "x"}) -> tensor<?x?xui16, #tx.dims<[n, m]>> {
  %0 = tx.sort %x dim = 1 : tensor<?x?xui16, #tx.dims<[n, m]>>
  return %0 : tensor<?x?xui16, #tx.dims<[n, m]>>
}

func.func @ends(%x: tensor<1x2xi8> {tx.name = "x"}) -> tensor<600xi8> {
  %b = tx.broadcast %x dims = [0, 1] : tensor<1x2xi8> -> tensor<300x2xi8>
  %r = tx.reshape %b : tensor<300x2xi8> -> tensor<600xi8>
  %0 = tx.sort %r dim = 0 : tensor<600xi8>
  return %0 : tensor<600xi8>
}
