//===- TargetInfo.h - Facts of a target for emitters ------------*- C++ -*-===//
//
// Emitters choose kernels by these facts, never by a vendor's name. TargetInfo
// is a value type that is cheap to copy. CPU and GPU targets fill the same
// fields.
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

/// The matrix instruction of a chip, which txk-expand-tiles uses. Emitters only
/// test whether there is one.
enum class MatrixUnit {
  None,
  /// m16n8k16, by subgroups of 32, with loads of a whole fragment (ldmatrix).
  Mma16x8x16,
  /// 16x16x16, by subgroups of 64.
  Mfma16x16x16
};

/// Signedness of the operands of the instruction that adds four products of
/// bytes to each i32.
enum class ByteProducts {
  None,
  /// One operand is unsigned, the other signed.
  MixedSigns,
  /// Both operands are signed, or both are unsigned.
  EqualSigns
};

/// Sizes of a subgroup that a chip supports; the compiler chooses one.
struct SubgroupSizes {
  unsigned min = 1, max = 1;
};

/// Defined in codegen/emitters/Skeleton.h.
struct Skeleton;
using SkeletonList = llvm::ArrayRef<const Skeleton *>;

/// The facts as plain numbers, as a target registers them.
struct TargetFacts {
  std::string name;
  unsigned vectorBytes = 16;
  unsigned vectorRegisters = 16;
  /// Narrowest element, in bytes, of native masked loads and stores; 0: none.
  unsigned maskedElementBytes = 0;
  /// Widest float, in bytes, for which an integer maximum is faster than one of
  /// floats, which needs several instructions to handle NaN and signed zeros.
  /// 0: none.
  unsigned integerMaximumBytes = 0;
  bool fma = false;
  bool gather = false;
  /// True if an instruction compresses the lanes of a mask, of 32 or 64 bits,
  /// to the front of a vector.
  bool packsLanes = false;
  ByteProducts byteProducts = ByteProducts::None;
  /// True if an instruction adds two products of i16 to each i32.
  bool wordProducts = false;
  bool f16Arithmetic = false;
  bool bf16Arithmetic = false;
  /// True if an instruction adds two products of bf16 to each f32: first that
  /// of the higher halves, then that of the lower ones, each rounded to
  /// nearest. Subnormal numbers are flushed to zero.
  bool bf16Pairs = false;
  int64_t l1Bytes = 32 << 10;
  int64_t l2Bytes = 512 << 10;
  int64_t cacheLineBytes = 64;
  /// True if arithmetic on f64 (atomics on 64-bit integers) is native.
  bool f64 = true;
  bool int64Atomics = true;
  /// True if kernels are written for one thread of a grid, not for a range of
  /// items.
  bool simt = false;
  /// SIMT only: the subgroup size for which kernels are compiled, and the sizes
  /// that the chip supports.
  unsigned subgroupSize = 1;
  SubgroupSizes subgroupSizes;
  /// True if threads of a subgroup can read each other's registers by shuffles.
  bool shuffles = false;
  unsigned maxBlockThreads = 1;
  /// Maximum number of blocks of a grid along its first dim.
  int64_t maxGridBlocks = 0x7fffffff;
  /// Shared memory that a kernel may declare statically, and that its launch
  /// may request.
  int64_t sharedMemoryBytes = 0, maxSharedMemoryBytes = 0;
  MatrixUnit matrixUnit = MatrixUnit::None;
  bool asyncCopies = false;
};

class TargetInfo {
public:
  explicit TargetInfo(TargetFacts facts) : facts(std::move(facts)) {}

  llvm::StringRef getName() const { return facts.name; }

  bool isSimt() const { return facts.simt; }

  /// Returns the size of the widest vector register worth using.
  unsigned getVectorBytes() const { return facts.vectorBytes; }
  unsigned getNumVectorRegisters() const { return facts.vectorRegisters; }

  /// Returns the number of lanes of a register for elements of `type`. i1
  /// counts as a byte, index as 64 bits, and types computed in f32 as f32 (see
  /// hasArithmetic).
  unsigned getLanes(mlir::Type type) const {
    return std::max(1u, facts.vectorBytes / getComputeBytes(type));
  }

  /// Returns the size of the type in which arithmetic on `type` is done.
  unsigned getComputeBytes(mlir::Type type) const;

  /// True if arithmetic on `type` is native. f16 and bf16 may be widened to f32
  /// by a later pass; f8 always is.
  bool hasArithmetic(mlir::Type type) const;

  /// True if masked loads and stores of elements of this size are native. If
  /// not, they become a branch per lane, and a scalar tail is faster.
  bool hasMaskedMemory(unsigned elementBytes) const {
    return facts.maskedElementBytes && elementBytes >= facts.maskedElementBytes;
  }
  /// True if the maximum of floats of this type is computed faster as integers
  /// of the same order.
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

  /// Maximum shared memory of a block. A kernel that needs more than
  /// getSharedMemoryBytes gets all of it from its launch.
  int64_t getMaxSharedMemoryBytes() const { return facts.maxSharedMemoryBytes; }

  MatrixUnit getMatrixUnit() const { return facts.matrixUnit; }
  /// True if txk.tile_mma multiplies tiles of the type, accumulating in f32.
  bool multipliesTiles(mlir::Type type) const {
    return facts.matrixUnit != MatrixUnit::None &&
           (type.isF16() || type.isBF16());
  }
  /// True if txk.copy_async is an instruction that bypasses registers.
  bool hasAsyncCopies() const { return facts.asyncCopies; }

  bool multipliesPairs() const { return facts.bf16Pairs; }

  /// Returns the skeletons that the target lists, preferred ones first.
  SkeletonList getSkeletons() const { return skeletons; }
  /// `list` must live as long as the process.
  void setSkeletons(SkeletonList list) { skeletons = list; }

private:
  TargetFacts facts;
  SkeletonList skeletons;
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_KERNEL_TARGETINFO_H
