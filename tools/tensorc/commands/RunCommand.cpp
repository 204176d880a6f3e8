//===- RunCommand.cpp - tensorc run ---------------------------------------===//

#include "compiler/frontends/files/Npy.h"
#include "compiler/frontends/files/OutputFile.h"
#include "compiler/log/Environment.h"
#include "ir/library/Library.h"
#include "ir/text/Characters.h"
#include "ir/tx/Names.h"
#include "tools/io/Compare.h"
#include "tools/io/Print.h"
#include "tools/tensorc/Commands.h"
#include "tools/tensorc/Inputs.h"
#include "tools/tensorc/Timing.h"
#include "tools/tensorc/Tolerance.h"
#include "tools/tensorc/device/AutoDevice.h"
#include "tools/tensorc/device/Device.h"
#include "tools/tensorc/device/Ranks.h"
#include "tools/tensorc/device/RuntimeHandles.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace tensorc::tool {

using reference::Array;

static ArrayRef<StringRef> listOracles() {
  static constexpr StringRef oracles[] = {"reference"};
  return oracles;
}

static constexpr Flag runFlags[] = {
    {"device", Flag::Value, "D",
     "where to run, or auto; default cpu or TENSORC_DEVICE"},
    {"devices", Flag::Value, "D,D,...|mpi",
     "run one rank of the program on each, or this process of mpirun's"},
    {"input", Flag::Value, "[name=]FILE",
     "an .npy, or an .npz of arguments by name; without a name: the next "
     "argument"},
    {"weights", Flag::Value, "[name=]FILE", "as in tensorc compile"},
    {"quantize-weights", Flag::Value, "i8|i4[:GROUP]", "as in tensorc compile"},
    {"random-inputs", Flag::OptionalValue, "SEED",
     "draw the missing inputs: standard normals, integers 0...9"},
    {"shape", Flag::Value, "x:1,3,n",
     "sizes of named dims for --random-inputs (else primes from 5 on); k:5 for "
     "an index argument"},
    {"mesh", Flag::Value, "data=2,model=4", "as in tensorc compile"},
    {"entry", Flag::Value, "NAME", "the function to run; default main"},
    {"schedule", Flag::Value, "KERNEL:rows=64,...", "as in tensorc compile"},
    {"tuning", Flag::Value, "FILE", "as in tensorc compile"},
    {"memory-limit", Flag::Value, "BYTES",
     "bytes of the device that the run may take: 2G, 500M; fits the program "
     "into them"},
    {"output-dir", Flag::Value, "DIR", "write NAME.npy per output, print none"},
    {"input-dir", Flag::Value, "DIR",
     "write NAME.npy per input, given or drawn"},
    {"compare", Flag::Value, "reference",
     "compare with the interpreter and print the largest errors", listOracles},
    {"fast-math", Flag::Switch, "", "allow reassociation and contraction"},
    {"dump", Flag::Value, "DIR", "write the IR after every stage to DIR"},
    {"verify", Flag::Switch, "",
     "compare a package's constants with their hashes before it runs"},
    {"time", Flag::Switch, "",
     "print how long each step took, and what ranks sent, to stderr"},
    {"verbose", Flag::Switch, "", "print each kernel that runs, to stderr"},
};

static void watchLaunches() {
  tensorc_rt_set_launch_hook(
      [](void *, const tensorc_rt_launch_record *record) {
        llvm::errs() << "kernel " << printable(record->kernel, /*isText=*/false)
                     << ": "
                     << llvm::format("%.3f ms",
                                     (record->end_ns - record->begin_ns) * 1e-6)
                     << " on " << record->threads
                     << (record->threads == 1 ? " thread\n" : " threads\n");
      },
      nullptr);
}

/// Checks before the run that each input or output can have a file.
static int checkFileNames(StringRef option, ArrayRef<std::string> names) {
  for (StringRef name : names)
    if (files::fileNameOf(name, ".npy").size() > files::maxFileNameBytes)
      return refuse("--" + option + ": the name '" + name +
                    "' is too long for a file's");
  return Success;
}

static int writeArrays(StringRef folder, ArrayRef<std::string> names,
                       ArrayRef<Array> arrays) {
  if (std::error_code code = llvm::sys::fs::create_directories(
          folder, /*IgnoreExisting=*/true, llvm::sys::fs::all_all))
    return refuse("cannot create " + folder + ": " + code.message());
  files::OutputFiles written;
  for (auto [name, array] : llvm::zip(names, arrays)) {
    SmallString<128> path(folder);
    llvm::sys::path::append(path, files::fileNameOf(name, ".npy"));
    if (llvm::Error error = written.add(path, files::formatNpy(array)))
      return refuse(llvm::toString(std::move(error)));
  }
  if (llvm::Error error = written.keep())
    return refuse(llvm::toString(std::move(error)));
  return Success;
}

