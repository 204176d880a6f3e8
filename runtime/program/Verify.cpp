//===- Verify.cpp - checks a function's code before it may run ------------===//
//
// The interpreter does not check the operands of code that has passed this
// check. At run time it checks only values (sizes, offsets, null buffers).
//
//===----------------------------------------------------------------------===//
#include "runtime/abi/Bytecode.h"
#include "runtime/program/Program.h"

using namespace tensorc::rt;

namespace {
class Verifier {
public:
  Verifier(const Program &program, const Function &function, const Entry *entry)
      : program(program), function(function), entry(entry),
        isHead(function.code.size()) {}
  Status run();

private:
  Status instruction();
  Status operand(char kind, uint32_t word);
  Status tail();
  Status returnTail();
  Status allocTail();
  Status gridTail(uint64_t block);
  Status launchTail();
  Status mapsTail(uint32_t buffers);
  Status callTail();
  Status customCallTail();
  Status extra();
  Status operands(char kind, uint32_t count);
  Status invalid(const char *what) const {
    return error(TENSORC_RT_INVALID_PACKAGE,
                 "package: function '%s', word %zu: %s", function.name.c_str(),
                 head, what);
  }
  uint32_t left() const { return static_cast<uint32_t>(end - at); }
  uint32_t word(size_t offset) const { return function.code[head + offset]; }

  const Program &program;
  const Function &function;
  const Entry *entry;
  std::vector<bool> isHead;
  std::vector<uint32_t> targets;
  // Start of the instruction, next operand, and end.
  size_t head = 0, at = 0, end = 0;
  Op op = Op::Return;
};
} // namespace

Status Verifier::operand(char kind, uint32_t word) {
  auto below = [&](size_t bound, const char *what) {
    return word < bound ? Status() : invalid(what);
  };
  switch (kind) {
  case 'd':
  case 'a':
    return below(function.words, "no such word register");
  case 'D':
  case 'A':
    return below(function.buffers, "no such buffer register");
  case 'h':
  case 'H':
    return below(function.hostBuffers, "no such register of host buffers");
  case 'e':
  case 'E':
    return below(function.events, "no such event register");
  case 's':
    return below(program.strings.size(), "no such string");
  case 'k':
    return below(program.kernels.size(), "no such kernel");
  case 'f':
    return below(program.functions.size(), "no such function");
  case 'c':
    return below(program.constants.size(), "no such constant");
  case 't':
    targets.push_back(word);
    return below(function.code.size(), "jumps out of the function");
  default:
    return Status();
  }
}

/// Checks that `count` operands are present and of one kind.
Status Verifier::operands(char kind, uint32_t count) {
  if (count > left())
    return invalid("has fewer operands than it says");
  for (uint32_t i = 0; i < count; ++i)
    TENSORC_RT_TRY(operand(kind, function.code[at++]));
  return Status();
}

Status Verifier::returnTail() {
  if (left() < 2)
    return invalid("has no counts");
  uint32_t buffers = function.code[at++], words = function.code[at++];
  if (buffers != function.bufferResults || words != function.wordResults)
    return invalid("returns another number of values than the function");
  TENSORC_RT_TRY(operands('A', buffers));
  return operands('a', words);
}

Status Verifier::allocTail() {
  if (left() && function.code[at++] > 1)
    return invalid("reuses inputs in an unknown way");
  for (size_t i = at; i < end; ++i)
    if (!entry || function.code[i] >= function.bufferArgs)
      return invalid("reuses what is not an input of an entry");
  return operands('A', left());
}

Status Verifier::launchTail() {
  if (left() < 3)
    return invalid("has no counts");
  uint32_t block = word(5);
  if (block > maxBlockThreads)
    return invalid("has no possible number of threads in a block");
  const Kernel &kernel = program.kernels[word(1)];
  uint32_t buffers = function.code[at++], scalars = function.code[at++];
  uint32_t dims = function.code[at++];
  if (uint64_t(buffers) + scalars != kernel.arity ||
      (!kernel.roles.empty() && buffers != kernel.buffers))
    return invalid("passes another number of arguments than the kernel takes");
  if (dims != kernel.sizes.dimCount())
    return invalid("passes another number of sizes than the kernel declares");
  TENSORC_RT_TRY(operands('A', buffers));
  TENSORC_RT_TRY(operands('a', scalars));
  TENSORC_RT_TRY(operands('a', dims));
  TENSORC_RT_TRY(gridTail(block));
  TENSORC_RT_TRY(mapsTail(block ? buffers : 0));
  if (!left())
    return invalid("does not say which op it computes");
  ++at;
  return Status();
}

