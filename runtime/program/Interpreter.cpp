//===- Interpreter.cpp - runs a program -----------------------------------===//
//
// The code was checked when it was loaded (Verify.cpp), so operands are used as
// they are; what is checked here are values.
//
//===----------------------------------------------------------------------===//
#include "runtime/program/Interpreter.h"
#include "runtime/core/Types.h"
#include "runtime/memory/Readiness.h"
#include "runtime/program/Arithmetic.h"
#include "runtime/program/CustomCalls.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>

using namespace tensorc::rt;

Interpreter::~Interpreter() {
  RunCounters &counters = module.device.counters;
  auto add = [](std::atomic<uint64_t> &counter, uint64_t count) {
    if (count)
      counter.fetch_add(count, std::memory_order_relaxed);
  };
  add(counters.runs, 1);
  add(counters.launches, launches);
  add(counters.copies, copies);
  add(counters.copiedBytes, copiedBytes);
  add(counters.customCalls, customCalls);
}

Status Interpreter::fail(tensorc_rt_code code, const char *format, ...) const {
  char text[512];
  va_list list;
  va_start(list, format);
  std::vsnprintf(text, sizeof(text), format, list);
  va_end(list);
  return error(code, "%s: %s", entry.name.c_str(), text);
}

//===----------------------------------------------------------------------===//
// Arguments and outputs
//===----------------------------------------------------------------------===//

Status Interpreter::checkBuffer(const Value &input, size_t i, Frame &frame,
                                uint32_t index) {
  const tensorc_rt_arg &arg = args[i];
  const char *name = input.name.c_str();
  if (!arg.buffer)
    return fail(TENSORC_RT_INVALID_ARGUMENT,
                "argument %zu (%s): its buffer is NULL, and it is no scalar", i,
                name);
  Buffer &buffer = *unwrap(arg.buffer);
  if (buffer.device != &module.device)
    return fail(TENSORC_RT_INVALID_ARGUMENT,
                "argument %zu (%s) is on %s, expected %s", i, name,
                buffer.device->name(), module.device.name());
  if (arg.dtype != input.dtype)
    return fail(TENSORC_RT_INVALID_ARGUMENT,
                "argument %zu (%s) is %s, expected %s", i, name,
                tensorc_rt_dtype_name(arg.dtype),
                tensorc_rt_dtype_name(input.dtype));
  auto rank = static_cast<int32_t>(input.dims.size());
  if (arg.rank != rank)
    return fail(TENSORC_RT_INVALID_ARGUMENT,
                "argument %zu (%s) has %d dimensions, expected %d", i, name,
                arg.rank, rank);
  if (rank && !arg.dims)
    return fail(TENSORC_RT_INVALID_ARGUMENT,
                "argument %zu (%s): its dims are NULL", i, name);
  for (int32_t k = 0; k < rank; ++k)
    if (input.dims[k] >= 0 && arg.dims[k] != input.dims[k])
      return fail(TENSORC_RT_INVALID_ARGUMENT,
                  "dimension %d of argument %zu (%s) is %lld, expected %lld", k,
                  i, name, (long long)arg.dims[k], (long long)input.dims[k]);
  int64_t bytes = 0;
  if (!byteSize(arg.dtype, rank, arg.dims, bytes) ||
      static_cast<uint64_t>(bytes) > buffer.size)
    return fail(TENSORC_RT_INVALID_ARGUMENT,
                "argument %zu (%s): the shape does not fit a buffer of %zu "
                "bytes",
                i, name, buffer.size);
  auto address = reinterpret_cast<uintptr_t>(buffer.data);
  size_t alignment =
      input.donated ? bufferAlignment : std::max(bitsOf(input.dtype) / 8, 1);
  if (address % alignment)
    return fail(TENSORC_RT_INVALID_ARGUMENT,
                "argument %zu (%s) is at %p, which is not aligned to %zu bytes",
                i, name, buffer.data, alignment);
  // Within a program two 4-bit elements are the byte that they share.
  frame.share(index,
              {&buffer, static_cast<char *>(buffer.data), bytes, !input.donated,
               bitsOf(input.dtype) < 8 ? TENSORC_RT_NONE : input.dtype});
  return awaitReady(stream, buffer);
}

