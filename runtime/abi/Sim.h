//===- Sim.h - the interface between a simulated kernel and its driver ----===//
//
// An image for the simulator is native code without imports. It calls back
// through a table for its threads, its barriers and, before each access, its
// memory. The symbol of a kernel is a SimKernel, not a function.
//
// Buffers are passed as tokens, not as addresses: bit 63, 15 bits of a
// segment's number, 48 bits of a biased offset. Arithmetic on a token stays
// within its segment, so each access is checked against the buffer from which
// its token was derived.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_ABI_SIM_H
#define TENSORC_RUNTIME_ABI_SIM_H

#include "runtime/abi/Format.h"

namespace tensorc::rt {

/// Changes whenever a struct of this file changes. New callbacks are appended
/// to SimCalls.
constexpr uint32_t simVersion = 5;

/// Precedes a simulator image that is stored, in base64 and on one line, before
/// the GPU image with the same kernels. Only images made for tests contain one.
constexpr char simulatedMark[] = "\n// simulated: ";

enum class SimOp : uint8_t {
  Read,
  Write,
  Atomic,
  Barrier,
  Shuffle,
  Matrix, // a subgroup's instruction on matrices
  Copy,   // an asynchronous copy, or an op that waits for copies
  // Callbacks that only kernels compiled for a profile make:
  Count,  // a number of instructions
  Branch, // a conditional branch
  Radix   // a division of the block's number
};

/// Classes of the instructions that SimOp::Count counts.
enum class SimClass : uint8_t { Float, Double, Integer, Special, Convert };

/// A location in a kernel that makes a callback. `user` and `kernel` are
/// offsets into the kernel's strings.
struct SimSite {
  uint32_t user;   // "app.cpp:41:7"; 0 if unknown
  uint32_t kernel; // "vector.load", the operation; 0 if unknown
  // Bytes of the access (of an element if the access is masked), or the number
  // of instructions of a count.
  uint32_t bytes;
  uint16_t alignment;
  SimOp op;
  SimClass counted; // by SimOp::Count
};
static_assert(sizeof(SimSite) == 16);

/// A buffer argument or an array of workgroup memory, in the order of the
/// kernel's words. `bytes` is 0 if the size is known only at the launch.
struct SimBuffer {
  uint32_t bytes;
  uint16_t elementBytes; // the granularity of race detection
  uint16_t written;      // true if some access of the kernel writes it
};

/// The part of a simulated thread that the kernel's code may read.
struct SimThread {
  uint64_t block;
  uint32_t thread; // index of the thread in its block
  uint32_t valid;  // true if the last shuffle's source lane was in range
};

enum class SimShuffle : uint32_t { Xor, Up, Down, Index };

/// Matrix instructions. A lane's registers hold its parts of the left matrix,
/// the right matrix and the accumulators; the result replaces the accumulators.
enum class SimMultiply : uint32_t {
  // m16n8k16, m16n8k8 and m16n8k32: 4, 2 and 4 registers per lane. Bytes are
  // signed (S) or unsigned (U), first those of the left matrix.
  MmaF16,
  MmaBF16,
  MmaTF32,
  MmaSS,
  MmaSU,
  MmaUS,
  MmaUU,
  // 16x16x16 and 16x16x32: 2, 2 and 4 registers per lane.
  MfmaF16,
  MfmaBF16,
  MfmaSS,
  // 16x16x16, a row per lane: 8, 8 and 8 registers; of bytes 4, 4 and 8.
  WmmaRowsF16,
  WmmaRowsBF16,
  WmmaRowsSS,
  WmmaRowsSU,
  WmmaRowsUS,
  WmmaRowsUU,
  // 16x16x16, half of a row per lane: 4, 4 and 8 registers; of bytes 2, 2 and 8.
  WmmaHalfRowsF16,
  WmmaHalfRowsBF16,
  WmmaHalfRowsSS,
  WmmaHalfRowsSU,
  WmmaHalfRowsUS,
  WmmaHalfRowsUU
};

/// A multiplication by a group of 128 threads (wgmma), as encoded in a 64-bit
/// word.
struct SimWgmma {
  // Columns of the result; steps of K, 16 elements each.
  uint32_t columns, steps;
  // Added to the descriptors after each step.
  uint32_t leftAdvance, rightAdvance;
  bool isLeftMNMajor, isRightMNMajor, half, fence, commit;

