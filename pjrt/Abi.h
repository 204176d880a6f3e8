//===- Abi.h - The parts of PJRT's C interface that are used --------------===//
//
// The plugin and its host must agree on the position of each function in the
// table, and on the fields of the function's only argument, a struct. Structs
// and fields have the names of the interface, written in this project's style:
// `PJRT_Client_PlatformName_Args::platform_name_size` is
// `ClientPlatformName::platformNameSize`. Only functions that the plugin
// implements are declared. tests/python/test_jax_abi.py compares positions and
// offsets with pypjrt's, and needs each struct on one line.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_PJRT_ABI_H
#define TENSORC_PJRT_ABI_H

#include <cstddef>
#include <cstdint>

namespace tensorc::pjrt {

// Types that are opaque for the host (Objects.h).
struct Buffer;
struct Client;
struct Device;
struct DeviceDescription;
struct Error;
struct Event;
struct Executable;
struct ExecuteContext;
struct LoadedExecutable;
struct Memory;
struct MemoryLayout;
struct SerializedBytes;
struct Topology;

/// The version of the interface. Hosts read only as much of the table as its size
/// states, so a table may contain functions of later versions. From 0.93 on hosts
/// ask the layouts extension for the layouts of arguments. From older plugins
/// they derive them by parsing the program, which takes 4 ms.
inline constexpr int32_t majorVersion = 0;
inline constexpr int32_t minorVersion = 93;
/// Number of functions in the table.
inline constexpr int functionCount = 138;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

enum class Code : int32_t {
  Cancelled = 1,
  Unknown = 2,
  InvalidArgument = 3,
  DeadlineExceeded = 4,
  NotFound = 5,
  PermissionDenied = 7,
  ResourceExhausted = 8,
  FailedPrecondition = 9,
  OutOfRange = 11,
  Unimplemented = 12,
  Internal = 13
};

enum class ElementType : int32_t {
  Invalid = 0,
  Pred = 1,
  S8 = 2,
  S16 = 3,
  S32 = 4,
  S64 = 5,
  U8 = 6,
  U16 = 7,
  U32 = 8,
  U64 = 9,
  F16 = 10,
  F32 = 11,
  F64 = 12,
  BF16 = 13,
  C64 = 14,
  C128 = 15,
  F8E5M2 = 16,
  F8E4M3FN = 17,
  S4 = 21,
  U4 = 22
};

enum class HostSemantics : int32_t {
  ImmutableOnlyDuringCall = 0,
  ImmutableUntilTransferCompletes = 1,
  ImmutableZeroCopy = 2,
  MutableZeroCopy = 3
};

enum class ValueType : int32_t {
  String = 0,
  Int64 = 1,
  Int64List = 2,
  Float = 3,
  Bool = 4
};

enum class LayoutType : int32_t { Tiled = 0, Strides = 1 };

/// The type numbers of the extensions that describe layouts and shardings.
inline constexpr int32_t layoutsExtension = 4;
inline constexpr int32_t shardingsExtension = 19;

//===----------------------------------------------------------------------===//
// Structs
//===----------------------------------------------------------------------===//

struct Extension {
  size_t structSize;
  int32_t type;
  Extension *next;
};

struct Version {
  size_t structSize;
  void *extensionStart;
  int32_t majorVersion;
  int32_t minorVersion;
};

using Function = Error *(*)(void *);

struct Api {
  size_t structSize;
  Extension *extensionStart;
  Version version;
  Function functions[functionCount];
};

struct NamedValue {
  size_t structSize;
  void *extensionStart;
  const char *name;
  size_t nameSize;
  ValueType type;
  union {
    const char *text;
    int64_t number;
    const int64_t *numbers;
    float real;
    bool flag;
  };
  size_t valueSize;
};

struct Program {
  size_t structSize;
  void *extensionStart;
  char *code;
  size_t codeSize;
  const char *format;
  size_t formatSize;
};

struct TiledLayout {
  size_t structSize;
  void *extensionStart;
  const int64_t *minorToMajor;
  size_t minorToMajorSize;
  const int64_t *tileDims;
  const size_t *tileDimSizes;
  size_t numTiles;
};

struct StridedLayout {
  size_t structSize;
  void *extensionStart;
  const int64_t *byteStrides;
  size_t numByteStrides;
};

struct HostLayout {
  size_t structSize;
  void *extensionStart;
  union {
    TiledLayout tiled;
    StridedLayout strides;
  };
  LayoutType type;
};

struct LogicalDevice {
  int32_t replica;
  int32_t partition;
};

struct ExecuteOptions {
  size_t structSize;
  void *extensionStart;
  void *sendCallbacks;
  void *recvCallbacks;
  size_t numSendOps;
  size_t numRecvOps;
  int32_t launchId;
  const int64_t *nonDonatableInputIndices;
  size_t numNonDonatableInputIndices;
};

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

using Deleter = void (*)(SerializedBytes *bytes);

/// Base of the argument struct of the function at position `Slot` of the table.
template <int Slot> struct Args {
  static constexpr int slot = Slot;
  size_t structSize;
  void *extensionStart;
};

// clang-format off

// Errors
struct ErrorDestroy : Args<0> { Error *error; };
struct ErrorMessage : Args<1> { Error *error; const char *message; size_t messageSize; };
struct ErrorGetCode : Args<2> { Error *error; Code code; };
struct ErrorForEachPayload : Args<132> { Error *error; void *visitor; void *userArg; };

// Plugin
struct PluginInitialize : Args<3> {};
struct PluginAttributes : Args<4> { const NamedValue *attributes; size_t numAttributes; };

// Events
struct EventDestroy : Args<5> { Event *event; };
struct EventIsReady : Args<6> { Event *event; bool isReady; };
struct EventError : Args<7> { Event *event; };
struct EventAwait : Args<8> { Event *event; };
struct EventCreate : Args<126> { Event *event; };
struct EventSet : Args<127> { Event *event; Code errorCode; const char *errorMessage; size_t errorMessageSize; };
struct EventOnReady : Args<9> { Event *event; void (*callback)(Error *error, void *userArg); void *userArg; };

// Client
struct ClientCreate : Args<10> { const NamedValue *createOptions; size_t numOptions; void *kvGetCallback; void *kvGetUserArg; void *kvPutCallback; void *kvPutUserArg; Client *client; };
struct ClientDestroy : Args<11> { Client *client; };
struct ClientPlatformName : Args<12> { Client *client; const char *platformName; size_t platformNameSize; };
struct ClientProcessIndex : Args<13> { Client *client; int32_t processIndex; };
struct ClientPlatformVersion : Args<14> { Client *client; const char *platformVersion; size_t platformVersionSize; };
struct ClientDevices : Args<15> { Client *client; Device *const *devices; size_t numDevices; };
struct ClientAddressableDevices : Args<16> { Client *client; Device *const *addressableDevices; size_t numAddressableDevices; };
struct ClientLookupDevice : Args<17> { Client *client; int32_t id; Device *device; };
struct ClientLookupAddressableDevice : Args<18> { Client *client; int32_t localHardwareId; Device *addressableDevice; };
struct ClientAddressableMemories : Args<19> { Client *client; Memory *const *addressableMemories; size_t numAddressableMemories; };
struct ClientCompile : Args<20> { Client *client; const Program *program; const char *compileOptions; size_t compileOptionsSize; LoadedExecutable *executable; };
struct ClientDefaultDeviceAssignment : Args<21> { Client *client; int32_t numReplicas; int32_t numPartitions; size_t defaultAssignmentSize; int32_t *defaultAssignment; };
struct ClientBufferFromHostBuffer : Args<22> { Client *client; const void *data; ElementType type; const int64_t *dims; size_t numDims; const int64_t *byteStrides; size_t numByteStrides; HostSemantics hostBufferSemantics; Device *device; Memory *memory; HostLayout *deviceLayout; Event *doneWithHostBuffer; Buffer *buffer; };
struct ClientTopologyDescription : Args<95> { Client *client; Topology *topology; };

struct ClientCreateUninitializedBuffer : Args<112> { Client *client; const int64_t *shapeDims; size_t shapeNumDims; ElementType shapeElementType; HostLayout *shapeLayout; Device *device; Memory *memory; Buffer *buffer; };
struct ClientCreateViewOfDeviceBuffer : Args<93> { Client *client; void *deviceBufferPtr; const int64_t *dims; size_t numDims; ElementType elementType; HostLayout *layout; Device *device; void (*onDeleteCallback)(void *pointer, void *userArg); void *onDeleteCallbackArg; intptr_t stream; Buffer *buffer; Memory *memory; };

// Devices and memories
struct DeviceDescriptionId : Args<23> { DeviceDescription *deviceDescription; int32_t id; };
struct DeviceDescriptionProcessIndex : Args<24> { DeviceDescription *deviceDescription; int32_t processIndex; };
struct DeviceDescriptionAttributes : Args<25> { DeviceDescription *deviceDescription; size_t numAttributes; const NamedValue *attributes; };
struct DeviceDescriptionKind : Args<26> { DeviceDescription *deviceDescription; const char *deviceKind; size_t deviceKindSize; };
struct DeviceDescriptionDebugString : Args<27> { DeviceDescription *deviceDescription; const char *debugString; size_t debugStringSize; };
struct DeviceDescriptionToString : Args<28> { DeviceDescription *deviceDescription; const char *toString; size_t toStringSize; };
struct DeviceGetDescription : Args<29> { Device *device; DeviceDescription *deviceDescription; };
struct DeviceIsAddressable : Args<30> { Device *device; bool isAddressable; };
struct DeviceLocalHardwareId : Args<31> { Device *device; int32_t localHardwareId; };
struct DeviceAddressableMemories : Args<32> { Device *device; Memory *const *memories; size_t numMemories; };
struct DeviceDefaultMemory : Args<33> { Device *device; Memory *memory; };
struct DeviceMemoryStats : Args<34> { Device *device; int64_t bytesInUse; int64_t peakBytesInUse; bool peakBytesInUseIsSet; int64_t numAllocs; bool numAllocsIsSet; int64_t largestAllocSize; bool largestAllocSizeIsSet; int64_t bytesLimit; bool bytesLimitIsSet; };
struct DeviceGetAttributes : Args<128> { Device *device; const NamedValue *attributes; size_t numAttributes; SerializedBytes *deviceAttributes; Deleter attributesDeleter; };
struct DeviceClearMemoryStats : Args<135> { Device *device; };
struct MemoryId : Args<35> { Memory *memory; int32_t id; };
struct MemoryKind : Args<36> { Memory *memory; const char *kind; size_t kindSize; };
struct MemoryDebugString : Args<37> { Memory *memory; const char *debugString; size_t debugStringSize; };
struct MemoryToString : Args<38> { Memory *memory; const char *toString; size_t toStringSize; };
struct MemoryAddressableByDevices : Args<39> { Memory *memory; Device *const *devices; size_t numDevices; };
struct MemoryKindId : Args<97> { Memory *memory; int32_t kindId; };

// Topology
struct TopologyDescriptionDestroy : Args<83> { Topology *topology; };
struct TopologyDescriptionPlatformName : Args<84> { Topology *topology; const char *platformName; size_t platformNameSize; };
struct TopologyDescriptionPlatformVersion : Args<85> { Topology *topology; const char *platformVersion; size_t platformVersionSize; };
struct TopologyDescriptionGetDeviceDescriptions : Args<86> { Topology *topology; DeviceDescription *const *descriptions; size_t numDescriptions; };
struct TopologyDescriptionAttributes : Args<88> { Topology *topology; const NamedValue *attributes; size_t numAttributes; };

// Executables
struct ExecutableDestroy : Args<40> { Executable *executable; };
struct ExecutableName : Args<41> { Executable *executable; const char *executableName; size_t executableNameSize; };
struct ExecutableNumReplicas : Args<42> { Executable *executable; size_t numReplicas; };
struct ExecutableNumPartitions : Args<43> { Executable *executable; size_t numPartitions; };
struct ExecutableNumOutputs : Args<44> { Executable *executable; size_t numOutputs; };
struct ExecutableSizeOfGeneratedCodeInBytes : Args<45> { Executable *executable; int64_t sizeInBytes; };
struct ExecutableGetCostAnalysis : Args<46> { Executable *executable; size_t numProperties; const NamedValue *properties; };
struct ExecutableOutputMemoryKinds : Args<47> { Executable *executable; size_t numOutputs; const char *const *memoryKinds; const size_t *memoryKindSizes; };
struct ExecutableOptimizedProgram : Args<48> { Executable *executable; Program *program; };
struct ExecutableSerialize : Args<49> { Executable *executable; const char *serializedBytes; size_t serializedBytesSize; SerializedBytes *serializedExecutable; Deleter serializedExecutableDeleter; };
struct ExecutableDeserializeAndLoad : Args<56> { Client *client; const char *serializedExecutable; size_t serializedExecutableSize; LoadedExecutable *loadedExecutable; const char *overriddenSerializedCompileOptions; size_t overriddenSerializedCompileOptionsSize; };
struct ExecutableOutputElementTypes : Args<90> { Executable *executable; const ElementType *outputTypes; size_t numOutputTypes; };
struct ExecutableOutputDimensions : Args<91> { Executable *executable; size_t numOutputs; const int64_t *dims; const size_t *dimSizes; };
struct ExecutableFingerprint : Args<94> { Executable *executable; const char *executableFingerprint; size_t executableFingerprintSize; };
struct ExecutableGetCompiledMemoryStats : Args<96> { Executable *executable; int64_t generatedCodeSizeInBytes; int64_t argumentSizeInBytes; int64_t outputSizeInBytes; int64_t aliasSizeInBytes; int64_t tempSizeInBytes; };
struct ExecutableParameterMemoryKinds : Args<134> { Executable *executable; size_t numParameters; const char *const *memoryKinds; const size_t *memoryKindSizes; };
struct ExecutableGetCompileOptions : Args<124> { Executable *executable; const char *serializedBytes; size_t serializedBytesSize; SerializedBytes *serializedCompileOptions; Deleter serializedCompileOptionsDeleter; };
struct LoadedExecutableDestroy : Args<50> { LoadedExecutable *executable; };
struct LoadedExecutableGetExecutable : Args<51> { LoadedExecutable *loadedExecutable; Executable *executable; };
struct LoadedExecutableAddressableDevices : Args<52> { LoadedExecutable *executable; Device *const *addressableDevices; size_t numAddressableDevices; };
struct LoadedExecutableDelete : Args<53> { LoadedExecutable *executable; };
struct LoadedExecutableIsDeleted : Args<54> { LoadedExecutable *executable; bool isDeleted; };
struct LoadedExecutableExecute : Args<55> { LoadedExecutable *executable; ExecuteOptions *options; Buffer *const *const *argumentLists; size_t numDevices; size_t numArgs; Buffer **const *outputLists; Event **deviceCompleteEvents; Device *executeDevice; };
struct LoadedExecutableFingerprint : Args<57> { LoadedExecutable *executable; const char *executableFingerprint; size_t executableFingerprintSize; };
struct LoadedExecutableAddressableDeviceLogicalIds : Args<130> { LoadedExecutable *executable; LogicalDevice *addressableDeviceLogicalIds; size_t numAddressableDeviceLogicalIds; };
struct LoadedExecutableGetDeviceAssignment : Args<117> { LoadedExecutable *executable; const char *serializedBytes; size_t serializedBytesSize; SerializedBytes *serializedDeviceAssignment; Deleter serializedDeviceAssignmentDeleter; };
struct ExecuteContextCreate : Args<98> { ExecuteContext *context; };
struct ExecuteContextDestroy : Args<99> { ExecuteContext *context; };

// Buffers
struct BufferDestroy : Args<58> { Buffer *buffer; };
struct BufferElementType : Args<59> { Buffer *buffer; ElementType type; };
struct BufferDimensions : Args<60> { Buffer *buffer; const int64_t *dims; size_t numDims; };
struct BufferUnpaddedDimensions : Args<61> { Buffer *buffer; const int64_t *unpaddedDims; size_t numDims; };
struct BufferDynamicDimensionIndices : Args<62> { Buffer *buffer; const size_t *dynamicDimIndices; size_t numDynamicDims; };
struct BufferGetMemoryLayout : Args<63> { Buffer *buffer; HostLayout layout; };
struct BufferOnDeviceSizeInBytes : Args<64> { Buffer *buffer; size_t onDeviceSizeInBytes; };
struct BufferDevice : Args<65> { Buffer *buffer; Device *device; };
struct BufferMemory : Args<66> { Buffer *buffer; Memory *memory; };
struct BufferDelete : Args<67> { Buffer *buffer; };
struct BufferIsDeleted : Args<68> { Buffer *buffer; bool isDeleted; };
struct BufferCopyToDevice : Args<69> { Buffer *buffer; Device *dstDevice; Buffer *dstBuffer; };
struct BufferCopyRawToHost : Args<100> { Buffer *buffer; void *dst; int64_t offset; int64_t transferSize; Event *event; };
struct BufferToHostBuffer : Args<70> { Buffer *src; HostLayout *hostLayout; void *dst; size_t dstSize; Event *event; };
struct BufferIsOnCpu : Args<71> { Buffer *buffer; bool isOnCpu; };
struct BufferReadyEvent : Args<72> { Buffer *buffer; Event *event; };
struct BufferUnsafePointer : Args<73> { Buffer *buffer; uintptr_t bufferPointer; };
struct BufferIncreaseExternalReferenceCount : Args<74> { Buffer *buffer; };
struct BufferDecreaseExternalReferenceCount : Args<75> { Buffer *buffer; };
struct BufferOpaqueDeviceMemoryDataPointer : Args<76> { Buffer *buffer; void *deviceMemoryPtr; };
struct BufferCopyToMemory : Args<92> { Buffer *buffer; Memory *dstMemory; Buffer *dstBuffer; };

// Functions of the extension for layouts, with their positions in it.
struct LayoutsMemoryLayoutDestroy : Args<0> { MemoryLayout *layout; };
struct LayoutsMemoryLayoutSerialize : Args<1> { MemoryLayout *layout; const char *serializedBytes; size_t serializedBytesSize; SerializedBytes *serializedLayout; Deleter serializedLayoutDeleter; };
struct LayoutsPJRTClientGetDefaultLayout : Args<2> { Client *client; ElementType type; const int64_t *dims; size_t numDims; MemoryLayout *layout; };
struct LayoutsPJRTBufferMemoryLayout : Args<3> { Buffer *buffer; MemoryLayout *layout; };
struct LayoutsPJRTTopologyGetDefaultLayout : Args<4> { Topology *topologyDescription; ElementType type; const int64_t *dims; size_t numDims; MemoryLayout *layout; };
struct LayoutsPJRTExecutableGetOutputLayouts : Args<5> { Executable *executable; size_t numOutputs; MemoryLayout *const *layouts; };
struct LayoutsPJRTExecutableGetParameterLayouts : Args<6> { Executable *executable; size_t numParameters; MemoryLayout *const *layouts; };

// Functions of the extension for shardings
struct ShardingsPJRTExecutableParameterShardings : Args<0> { Executable *executable; size_t numParameters; const char *const *shardings; const size_t *shardingSizes; };
struct ShardingsPJRTExecutableOutputShardings : Args<1> { Executable *executable; size_t numOutputs; const char *const *shardings; const size_t *shardingSizes; };
// clang-format on

inline constexpr int layoutsFunctionCount = 7;
struct LayoutsExtension : Extension {
  Function functions[layoutsFunctionCount];
};
struct ShardingsExtension : Extension {
  Function functions[2];
};

} // namespace tensorc::pjrt

#endif // TENSORC_PJRT_ABI_H