Status Interpreter::bindArguments(Frame &frame) {
  if (args.size() != entry.inputs.size())
    return fail(TENSORC_RT_INVALID_ARGUMENT, "%zu arguments, expected %zu",
                args.size(), entry.inputs.size());
  uint32_t words = 0, buffers = 0;
  if (memory.donated)
    free.resize(frame.function.bufferArgs);
  for (size_t i = 0; i < args.size(); ++i) {
    if (!entry.inputs[i].scalar) {
      TENSORC_RT_TRY(checkBuffer(entry.inputs[i], i, frame, buffers));
      if (memory.donated) {
        bool isBlock = unwrap(args[i].buffer)->isBlock();
        free[buffers] = isBlock ? memory.donated[i] : uint8_t(TENSORC_RT_KEPT);
      }
      ++buffers;
      continue;
    }
    if (args[i].buffer)
      return fail(TENSORC_RT_INVALID_ARGUMENT,
                  "argument %zu (%s) is a buffer, expected a scalar", i,
                  entry.inputs[i].name.c_str());
    frame.words[words++] = static_cast<int64_t>(args[i].word);
  }
  return Status();
}

Buffer *Interpreter::outputOf(size_t i) const {
  return memory.outputs && memory.outputs[i] ? unwrap(memory.outputs[i])
                                             : nullptr;
}

static bool overlap(const Buffer &a, const Buffer &b) {
  const auto *x = static_cast<const char *>(a.data);
  const auto *y = static_cast<const char *>(b.data);
  return a.size && b.size && x < y + b.size && y < x + a.size;
}

/// The operands of a function's only Return behind their counts; null: there
/// are several.
static const uint32_t *returnedBuffers(const Function &function) {
  const uint32_t *found = nullptr;
  for (size_t at = 0; at < function.code.size();
       at += 1 + headOperands(function.code[at])) {
    if (static_cast<Op>(headOp(function.code[at])) != Op::Return)
      continue;
    if (found)
      return nullptr;
    found = &function.code[at] + 3;
  }
  return found;
}

Status Interpreter::bindOutputs() {
  if (!memory.outputs)
    return Status();
  results = returnedBuffers(*entry.function);
  for (size_t i = 0; i < entry.outputs.size(); ++i) {
    Buffer *given = outputOf(i);
    if (!given)
      continue;
    const char *name = entry.outputs[i].name.c_str();
    if (given->device != &module.device)
      return fail(TENSORC_RT_INVALID_ARGUMENT,
                  "the buffer for output %zu (%s) is on %s, expected %s", i,
                  name, given->device->name(), module.device.name());
    for (size_t k = 0; k < args.size(); ++k)
      if (args[k].buffer && overlap(*given, *unwrap(args[k].buffer)))
        return fail(TENSORC_RT_INVALID_ARGUMENT,
                    "the buffer for output %zu (%s) overlaps argument %zu (%s)",
                    i, name, k, entry.inputs[k].name.c_str());
    for (size_t k = 0; k < i; ++k)
      if (Buffer *other = outputOf(k); other && overlap(*given, *other))
        return fail(TENSORC_RT_INVALID_ARGUMENT,
                    "the buffers for outputs %zu (%s) and %zu (%s) overlap", k,
                    entry.outputs[k].name.c_str(), i, name);
    TENSORC_RT_TRY(awaitReady(stream, *given));
  }
  return Status();
}

