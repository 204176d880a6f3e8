//===- Bindings.cpp - arguments and results of a run ----------------------===//

#include "runtime/core/Types.h"
#include "runtime/memory/Readiness.h"
#include "runtime/program/Interpreter.h"

#include <algorithm>

using namespace tensorc::rt;

Status Interpreter::checkBuffer(const Value &input, size_t i, Frame &frame,
                                uint32_t index) {
  const tensorc_rt_arg &arg = args[i];
  const char *name = input.name.c_str();
  if (!arg.buffer)
    return fail(TENSORC_RT_INVALID_ARGUMENT,
                "argument %zu (%s): its buffer is NULL, and it is not a scalar",
                i, name);
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
  int64_t bytes = input.bytes;
  if ((bytes < 0 && !byteSize(arg.dtype, rank, arg.dims, bytes)) ||
      static_cast<uint64_t>(bytes) > buffer.size)
    return fail(TENSORC_RT_INVALID_ARGUMENT,
                "argument %zu (%s): the shape does not fit a buffer of %zu "
                "bytes",
                i, name, buffer.size);
  if (reinterpret_cast<uintptr_t>(buffer.data) & (input.alignment - 1))
    return fail(TENSORC_RT_INVALID_ARGUMENT,
                "argument %zu (%s) is at %p, which is not aligned to %zu bytes",
                i, name, buffer.data, static_cast<size_t>(input.alignment));
  BufferRef ref{.owner = &buffer,
                .data = static_cast<char *>(buffer.data),
                .size = bytes,
                .readOnly = !input.donated,
                .dtype = input.elements};
  // If the work is done when the run returns, the caller's reference is
  // sufficient.
  ref.isBorrowed = stream.isInline();
  if (ref.isBorrowed)
    frame.take(index, ref);
  else
    frame.share(index, ref);
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

/// Returns the operands of the function's only Return that follow its counts;
/// null if there are several Returns.
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

/// Uses memory that the caller provided for an allocation of an output, if it
/// is suitable.
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

/// Copies an output to the caller's buffer if the program could not compute it
/// there.
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
  to.retain(); // keep the buffer alive until the stream has made the copy
  queues.retired.drop(&to);
  return Status();
}

/// Returns the part of a buffer that a register refers to as a buffer of its
/// own. `isLast` is true if the register is not read again.
static Buffer *toBuffer(BufferRef &ref, bool isLast) {
  auto *whole = static_cast<char *>(ref.owner->data);
  auto size = static_cast<size_t>(ref.size);
  if (ref.data != whole || size != ref.owner->size)
    return viewBuffer(*ref.owner, static_cast<size_t>(ref.data - whole), size);
  if (isLast && !ref.isBorrowed)
    return std::exchange(ref.owner, nullptr);
  ref.owner->retain();
  return ref.owner;
}

/// Checks that a result has the sizes that the signature states.
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
    BufferRef &ref = frame.buffers[buffers[i]];
    if (!ref.owner)
      return unset();
    tensorc_rt_output &out = outputs[i];
    out.dtype = entry.outputs[i].dtype;
    tensorc_rt_dtype elements = entry.outputs[i].elements;
    if (ref.dtype && elements && ref.dtype != elements)
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
    int64_t bytes = entry.outputs[i].bytes;
    if ((bytes < 0 && !byteSize(out.dtype, out.rank, out.dims, bytes)) ||
        bytes > ref.size)
      return fail(TENSORC_RT_INVALID_PACKAGE,
                  "output %zu (%s) does not fit its buffer", i,
                  entry.outputs[i].name.c_str());
    Buffer *given = outputOf(i);
    if (!given) {
      const uint32_t *end = results + 2 + outputs.size();
      out.buffer =
          toBuffer(ref, stream.isInline() &&
                            std::find(buffers + i + 1, end, buffers[i]) == end);
      continue;
    }
    TENSORC_RT_TRY(copyOutput(i, ref, static_cast<size_t>(bytes), *given));
    given->retain();
    out.buffer = given;
  }
  return Status();
}

/// Records this run as the writer of those outputs to which there are no other
/// references.
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
