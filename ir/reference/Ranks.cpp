//===- Ranks.cpp - The reference interpreter on several ranks -------------===//
//
// Each rank is interpreted on a thread of its own, one at a time: a rank runs
// until a collective needs the others, or until it ends.
//
//===----------------------------------------------------------------------===//
#include "ir/reference/Ranks.h"

#include "ir/library/Library.h"
#include "ir/reference/Elementwise.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include <condition_variable>
#include <map>
#include <mutex>
#include <numeric>
#include <thread>

using namespace mlir;

namespace tensorc::reference {

namespace {
/// The calls of a group, which all ranks of the group have made.
struct GroupCall {
  std::vector<int64_t> members; // ranks, in the order of the group
  std::vector<Array> inputs;    // one per member
  size_t own = 0;               // position of the rank that asks

  /// Returns the members' elements, combined in the order of the group.
  std::optional<Array> combine(tx::Combiner combiner) const;
  /// Returns the arrays of all members, one after another along a dim.
  static Array concatenate(ArrayRef<Array> arrays, int64_t dim);
  /// Returns part `at` of as many as there are members.
  Array part(const Array &x, int64_t dim, size_t at) const;
};

/// Ranks that meet in collectives. The n-th calls of all ranks belong together.
class Meeting {
public:
  explicit Meeting(int64_t ranks)
      : inputs(ranks), hasEnded(ranks), numRanks(ranks) {}

  LogicalResult call(int64_t rank, Operation *op, const Array *x,
                     Array &result);
  /// Runs the function for one rank. Only one rank runs at a time.
  FailureOr<std::vector<Array>> run(func::FuncOp function, int64_t rank,
                                    ArrayRef<Array> arguments,
                                    const CustomCallHandler &customCalls);

private:
  struct Call {
    Operation *op;
    Array x;
  };
  LogicalResult await(std::unique_lock<std::mutex> &lock, Operation *op,
                      ArrayRef<int64_t> members, size_t number);