/// Gives an allocation memory of the caller, if there is such.
bool Interpreter::findMemory(Frame &frame, const uint32_t *o, int64_t bytes) {
  auto isAligned = [](const Buffer &buffer) {
    return reinterpret_cast<uintptr_t>(buffer.data) % bufferAlignment == 0;
  };
  auto use = [&](Buffer &buffer) {
    frame.share(o[0], {&buffer, static_cast<char *>(buffer.data), bytes});
    return true;
  };
  if (!frame.function.isEntry)
    return false;
  for (size_t i = 0; results && i < entry.outputs.size(); ++i) {
    Buffer *given = outputOf(i);
    if (results[i] == o[0] && given && isAligned(*given) &&
        static_cast<uint64_t>(bytes) <= given->size)
      return use(*given);
  }
  if (free.empty())
    return false;
  for (uint32_t k = 3; k < headOperands(o[-1]); ++k) {
    bool isFree = free[o[k]] == TENSORC_RT_DONATED ||
                  (free[o[k]] == TENSORC_RT_DONATED_ON_SUCCESS && o[2]);
    Buffer *owner = isFree ? frame.buffers[o[k]].owner : nullptr;
    if (!owner || static_cast<uint64_t>(bytes) != owner->size)
      continue;
    free[o[k]] = TENSORC_RT_KEPT;
    return use(*owner);
  }
  return false;
}

/// Into the caller's buffer, where the program could not compute it there.
Status Interpreter::copyOutput(size_t i, const BufferRef &from, size_t bytes,
                               Buffer &to) {
  if (bytes > to.size)
    return fail(TENSORC_RT_INVALID_ARGUMENT,
                "output %zu (%s) has %zu bytes, the buffer for it %zu", i,
                entry.outputs[i].name.c_str(), bytes, to.size);
  if (from.data == to.data)
    return Status();
  TENSORC_RT_TRY(
      stream.copy(to.data, from.data, bytes, CopyKind::DeviceToDevice));
  to.retain(); // until the stream has got there
  retired.drop(&to);
  return Status();
}

/// A buffer of its own for what a register refers to.
static Buffer *toBuffer(const BufferRef &ref) {
  auto *whole = static_cast<char *>(ref.owner->data);
  auto size = static_cast<size_t>(ref.size);
  if (ref.data != whole || size != ref.owner->size)
    return viewBuffer(*ref.owner, static_cast<size_t>(ref.data - whole), size);
  ref.owner->retain();
  return ref.owner;
}

/// A result has the sizes that the signature says.
Status Interpreter::checkOutputDim(size_t i, int32_t dim, int64_t size) const {
  const Value &output = entry.outputs[i];
  Value::Source source = output.sources[dim];
  int64_t expected = output.dims[dim];
  if (source.input >= 0)
    expected = args[source.input].dims[source.dim];
  if (expected < 0 || size == expected)
    return Status();
  return fail(TENSORC_RT_INVALID_PACKAGE,
              "dimension %d of output %zu (%s) is %lld, the package declares "
              "%s = %lld",
              dim, i, output.name.c_str(), (long long)size,
              output.dimNames[dim].c_str(), (long long)expected);
}

Status Interpreter::giveOutputs(Frame &frame, const uint32_t *results,
                                std::span<tensorc_rt_output> outputs) {
  const uint32_t *buffers = results + 2, *dims = buffers + outputs.size();
  for (size_t i = 0; i < outputs.size(); ++i) {
    const BufferRef &ref = frame.buffers[buffers[i]];
    if (!ref.owner)
      return unset();
    tensorc_rt_output &out = outputs[i];
    out.dtype = entry.outputs[i].dtype;
    if (ref.dtype && bitsOf(out.dtype) >= 8 && ref.dtype != out.dtype)
      return fail(TENSORC_RT_INVALID_PACKAGE,
                  "output %zu (%s) is %s, the package declares %s", i,
                  entry.outputs[i].name.c_str(),
                  tensorc_rt_dtype_name(ref.dtype),
                  tensorc_rt_dtype_name(out.dtype));
    out.rank = static_cast<int32_t>(entry.outputs[i].dims.size());
    for (int32_t k = 0; k < out.rank; ++k) {
      out.dims[k] = frame.words[*dims++];
      TENSORC_RT_TRY(checkOutputDim(i, k, out.dims[k]));
    }
    int64_t bytes = 0;
    if (!byteSize(out.dtype, out.rank, out.dims, bytes) || bytes > ref.size)
      return fail(TENSORC_RT_INVALID_PACKAGE,
                  "output %zu (%s) does not fit its buffer", i,
                  entry.outputs[i].name.c_str());
    Buffer *given = outputOf(i);
    if (!given) {
      out.buffer = toBuffer(ref);
      continue;
    }
    TENSORC_RT_TRY(copyOutput(i, ref, static_cast<size_t>(bytes), *given));
    given->retain();
    out.buffer = given;
  }
  return Status();
}

