//===- Sim.h - what a simulated kernel and its driver say to each other ---===//
//
// An image for the simulator is native code without imports: it reaches its
// threads, its barriers and, before each access, its memory through a table of
// callbacks. The symbol of a kernel is a SimKernel, not a function.
//
// Buffers are given as tokens, not as addresses: bit 63, 15 bits of a segment's
// number, 48 bits of a biased offset. Arithmetic on a token stays within its
// segment, so that an access is judged by the buffer it was derived from.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_ABI_SIM_H
#define TENSORC_RUNTIME_ABI_SIM_H

#include "runtime/abi/Format.h"

namespace tensorc::rt {

/// Changes when a struct of this file does. New callbacks are appended to
/// SimCalls.
constexpr uint32_t simVersion = 3;

/// Marks a simulator image, in base64 and on one line, before the GPU image
/// whose kernels it also has. Only tests' images contain one.
constexpr char simulatedMark[] = "\n// simulated: ";

enum class SimOp : uint8_t {
  Read,
  Write,
  Atomic,
  Barrier,
  Shuffle,
  Matrix, // a subgroup's instruction on matrices
  Copy,   // an asynchronous one, and what belongs to it
};

/// A location in a kernel that calls back. Texts are offsets into its strings.
struct SimSite {
  uint32_t user;   // "app.cpp:41:7"; 0: unknown
  uint32_t kernel; // the operation, "vector.load"; 0: unknown
  uint32_t bytes;  // of one access, or of one element of a masked one
  uint16_t alignment;
  SimOp op;
  uint8_t reserved;
};
static_assert(sizeof(SimSite) == 16);

/// A buffer argument or an array of workgroup memory, in the order of the
/// kernel's words. `bytes` is 0 if the size is known only at the launch.
struct SimBuffer {
  uint32_t bytes;
  uint16_t elementBytes; // the granularity of race detection
  uint16_t written;      // whether any access of the kernel writes it
};

/// The part of a thread that its kernel sees.
struct SimThread {
  uint64_t block;
  uint32_t thread; // in its block
  uint32_t valid;  // whether the last shuffle's source was in range
};

enum class SimShuffle : uint32_t { Xor, Up, Down, Index };

/// Matrix instructions. A lane's registers are those of the left matrix, the
/// right matrix and the accumulators, which become the result.
enum class SimMultiply : uint32_t {
  MmaF16, // m16n8k16: 4, 2 and 4 registers
  MmaBF16,
  MfmaF16, // 16x16x16: 2, 2 and 4
  MfmaBF16
};

/// A multiplication by a group of 128 threads, encoded in a word.
struct SimWgmma {
  uint32_t columns, steps;            // of sums, and of 16 elements of k
  uint32_t leftAdvance, rightAdvance; // of descriptors, for each step
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

/// Callbacks. They do not return to the kernel after a failed check.
struct SimCalls {
  /// Returns the address of the bytes that the token stands for.
  void *(*access)(SimThread *, void *token, uint32_t site);
  /// The same for up to 64 contiguous elements; bit i of the mask stands for
  /// element i. Only elements in the mask may be accessed.
  void *(*accessMasked)(SimThread *, void *token, uint64_t mask, uint32_t site);
  void (*barrier)(SimThread *, uint32_t site);
  uint64_t (*shuffle)(SimThread *, uint64_t value, uint32_t operand,
                      uint32_t width, SimShuffle mode, uint32_t site);
  /// ldmatrix.x4 of 16-bit elements, with a lane's row and its four registers.
  void (*loadMatrices)(SimThread *, void *token, uint32_t *registers,
                       uint32_t transposed, uint32_t site);
  void (*multiply)(SimThread *, uint32_t *registers, SimMultiply kind,
                   uint32_t site);
  /// Copies the site's number of bytes to workgroup memory, or writes zeros
  /// unless `inside`.
  void (*copyAsync)(SimThread *, void *to, void *from, uint32_t inside,
                    uint32_t site);
  void (*commitCopies)(SimThread *, uint32_t site);
  /// Waits for all groups of the thread's copies but the last `pending`.
  void (*waitForCopies)(SimThread *, uint32_t pending, uint32_t site);
  // Barriers in the workgroup's memory, and what they count.
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
  /// Returns the address in bytes from the beginning of workgroup memory, as
  /// instructions count it.
  uint32_t (*sharedAddress)(SimThread *, void *token, uint32_t site);
  /// Starts a multiplication. Its registers hold the accumulators only after a
  /// wait.
  void (*wgmma)(SimThread *, uint32_t *registers, uint64_t left, uint64_t right,
                uint64_t what, uint32_t site);
  void (*wgmmaWait)(SimThread *, uint32_t *registers, uint32_t count,
                    uint32_t pending, uint32_t site);
};

/// The words are the tokens of buffers, the scalars, the tensor maps, and the
/// tokens of workgroup memory.
using SimFunction = void (*)(SimThread *, const SimCalls *, const Word *words);

struct SimKernel {
  uint32_t version;
  uint32_t blockThreads;
  uint32_t subgroupSize;
  uint32_t synchronizes; // has a barrier or a shuffle: threads need stacks
  uint32_t stackBytes;   // of private arrays
  uint32_t buffers, scalars, shared;
  uint32_t hasAtomics; // blocks run one after the other, to be reproducible
  uint32_t siteCount;
  uint32_t dynamicShared; // bytes that a launch must give; the arrays are in it
  uint32_t tensorMaps;
  SimFunction function;
  const SimBuffer *memory; // buffers, then shared
  const SimSite *sites;
  const char *strings; // begins with a zero byte
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
/// Returns the offset in the segment; it is negative before the segment's
/// beginning.
constexpr int64_t simOffset(uint64_t token) {
  constexpr uint64_t mask = (uint64_t(1) << simOffsetBits) - 1;
  return static_cast<int64_t>(token & mask) -
         static_cast<int64_t>(simOffsetBias);
}

} // namespace tensorc::rt

#endif
