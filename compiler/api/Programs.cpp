//===- Programs.cpp - Saved and loaded programs: the C interface ----------===//

#include "compiler/api/Api.h"

#include "compiler/api/Callable.h"
#include "compiler/api/Memory.h"
#include "compiler/graph/ops/Constants.h"
#include "compiler/session/export/Imported.h"
#include "compiler/session/export/Recording.h"
#include "compiler/session/export/Save.h"
#include "compiler/session/jit/Executable.h"
#include "compiler/session/jit/Session.h"
#include "tensorc/compile.h"

using namespace tensorc;
using namespace tensorc::api;
using graph::NodeRef;
using graph::Recorder;

struct tensorc_program {
  std::unique_ptr<const exporting::Program> own;
};

struct tensorc_recording {
  std::vector<NodeRef> &results;
};

tensorc_status *tensorc_recording_result(tensorc_recording *recording,
                                         const tensorc_tensor *result) {
  if (!recording)
    return refusal("compile: the recording is NULL");
  if (!result)
    return refusal("compile: a result is an undefined tensor");
  recording->results.push_back(refOf(result));
  return nullptr;
}

/// Returns false if the recorder has an error.
static bool addInput(Recorder &r, const tensorc_input &given,
                     std::vector<exporting::Input> &inputs) {
  exporting::Input input{
      given.name ? given.name : "", dtypeOf(r, given.dtype), {}, {}};
  graph::Ints dims = intsOf(r, "dims", given.rank, given.dims);
  if (!r.error.empty())
    return false;
  input.dims.assign(dims.begin(), dims.end());
  if (given.sizes)
    for (const char *name : llvm::ArrayRef(given.sizes, given.rank)) {
      if (name && !*name)
        r.fail("compile", "the name of a size is empty");
      input.sizes.push_back(name ? name : "");
    }
  inputs.push_back(std::move(input));
  return r.error.empty();
}

tensorc_status *tensorc_program_create(const tensorc_input *inputs,
                                       int32_t input_count,
                                       tensorc_record_fn record, void *user,
                                       tensorc_location at,
                                       tensorc_program **out) {
  if (auto *refused = checkOut("compile", out))
    return refused;
  *out = nullptr;
  Recorder r(locationOf(at), "compile");
  std::vector<exporting::Input> all;
  if (!checkList(r, "inputs", input_count, inputs))
    return refusal(r);
  for (const tensorc_input &input : llvm::ArrayRef(inputs, input_count))
    if (!addInput(r, input, all))
      return refusal(r);
  if (!record) {
    r.fail("compile", "there is no function");
    return refusal(r);
  }
  auto call = [&](llvm::ArrayRef<NodeRef> arguments,
                  std::vector<NodeRef> &results) {
    std::vector<tensorc_tensor *> handles;
    for (const NodeRef &argument : arguments)
      handles.push_back(handleOf(argument.get()));
    tensorc_recording recording{results};
    return jit::Status(record(user, handles.data(), &recording));
  };
  jit::Status status;
  auto recording =
      exporting::Recording::create(std::move(all), call, r.location, status);
  if (!status)
    *out = new tensorc_program{std::move(recording)};
  return status.release();
}

using Reader = std::unique_ptr<exporting::Imported>(llvm::StringRef bytes,
                                                    llvm::StringRef name,
                                                    jit::Status &status);
static tensorc_status *readWith(Reader reader, const char *bytes, size_t size,
                                const char *name, tensorc_program **out) {
  if (auto *refused = checkOut("read", out))
    return refused;
  *out = nullptr;
  if (!bytes)
    return refusal("read: the program is NULL");
  jit::Status status;
  auto program = reader({bytes, size}, name ? name : "program", status);
  if (!status)
    *out = new tensorc_program{std::move(program)};
  return status.release();
}

tensorc_status *tensorc_program_read(const char *bytes, size_t size,
                                     const char *name, tensorc_program **out) {
  return readWith(exporting::Imported::read, bytes, size, name, out);
}

tensorc_status *tensorc_program_read_artifact(const char *bytes, size_t size,
                                              const char *name,
                                              tensorc_program **out) {
  return readWith(exporting::Imported::readArtifact, bytes, size, name, out);
}