/// What this run writes and nobody else has seen.
Status Interpreter::markOutputs(std::span<tensorc_rt_output> outputs) {
  if (stream.isInline())
    return Status();
  std::vector<Buffer *> fresh;
  for (tensorc_rt_output &output : outputs) {
    Buffer *buffer = unwrap(output.buffer);
    bool isOld = module.isConstant(*buffer);
    for (size_t i = 0; i < args.size(); ++i)
      isOld |= args[i].buffer == output.buffer &&
               !(memory.donated && memory.donated[i]);
    if (!isOld)
      fresh.push_back(buffer);
  }
  return markWritten(stream, fresh);
}

//===----------------------------------------------------------------------===//
// Ends
//===----------------------------------------------------------------------===//

Status Interpreter::mayWork() {
  idleWords = 0;
  return ask();
}

/// As many bytes take about as long as a word of code.
static constexpr uint64_t bytesPerWord = 1024;

Status Interpreter::mayMove(int64_t bytes) {
  idleWords += static_cast<uint64_t>(bytes) / bytesPerWord;
  return ask();
}

Status Interpreter::ask() {
  if (!control.watches())
    return Status();
  TENSORC_RT_TRY(control.check());
  if (stream.isInline())
    return Status();
  // What a stream does later it asks for then.
  TENSORC_RT_TRY(flush());
  return stream.askBeforeWork([control = control] { return control.check(); });
}

/// Programs ask now and then only.
static constexpr uint64_t wordsPerCheck = 1 << 16;

Status Interpreter::mayGoOn(const Function &function, const uint32_t *at,
                            size_t words) {
  uint64_t before = idleWords;
  idleWords += words;
  if (idleWords > control.maxInstructions)
    return fail(TENSORC_RT_RESOURCE_EXHAUSTED,
                "function '%s', word %td: runs for more than %llu words of "
                "code without launching a kernel",
                function.name.c_str(), at - function.code.data(),
                (unsigned long long)control.maxInstructions);
  return control.watches() &&
                 before / wordsPerCheck != idleWords / wordsPerCheck
             ? control.check()
             : Status();
}

//===----------------------------------------------------------------------===//
// Instructions. `o` are the operands.
//===----------------------------------------------------------------------===//

Status Interpreter::allocate(Frame &frame, uint32_t index, int64_t bytes) {
  Buffer *buffer = nullptr;
  TENSORC_RT_TRY(
      allocator.allocate(static_cast<size_t>(bytes), buffer, stream.id));
  frame.take(index, {buffer, static_cast<char *>(buffer->data), bytes});
  return Status();
}

/// Whether the register's parts are buffers of their own, and it has no memory:
/// an arena, where each temporary shall have guards.
bool Interpreter::guardsParts(Frame &frame, uint32_t index) const {
  const std::vector<bool> &arenas = frame.function.arenas;
  return !arenas.empty() && arenas[index] && stream.device.usesHostMemory() &&
         &allocator == &stream.device.allocator;
}

