//===- Executables.cpp - Properties of executables ------------------------===//

#include "pjrt/Compiled.h"
#include "pjrt/Table.h"

#include <cstring>

namespace tensorc::pjrt {

static Error *executableName(ExecutableName &args) {
  args.executableName = args.executable->code->name.data();
  args.executableNameSize = args.executable->code->name.size();
  return nullptr;
}

static Error *executableNumReplicas(ExecutableNumReplicas &args) {
  const Request &request = args.executable->code->request;
  args.numReplicas = request.hasReplicas ? request.devices.size() : 1;
  return nullptr;
}

static Error *executableNumPartitions(ExecutableNumPartitions &args) {
  const Request &request = args.executable->code->request;
  args.numPartitions = request.hasReplicas ? 1 : request.devices.size();
  return nullptr;
}

static Error *executableNumOutputs(ExecutableNumOutputs &args) {
  args.numOutputs = args.executable->code->signature.resultTypes.size();
  return nullptr;
}

static Error *executableCodeSize(ExecutableSizeOfGeneratedCodeInBytes &args) {
  args.sizeInBytes = 0; // not known
  return nullptr;
}

static Error *executableCosts(ExecutableGetCostAnalysis &args) {
  const std::vector<NamedValue> &costs = args.executable->code->costs();
  args.properties = costs.data();
  args.numProperties = costs.size();
  return nullptr;
}

static Error *optimizedProgram(ExecutableOptimizedProgram &args) {
  const std::string &code = args.executable->code->text();
  if (code.empty())
    return fail(Code::Unimplemented,
                "the text of an executable from the disk cache is not known");
  static constexpr char format[] = "mlir";
  Program &program = *args.program;
  program.format = format;
  program.formatSize = sizeof format - 1;
  if (program.code) {
    if (program.codeSize < code.size())
      return fail(Code::InvalidArgument,
                  "the program has " + std::to_string(code.size()) +
                      " bytes, not " + std::to_string(program.codeSize));
    std::memcpy(program.code, code.data(), code.size());
  }
  program.codeSize = code.size();
  return nullptr;
}

static Error *outputMemoryKinds(ExecutableOutputMemoryKinds &args) {
  const Signature &code = args.executable->code->signature;
  args.numOutputs = code.resultMemories.kinds.size();
  args.memoryKinds = code.resultMemories.kinds.data();
  args.memoryKindSizes = code.resultMemories.sizes.data();
  return nullptr;
}

static Error *parameterMemoryKinds(ExecutableParameterMemoryKinds &args) {
  const Signature &code = args.executable->code->signature;
  args.numParameters = code.argumentMemories.kinds.size();
  args.memoryKinds = code.argumentMemories.kinds.data();
  args.memoryKindSizes = code.argumentMemories.sizes.data();
  return nullptr;
}

static Error *outputElementTypes(ExecutableOutputElementTypes &args) {
  args.outputTypes = args.executable->code->signature.resultTypes.data();
  args.numOutputTypes = args.executable->code->signature.resultTypes.size();
  return nullptr;
}

static Error *outputDimensions(ExecutableOutputDimensions &args) {
  args.numOutputs = args.executable->code->signature.resultTypes.size();
  args.dims = args.executable->code->signature.flatDims.data();
  args.dimSizes = args.executable->code->signature.resultRanks.data();
  return nullptr;
}

template <class Args> static Error *fingerprint(Args &args) {
  const std::string &text = args.executable->code->request.fingerprint;
  args.executableFingerprint = text.data();
  args.executableFingerprintSize = text.size();
  return nullptr;
}

static Error *memoryStats(ExecutableGetCompiledMemoryStats &args) {
  const Compiled &code = *args.executable->code;
  args.generatedCodeSizeInBytes = 0;
  args.argumentSizeInBytes = code.signature.bytes.arguments;
  args.outputSizeInBytes = code.signature.bytes.results;
  args.aliasSizeInBytes = 0;
  args.tempSizeInBytes = code.signature.bytes.temporaries;
  // Clears the fields that only newer hosts have.
  if (args.structSize > sizeof args)
    std::memset(reinterpret_cast<char *>(&args) + sizeof args, 0,
                args.structSize - sizeof args);
  return nullptr;
}

static Error *compileOptions(ExecutableGetCompileOptions &args) {
  args.serializedCompileOptions =
      giveBytes(args.executable->code->request.options, args);
  args.serializedCompileOptionsDeleter = deleteBytes;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Loaded executables
//===----------------------------------------------------------------------===//

static Error *loadedGetExecutable(LoadedExecutableGetExecutable &args) {
  args.executable = new Executable{args.loadedExecutable->code};
  return nullptr;
}

static Error *
loadedLogicalIds(LoadedExecutableAddressableDeviceLogicalIds &args) {
  auto &ids = args.executable->code->request.logicalIds;
  args.addressableDeviceLogicalIds = ids.data();
  args.numAddressableDeviceLogicalIds = ids.size();
  return nullptr;
}

static Error *loadedDelete(LoadedExecutableDelete &args) {
  args.executable->isDeleted = true;
  return nullptr;
}

static Error *loadedIsDeleted(LoadedExecutableIsDeleted &args) {
  args.isDeleted = args.executable->isDeleted;
  return nullptr;
}

static Error *deviceAssignment(LoadedExecutableGetDeviceAssignment &args) {
  args.serializedDeviceAssignment =
      giveBytes(args.executable->code->request.assignment, args);
  args.serializedDeviceAssignmentDeleter = deleteBytes;
  return nullptr;
}

void addExecutables(Table table) {
  using Devices = LoadedExecutableAddressableDevices;
  table.set<
      destroy<&ExecutableDestroy::executable>, executableName,
      executableNumReplicas, executableNumPartitions, executableNumOutputs,
      executableCodeSize, executableCosts, optimizedProgram, outputMemoryKinds,
      parameterMemoryKinds, outputElementTypes, outputDimensions,
      fingerprint<ExecutableFingerprint>,
      fingerprint<LoadedExecutableFingerprint>, memoryStats, compileOptions,
      destroy<&LoadedExecutableDestroy::executable>, loadedGetExecutable,
      getList<&Devices::addressableDevices, &Devices::numAddressableDevices,
              &Devices::executable, &LoadedExecutable::devices>,
      loadedLogicalIds, loadedDelete, loadedIsDeleted, deviceAssignment>();
}

} // namespace tensorc::pjrt
