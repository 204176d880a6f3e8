//===- Plugin.cpp - The plugin's only exported function -------------------===//
//
// GetPjrtApi gives a host of PJRT, such as JAX, a table of functions that list
// devices, compile programs and run them. The implementation uses only the
// public C interface of tensorc. docs/jax.md is the users' guide.
//
//===----------------------------------------------------------------------===//

#include "pjrt/Table.h"
#include "pjrt/Types.h"

#include <cstring>
#include <exception>
#include <new>

namespace tensorc::pjrt {

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

Error *fail(Code code, std::string message) {
  return new Error{code, std::move(message)};
}

Error *refuseShort(size_t given, size_t known) {
  return fail(Code::InvalidArgument,
              "the caller's version of the PJRT interface is too old: " +
                  std::to_string(given) +
                  " bytes of an argument are known, not " +
                  std::to_string(known));
}

Error *failByException() {
  try {
    throw;
  } catch (const std::bad_alloc &) {
    return fail(Code::ResourceExhausted, "there is no memory");
  } catch (const std::exception &error) {
    return fail(Code::Internal, error.what());
  } catch (...) {
    return fail(Code::Internal, "an exception of an unknown type");
  }
}

static Code codeOf(tensorc_code code) {
  switch (code) {
  case TENSORC_NOT_FOUND:
    return Code::NotFound;
  case TENSORC_OUT_OF_MEMORY:
  case TENSORC_RESOURCE_EXHAUSTED:
    return Code::ResourceExhausted;
  case TENSORC_FAILED_PRECONDITION:
    return Code::FailedPrecondition;
  case TENSORC_UNSUPPORTED:
    return Code::Unimplemented;
  case TENSORC_CANCELLED:
    return Code::Cancelled;
  case TENSORC_DEADLINE_EXCEEDED:
    return Code::DeadlineExceeded;
  case TENSORC_UNTRUSTED:
    return Code::PermissionDenied;
  case TENSORC_DEVICE_ERROR:
  case TENSORC_CUSTOM_CALL:
    return Code::Internal;
  default:
    return Code::InvalidArgument;
  }
}

Error *fail(tensorc_status *status) {
  if (!status)
    return nullptr;
  Error *error =
      fail(codeOf(tensorc_status_code(status)), tensorc_status_message(status));
  tensorc_status_free(status);
  return error;
}

std::optional<Failure> failureOf(Error *error) {
  if (!error)
    return std::nullopt;
  Failure failure{error->code, std::move(error->message)};
  delete error;
  return failure;
}

static Error *errorMessage(ErrorMessage &args) {
  args.message = args.error->message.data();
  args.messageSize = args.error->message.size();
  return nullptr;
}

static Error *errorGetCode(ErrorGetCode &args) {
  args.code = args.error->code;
  return nullptr;
}

static Error *errorForEachPayload(ErrorForEachPayload &) { return nullptr; }

//===----------------------------------------------------------------------===//
// The plugin
//===----------------------------------------------------------------------===//

static Error *pluginInitialize(PluginInitialize &) { return nullptr; }

static Error *pluginAttributes(PluginAttributes &args) {
  // The StableHLO versions of portable artifacts that the reader supports. A
  // host converts newer ops to ops of the current version.
  static const int64_t current[] = {1, 15, 0}, minimum[] = {0, 9, 0};
  static const auto values = [] {
    std::vector<NamedValue> all;
    all.push_back(named("stablehlo_current_version", ValueType::Int64List, 3));
    all.back().numbers = current;
    all.push_back(named("stablehlo_minimum_version", ValueType::Int64List, 3));
    all.back().numbers = minimum;
    // Hosts use this attribute to recognize plugins built with a generation of
    // XLA that they support.
    all.push_back(named("xla_version", ValueType::Int64, 1));
    all.back().number = 2;
    return all;
  }();
  args.attributes = values.data();
  args.numAttributes = values.size();
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Functions that are not implemented
//===----------------------------------------------------------------------===//

/// Returns the purpose of a function of the table that the plugin does not
/// implement. The error message contains it, because a host may call any
/// function.
static const char *purposeOf(int slot) {
  if (slot >= 77 && slot <= 81)
    return "copying to a device chunk by chunk";
  if ((slot >= 101 && slot <= 109) || slot == 119)
    return "asynchronous transfers to a device";
  if (slot == 110 || slot == 111)
    return "mapping host memory for DMA";
  if (slot == 115 || slot == 116)
    return "alias buffers";
  if (slot == 82 || slot == 87 || slot == 114 || slot == 133 || slot == 136 ||
      slot == 137)
    return "topologies without a client";
  if (slot == 89 || slot == 129)
    return "compiling without a client";
  if (slot == 118 || slot == 121)
    return "buffers and executions that are errors";
  if (slot == 122 || slot == 123)
    return "tracking events";
  return "this";
}

static Error *refuseFunction(int slot) {
  return fail(Code::Unimplemented,
              "tensorc's PJRT plugin: function " + std::to_string(slot) + ", " +
                  purposeOf(slot) + ", is not implemented");
}

template <int Slot> static Error *refuse(void *) {
  return refuseFunction(Slot);
}

template <int... Slots>
static void refuseAll(Function *functions,
                      std::integer_sequence<int, Slots...>) {
  ((functions[Slots] = refuse<Slots>), ...);
}

static Api makeApi() {
  Api api{};
  api.structSize = sizeof api;
  api.extensionStart = layoutsOf();
  layoutsOf()->next = shardingsOf();
  api.version = {sizeof api.version, nullptr, majorVersion, minorVersion};
  refuseAll(api.functions, std::make_integer_sequence<int, functionCount>());
  Table table(api.functions);
  table.set<destroy<&ErrorDestroy::error>, errorMessage, errorGetCode,
            errorForEachPayload, pluginInitialize, pluginAttributes>();
  addEvents(table);
  addClient(table);
  addDevices(table);
  addBuffers(table);
  addPrograms(table);
  addExecutables(table);
  addExecution(table);
  return api;
}

} // namespace tensorc::pjrt

extern "C" __attribute__((visibility("default"))) const tensorc::pjrt::Api *
GetPjrtApi() {
  static const tensorc::pjrt::Api api = tensorc::pjrt::makeApi();
  return &api;
}