Status Interpreter::view(Frame &frame, const uint32_t *o) {
  BufferRef ref = frame.buffers[o[1]];
  int64_t offset = frame.words[o[2]], bytes = frame.words[o[3]];
  bool isAlone = guardsParts(frame, o[1]);
  if (!ref.owner && !isAlone)
    return unset();
  if (offset < 0 || bytes < 0 || offset > ref.size || bytes > ref.size - offset)
    return fail(TENSORC_RT_INVALID_PACKAGE,
                "a view of %lld bytes at %lld is outside its buffer of %lld",
                (long long)bytes, (long long)offset, (long long)ref.size);
  if (isAlone)
    return allocate(frame, o[0], bytes);
  frame.share(o[0], {ref.owner, ref.data + offset, bytes, ref.readOnly});
  return Status();
}

Status Interpreter::copy(Frame &frame, const uint32_t *o) {
  const BufferRef &from = frame.buffers[o[0]], &to = frame.buffers[o[1]];
  if (!from.owner || !to.owner)
    return unset();
  if (from.size != to.size)
    return fail(TENSORC_RT_INVALID_PACKAGE,
                "copies %lld bytes into a buffer of %lld", (long long)from.size,
                (long long)to.size);
  TENSORC_RT_TRY(mayWrite(to, "a copy"));
  frame.buffers[o[1]].dtype = from.dtype;
  TENSORC_RT_TRY(mayMove(from.size));
  ++copies;
  copiedBytes += static_cast<uint64_t>(from.size);
  auto size = static_cast<size_t>(from.size);
  if (!batching)
    return stream.copy(to.data, from.data, size, CopyKind::DeviceToDevice);
  batch.copy(to.data, from.data, size);
  return Status();
}

Status Interpreter::fill(Frame &frame, const uint32_t *o) {
  const BufferRef &to = frame.buffers[o[0]];
  if (!to.owner)
    return unset();
  TENSORC_RT_TRY(mayWrite(to, "a fill"));
  frame.buffers[o[0]].dtype = TENSORC_RT_NONE;
  TENSORC_RT_TRY(mayMove(to.size));
  auto pattern = static_cast<uint64_t>(frame.words[o[1]]);
  auto size = static_cast<size_t>(to.size);
  if (!batching)
    return stream.fill(to.data, pattern, o[2], size);
  batch.fill(to.data, pattern, o[2], size);
  return Status();
}

/// Widens the low bytes of a word to what a program computes with.
static int64_t extend(uint64_t bits, tensorc_rt_dtype dtype) {
  switch (dtype) {
  case TENSORC_RT_I8:
    return static_cast<int8_t>(bits);
  case TENSORC_RT_I16:
    return static_cast<int16_t>(bits);
  case TENSORC_RT_I32:
    return static_cast<int32_t>(bits);
  default:
    return static_cast<int64_t>(bits); // The bytes above are zero.
  }
}

Status Interpreter::readScalar(Frame &frame, const uint32_t *o) {
  const BufferRef &from = frame.buffers[o[1]];
  int64_t offset = frame.words[o[2]];
  auto dtype = static_cast<tensorc_rt_dtype>(o[3]);
  int64_t bytes = bitsOf(dtype) / 8;
  if (!from.owner)
    return unset();
  if (offset < 0 || offset > from.size || bytes > from.size - offset)
    return fail(TENSORC_RT_INVALID_PACKAGE,
                "reads at %lld, outside a buffer of %lld bytes",
                (long long)offset, (long long)from.size);
  uint64_t bits = 0;
  TENSORC_RT_TRY(flush());
  TENSORC_RT_TRY(
      stream.read(&bits, from.data + offset, static_cast<size_t>(bytes)));
  frame.words[o[0]] = extend(bits, dtype);
  return Status();
}

Status Interpreter::mayWrite(const BufferRef &to, const char *who) const {
  return to.readOnly ? fail(TENSORC_RT_INVALID_PACKAGE,
                            "%s would write into a constant or an input that "
                            "is not donated",
                            who)
                     : Status();
}