/// Compares outputs with those of the interpreter. `prefix` precedes their
/// names.
static int compareOutputs(Program &program, ArrayRef<Array> expected,
                          ArrayRef<Array> outputs, StringRef prefix = "") {
  bool same = true;
  llvm::SmallVector<Tolerance> tolerances = tolerancesOf(program.function);
  for (auto [name, x, y, tolerance] :
       llvm::zip(program.outputs, outputs, expected, tolerances)) {
    Comparison result = compare(x, y, tolerance);
    llvm::outs() << "compare " << prefix << name << ": "
                 << (result.same ? "" : "MISMATCH: ") << describe(result, x, y)
                 << "\n";
    same &= result.same;
  }
  return same ? Success : refuse("the outputs differ from the reference");
}

/// Returns what the interpreter computes on one device.
static FailureOr<std::vector<Array>> interpret(Program &program,
                                               ArrayRef<Array> arguments) {
  std::unique_ptr<Executable> oracle = prepare(program, "reference", {});
  if (!oracle)
    return failure();
  return oracle->run(arguments);
}

static int report(Program &program, const Arguments &arguments,
                  ArrayRef<Array> inputs, ArrayRef<Array> outputs) {
  if (!arguments.has("output-dir"))
    for (auto [name, array] : llvm::zip(program.outputs, outputs))
      printArray(llvm::outs(), name, array);
  if (arguments.has("compare")) {
    FailureOr<std::vector<Array>> expected = interpret(program, inputs);
    if (failed(expected))
      return Refused;
    if (int status = compareOutputs(program, *expected, outputs))
      return status;
  }
  if (arguments.has("output-dir"))
    return writeArrays(arguments.get("output-dir"), program.outputs, outputs);
  return Success;
}

/// Compiles the program once per target and loads it on each rank.
static bool loadOnRanks(Program &program, MutableArrayRef<Rank> ranks,
                        const Arguments &arguments, Timing &timing) {
  llvm::StringMap<std::string> packages; // packages by target
  for (Rank &rank : ranks) {
    std::string entry = program.function.getName().str();
    if (program.isPackage()) {
      rank.executable = loadPackageFile(program.package, entry, rank.device);
    } else {
      std::string target = targetFor(program, rank.device);
      auto [package, isNew] = packages.try_emplace(target);
      if (isNew) {
        auto bytes = compileFor(program, target, arguments, timing);
        if (!bytes)
          return false;
        package->second = std::move(*bytes);
      }
      rank.executable = loadPackage(package->second, entry, rank.device);
    }
    if (!rank.executable)
      return false;
  }
  return true;
}