int32_t tensorc_program_donates(const tensorc_program *program,
                                int32_t argument) {
  return program && argument >= 0 && program->own->donates(argument);
}

/// Returns a text about an argument or result of a program.
static tensorc_status *
giveTextOf(const char *what, const tensorc_program *program, int32_t is_result,
           int32_t index,
           std::string (exporting::Program::*text)(bool, unsigned) const,
           char **out) {
  if (auto *refused = checkOut(what, out))
    return refused;
  *out = nullptr;
  if (!program || index < 0)
    return refusal(std::string(what) +
                   ": the program is NULL, or the index negative");
  return giveText(what, (program->own.get()->*text)(is_result != 0, index),
                  out);
}

tensorc_status *tensorc_program_sharding(const tensorc_program *program,
                                         int32_t is_result, int32_t index,
                                         char **out) {
  return giveTextOf("sharding", program, is_result, index,
                    &exporting::Program::sharding, out);
}

tensorc_status *tensorc_program_memory_kind(const tensorc_program *program,
                                            int32_t is_result, int32_t index,
                                            char **out) {
  return giveTextOf("memory_kind", program, is_result, index,
                    &exporting::Program::memoryKind, out);
}

int32_t tensorc_program_returns_effect(const tensorc_program *program) {
  return program && program->own->returnsEffect();
}

uint64_t tensorc_program_whole_ops(const tensorc_program *program) {
  return program ? program->own->wholeOps() : 0;
}

tensorc_status *tensorc_program_collectives(const tensorc_program *program,
                                            char **out) {
  if (auto *refused = checkOut("collectives", out))
    return refused;
  *out = nullptr;
  if (!program)
    return refusal("collectives: the program is NULL");
  jit::Status status;
  std::string text = program->own->collectives(status);
  return status ? status.release() : giveText("collectives", text, out);
}

tensorc_status *tensorc_program_costs(const tensorc_program *program,
                                      tensorc_costs *out) {
  if (auto *refused = checkOut("costs", out))
    return refused;
  if (!program)
    return refusal("costs: the program is NULL");
  jit::Status status;
  exporting::Program::Costs costs = program->own->costs(status);
  tensorc_costs all = {sizeof all, costs.operations, costs.bytes,
                       costs.kernels};
  fillVersioned(out, all);
  return status.release();
}

void tensorc_program_release(tensorc_program *program) { delete program; }

static void addNames(Recorder &r, const char *what, const char *const *names,
                     int32_t count, std::vector<std::string> &out) {
  if (!checkList(r, what, count, names))
    return;
  for (const char *name : llvm::ArrayRef(names, count))
    if (const char *text = textOf(r, what, name))
      out.push_back(text);
}

static exporting::SaveOptions optionsOf(Recorder &r,
                                        const tensorc_save_options *given) {
  auto known = readVersioned(given);
  auto text = [](const char *text, const char *fallback) {
    return std::string(text ? text : fallback);
  };
  exporting::SaveOptions options;
  options.target = text(known.target, "");
  options.kind = text(known.kind, "");
  options.constants = text(known.constants, "");
  options.memoryPlans = text(known.memory_plans, "");
  options.fastMath = known.fast_math;
  if (known.opt_level < 0 || known.opt_level > 3)
    r.fail("save",
           "opt_level is " + llvm::Twine(known.opt_level) + ", not 0 to 3");
  else if (known.opt_level)
    options.optLevel = known.opt_level;
  addNames(r, "input names", known.input_names, known.input_name_count,
           options.naming.inputs);
  addNames(r, "output names", known.output_names, known.output_name_count,
           options.naming.outputs);
  std::vector<std::string> weights;
  addNames(r, "weight names", known.weight_names, known.weight_count, weights);
  if (checkList(r, "weights", known.weight_count, known.weights))
    for (size_t i = 0; i < weights.size(); ++i)
      options.naming.weights.push_back({weights[i], nodeOf(known.weights[i])});
  return options;
}

tensorc_status *tensorc_program_save(const tensorc_program *program,
                                     const char *path,
                                     const tensorc_save_options *options) {
  Recorder r({}, "save");
  if (!program)
    return refusal("save: the program is NULL");
  if (!textOf(r, "path", path))
    return refusal(r);
  exporting::SaveOptions all = optionsOf(r, options);
  if (!r.error.empty())
    return refusal(r);
  return exporting::save(*program->own, path, all).release();
}