Status Interpreter::flush() {
  if (batch.empty())
    return Status();
  Status status = stream.submit(batch);
  batch.clear();
  return status;
}

Status Interpreter::call(Frame &frame, const uint32_t *o, unsigned depth) {
  const Function &callee = module.program.functions[o[0]];
  if (depth + 1 == maxCallDepth)
    return fail(TENSORC_RT_INVALID_PACKAGE, "calls nest too deep");
  idleWords += callee.words + callee.buffers; // set to zero
  Frame inner(callee, retired);
  o += 3;
  for (uint32_t i = 0; i < callee.bufferArgs; ++i) {
    inner.share(i, frame.buffers[*o]);
    // The callee may write it as something else.
    frame.buffers[*o++].dtype = TENSORC_RT_NONE;
  }
  for (uint32_t i = 0; i < callee.wordArgs; ++i)
    inner.words[i] = frame.words[*o++];
  const uint32_t *results = nullptr;
  TENSORC_RT_TRY(execute(inner, depth + 1, results));
  results += 2;
  for (uint32_t i = 0; i < callee.bufferResults; ++i)
    frame.share(*o++, inner.buffers[*results++]);
  for (uint32_t i = 0; i < callee.wordResults; ++i)
    frame.words[*o++] = inner.words[*results++];
  return Status();
}

Status Interpreter::customCall(Frame &frame, const uint32_t *o) {
  const std::string &name = module.program.strings[o[0]];
  const std::string &config = module.program.strings[o[1]];
  const CustomCall *target = module.customCalls[o[0]];
  if (!target)
    return fail(TENSORC_RT_NOT_FOUND, "custom call '%s' is not registered",
                name.c_str());
  CustomCallArgs args;
  uint32_t ins = o[2], outs = o[3], scalars = o[4];
  o += 5;
  for (uint32_t i = 0; i < ins + outs; ++i) {
    BufferRef &ref = frame.buffers[*o++];
    if (!ref.owner)
      return unset();
    if (i < ins) {
      args.inputs.push_back(ref.data);
    } else {
      TENSORC_RT_TRY(mayWrite(ref, name.c_str()));
      ref.dtype = TENSORC_RT_NONE;
      args.outputs.push_back(ref.data);
    }
    (i < ins ? args.inputSizes : args.outputSizes)
        .push_back(static_cast<size_t>(ref.size));
  }
  for (uint32_t i = 0; i < scalars; ++i)
    args.scalars.push_back(static_cast<uint64_t>(frame.words[*o++]));
  ++customCalls;
  // The module, and with it the texts, stays alive until the work is done.
  return queueCustomCall(stream, *target, name, config, std::move(args));
}

/// What makes or moves buffers.
Status Interpreter::bufferOp(Op op, Frame &frame, const uint32_t *o) {
  switch (op) {
  case Op::MoveBuffer:
    frame.share(o[0], frame.buffers[o[1]]);
    return Status();
  case Op::SelectBuffer:
    frame.share(o[0], frame.buffers[frame.words[o[1]] ? o[2] : o[3]]);
    return Status();
  case Op::Constant: {
    Buffer &constant = *module.constants[o[1]];
    frame.share(o[0], {&constant, static_cast<char *>(constant.data),
                       static_cast<int64_t>(constant.size),
                       /*readOnly=*/true});
    return Status();
  }
  case Op::Alloc: {
    int64_t bytes = frame.words[o[1]];
    if (bytes < 0)
      return fail(TENSORC_RT_INVALID_PACKAGE, "allocates %lld bytes",
                  (long long)bytes);
    if (guardsParts(frame, o[0]))
      return frame.take(o[0], {nullptr, nullptr, bytes}), Status();
    if ((results || !free.empty()) && findMemory(frame, o, bytes))
      return Status();
    return allocate(frame, o[0], bytes);
  }
  case Op::View:
    return view(frame, o);
  case Op::Copy:
    return copy(frame, o);
  case Op::Fill:
    return fill(frame, o);
  default:
    return readScalar(frame, o);
  }
}