/// Returns the outputs of all ranks by the interpreter. A program with tx.shard
/// has the results of one device.
static FailureOr<std::vector<std::vector<Array>>>
interpretRanks(Program &program, int64_t ranks, ArrayRef<Array> inputs) {
  bool isSharded =
      program.module.get()
          .walk([](tx::ShardOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  if (!isSharded)
    return interpretOnRanks(program, ranks, inputs);
  FailureOr<std::vector<Array>> one = interpret(program, inputs);
  if (failed(one))
    return failure();
  return std::vector<std::vector<Array>>(ranks, *one);
}

/// Compares, writes or prints the outputs of one rank.
static int reportRank(Program &program, const Arguments &arguments,
                      int32_t number, ArrayRef<Array> outputs,
                      ArrayRef<Array> expected) {
  std::string name = "rank" + std::to_string(number);
  if (arguments.has("compare"))
    if (int status = compareOutputs(program, expected, outputs, name + "."))
      return status;
  if (arguments.has("output-dir")) {
    SmallString<128> folder(arguments.get("output-dir"));
    llvm::sys::path::append(folder, name);
    return writeArrays(folder, program.outputs, outputs);
  }
  if (!arguments.has("compare"))
    for (auto [output, array] : llvm::zip(program.outputs, outputs))
      printArray(llvm::outs(), name + "." + output, array);
  return Success;
}

/// Interprets the program on as many ranks as `--devices` has names.
static int runReferenceRanks(Program &program, const Arguments &arguments,
                             ArrayRef<Array> inputs, Timing &timing) {
  int64_t ranks = arguments.get("devices").count(',') + 1;
  auto outputs = interpretRanks(program, ranks, inputs);
  if (failed(outputs))
    return Refused;
  timing.step("run");
  for (auto [rank, arrays] : llvm::enumerate(*outputs))
    if (int status = reportRank(program, arguments, static_cast<int32_t>(rank),
                                arrays, arrays))
      return status;
  return Success;
}

/// Runs the program on several devices, with the same inputs on each.
static int runRanks(Program &program, const Arguments &arguments,
                    StringRef device, ArrayRef<Array> inputs, Timing &timing) {
  std::vector<Rank> ranks = connectRanks(arguments.get("devices"), device);
  if (ranks.empty() || !loadOnRanks(program, ranks, arguments, timing))
    return Refused;
  timing.step("compile");
  auto outputs = runOnRanks(ranks, inputs);
  if (failed(outputs))
    return Refused;
  timing.step("run");
  if (arguments.has("time"))
    for (const Rank &rank : ranks) {
      tensorc_rt_communicator_counters counters;
      tensorc_rt_communicator_get_counters(rank.communicator.get(), &counters);
      llvm::errs() << "rank" << rank.number() << ": " << counters.collectives
                   << " collectives, " << counters.bytes_sent
                   << " bytes sent\n";
    }
  int32_t size = tensorc_rt_communicator_size(ranks[0].communicator.get());
  FailureOr<std::vector<std::vector<Array>>> expected =
      std::vector<std::vector<Array>>(size);
  if (arguments.has("compare"))
    expected = interpretRanks(program, size, inputs);
  if (failed(expected))
    return Refused;
  for (auto [rank, arrays] : llvm::zip(ranks, *outputs))
    if (int status = reportRank(program, arguments, rank.number(), arrays,
                                (*expected)[rank.number()]))
      return status;
  return Success;
}

/// True if all names of `--devices` are `reference`.
static bool isReference(StringRef devices) {
  SmallVector<StringRef> names;
  devices.split(names, ',');
  return llvm::all_of(names,
                      [](StringRef name) { return name == "reference"; });
}

static std::vector<std::string> inputNames(Program &program) {
  std::vector<std::string> names;
  for (unsigned i = 0, n = program.function.getNumArguments(); i < n; ++i)
    names.push_back(tx::argumentName(program.function, i));
  return names;
}

static int runRun(const Arguments &arguments) {
  reportFaults();
  SmallVector<StringRef> checks;
  readVariable("TENSORC_CHECK").split(checks, ',');
  if (is_contained(checks, "nan"))
    return badUsage("TENSORC_CHECK=nan checks what a program of C++ or Python "
                    "evaluates, not a file; read the file there with "
                    "read_program");
  std::optional<std::string> device = chooseDevice(arguments);
  std::optional<InputOptions> inputOptions = InputOptions::parse(arguments);
  if (!device || !inputOptions || !parseMesh(arguments))
    return BadUsage;
  if (int status = refuseForPackage(arguments, {"fast-math", "dump", "compare",
                                                "mesh", "schedule", "tuning",
                                                "weights", "quantize-weights"}))
    return status;
  if (int status = checkSchedules(arguments))
    return status;
  if (arguments.has("memory-limit") && *device == "reference")
    return badUsage("--memory-limit is for devices: reference is none");
  if (arguments.has("verify") && !isPackage(arguments))
    return badUsage("--verify applies to packages; " + arguments.input() +
                    " is none");
  Timing timing(arguments.has("time"));
  Program program;
  if (failed(loadProgram(arguments, program)))
    return Refused;
  if (arguments.has("output-dir"))
    if (int status = checkFileNames("output-dir", program.outputs))
      return status;
  if (arguments.has("input-dir"))
    if (int status = checkFileNames("input-dir", inputNames(program)))
      return status;
  timing.step("parse");
  FailureOr<std::vector<Array>> inputs =
      gatherInputs(program.function, *inputOptions);
  if (failed(inputs))
    return Refused;
  if (arguments.has("input-dir"))
    if (int status = writeArrays(arguments.get("input-dir"),
                                 inputNames(program), *inputs))
      return status;
  timing.step("inputs");
  if (arguments.has("devices") && arguments.has("memory-limit"))
    return badUsage("--memory-limit does not go with --devices");
  if (isReference(arguments.get("devices")))
    return runReferenceRanks(program, arguments, *inputs, timing);
  if (arguments.has("devices"))
    return runRanks(program, arguments, *device, *inputs, timing);
  std::unique_ptr<Executable> executable =
      prepareFor(program, *device, *inputs, arguments, timing);
  if (!executable)
    return Refused;
  timing.step("compile");
  if (arguments.has("verbose")) {
    llvm::errs() << "device " << *device << "\n";
    watchLaunches();
  }
  FailureOr<std::vector<Array>> outputs = executable->run(*inputs);
  if (failed(outputs))
    return Refused;
  timing.step("run");
  return report(program, arguments, *inputs, *outputs);
}

const Command runCommand = {
    "run",
    "run a program and print or write its outputs",
    "IN [options]",
    runFlags,
    "  tensorc run y.mlir --random-inputs=7\n"
    "  tensorc run y.mlir --input=x=x.npy --random-inputs --output-dir=out\n"
    "  tensorc run y.mlir --random-inputs --shape=x:1000,64 "
    "--compare=reference\n",
    /*takesInput=*/true,
    runRun};

} // namespace tensorc::tool
