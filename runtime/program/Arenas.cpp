//===- Arenas.cpp - buffers that are used only through views --------------===//
#include "runtime/program/Arenas.h"

#include "runtime/abi/Bytecode.h"

#include <cstring>
#include <limits>

using namespace tensorc::rt;

namespace {
/// Numbers of definitions and uses of a register.
struct Register {
  unsigned allocs = 0, views = 0, others = 0;
};

class Counter {
public:
  Counter(const Program &program, const Function &function)
      : program(program), registers(function.buffers),
        unusedViewOf(function.buffers, none) {
    for (uint32_t i = 0; i < function.bufferArgs; ++i)
      ++registers[i].others;
  }

  void count(Op op, const uint32_t *o) {
    if (op == Op::Alloc) {
      ++registers[o[0]].allocs;
    } else if (op == Op::View) {
      ++registers[o[0]].others;
      ++registers[o[1]].views;
      unusedViewOf[o[0]] = o[1];
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
  static constexpr uint32_t none = std::numeric_limits<uint32_t>::max();

  const Program &program;
  std::vector<Register> registers;
  /// For each register of a view that has not been used yet, the register of
  /// the buffer that it views.
  std::vector<uint32_t> unusedViewOf;

  /// Records a use. A view whose first use is a read accesses data that was
  /// written through another view. Its source then holds a value (such as the
  /// stacked results of a loop), so it is not an arena.
  void use(uint32_t index, bool isRead) {
    ++registers[index].others;
    uint32_t source = unusedViewOf[index];
    unusedViewOf[index] = none;
    if (isRead && source != none)
      ++registers[source].others;
  }
  void countAll(const uint32_t *o, uint32_t count, bool isRead = true) {
    for (uint32_t i = 0; i < count; ++i)
      use(o[i], isRead);
  }
  void countLaunch(const Kernel &kernel, const uint32_t *o, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
      use(o[i], i < kernel.roles.size() && kernel.roles[i] == ArgRole::Input);
  }

  void countOthers(Op op, const uint32_t *o) {
    if (op == Op::Copy)
      return use(o[0], true), use(o[1], false);
    if (op == Op::Fill)
      return use(o[0], false);
    if (op == Op::Restore || op == Op::Upload)
      return use(o[1], false);
    const char *kinds = opOperands[static_cast<unsigned>(op)];
    for (; *kinds && *kinds != '*'; ++kinds, ++o)
      if (std::strchr("DA", *kinds))
        use(o[0], *kinds == 'A');
    switch (op) {
    case Op::Return:
      return countAll(o + 2, o[0]);
    case Op::Launch:
      return countLaunch(program.kernels[o[-5]], o + 3, o[0]);
    case Op::CustomCall:
      countAll(o + 3, o[0]);
      return countAll(o + 3 + o[0], o[1], /*isRead=*/false);
    case Op::Call: {
      uint32_t buffers = o[0], words = o[1];
      countAll(o + 2, buffers);
      const Function &callee = program.functions[o[-1]];
      return countAll(o + 2 + buffers + words, callee.bufferResults,
                      /*isRead=*/false);
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
