//===- Interpreter.cpp - runs a program -----------------------------------===//
//
// The code was checked when it was loaded (Verify.cpp), so only values are
// checked here, not operands.
//
//===----------------------------------------------------------------------===//
#include "runtime/program/Interpreter.h"
#include "runtime/core/Types.h"
#include "runtime/memory/Readiness.h"
#include "runtime/program/Arithmetic.h"
#include "runtime/program/calls/CustomCalls.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>

using namespace tensorc::rt;

Interpreter::~Interpreter() {
  if (memory.isMeasured())
    return;
  RunCounters &counters = module.device.counters;
  auto add = [](std::atomic<uint64_t> &counter, uint64_t count) {
    if (count)
      counter.fetch_add(count, std::memory_order_relaxed);
  };
  add(counters.runs, 1);
  add(counters.launches, done.launches);
  add(counters.copies, done.copies);
  add(counters.copiedBytes, done.copiedBytes);
  add(counters.customCalls, done.customCalls);
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
// Ends
//===----------------------------------------------------------------------===//

Status Interpreter::mayWork() {
  idleWords = 0;
  return checkControl();
}

/// Number of bytes whose copy takes about as long as executing one word of
/// code.
static constexpr uint64_t bytesPerWord = 1024;

Status Interpreter::mayMove(int64_t bytes) {
  idleWords += static_cast<uint64_t>(bytes) / bytesPerWord;
  return checkControl();
}

Status Interpreter::checkControl() {
  if (!control.watches())
    return Status();
  TENSORC_RT_TRY(control.check());
  if (stream.isInline() || !control.endsStreams())
    return Status();
  // An asynchronous stream repeats the check when it reaches the work.
  TENSORC_RT_TRY(queues.flush());
  return stream.askBeforeWork([control = control] { return control.check(); });
}

/// Number of code words between two checks of the run's limits.
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
  auto size = static_cast<size_t>(bytes);
  // The check of the limit before the run counts on all freed memory.
  if (allocator.isLimited.load(std::memory_order_relaxed))
    queues.retired.retire();
  Status status = allocator.allocate(size, buffer, stream.id);
  if (tensorc_rt_status_code(status.get()) == TENSORC_RT_OUT_OF_MEMORY &&
      queues.retired.hasBuffers()) {
    queues.retired.retire();
    status = allocator.allocate(size, buffer, stream.id);
  }
  TENSORC_RT_TRY(std::move(status));
  frame.take(index, {buffer, static_cast<char *>(buffer->data), bytes});
  return Status();
}

/// True if the register is an arena whose temporaries become separate buffers
/// with guards. The arena itself then has no memory.
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
  ++done.copies;
  done.copiedBytes += static_cast<uint64_t>(from.size);
  auto size = static_cast<size_t>(from.size);
  if (!batching)
    return stream.copy(to.data, from.data, size, CopyKind::DeviceToDevice);
  queues.batch.copy(to.data, from.data, size);
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
  queues.batch.fill(to.data, pattern, o[2], size);
  return Status();
}

