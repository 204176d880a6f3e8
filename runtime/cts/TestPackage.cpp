//===- TestPackage.cpp - packages that tests assemble ---------------------===//
#include "runtime/cts/TestPackage.h"

#include "runtime/abi/package_generated.h"

#include <cstring>

using namespace tensorc::rt;
using namespace tensorc::rt::cts;
using flatbuffers::Offset;

void TestPackage::add(Op op, std::vector<uint32_t> operands, uint8_t queue) {
  code.push_back(encodeHead(op, queue, static_cast<uint32_t>(operands.size())));
  code.insert(code.end(), operands.begin(), operands.end());
}

/// Appends a segment.
static fbs::Segment append(std::string &file, const std::string &content) {
  file.resize((file.size() + segmentAlignment - 1) & -segmentAlignment);
  fbs::Segment segment(file.size(), content.size(),
                       hashBytes(content.data(), content.size()));
  file += content;
  return segment;
}

std::string TestPackage::bytes(const std::string &tileTest,
                               uint32_t planOf) const {
  std::string file(sizeof(PackageHeader), '\0');
  std::vector<fbs::Segment> segments;
  for (const std::string &constant : constants)
    segments.push_back(append(file, constant));
  fbs::Segment imageSegment = append(file, image);
  fbs::Segment testSegment;
  if (!tileTest.empty())
    testSegment = append(file, tileTest);
  file.resize((file.size() + 15) & -16);
  flatbuffers::FlatBufferBuilder builder;
  std::vector<Offset<fbs::Dim>> dims = {
      hasNamedDim ? fbs::CreateDimDirect(builder, -1, "n")
                  : fbs::CreateDimDirect(builder, 4, "4")};
  std::vector<Offset<fbs::Value>> inputs = {fbs::CreateValueDirect(
      builder, "x", TENSORC_RT_F32, false, &dims, isDonated)};
  std::vector<Offset<fbs::Dim>> ownDims;
  for (auto &[size, name] : outputDims)
    ownDims.push_back(fbs::CreateDimDirect(builder, size, name.c_str()));
  std::vector<Offset<fbs::Value>> outputs;
  if (hasOutput)
    outputs.push_back(
        fbs::CreateValueDirect(builder, "y", TENSORC_RT_F32, false, &ownDims));
  std::vector<Offset<fbs::Entry>> entries = {
      fbs::CreateEntryDirect(builder, "main", &inputs, &outputs, planOf)};
  std::vector<Offset<fbs::Section>> sections;
  for (const std::string &target : targets) {
    std::vector<Offset<fbs::Function>> functions = {
        fbs::CreateFunctionDirect(builder, "main", words, buffers, events, 0, 1,
                                  static_cast<uint32_t>(outputDims.size()),
                                  hasOutput, &code, /*host_buffers=*/events)};
    if (!inner.empty())
      functions.push_back(fbs::CreateFunctionDirect(
          builder, "inner", words, buffers, events, 1, 1, 1, 1, &inner));
    std::vector<Offset<flatbuffers::String>> texts;
    for (const std::string &text : strings)
      texts.push_back(builder.CreateString(text));
    std::vector<Offset<fbs::Kernel>> kernelOffsets;
    for (size_t i = 0; i < kernels.size(); ++i) {
      std::vector<fbs::KernelArg> args;
      Offset<fbs::Function> declared;
      for (size_t k = 0; !i && k < roles.size(); ++k)
        args.push_back({static_cast<uint8_t>(
                            k < dtypes.size() ? dtypes[k] : TENSORC_RT_F32),
                        static_cast<uint8_t>(roles[k])});
      if (!i && !sizes.empty())
        declared =
            fbs::CreateFunctionDirect(builder, "sizes", sizeWords, 0, 0,
                                      sizeDims, 0, sizeResults, 0, &sizes);
      kernelOffsets.push_back(fbs::CreateKernelDirect(
          builder, kernels[i].c_str(), i < arities.size() ? arities[i] : 0, 0,
          &args, declared));
    }
    std::vector<uint32_t> entryFunctions = {0};
    sections.push_back(fbs::CreateSectionDirect(
        builder, target.c_str(), kernels.empty() ? nullptr : &imageSegment,
        &kernelOffsets, &functions, &entryFunctions, &texts, nullptr, nullptr,
        tileTest.empty() ? nullptr : &testSegment));
  }
  builder.Finish(fbs::CreatePackageDirect(builder, "test", 42, &entries,
                                          &segments, &sections));
  size_t tableOffset = file.size();
  file.append(reinterpret_cast<const char *>(builder.GetBufferPointer()),
              builder.GetSize());
  sealPackage(file.data(), file.size(), tableOffset);
  return file;
}

std::string tensorc::rt::cts::take(tensorc_rt_status *status) {
  std::string message = tensorc_rt_status_message(status);
  tensorc_rt_status_free(status);
  return message;
}
