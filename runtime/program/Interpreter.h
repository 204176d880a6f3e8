//===- Interpreter.h - runs an entry of a module ----------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_PROGRAM_INTERPRETER_H
#define TENSORC_RUNTIME_PROGRAM_INTERPRETER_H

#include "runtime/program/Module.h"
#include "runtime/program/RunControl.h"
#include "runtime/program/queues/Queues.h"

namespace tensorc::rt {

/// See tensorc_rt_run_memory.
struct RunMemory {
  const uint8_t *donated = nullptr;
  tensorc_rt_buffer *const *outputs = nullptr;
  std::span<const tensorc_rt_line> lines = {};
  /// Set if the run only measures its allocations: the allocator that counts
  /// memory for spilled buffers.
  Allocator *countedHost = nullptr;

  bool isMeasured() const { return countedHost != nullptr; }
};

/// One run of an entry. Instructions are implemented in Interpreter.cpp, kernel
/// launches in Launches.cpp, arguments and results in Bindings.cpp. `o` points
/// to an instruction's operands.
class Interpreter {
public:
  Interpreter(const Entry &entry, std::span<const tensorc_rt_arg> args,
              Stream &stream, Allocator &allocator, const RunControl &control,
              const RunMemory &memory)
      : allocator(allocator), control(control), entry(entry),
        module(*entry.module), args(args), memory(memory), stream(stream),
        batching(stream.takesBatches()),
        queues(stream, stream.isInline() ? nullptr
                                         : entry.module->shared_from_this()) {}
  ~Interpreter();

  Status bindArguments(Frame &frame);
  /// Prepares the use of the caller's memory for outputs.
  Status bindOutputs();
  /// Executes code up to a Return; sets `results` to its operands.
  Status execute(Frame &frame, unsigned depth, const uint32_t *&results);
  Status giveOutputs(Frame &frame, const uint32_t *results,
                     std::span<tensorc_rt_output> outputs);

  Status markOutputs(std::span<tensorc_rt_output> outputs);
  Status copyOutput(size_t i, const BufferRef &from, size_t bytes, Buffer &to);

  Queues &getQueues() { return queues; }
  /// Set if the run ended at a collective that every rank refuses alike.
  bool isKnownToRanks = false;

private:
  [[gnu::format(printf, 3, 4)]] Status fail(tensorc_rt_code code,
                                            const char *format, ...) const;
  Status checkBuffer(const Value &input, size_t i, Frame &frame,
                     uint32_t index);
  Status checkOutputDim(size_t i, int32_t dim, int64_t size) const;
  Status bufferOp(Op op, Frame &frame, const uint32_t *o);
  Status allocate(Frame &frame, uint32_t index, int64_t bytes);
  bool findMemory(Frame &frame, const uint32_t *o, int64_t bytes);
  Buffer *outputOf(size_t i) const;
  bool guardsParts(Frame &frame, uint32_t index) const;
  Status view(Frame &frame, const uint32_t *o);
  Status copy(Frame &frame, const uint32_t *o);
  Status fill(Frame &frame, const uint32_t *o);
  Status readScalar(Frame &frame, const uint32_t *o);
  Status queueOp(uint32_t head, Frame &frame, const uint32_t *o);
  Status launch(Frame &frame, const uint32_t *o);
  Status readGrid(Frame &frame, const uint32_t *o, Launch &launch,
                  bool &isEmpty) const;
  Status readMaps(Frame &frame, const uint32_t *o, TensorMap *maps,
                  uint32_t &count);
  Status submit(Frame &frame, Launch &launch, uint32_t kernel,
                const uint32_t *o, const uint32_t *maps);
  Status call(Frame &frame, const uint32_t *o, unsigned depth);
  Status customCall(uint32_t queue, Frame &frame, const uint32_t *o);
  Status unset() const {
    return fail(TENSORC_RT_INVALID_PACKAGE, "uses a buffer that is not set");
  }

  /// Checks, before a call of a kernel or a function, whether the run may
  /// continue.
  Status mayWork();
  /// Checks, before a copy or fill, whether the run may continue.
  Status mayMove(int64_t bytes);
  Status checkControl();
  Status mayWrite(const BufferRef &to, const char *who) const;
  Status checkSizes(Frame &frame, const Launch &launch, const Kernel &kernel,
                    const uint32_t *dims) const;
  Status checkArgument(BufferRef &ref, const Kernel &kernel, uint32_t i) const;
  /// Checks whether code that launches no work may continue, after `words` more
  /// words were executed.
  Status mayGoOn(const Function &function, const uint32_t *at, size_t words);

  Allocator &allocator;
  const RunControl &control;
  const Entry &entry;
  const Module &module;
  std::span<const tensorc_rt_arg> args;
  const RunMemory memory;
  /// A flag per buffer register: true for an input that is donated and not used
  /// yet.
  std::vector<uint8_t> free;
  /// Registers of the results, one per output. Null unless the caller provides
  /// memory for some outputs.
  const uint32_t *results = nullptr;
  Stream &stream;
  const bool batching;
  Queues queues;
  uint64_t idleWords = 0; // words of code executed since the last work
  struct {
    uint64_t launches = 0, copies = 0, copiedBytes = 0, customCalls = 0;
  } done;
};

/// Checks the arguments, runs the entry, and fills `outputs`; see
/// tensorc_rt_run. May throw std::bad_alloc, after which no output holds a
/// buffer. Sets `isKnownToRanks`, if it is not null, to whether the error is one
/// that every rank of the communicator finds by itself.
Status runEntry(const Entry &entry, std::span<const tensorc_rt_arg> args,
                std::span<tensorc_rt_output> outputs, Stream &stream,
                Allocator &allocator, const RunControl &control,
                const RunMemory &memory, bool *isKnownToRanks = nullptr);

/// If the device has a memory limit, returns OUT_OF_MEMORY if the run certainly
/// passes it. Such a run must not begin: it would end when functions of the user
/// may have been called already. Returns success if the size of the allocations
/// is not known. The control may end the check, as it ends a run. The error names
/// `whole`, of which the entry may be a plan. Sets `bytes` to what the run would
/// allocate.
Status checkLimit(const Entry &entry, const Entry &whole,
                  std::span<const tensorc_rt_arg> args, Allocator &allocator,
                  const RunControl &control, const RunMemory &memory,
                  uint64_t &bytes);

/// Measures the allocations of a run with arguments of these shapes, by
/// executing the program without its work. Does not read the arguments'
/// buffers. Fails if sizes depend on values.
Status measureEntry(const Entry &entry, std::span<const tensorc_rt_arg> args,
                    const RunControl &control, tensorc_rt_memory_plan &out);

} // namespace tensorc::rt

#endif