Status Interpreter::execute(Frame &frame, unsigned depth,
                            const uint32_t *&results) {
  const uint32_t *code = frame.function.code.data(), *next = code;
  const uint32_t *counted = code; // what lies before it has been counted
  auto &words = frame.words;
  // Code is counted where it may come back to: what is straight ends.
  auto count = [&] {
    return mayGoOn(frame.function, counted,
                   static_cast<size_t>(next - counted));
  };
  while (true) {
    uint32_t head = *next;
    const uint32_t *o = next + 1;
    next = o + headOperands(head);
    Op op = static_cast<Op>(headOp(head));
    if (isArithmetic(op)) {
      if (const char *wrong =
              compute(op, words[o[1]], words[o[2]], words[o[0]]))
        return fail(TENSORC_RT_FAILED_PRECONDITION, "%s", wrong);
      continue;
    }
    switch (op) {
    case Op::Return:
      results = o;
      return Status();
    case Op::Const:
      words[o[0]] =
          static_cast<int64_t>(o[1] | static_cast<uint64_t>(o[2]) << 32);
      break;
    case Op::Move:
      words[o[0]] = words[o[1]];
      break;
    case Op::Jump:
      TENSORC_RT_TRY(count());
      counted = next = code + o[0];
      break;
    case Op::JumpIfZero:
      if (words[o[0]] != 0)
        break;
      TENSORC_RT_TRY(count());
      counted = next = code + o[1];
      break;
    case Op::Select:
      words[o[0]] = words[words[o[1]] ? o[2] : o[3]];
      break;
    case Op::Dim:
      words[o[0]] = args[o[1]].dims[o[2]];
      break;
    case Op::Assert:
      if (words[o[0]] == 0)
        return error(TENSORC_RT_FAILED_PRECONDITION, "%s",
                     module.program.strings[o[1]].c_str());
      break;
    case Op::Launch:
      TENSORC_RT_TRY(launch(frame, o));
      break;
    case Op::Call:
      TENSORC_RT_TRY(count());
      counted = next;
      TENSORC_RT_TRY(call(frame, o, depth));
      break;
    case Op::CustomCall:
      TENSORC_RT_TRY(mayWork());
      TENSORC_RT_TRY(flush());
      TENSORC_RT_TRY(customCall(frame, o));
      break;
    case Op::Record:
      TENSORC_RT_TRY(flush());
      TENSORC_RT_TRY(stream.record(frame.events[o[0]]));
      break;
    case Op::Wait:
      TENSORC_RT_TRY(flush());
      if (frame.events[o[0]])
        TENSORC_RT_TRY(stream.wait(frame.events[o[0]]));
      break;
    default:
      TENSORC_RT_TRY(bufferOp(op, frame, o));
    }
  }
}

Status tensorc::rt::runEntry(const Entry &entry,
                             std::span<const tensorc_rt_arg> args,
                             std::span<tensorc_rt_output> outputs,
                             Stream &stream, Allocator &allocator,
                             const RunControl &control,
                             const RunMemory &memory) {
  Interpreter interpreter(entry, args, stream, allocator, control, memory);
  Frame frame(*entry.function, interpreter.retirement());
  TENSORC_RT_TRY(interpreter.bindArguments(frame));
  TENSORC_RT_TRY(interpreter.bindOutputs());
  const uint32_t *results = nullptr;
  TENSORC_RT_TRY(interpreter.execute(frame, 0, results));
  TENSORC_RT_TRY(interpreter.flush());
  TENSORC_RT_TRY(interpreter.giveOutputs(frame, results, outputs));
  return interpreter.markOutputs(outputs);
}
