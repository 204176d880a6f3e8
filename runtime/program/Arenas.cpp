//===- Arenas.cpp - buffers that only hold others -------------------------===//
#include "runtime/program/Arenas.h"

#include "runtime/abi/Bytecode.h"

#include <cstring>

using namespace tensorc::rt;

namespace {
/// How a register comes about and is used.
struct Register {
  unsigned allocs = 0, views = 0, others = 0;
};

class Counter {
public:
  Counter(const Program &program, const Function &function)
      : program(program), registers(function.buffers) {
    for (uint32_t i = 0; i < function.bufferArgs; ++i)
      ++registers[i].others;
  }

  void count(Op op, const uint32_t *o) {
    if (op == Op::Alloc) {
      ++registers[o[0]].allocs;
    } else if (op == Op::View) {
      ++registers[o[0]].others;
      ++registers[o[1]].views;
    } else {
      countOthers(op, o);
    }
  }

  std::vector<bool> arenas() const {
    std::vector<bool> result;
    for (const Register &r : registers)
      result.push_back(r.allocs == 1 && r.views && !r.others);
    return result;
  }

private:
  const Program &program;
  std::vector<Register> registers;

  void countAll(const uint32_t *o, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
      ++registers[o[i]].others;
  }

  void countOthers(Op op, const uint32_t *o) {
    const char *kinds = opOperands[static_cast<unsigned>(op)];
    for (; *kinds && *kinds != '*'; ++kinds, ++o)
      if (std::strchr("DA", *kinds))
        countAll(o, 1);
    switch (op) {
    case Op::Return:
      return countAll(o + 2, o[0]);
    case Op::Launch:
      return countAll(o + 3, o[0]);
    case Op::CustomCall:
      return countAll(o + 3, o[0] + o[1]);
    case Op::Call: {
      uint32_t buffers = o[0], words = o[1];
      countAll(o + 2, buffers);
      const Function &callee = program.functions[o[-1]];
      return countAll(o + 2 + buffers + words, callee.bufferResults);
    }
    default:
      return;
    }
  }
};
} // namespace

std::vector<bool> tensorc::rt::findArenas(const Program &program,
                                          const Function &function) {
  Counter counter(program, function);
  const auto &code = function.code;
  for (size_t at = 0; at < code.size(); at += 1 + headOperands(code[at]))
    counter.count(static_cast<Op>(headOp(code[at])), &code[at] + 1);
  return counter.arenas();
}
