//===- TargetInfo.h - Properties of a target for emitters -------*- C++ -*-===//
//
// Emitters choose kernels by these properties, never by the name of a vendor.
// TargetInfo is a value type that is cheap to copy. CPU and GPU targets set the
// same members.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_KERNEL_TARGETINFO_H
#define TENSORC_CODEGEN_KERNEL_TARGETINFO_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <cstdint>
#include <string>

namespace tensorc::codegen {

/// The matrix instruction of a chip, which txk-expand-tiles emits. Emitters
/// only check whether there is one.
enum class MatrixUnit {
  None,
  /// m16n8k16 for subgroups of 32. An instruction (ldmatrix) loads a whole
  /// fragment.
  Mma16x8x16,
  /// 16x16x16 for subgroups of 64.
  Mfma16x16x16,
  /// AMX: eight registers of 16 rows by 64 bytes, for products of bytes and of
  /// bf16. No op of txk.tile_mma; see codegen/kernel/ops/TxkAmx.td.
  TileRegisters,
  /// 16x16x16 for subgroups of 32. A lane holds a whole row of the left matrix,
  /// and a whole column of the right one. Both halves of the subgroup hold the
  /// same.
  WmmaRows,
  /// As above, but a lane holds half of a row and half of a column.
  WmmaHalfRows
};

/// Signedness that a dot-product instruction expects of its operands. The
/// instruction adds four products of bytes to each i32.
enum class ByteProducts {
  None,
  /// One operand is unsigned, the other signed.
  MixedSigns,
  /// Both operands are signed, or both are unsigned.
  EqualSigns
};

/// The subgroup sizes that a chip supports. The compiler chooses one of them.
struct SubgroupSizes {
  unsigned min = 1, max = 1;
};

/// Defined in codegen/emitters/Skeleton.h.
struct Skeleton;
using SkeletonList = llvm::ArrayRef<const Skeleton *>;

/// The properties as plain members, which a target sets.
struct TargetFacts {
  std::string name;
  unsigned vectorBytes = 16;
  unsigned vectorRegisters = 16;
  /// Narrowest element, in bytes, with native masked loads and stores. 0 if
  /// there are none.
  unsigned maskedElementBytes = 0;
  /// Width in bytes of the widest float type whose maximum is computed faster
  /// on integers of the same order. A maximum of floats needs several
  /// instructions to handle NaN and signed zeros. 0 if there is no such type.
  unsigned integerMaximumBytes = 0;
  bool fma = false;
  bool gather = false;
  /// True if an instruction moves the 32- or 64-bit lanes that are set in a
  /// mask to the front of a vector.
  bool packsLanes = false;
  ByteProducts byteProducts = ByteProducts::None;
  /// True if an instruction adds two products of i16 to each i32.
  bool wordProducts = false;
  bool f16Arithmetic = false;
  bool bf16Arithmetic = false;
  /// True if an instruction adds two products of bf16 to each f32: first the
  /// product of the higher halves, then that of the lower halves, each with
  /// rounding to nearest. It flushes subnormal numbers to zero.
  bool bf16Pairs = false;
  int64_t l1Bytes = 32 << 10;
  int64_t l2Bytes = 512 << 10;
  int64_t cacheLineBytes = 64;
  /// True if f64 arithmetic is native, and true if atomics on 64-bit integers
  /// are native.
  bool f64 = true;
  bool int64Atomics = true;
  /// True if a kernel is the code of one thread in a grid (SIMT) instead of a
  /// loop over a range of work items.
  bool simt = false;
  /// SIMT only: the subgroup size for which kernels are compiled, and the sizes
  /// that the chip supports.
  unsigned subgroupSize = 1;
  SubgroupSizes subgroupSizes;
  /// True if the threads of a subgroup can exchange registers by shuffles.
  bool shuffles = false;
  unsigned maxBlockThreads = 1;
  /// Maximum number of blocks along the first dim of a grid.
  int64_t maxGridBlocks = 0x7fffffff;
  /// Maximum shared memory per block that a kernel may declare statically, and
  /// that its launch may request.
  int64_t sharedMemoryBytes = 0, maxSharedMemoryBytes = 0;
  MatrixUnit matrixUnit = MatrixUnit::None;
  bool asyncCopies = false;
};

class TargetInfo {
public:
  explicit TargetInfo(TargetFacts facts) : facts(std::move(facts)) {}

