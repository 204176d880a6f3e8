//===- TargetInfo.h - What emitters ask about a target ----------*- C++ -*-===//
//
// Emitters shape kernels by these facts and never by a vendor's name. A value
// type: copy it freely. GPU targets fill the same fields.
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

/// How the chip multiplies matrices, as txk-expand-tiles spells it. Emitters
/// ask only whether it does.
enum class MatrixUnit {
  None,
  /// Subgroups of 32 that share m16n8k16 and load their operands together.
  Mma16x8x16,
  /// Subgroups of 64 that share 16x16x16.
  Mfma16x16x16
};

/// Of the instruction that adds the products of four bytes to each sum of i32:
/// which elements it takes.
enum class ByteProducts {
  None,
  /// Unsigned ones times signed ones.
  MixedSigns,
  /// Both signed, or both unsigned.
  EqualSigns
};

/// How many threads a subgroup may have on a chip; whoever compiles chooses.
struct SubgroupSizes {
  unsigned min = 1, max = 1;
};

/// codegen/emitters/Skeleton.h
struct Skeleton;
using SkeletonList = llvm::ArrayRef<const Skeleton *>;

/// The facts as plain numbers; what a target registers.
struct TargetFacts {
  std::string name;
  unsigned vectorBytes = 16;
  unsigned vectorRegisters = 16;
  /// Narrowest element that masked loads and stores take in hardware; 0: none.
  unsigned maskedElementBytes = 0;
  /// Widest floats whose maximum, with NaN and the zeros' signs, takes several
  /// instructions where that of integers is one; 0: none.
  unsigned integerMaximumBytes = 0;
  bool fma = false;
  bool gather = false;
  /// An instruction moves the lanes that a mask names, of 32 or 64 bits, to the
  /// front of a vector.
  bool packsLanes = false;
  ByteProducts byteProducts = ByteProducts::None;
  /// An instruction adds two products of i16 to each i32.
  bool wordProducts = false;
  bool f16Arithmetic = false;
  bool bf16Arithmetic = false;
  /// One instruction adds the products of two neighbours of bf16 to each f32,
  /// that of the higher half first, each rounded to nearest; subnormal numbers
  /// count as zeros.
  bool bf16Pairs = false;
  int64_t l1Bytes = 32 << 10;
  int64_t l2Bytes = 512 << 10;
  int64_t cacheLineBytes = 64;
  /// Arithmetic on f64, and atomics on 64-bit integers, are instructions.
  bool f64 = true;
  bool int64Atomics = true;
  /// Kernels are written for one thread of a grid, not for a range of items.
  bool simt = false;
  /// SIMT only: the threads that run in lockstep as kernels are compiled, and
  /// the sizes that the chip can run.
  unsigned subgroupSize = 1;
  SubgroupSizes subgroupSizes;
  /// The threads of a subgroup read each other's registers by an instruction.
  bool shuffles = false;
  unsigned maxBlockThreads = 1;
  /// Blocks of a grid along its first dim.
  int64_t maxGridBlocks = 0x7fffffff;
  /// What a kernel may declare for itself, and what a block may have if its
  /// launch asks for it.
  int64_t sharedMemoryBytes = 0, maxSharedMemoryBytes = 0;
  MatrixUnit matrixUnit = MatrixUnit::None;
  bool asyncCopies = false;
};

class TargetInfo {
public:
  explicit TargetInfo(TargetFacts facts) : facts(std::move(facts)) {}

  llvm::StringRef getName() const { return facts.name; }

  bool isSimt() const { return facts.simt; }

  /// Bytes of the widest vector register worth using.
  unsigned getVectorBytes() const { return facts.vectorBytes; }
  unsigned getNumVectorRegisters() const { return facts.vectorRegisters; }

  /// Lanes of one register for elements of `type`; i1 counts as a byte, index
  /// as 64 bits, and types computed in f32 as f32 (see hasArithmetic).
  unsigned getLanes(mlir::Type type) const {
    return std::max(1u, facts.vectorBytes / getComputeBytes(type));
  }

  /// Bytes of the type in which arithmetic on `type` happens.
  unsigned getComputeBytes(mlir::Type type) const;

  /// f16 and bf16: computed natively, or widened to f32 by a later pass, as f8
  /// always is.
  bool hasArithmetic(mlir::Type type) const;

  /// Masked loads and stores of `elementBytes` wide elements are instructions;
  /// otherwise they become a branch per lane and a scalar tail is better.
  bool hasMaskedMemory(unsigned elementBytes) const {
    return facts.maskedElementBytes && elementBytes >= facts.maskedElementBytes;
  }
  /// Whether the maximum of many floats of the type is found faster among
  /// integers that are in the same order.
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

  /// Kernels with more than getSharedMemoryBytes take all of it from the
  /// launch.
  int64_t getMaxSharedMemoryBytes() const { return facts.maxSharedMemoryBytes; }

  MatrixUnit getMatrixUnit() const { return facts.matrixUnit; }
  /// txk.tile_mma takes tiles of the type, with sums in f32.
  bool multipliesTiles(mlir::Type type) const {
    return facts.matrixUnit != MatrixUnit::None &&
           (type.isF16() || type.isBF16());
  }
  /// txk.copy_async is an instruction that goes past the registers.
  bool hasAsyncCopies() const { return facts.asyncCopies; }

  bool multipliesPairs() const { return facts.bf16Pairs; }

  /// The ways to make kernels that the target lists, preferred ones first.
  SkeletonList getSkeletons() const { return skeletons; }
  /// `list` lives as long as the process.
  void setSkeletons(SkeletonList list) { skeletons = list; }

private:
  TargetFacts facts;
  SkeletonList skeletons;
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_KERNEL_TARGETINFO_H
