//===- RunPlan.h - The steps of a run and their memory use ----------------===//
//
// A model of a host program with static sizes. For each launch it describes the
// buffers that the launch reads and writes, its position in the order, and its
// time. The pass txp-fit-memory changes the model until it fits into a limit,
// and then changes the program accordingly.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_FIT_RUNPLAN_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_FIT_RUNPLAN_H

#include "compiler/transforms/passes/memory/ArenaPacking.h"
#include "ir/program/Txp.h"

#include <memory>
#include <vector>

namespace tensorc::compiler {

/// Returns the number that an op of the program holds, if it is a constant.
std::optional<int64_t> constantOf(mlir::Value value);
/// Returns the bytes of the block that the runtime allocates for a buffer.
int64_t blockOf(int64_t bytes);

/// Returns the maximum number of buffers of an allocation in a loop that registers
/// of the runtime hold at once. An iteration allocates before it drops what the
/// last one has allocated.
int64_t countCopies(txp::AllocOp alloc);

/// Facts about the device: its speed, from which the time of a launch is
/// estimated; the speed of copies to and from the host, 0 if buffers stay on
/// the device; its number of threads, each of which needs scratch memory; and
/// whether it holds a copy of the constants.
struct RunRates {
  double launchSeconds, bytesPerSecond, flopsPerSecond, hostBytesPerSecond;
  unsigned threads;
  bool copiesConstants;
};

struct PlannedBuffer {
  int64_t bytes = 0;
  /// Null for the temporaries of a loop's body, and for a copy of a constant.
  txp::AllocOp alloc;
  /// Number of the buffer of the original program that has the same contents.
  /// Unused for a copy of a constant.
  unsigned content = 0;
  /// Number of the constant that is copied into the buffer, or -1.
  int constant = -1;
  /// True if the buffer is a result, which has its own allocation. Other
  /// buffers are in the arena.
  bool isResult = false;
  /// True if only launches use the buffer, and always as a whole.
  bool isPlain = true;
  /// The loop whose temporaries are in the buffer, or null.
  mlir::Operation *loop = nullptr;

  /// True if both buffers have the same size, whatever the named sizes are.
  bool hasSizeOf(const PlannedBuffer &other) const;
};

struct PlannedConstant {
  int64_t bytes = 0;
  txp::ConstantBufferOp op;
  /// True if only launches of the entry's block read it.
  bool isPlain = true;
  /// True if the device has it only while launches use it.
  bool isStreamed = false;

  mlir::Value value() const { return txp::ConstantBufferOp(op).getBuffer(); }
};

/// Launches that belong together, another op with an effect, or a part of the
/// move of a buffer to the host and back. A second queue copies the buffer
/// between Spill and AwaitSpill, and back between Restore and AwaitRestore;
/// these steps have the buffer in `others`. A copy of a constant has no Spill.
struct PlannedStep {
  enum class Kind { Work, Spill, AwaitSpill, Restore, AwaitRestore };
  Kind kind = Kind::Work;
  /// Number of the move, unless the kind is Work.
  unsigned move = 0;
  mlir::SmallVector<mlir::Operation *, 1> ops;
  /// The buffers of the inputs and outputs of launches; -1 for an argument, a
  /// constant or a part of a buffer.
  mlir::SmallVector<int> ins, outs;
  /// Other buffers that the step uses.
  mlir::SmallVector<unsigned> others;
  /// Pairs (in, out) that may share memory, as in txp.in_place.
  mlir::SmallVector<std::pair<unsigned, unsigned>, 1> inPlace;
  double seconds = 0;
  /// Time during the step in which the second queue copies.
  double copySeconds = 0;
  /// True if the launches can be repeated at any later position.
  bool isRepeatable = false;
  /// True if the step repeats launches of the original program.
  bool isRepeat = false;
  /// Bytes that a repeated launch or a spill saves at the peak.
  int64_t savedBytes = 0;
};

/// First and last step that uses a buffer, and the step after which its
/// contents are complete.
struct UsedRange {
  unsigned begin = 0, end = 0, complete = 0;
  bool isUsed = false;

  void add(unsigned step) {
    begin = isUsed ? std::min(begin, step) : step;
    end = isUsed ? std::max(end, step) : step;
    complete = isUsed ? complete : step;
    isUsed = true;
  }
};

/// Buffers that successively have the same place in the arena, because a launch
/// writes the next one in place of the previous one.
struct ArenaSlot : LiveRange {
  mlir::SmallVector<unsigned, 1> buffers;
};

class RunPlan;

/// A block of a loop as a program of its own. txp-plan-memory allocates its
/// temporaries before the loop, so they are one buffer of the plan around it.
struct LoopBody {
  mlir::Block *block;
  unsigned buffer;
  double iterations;
  /// The plan of an iteration, and the one in which every buffer is computed
  /// once.
  std::shared_ptr<const RunPlan> plan, original;
};

class RunPlan {
public:
  /// Reads the program. `sizes` has numbers for named sizes. Fails without a
  /// diagnostic if another size is not a number.
  static mlir::FailureOr<RunPlan> read(txp::FuncOp program,
                                       const RunRates &rates,
                                       mlir::DictionaryAttr sizes = {});

  std::vector<PlannedBuffer> buffers;
  /// The constants of which the device has a copy.
  std::vector<PlannedConstant> constants;
  std::vector<PlannedStep> steps;
  std::vector<LoopBody> bodies;
  /// Per step of the original program, the steps that must come before it.
  std::vector<std::vector<unsigned>> predecessors;
  /// Bytes of arguments, of constants, of results, of allocations in branches,
  /// in called functions and for values that loops carry, and the maximum bytes
  /// of scratch memory.
  int64_t inputBytes = 0, constantBytes = 0, resultBytes = 0, nestedBytes = 0,
          scratchBytes = 0;
  /// Whether launches write temporaries in place.
  bool sharesMemory = false;
  /// Number of buffers that are moved to the host and back, and of uploads.
  unsigned moves = 0;

  /// Calls the function with each buffer that the step uses, in the order of
  /// operands.
  static void forEachUse(const PlannedStep &step,
                         llvm::function_ref<void(unsigned)> use);
  /// Returns a location in the user's program for messages about a step or a
  /// buffer.
  mlir::Location locationOf(const PlannedStep &step) const;
  mlir::Location locationOf(const PlannedBuffer &buffer) const;
  std::vector<UsedRange> usedRanges() const;
  std::vector<ArenaSlot> slots() const;

  /// The bytes of temporaries in use at each step.
  struct Usage {
    std::vector<int64_t> live;
    int64_t peak = 0;
    /// The first step of maximum use, and the number of such steps.
    unsigned at = 0, plateau = 0;
  };
  Usage usage() const;
  /// Returns the numbers of the bodies of a loop; none for other steps.
  mlir::SmallVector<unsigned, 1> bodiesOf(const PlannedStep &step) const;
  /// Replaces the plan of a loop's body.
  void setBody(unsigned body, RunPlan changed);
  /// Lets launches write in place, also in loops.
  void shareMemory();
  /// Makes the plan the original one of later decisions, also in loops.
  void beginSearch();
  /// Bytes of the arena.
  int64_t arenaBytes() const;
  /// Bytes of the blocks for temporaries: the arena, allocations of nested
  /// blocks and functions, and scratch memory.
  int64_t temporaryBytes() const;
  /// Bytes of the device that a run needs in total.
  int64_t totalBytes() const;
};

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_FIT_RUNPLAN_H