  std::mutex mutex; // held by the rank that runs
  std::condition_variable changed;
  std::vector<std::vector<Call>> inputs; // calls of each rank
  std::vector<bool> hasEnded;
  std::map<int64_t, std::unique_lock<std::mutex> *> locks;
  int64_t numRanks;
};
} // namespace

static StringRef nameOf(tx::Combiner combiner) {
  switch (combiner) {
  case tx::Combiner::Sum:
    return "tx.add";
  case tx::Combiner::Product:
    return "tx.mul";
  case tx::Combiner::Min:
    return "tx.min";
  case tx::Combiner::Max:
    return "tx.max";
  case tx::Combiner::And:
    return "tx.and";
  case tx::Combiner::Or:
    return "tx.or";
  }
  llvm_unreachable("all combiners");
}

std::optional<Array> GroupCall::combine(tx::Combiner combiner) const {
  DType dtype = inputs[0].dtype;
  bool isHalf = dtype == DType::F16 || dtype == DType::BF16;
  auto widen = [&](const Array &x) {
    Array wide = *Array::create(isHalf ? DType::F32 : dtype, x.shape);
    convert(x, wide);
    return wide;
  };
  // The least and the greatest of bits are those of `and` and `or`.
  if (dtype == DType::I1 && combiner == tx::Combiner::Min)
    combiner = tx::Combiner::And;
  if (dtype == DType::I1 && combiner == tx::Combiner::Max)
    combiner = tx::Combiner::Or;
  Array sum = widen(inputs[0]);
  for (const Array &input : ArrayRef(inputs).drop_front()) {
    Array next = widen(input), combined = *Array::create(sum.dtype, sum.shape);
    if (!evaluateElementwise(nameOf(combiner), {&sum, &next}, combined))
      return std::nullopt;
    sum = std::move(combined);
  }
  Array result = *Array::create(dtype, sum.shape);
  convert(sum, result);
  return result;
}

Array GroupCall::concatenate(ArrayRef<Array> arrays, int64_t dim) {
  SmallVector<int64_t> shape = arrays[0].shape;
  int64_t size = shape[dim];
  shape[dim] *= static_cast<int64_t>(arrays.size());
  Array result = *Array::create(arrays[0].dtype, shape);
  SmallVector<int64_t> strides = stridesOf(shape);
  for (auto [i, array] : llvm::enumerate(arrays))
    forEachIndex(array.shape, [&](int64_t position, ArrayRef<int64_t> index) {
      int64_t to = static_cast<int64_t>(i) * size * strides[dim];
      for (auto [at, stride] : llvm::zip(index, strides))
        to += at * stride;
      std::copy_n(array.at(position), byteWidth(array.dtype), result.at(to));
    });
  return result;
}

Array GroupCall::part(const Array &x, int64_t dim, size_t at) const {
  SmallVector<int64_t> shape = x.shape, strides = stridesOf(x.shape);
  shape[dim] /= static_cast<int64_t>(members.size());
  Array result = *Array::create(x.dtype, shape);
  forEachIndex(shape, [&](int64_t position, ArrayRef<int64_t> index) {
    int64_t from = static_cast<int64_t>(at) * shape[dim] * strides[dim];
    for (auto [each, stride] : llvm::zip(index, strides))
      from += each * stride;
    std::copy_n(x.at(from), byteWidth(x.dtype), result.at(position));
  });
  return result;
}

/// Returns the ranks of the group with this rank, in the order of the group.
static std::vector<int64_t> membersOf(ArrayRef<int64_t> groups, int64_t size,
                                      int64_t rank) {
  std::vector<int64_t> members(size);
  std::iota(members.begin(), members.end(), int64_t(0));
  if (groups.empty())
    return members;
  size_t at = llvm::find(groups, rank) - groups.begin();
  llvm::copy(groups.slice(at - at % size, size), members.begin());
  return members;
}

/// Returns the result of a collective for one of its ranks; nullopt if it is
/// not defined for the dtype.
static std::optional<Array> resultOf(Operation *op, const GroupCall &call) {
  using Result = std::optional<Array>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](tx::AllReduceOp op) { return call.combine(op.getCombiner()); })
      .Case([&](tx::AllGatherOp op) {
        return call.concatenate(call.inputs, op.getDim());
      })
      .Case([&](tx::ReduceScatterOp op) {
        Result sum = call.combine(op.getCombiner());
        return sum ? call.part(*sum, op.getDim(), call.own) : sum;
      })
      .Case([&](tx::AllToAllOp op) {
        std::vector<Array> parts;
        for (const Array &input : call.inputs)
          parts.push_back(call.part(input, op.getSplit(), call.own));
        return call.concatenate(parts, op.getConcat());
      })
      .Case([&](tx::CollectiveBroadcastOp op) {
        return call.inputs[op.getRoot()];
      })
      .Case([&](tx::CollectivePermuteOp op) -> Result {
        ArrayRef<int64_t> pairs = op.getPairs();
        for (size_t i = 0; i + 1 < pairs.size(); i += 2)
          if (pairs[i + 1] == call.members[call.own])
            return call.inputs[pairs[i]];
        return Array::create(call.inputs[0].dtype, call.inputs[0].shape);
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// Waits until all members have made the call of this number. Other ranks run
/// while this one waits.
LogicalResult Meeting::await(std::unique_lock<std::mutex> &lock, Operation *op,
                             ArrayRef<int64_t> members, size_t number) {
  for (int64_t member : members) {
    changed.wait(lock, [&] {
      return inputs[member].size() > number || hasEnded[member];
    });
    if (inputs[member].size() <= number)
      return op->emitError("rank ")
             << member << " has ended without calling it";
    if (inputs[member][number].op != op)
      return op->emitError("rank ")
             << member << " calls " << inputs[member][number].op->getName();
  }
  return success();
}

LogicalResult Meeting::call(int64_t rank, Operation *op, const Array *x,
                            Array &result) {
  auto ranks = op->getAttrOfType<IntegerAttr>("ranks").getInt();
  auto attribute = op->getAttrOfType<DenseI64ArrayAttr>("groups");
  ArrayRef<int64_t> groups =
      attribute ? attribute.asArrayRef() : ArrayRef<int64_t>();
  int64_t all = groups.empty() ? ranks : static_cast<int64_t>(groups.size());
  if (all != numRanks)
    return op->emitError("the program is for ")
           << all << " ranks, the run has " << numRanks;
  if (isa<tx::PartitionIdOp>(op))
    return write<int64_t>(result, rank), success();
  GroupCall call;
  call.members = membersOf(groups, ranks, rank);
  call.own = llvm::find(call.members, rank) - call.members.begin();
  size_t number = inputs[rank].size();
  inputs[rank].push_back({op, *x});
  changed.notify_all();
  if (failed(await(*locks[rank], op, call.members, number)))
    return failure();
  for (int64_t member : call.members)
    call.inputs.push_back(inputs[member][number].x);
  std::optional<Array> made = resultOf(op, call);
  if (!made)
    return op->emitError("the interpreter does not know it on this dtype");
  result = std::move(*made);
  return success();
}

FailureOr<std::vector<Array>>
Meeting::run(func::FuncOp function, int64_t rank, ArrayRef<Array> arguments,
             const CustomCallHandler &customCalls) {
  std::unique_lock lock(mutex);
  locks[rank] = &lock;
  auto results = evaluate(function, arguments, customCalls,
                          [&](Operation *op, const Array *x, Array &result) {
                            return call(rank, op, x, result);
                          });
  hasEnded[rank] = true;
  changed.notify_all();
  return results;
}

FailureOr<std::vector<std::vector<Array>>>
evaluateOnRanks(func::FuncOp function, int64_t ranks, ArrayRef<Array> arguments,
                const CustomCallHandler &customCalls) {
  Meeting meeting(ranks);
  std::vector<FailureOr<std::vector<Array>>> results(ranks);
  std::vector<std::thread> threads;
  for (int64_t rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      results[rank] = meeting.run(function, rank, arguments, customCalls);
    });
  for (std::thread &thread : threads)
    thread.join();
  std::vector<std::vector<Array>> all;
  for (FailureOr<std::vector<Array>> &each : results) {
    if (failed(each))
      return failure();
    all.push_back(std::move(*each));
  }
  return all;
}

} // namespace tensorc::reference
