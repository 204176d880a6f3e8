//===- Project.cpp - Writes a project that tests a compiled program -------===//

#include "tools/tensorc/Project.h"

#include "compiler/frontends/files/OutputFile.h"
#include "tools/tensorc/Inputs.h"
#include "tools/tensorc/Tolerance.h"
#include "tools/tensorc/device/Device.h"

#include "ir/tx/Names.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace tensorc::tool {

using compiler::TestCase;
using reference::Array;
namespace fs = llvm::sys::fs;

/// Factor for the tolerances of single ops. Errors accumulate over many layers,
/// and other processors add in a different order.
static constexpr double deepFactor = 5;

static TestCase::Tensor tensorOf(std::string name, const Array &array) {
  std::vector<uint8_t> packed;
  if (tx::isPacked(array.dtype))
    packed = reference::pack(array);
  ArrayRef<uint8_t> bytes = tx::isPacked(array.dtype) ? packed : array.bytes;
  return {std::move(name), array.shape,
          std::string(bytes.begin(), bytes.end())};
}

static double largestOf(const Array &array) {
  double largest = 0;
  for (double x : reference::read<double>(array))
    if (std::isfinite(x))
      largest = std::max(largest, std::fabs(x));
  return largest;
}

static FailureOr<TestCase> makeTest(Program &program,
                                    const compiler::CompileOptions &options,
                                    const Arguments &arguments) {
  InputOptions inputOptions{arguments.all("input"), {}};
  inputOptions.draw = true;
  FailureOr<std::vector<Array>> inputs =
      gatherInputs(program.function, inputOptions);
  if (failed(inputs))
    return failure();
  compiler::CompileOptions here = options;
  here.target = targetOf("cpu");
  std::unique_ptr<Executable> executable = prepare(program, "cpu", here);
  if (!executable)
    return failure();
  FailureOr<std::vector<Array>> outputs = executable->run(*inputs);
  if (failed(outputs))
    return failure();
  TestCase test;
  for (auto [i, array] : llvm::enumerate(*inputs))
    test.inputs.push_back(
        tensorOf(tx::argumentName(program.function, i), array));
  for (auto [i, array, tolerance] :
       llvm::enumerate(*outputs, tolerancesOf(program.function))) {
    test.outputs.push_back(
        tensorOf(tx::resultName(program.function, i), array));
    TestCase::Tensor &tensor = test.outputs.back();
    tensor.relative = deepFactor * tolerance.relative;
    tensor.absolute = tolerance.absolute;
    if (reference::isFloat(array.dtype))
      tensor.absolute += tensor.relative * largestOf(array);
  }
  return test;
}

static std::string cmakeText(StringRef name) {
  std::string text =
      R"(# NAME as a C library: add_subdirectory(...), then link with NAME.
cmake_minimum_required(VERSION 3.16)
project(NAME C)
add_library(NAME INTERFACE)
target_include_directories(NAME INTERFACE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(NAME INTERFACE ${CMAKE_CURRENT_SOURCE_DIR}/NAME.o)

if(CMAKE_SOURCE_DIR STREQUAL CMAKE_CURRENT_SOURCE_DIR)
  enable_testing()
  add_executable(NAME_test test.c)
  target_link_libraries(NAME_test NAME m)
  add_test(NAME NAME COMMAND NAME_test ${CMAKE_CURRENT_SOURCE_DIR}/data)
endif()
)";
  // CMake's keyword in `add_test(NAME` must not be replaced.
  StringRef keyword = "add_test(NAME";
  std::string result;
  for (StringRef rest = text; !rest.empty();) {
    if (rest.consume_front(keyword)) {
      result += keyword;
    } else if (rest.consume_front("NAME")) {
      result += name;
    } else {
      result += rest.front();
      rest = rest.drop_front();
    }
  }
  return result;
}

static llvm::Error writeFiles(StringRef folder,
                              const compiler::Artefact &artefact,
                              const TestCase &test) {
  files::OutputFiles files;
  auto add = [&](const Twine &name, StringRef bytes) {
    SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    return files.add(path, bytes);
  };
  std::string cmake = cmakeText(artefact.name);
  const std::pair<std::string, StringRef> parts[] = {
      {artefact.name + ".o", artefact.bytes},
      {artefact.name + ".h", artefact.header},
      {"test.c", artefact.test},
      {"CMakeLists.txt", cmake}};
  for (auto &[name, bytes] : parts)
    if (llvm::Error error = add(name, bytes))
      return error;
  for (bool isInput : {true, false})
    for (auto [i, tensor] :
         llvm::enumerate(isInput ? test.inputs : test.outputs))
      if (llvm::Error error =
              add("data/" + compiler::testFileOf(isInput, i), tensor.bytes))
        return error;
  return files.keep();
}

/// Writes the project to a folder, which must be empty or not exist.
static int writeProject(StringRef folder, const compiler::Artefact &artefact,
                        const TestCase &test) {
  bool isNew = !fs::exists(folder);
  SmallString<128> data(folder);
  llvm::sys::path::append(data, "data");
  if (std::error_code code = fs::create_directories(
          data, /*IgnoreExisting=*/true, llvm::sys::fs::all_all))
    return refuse("cannot create " + folder + ": " + code.message());
  auto undo = llvm::scope_exit([&] {
    fs::remove(data);
    if (isNew)
      fs::remove(folder);
  });
  if (llvm::Error error = writeFiles(folder, artefact, test))
    return refuse(llvm::toString(std::move(error)));
  undo.release();
  return Success;
}

int emitProject(Program &program, const compiler::CompileOptions &options,
                compiler::ArtefactRequest request, StringRef out,
                const Arguments &arguments) {
  SmallVector<func::FuncOp> functions = program.module.entries();
  if (functions.size() != 1)
    return refuse("a project is of one function, and the program has " +
                  Twine(functions.size()) + ": choose by --entry");
  std::error_code code;
  if (fs::exists(out) &&
      (!fs::is_directory(out) ||
       fs::directory_iterator(out, code) != fs::directory_iterator()))
    return refuse(out + " exists and is not an empty folder");
  program.function = functions.front();
  FailureOr<TestCase> test = makeTest(program, options, arguments);
  if (failed(test))
    return Refused;
  request.kind = "object";
  request.test = &*test;
  std::string refusal;
  FailureOr<compiler::Artefact> artefact =
      compiler::makeArtefact(program.module.get(), options, request, refusal);
  if (failed(artefact))
    return refusal.empty() ? Refused : refuse(refusal);
  return writeProject(out, *artefact, *test);
}

} // namespace tensorc::tool