/// Checks the optional dims of a grid and of its blocks beyond the first.
Status Verifier::gridTail(uint64_t block) {
  if (!left() || function.code[at] > 1)
    return invalid("does not say whether it has a grid");
  if (!function.code[at++])
    return Status();
  TENSORC_RT_TRY(operands('a', 3));
  if (left() < 2)
    return invalid("has fewer operands than it says");
  uint64_t y = function.code[at++], z = function.code[at++];
  bool isPossible = block && y && z && y <= maxBlockThreads &&
                    z <= maxBlockThreads && block * y * z <= maxBlockThreads;
  return isPossible ? Status()
                    : invalid("has no possible number of threads in a block");
}

Status Verifier::mapsTail(uint32_t buffers) {
  if (!left())
    return invalid("has no count of maps");
  uint32_t count = function.code[at++];
  if (count > maxTensorMaps)
    return invalid("has too many tensor maps");
  for (uint32_t i = 0; i < count; ++i) {
    if (left() < 4)
      return invalid("has fewer operands than it says");
    uint32_t buffer = function.code[at], bytes = function.code[at + 1];
    uint32_t swizzle = function.code[at + 2], rank = function.code[at + 3];
    at += 4;
    bool isSwizzle =
        !swizzle || swizzle == 32 || swizzle == 64 || swizzle == 128;
    bool isElement = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    if (buffer >= buffers || !isElement || !isSwizzle || rank < 1 || rank > 5)
      return invalid("has an impossible tensor map");
    if (rank > left())
      return invalid("has fewer operands than it says");
    for (uint32_t d = 0; d < rank; ++d)
      if (uint32_t side = function.code[at++]; side < 1 || side > 256)
        return invalid("has an impossible tensor map");
    TENSORC_RT_TRY(operands('a', 2 * rank - 1));
  }
  return Status();
}

Status Verifier::callTail() {
  if (left() < 2)
    return invalid("has no counts");
  const Function &callee = program.functions[word(1)];
  uint32_t buffers = function.code[at++], words = function.code[at++];
  if (buffers != callee.bufferArgs || words != callee.wordArgs)
    return invalid(
        "passes another number of arguments than the function takes");
  if (callee.isEntry)
    return invalid("calls an entry");
  TENSORC_RT_TRY(operands('A', buffers));
  TENSORC_RT_TRY(operands('a', words));
  TENSORC_RT_TRY(operands('D', callee.bufferResults));
  return operands('d', callee.wordResults);
}

Status Verifier::customCallTail() {
  if (left() < 3)
    return invalid("has no counts");
  uint32_t ins = function.code[at++], outs = function.code[at++];
  uint32_t scalars = function.code[at++];
  if (uint64_t(ins) + outs + scalars > maxKernelArity)
    return invalid("passes too many arguments");
  TENSORC_RT_TRY(operands('A', ins));
  TENSORC_RT_TRY(operands('A', outs));
  TENSORC_RT_TRY(operands('a', scalars));
  if (left()) // The op that it computes; packages of version 0.2 lack it.
    ++at;
  return Status();
}

Status Verifier::tail() {
  switch (op) {
  case Op::Return:
    return returnTail();
  case Op::Alloc:
    return allocTail();
  case Op::Launch:
    return launchTail();
  case Op::Call:
    return callTail();
  default:
    return customCallTail();
  }
}

/// Checks the immediate operands of an instruction.
Status Verifier::extra() {
  if (op == Op::Fill) {
    uint32_t width = word(3);
    if (width != 1 && width != 2 && width != 4 && width != 8)
      return invalid("fills with an impossible width");
  } else if (op == Op::ReadScalar) {
    uint32_t dtype = word(4);
    if (dtype == TENSORC_RT_NONE || dtype > TENSORC_RT_F64)
      return invalid("reads an impossible dtype");
  } else if (op == Op::Dim) {
    if (!entry)
      return invalid("reads a dimension outside an entry");
    uint32_t input = word(2), dim = word(3);
    if (input >= entry->inputs.size() || entry->inputs[input].scalar ||
        dim >= entry->inputs[input].dims.size())
      return invalid("no such dimension");
  }
  return Status();
}

Status Verifier::instruction() {
  uint32_t first = function.code[head];
  if (headOp(first) >= numOps)
    return invalid("no such instruction");
  op = static_cast<Op>(headOp(first));
  isHead[head] = true;
  at = head + 1;
  end = at + headOperands(first);
  if (end > function.code.size())
    return invalid("ends after its function");
  for (const char *kind = opOperands[headOp(first)]; *kind; ++kind)
    TENSORC_RT_TRY(*kind == '*' ? tail() : operands(*kind, 1));
  if (at != end)
    return invalid("has more operands than it takes");
  return extra();
}

Status Verifier::run() {
  for (head = 0; head < function.code.size(); head = end)
    TENSORC_RT_TRY(instruction());
  if (function.code.empty() || (op != Op::Return && op != Op::Jump))
    return invalid("control runs off the end");
  for (uint32_t target : targets)
    if (!isHead[target])
      return invalid("a jump lands inside an instruction");
  return Status();
}

Status tensorc::rt::verifyFunction(const Program &program,
                                   const Function &function,
                                   const Entry *entry) {
  return Verifier(program, function, entry).run();
}