  constexpr uint64_t encode() const {
    return columns | uint64_t(steps) << 10 | uint64_t(leftAdvance) << 16 |
           uint64_t(rightAdvance) << 32 | uint64_t(isLeftMNMajor) << 48 |
           uint64_t(isRightMNMajor) << 49 | uint64_t(half) << 50 |
           uint64_t(fence) << 51 | uint64_t(commit) << 52;
  }
  static constexpr SimWgmma decode(uint64_t word) {
    auto field = [word](unsigned first, unsigned bits) {
      return static_cast<uint32_t>(word >> first & ((1u << bits) - 1));
    };
    return {field(0, 10),      field(10, 6),      field(16, 16),
            field(32, 16),     field(48, 1) != 0, field(49, 1) != 0,
            field(50, 1) != 0, field(51, 1) != 0, field(52, 1) != 0};
  }
};

/// Functions of the simulator that a kernel calls. They do not return to the
/// kernel after a failed check.
struct SimCalls {
  /// Returns the host address of the bytes at the address that the token
  /// encodes.
  void *(*access)(SimThread *, void *token, uint32_t site);
  /// Like `access`, for up to 64 contiguous elements; bit i of the mask stands
  /// for element i. The kernel may access only the elements in the mask.
  void *(*accessMasked)(SimThread *, void *token, uint64_t mask, uint32_t site);
  void (*barrier)(SimThread *, uint32_t site);
  uint64_t (*shuffle)(SimThread *, uint64_t value, uint32_t operand,
                      uint32_t width, SimShuffle mode, uint32_t site);
  /// ldmatrix.x4 of 16-bit elements. `token` is the address of the lane's row;
  /// `registers` receives the lane's four registers.
  void (*loadMatrices)(SimThread *, void *token, uint32_t *registers,
                       uint32_t transposed, uint32_t site);
  void (*multiply)(SimThread *, uint32_t *registers, SimMultiply kind,
                   uint32_t site);
  /// Copies the number of bytes that the site states to workgroup memory, or
  /// writes zeros unless `inside`.
  void (*copyAsync)(SimThread *, void *to, void *from, uint32_t inside,
                    uint32_t site);
  void (*commitCopies)(SimThread *, uint32_t site);
  /// Waits for all of the thread's groups of copies except the last `pending`.
  void (*waitForCopies)(SimThread *, uint32_t pending, uint32_t site);
  // mbarriers, which are barriers in workgroup memory, and operations that they
  // count.
  void (*mbarrierInit)(SimThread *, void *token, uint32_t arrivals,
                       uint32_t site);
  void (*mbarrierFence)(SimThread *, uint32_t site);
  void (*mbarrierArrive)(SimThread *, void *token, uint32_t bytes,
                         uint32_t site);
  void (*mbarrierWait)(SimThread *, void *token, uint32_t parity,
                       uint32_t site);
  void (*tensorCopy)(SimThread *, const void *map, const int64_t *coordinates,
                     void *to, void *barrier, uint32_t site);
  void (*namedBarrier)(SimThread *, uint32_t number, uint32_t threads,
                       uint32_t site);
  /// Returns the offset in bytes from the beginning of workgroup memory, which
  /// instructions use as address.
  uint32_t (*sharedAddress)(SimThread *, void *token, uint32_t site);
  /// Starts a multiplication by a warpgroup. The registers hold the
  /// accumulators only after wgmmaWait.
  void (*wgmma)(SimThread *, uint32_t *registers, uint64_t left, uint64_t right,
                uint64_t what, uint32_t site);
  void (*wgmmaWait)(SimThread *, uint32_t *registers, uint32_t count,
                    uint32_t pending, uint32_t site);
  // Callbacks of kernels that were compiled for a profile.
  /// The thread executes the instructions that the site counts.
  void (*count)(SimThread *, uint32_t site);
  void (*branch)(SimThread *, uint32_t taken, uint32_t site);
  /// Reports that the kernel divides its block number by `unit` and then by
  /// `divisor`.
  void (*radix)(SimThread *, uint64_t unit, uint64_t divisor, uint32_t site);
};

/// A kernel, run for one thread. The words are the tokens of the buffers, the
/// scalars, the tensor maps, and the tokens of the arrays in workgroup memory.
using SimFunction = void (*)(SimThread *, const SimCalls *, const Word *words);

enum SimFlags : uint32_t {
  // The kernel has a barrier or shuffle, so threads need stacks.
  simSynchronizes = 1,
  // The blocks run one by one, so that results are reproducible.
  simHasAtomics = 2,
  simProfiled = 4 // the kernel has the callbacks of a profile
};

struct SimKernel {
  uint32_t version;
  uint32_t blockThreads;
  uint32_t subgroupSize;
  uint32_t flags;      // of SimFlags
  uint32_t stackBytes; // bytes of private arrays
  uint32_t buffers, scalars, shared;
  uint32_t siteCount;
  uint32_t dynamicShared; // bytes that a launch must provide for the arrays
  uint32_t tensorMaps;
  uint32_t reserved;
  SimFunction function;
  const SimBuffer *memory; // the buffers, then the arrays in shared memory
  const SimSite *sites;
  const char *strings; // begins with a zero byte

  bool has(SimFlags flag) const { return (flags & flag) != 0; }
};

constexpr uint64_t simTokenBit = uint64_t(1) << 63;
constexpr unsigned simOffsetBits = 48;
constexpr uint64_t simOffsetBias = uint64_t(1) << (simOffsetBits - 1);

/// Returns the token for the first byte of a segment.
constexpr uint64_t simToken(uint32_t segment) {
  return simTokenBit | uint64_t(segment) << simOffsetBits | simOffsetBias;
}
constexpr uint32_t simSegment(uint64_t token) {
  return static_cast<uint32_t>((token & ~simTokenBit) >> simOffsetBits);
}
/// Returns the offset of an address in its segment. It is negative before the
/// segment's beginning.
constexpr int64_t simOffset(uint64_t token) {
  constexpr uint64_t mask = (uint64_t(1) << simOffsetBits) - 1;
  return static_cast<int64_t>(token & mask) -
         static_cast<int64_t>(simOffsetBias);
}

} // namespace tensorc::rt

#endif