  llvm::StringRef getName() const { return facts.name; }

  bool isSimt() const { return facts.simt; }

  /// Returns the size in bytes of the widest vector register that is worth
  /// using.
  unsigned getVectorBytes() const { return facts.vectorBytes; }
  unsigned getNumVectorRegisters() const { return facts.vectorRegisters; }

  /// Returns the number of elements of `type` that are computed in one
  /// register. It follows from getComputeBytes(), so types that are computed in
  /// f32 count as f32.
  unsigned getLanes(mlir::Type type) const {
    return std::max(1u, facts.vectorBytes / getComputeBytes(type));
  }

  /// Returns the size in bytes of the type in which arithmetic on `type` is
  /// done. An i1 counts as a byte, and index as 64 bits.
  unsigned getComputeBytes(mlir::Type type) const;

  /// True if arithmetic on `type` is native. A later pass may widen f16 and
  /// bf16 to f32, and always widens f8.
  bool hasArithmetic(mlir::Type type) const;

  /// True if masked loads and stores of elements of this size are native.
  /// Otherwise they become a branch per lane, and a scalar tail is faster.
  bool hasMaskedMemory(unsigned elementBytes) const {
    return facts.maskedElementBytes && elementBytes >= facts.maskedElementBytes;
  }
  /// True if the maximum of floats of this type is faster on integers of the
  /// same order.
  bool comparesAsIntegers(mlir::Type type) const {
    return type.getIntOrFloatBitWidth() <= facts.integerMaximumBytes * 8;
  }
  bool hasFma() const { return facts.fma; }
  bool hasGather() const { return facts.gather; }
  bool packsLanes() const { return facts.packsLanes; }
  ByteProducts getByteProducts() const { return facts.byteProducts; }
  bool hasWordProducts() const { return facts.wordProducts; }

  int64_t getL1Bytes() const { return facts.l1Bytes; }
  int64_t getL2Bytes() const { return facts.l2Bytes; }
  int64_t getCacheLineBytes() const { return facts.cacheLineBytes; }

  bool hasDoubles() const { return facts.f64; }
  bool hasInt64Atomics() const { return facts.int64Atomics; }

  unsigned getSubgroupSize() const { return facts.subgroupSize; }
  SubgroupSizes getSubgroupSizes() const { return facts.subgroupSizes; }
  bool hasShuffles() const { return facts.shuffles; }
  unsigned getMaxBlockThreads() const { return facts.maxBlockThreads; }
  int64_t getMaxGridBlocks() const { return facts.maxGridBlocks; }
  int64_t getSharedMemoryBytes() const { return facts.sharedMemoryBytes; }

  /// Returns the maximum shared memory of a block. A kernel that needs more
  /// than getSharedMemoryBytes() gets all of it as dynamic shared memory.
  int64_t getMaxSharedMemoryBytes() const { return facts.maxSharedMemoryBytes; }

  MatrixUnit getMatrixUnit() const { return facts.matrixUnit; }
  /// True if txk.tile_mma multiplies tiles of this type: f16, bf16 or tf32 with
  /// sums in f32, i8 or ui8 with sums in i32.
  bool multipliesTiles(mlir::Type type) const;
  /// True if txk.copy_async is an instruction that bypasses registers.
  bool hasAsyncCopies() const { return facts.asyncCopies; }

  bool multipliesPairs() const { return facts.bf16Pairs; }

  /// Returns the skeletons of the target, preferred ones first.
  SkeletonList getSkeletons() const { return skeletons; }
  /// `list` must live as long as the process.
  void setSkeletons(SkeletonList list) { skeletons = list; }

private:
  TargetFacts facts;
  SkeletonList skeletons;
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_KERNEL_TARGETINFO_H
