//===- KernelSizes.cpp - the sizes that a kernel declares -----------------===//
#include "runtime/program/KernelSizes.h"

#include "runtime/program/Arithmetic.h"
#include "runtime/program/Frame.h"
#include "runtime/program/Program.h"

#include <algorithm>

using namespace tensorc::rt;

static Status invalid(const char *what) {
  return error(TENSORC_RT_INVALID_PACKAGE,
               "package: a kernel's declaration of sizes %s", what);
}

Status KernelSizes::decode(const Program &program, const Function &function,
                           KernelSizes &out) {
  TENSORC_RT_TRY(verifyFunction(program, function, nullptr));
  if (function.buffers || function.events || function.hostBuffers ||
      function.wordResults < 2 || function.wordResults > 2 + maxKernelArity)
    return invalid("has impossible registers");
  out.dims = function.wordArgs;
  out.registers.resize(function.words);
  std::vector<bool> isSet(function.words);
  std::fill_n(isSet.begin(), out.dims, true);
  const uint32_t *at = function.code.data();
  for (const uint32_t *end = at + function.code.size(); at < end;) {
    auto op = static_cast<Op>(headOp(*at));
    const uint32_t *o = at + 1;
    at = o + headOperands(*(o - 1));
    if (op == Op::Return) {
      out.results.assign(o + 2, at);
      return at == end ? Status() : invalid("goes on behind its end");
    }
    bool isConstant = op == Op::Const;
    if (!isConstant && !isArithmetic(op))
      return invalid("does more than computing");
    if (isSet[o[0]] || (!isConstant && (!isSet[o[1]] || !isSet[o[2]])))
      return invalid("computes in no order");
    isSet[o[0]] = true;
    if (isConstant)
      out.registers[o[0]] =
          static_cast<int64_t>(o[1] | static_cast<uint64_t>(o[2]) << 32);
    else
      out.steps.push_back({op, o[0], o[1], o[2]});
  }
  return invalid("has no end");
}

const char *KernelSizes::evaluate(const int64_t *given, int64_t *values) const {
  if (steps.empty()) {
    for (size_t i = 0; i < results.size(); ++i)
      values[i] = results[i] < dims ? given[results[i]] : registers[results[i]];
    return nullptr;
  }
  Registers<int64_t, 32> words(registers.size());
  std::copy(registers.begin(), registers.end(), words.data());
  std::copy_n(given, dims, words.data());
  for (const Step &step : steps)
    if (const char *wrong =
            compute(step.op, words[step.a], words[step.b], words[step.target]))
      return wrong;
  for (size_t i = 0; i < results.size(); ++i)
    values[i] = words[results[i]];
  return nullptr;
}