/// Extends the low bytes of a word to the 64-bit integers that programs compute
/// with.
static int64_t extend(uint64_t bits, tensorc_rt_dtype dtype) {
  switch (dtype) {
  case TENSORC_RT_I8:
    return static_cast<int8_t>(bits);
  case TENSORC_RT_I16:
    return static_cast<int16_t>(bits);
  case TENSORC_RT_I32:
    return static_cast<int32_t>(bits);
  default:
    return static_cast<int64_t>(bits); // unsigned: the upper bytes are zero
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
  TENSORC_RT_TRY(queues.flush());
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

Status Interpreter::call(Frame &frame, const uint32_t *o, unsigned depth) {
  const Function &callee = module.program.functions[o[0]];
  if (depth + 1 == maxCallDepth)
    return fail(TENSORC_RT_INVALID_PACKAGE, "calls nest too deep");
  idleWords += callee.words + callee.buffers; // registers that are zeroed
  Frame inner(callee, queues.retired);
  o += 3;
  for (uint32_t i = 0; i < callee.bufferArgs; ++i) {
    inner.share(i, frame.buffers[*o]);
    // The callee may write the buffer with another element type.
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

Status Interpreter::customCall(uint32_t queue, Frame &frame,
                               const uint32_t *o) {
  const std::string &name = module.program.strings[o[0]];
  const std::string &config = module.program.strings[o[1]];
  const CustomCall *target = module.customCalls[o[0]];
  if (!target)
    return fail(TENSORC_RT_NOT_FOUND, "custom call '%s' is not registered",
                name.c_str());
  CustomCallArgs args;
  const uint32_t *head = o;
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
  if (memory.isMeasured())
    return Status();
  ++done.customCalls;
  Stream *on = &stream;
  if (name == "collective" && control.communicator) {
    if (control.communicator->overlaps())
      TENSORC_RT_TRY(queues.streamOf(queue, on));
  } else if (queue && queues.hasSecond())
    TENSORC_RT_TRY(queues.order());
  uint32_t count = headOperands(head[-1]);
  bool hasOp = count > 5 + ins + outs + scalars;
  tensorc_rt_line line =
      module.lineOf(hasOp ? head[count - 1] : 0, memory.lines);
  if (name == "collective")
    return queueCollective(control.communicator, *on, config, args, line,
                           isKnownToRanks);
  // The module owns the strings and stays alive until the work is done.
  return queueCustomCall(stream, *target, name, config, std::move(args), line);
}

/// Executes an instruction that creates a buffer or moves a reference to one.
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
    queues.noteAllocation();
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

/// True for the ops that run on the stream of their queue.
static bool isQueueOp(Op op) {
  return op == Op::Record || op == Op::Wait || op == Op::Spill ||
         op == Op::Restore || op == Op::Upload;
}

Status Interpreter::queueOp(uint32_t head, Frame &frame, const uint32_t *o) {
  Stream *on = nullptr;
  TENSORC_RT_TRY(queues.streamOf(headQueue(head), on));
  Op op = static_cast<Op>(headOp(head));
  if (op == Op::Record)
    return on->record(frame.events[o[0]]);
  if (op == Op::Wait)
    return frame.events[o[0]] ? on->wait(frame.events[o[0]]) : Status();
  BufferRef &buffer = frame.buffers[o[1]];
  if (!buffer.owner)
    return unset();
  TENSORC_RT_TRY(mayMove(buffer.size));
  ++done.copies;
  done.copiedBytes += static_cast<uint64_t>(buffer.size);
  auto size = static_cast<size_t>(buffer.size);
  if (op == Op::Spill) {
    Allocator &blocks =
        memory.isMeasured() ? *memory.countedHost : stream.device.hostAllocator;
    Buffer *block = nullptr;
    TENSORC_RT_TRY(blocks.allocate(size, block, stream.id));
    frame.setHost(o[0], {block, buffer.dtype});
    return on->copy(block->data, buffer.data, size, CopyKind::DeviceToBlock);
  }
  // The module keeps the bytes of a constant.
  bool isConstant = op == Op::Upload;
  HostRef host = isConstant ? HostRef() : frame.hostBuffers[o[0]];
  if (!isConstant && !host.block)
    return unset();
  std::span<const char> from;
  if (isConstant)
    from = module.program.constants[o[0]];
  else
    from = {static_cast<const char *>(host.block->data), host.block->size};
  if (from.size() != size)
    return fail(TENSORC_RT_INVALID_PACKAGE,
                "restores %zu bytes into a buffer of %zu", from.size(), size);
  TENSORC_RT_TRY(mayWrite(buffer, "a copy"));
  buffer.dtype = host.dtype;
  return on->copy(buffer.data, from.data(), size,
                  isConstant ? CopyKind::HostToDevice
                             : CopyKind::BlockToDevice);
}

Status Interpreter::execute(Frame &frame, unsigned depth,
                            const uint32_t *&results) {
  const uint32_t *code = frame.function.code.data(), *next = code;
  const uint32_t *counted = code; // first word that has not been counted yet
  auto &words = frame.words;
  // Counts executed words only at jumps and calls, because straight-line code
  // always ends.
  auto count = [&] {
    return mayGoOn(frame.function, counted,
                   static_cast<size_t>(next - counted));
  };
  while (true) {
    uint32_t head = *next;
    const uint32_t *o = next + 1;
    next = o + headOperands(head);
    Op op = static_cast<Op>(headOp(head));
    // Work of another queue runs on the caller's stream, except for collectives
    // and copies to and from the host.
    if (queues.hasSecond() && headQueue(head) && !isQueueOp(op) &&
        op != Op::CustomCall)
      TENSORC_RT_TRY(queues.order());
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
      TENSORC_RT_TRY(queues.flush());
      TENSORC_RT_TRY(customCall(headQueue(head), frame, o));
      break;
    case Op::Record:
    case Op::Wait:
    case Op::Spill:
    case Op::Restore:
    case Op::Upload:
      TENSORC_RT_TRY(queueOp(head, frame, o));
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
                             const RunControl &control, const RunMemory &memory,
                             bool *isKnownToRanks) {
  Interpreter interpreter(entry, args, stream, allocator, control, memory);
  auto run = [&]() -> Status {
    Frame frame(*entry.function, interpreter.getQueues().retired);
    TENSORC_RT_TRY(interpreter.bindArguments(frame));
    TENSORC_RT_TRY(interpreter.bindOutputs());
    const uint32_t *results = nullptr;
    TENSORC_RT_TRY(interpreter.execute(frame, 0, results));
    TENSORC_RT_TRY(interpreter.getQueues().flush());
    TENSORC_RT_TRY(interpreter.giveOutputs(frame, results, outputs));
    return interpreter.markOutputs(outputs);
  };
  Status status = run();
  if (isKnownToRanks)
    *isKnownToRanks = interpreter.isKnownToRanks;
  return status.ok() ? interpreter.getQueues().retired.takeFailure()
                     : std::move(status);
}