tensorc_status *tensorc_program_function(const tensorc_program *program,
                                         tensorc_function **out) {
  return tensorc_program_function_with(program, nullptr, out);
}

tensorc_status *tensorc_program_function_with(const tensorc_program *program,
                                              const char *memory_plans,
                                              tensorc_function **out) {
  if (auto *refused = checkOut("jit", out))
    return refused;
  *out = nullptr;
  if (!program)
    return refusal("jit: the program is NULL");
  jit::Status status;
  const char *plans = memory_plans ? memory_plans : "";
  if (auto made = program->own->function(plans, status))
    *out = new tensorc_function{std::move(made)};
  return status.release();
}

/// Replaces an evaluated tensor by a copy.
static tensorc_status *replaceByCopy(tensorc_tensor *&tensor) {
  const graph::Node *node = nodeOf(tensor);
  tensorc_rt_buffer *buffer = nullptr;
  // A split value's buffer holds one part.
  size_t bytes = node->split() ? tensorc_rt_buffer_size(node->buffer())
                               : static_cast<size_t>(node->byteSize());
  if (auto *failed = copyBuffer(node->buffer(), bytes, &buffer)) {
    tensorc_rt_buffer_release(buffer);
    return failed;
  }
  graph::Node *copy = graph::Node::createData(node->dtype(), node->shape(),
                                              buffer, node->location());
  copy->becomeSplit(node->split());
  copy->becomeHandle();
  tensorc_tensor_release(tensor);
  tensor = handleOf(copy);
  return nullptr;
}

tensorc_status *tensorc_copy_forwarded(tensorc_tensor *const *arguments,
                                       int32_t argument_count,
                                       tensorc_tensor **results,
                                       int32_t result_count) {
  Recorder r({}, "copy_forwarded");
  if (!checkList(r, "arguments", argument_count, arguments) ||
      !checkList(r, "results", result_count, results))
    return refusal(r);
  llvm::SmallDenseMap<tensorc_rt_buffer *,
                      llvm::SmallVector<const graph::Node *, 1>>
      nodesOf;
  for (tensorc_tensor *argument : llvm::ArrayRef(arguments, argument_count)) {
    if (!argument)
      return refusal("copy_forwarded: an argument is an undefined tensor");
    if (const graph::Node *node = nodeOf(argument); node->isEvaluated())
      nodesOf[node->buffer()].push_back(node);
  }
  for (tensorc_tensor *&result : llvm::MutableArrayRef(results, result_count)) {
    if (!result || !nodeOf(result)->isEvaluated())
      return refusal("copy_forwarded: a result is undefined or not evaluated");
    const graph::Node *node = nodeOf(result);
    auto isLike = [&](const graph::Node *argument) {
      return argument->shape() == node->shape();
    };
    auto found = nodesOf.find(node->buffer());
    if (found != nodesOf.end() && llvm::any_of(found->second, isLike))
      if (auto *failed = replaceByCopy(result))
        return failed;
  }
  return nullptr;
}

tensorc_status *tensorc_program_to_mlir(const tensorc_program *program,
                                        char **out) {
  if (auto *refused = checkOut("to_mlir", out))
    return refused;
  *out = nullptr;
  if (!program)
    return refusal("to_mlir: the program is NULL");
  jit::Status status;
  std::string text = exporting::textOf(*program->own, {}, status);
  return status ? status.release() : giveText("to_mlir", text, out);
}

tensorc_status *tensorc_constant(tensorc_tensor *x) {
  if (!x)
    return refusal("constant: the tensor is undefined");
  graph::Node *node = nodeOf(x);
  if (node->isTraced())
    return refusal("constant: the value depends on an argument of the function "
                   "that is being traced");
  if (jit::Status status = jit::Session::get().evaluate(node))
    return status.release();
  graph::declareConstant(
      *node, {.evaluate =
                  [](graph::Node *packed) {
                    return !jit::Session::get().evaluate(packed);
                  },
              .multipliesTiles =
                  [](const graph::Node &constant, graph::DType dtype) {
                    return jit::multipliesTiles(constant.device(),
                                                dtype == graph::DType::BF16);
                  }});
  return nullptr;
}
