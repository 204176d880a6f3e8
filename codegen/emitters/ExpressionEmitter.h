//===- ExpressionEmitter.h - Emits elements of a fusion's values ----------===//
#ifndef TENSORC_CODEGEN_EMITTERS_EXPRESSIONEMITTER_H
#define TENSORC_CODEGEN_EMITTERS_EXPRESSIONEMITTER_H

#include "codegen/emitters/KernelBuilder.h"
#include "ir/tx/Size.h"

namespace tensorc::tx {
class ConcatenateOp;
class DynamicUpdateSliceOp;
class IotaOp;
class PadOp;
class RandomBitsOp;
} // namespace tensorc::tx

namespace tensorc::codegen {

struct ElementLocation;
struct OffsetChoice;

/// Emits the code for an element, or a vector of elements, of a value at an
/// index, by walking the fusion's producers. Every skeleton uses it in its
/// innermost loop, with a value for each dim of the iteration space.
///
/// One dim may be vectorized: lane l is the element at dim + l. Values that do
/// not depend on that dim stay scalar until they are combined with a vector.
class ExpressionEmitter {
public:
  struct Lanes {
    unsigned dim;
    int64_t width;
  };

  /// `dimValues` has an index value per dim of `space`. Lanes that are off in
  /// `mask` (null: all lanes are on) hold undefined elements and do not access
  /// memory.
  ExpressionEmitter(KernelBuilder &kernel,
                    const analysis::IterationSpace &space,
                    mlir::ValueRange dimValues,
                    std::optional<Lanes> lanes = std::nullopt,
                    mlir::Value mask = {});

  /// Sets the value's element at every index, such as the result of a reduction
  /// that a skeleton computes.
  void bindValue(mlir::Value v, mlir::Value element) { bound[v] = element; }

  /// Sets the value's element at this index.
  void bindElement(mlir::Value v, const analysis::Index &index,
                   mlir::Value element) {
    scopes.front().elements[keyOf(v, index)] = element;
  }

  /// Declares that slices of the value are in memory. The value's first dim
  /// selects one of `rows`, its last dim is the position in the row relative to
  /// `offset`, and its other dims must equal the current ones. Each row is
  /// followed by a copy of its first element.
  void bindRows(mlir::Value v, llvm::ArrayRef<mlir::Value> rows,
                mlir::Value offset) {
    boundRows = {v, llvm::to_vector(rows), offset};
  }

  /// Declares that lane 0 and the start of every row of `row` elements (null:
  /// there is one row) are at multiples of the number of lanes. Vectors that
  /// are aligned because of this are accessed by aligned loads and stores.
  void assumeAligned(mlir::AffineExpr row) {
    aligned = true;
    alignedRow = row;
  }

  /// Declares that lane 0 is at a multiple of the number of lanes, without
  /// assuming any alignment in memory.
  void beginAtMultiples() { atMultiples = true; }

  /// Makes loads of contiguous lanes also prefetch the data `bytes` after them.
  /// This helps where the hardware prefetcher stops, at the end of a page. If a
  /// loop is given, only data that changes along it is prefetched. `locality`
  /// is 2 for L2, 3 for L1.
  void prefetch(int64_t bytes, std::optional<unsigned> loop = std::nullopt,
                unsigned locality = 2) {
    prefetchBytes = bytes;
    prefetchLoop = loop;
    prefetchLocality = locality;
  }

  /// If a guard is the same for all lanes, masks the lanes off instead of
  /// branching. A branch around few instructions costs more than the
  /// instructions.
  void preferMasks() { masksOnly = true; }

  /// Declares that usually all lanes are on. In this case loads branch to an
  /// unmasked load, because the hardware prefetcher ignores masked loads.
  void expectAllOn() { mostlyOn = true; }

  /// Emits the value's element at the index: a scalar, or a vector if the index
  /// depends on the vectorized dim.
  mlir::FailureOr<mlir::Value> emit(mlir::Value v,
                                    const analysis::Index &index);
  /// Like `emit`, but always returns a vector if there are lanes.
  mlir::FailureOr<mlir::Value> emitLanes(mlir::Value v,
                                         const analysis::Index &index);

  /// Stores an element, or one per lane, to the fusion's output. `streaming` is
  /// an i1 (null: false). If it is true, the store is non-temporal: all lanes
  /// must be on and the address aligned to the vector.
  void store(mlir::Value element, unsigned output, const analysis::Index &index,
             mlir::Value streaming = {});

  /// Computes and stores the outputs at the index, or only the outputs for
  /// which `isMeant` returns true. All loads are emitted before the stores,
  /// because an output may alias an input.
  mlir::LogicalResult
  storeOutputs(const analysis::Index &index, mlir::Value streaming = {},
               llvm::function_ref<bool(mlir::Value)> isMeant = nullptr);

  /// Maximum number of elements of a *short row*: a small last dim, such as the
  /// two parts of a complex number, that is unrolled instead of vectorized.
  static constexpr int64_t longestRow = 4;

  /// Stores the outputs at all `size` indices of the last dim, a short row. The
  /// lanes run over rows, and the elements of contiguous rows are interleaved
  /// so that whole vectors are stored.
  mlir::LogicalResult storeShortRows(const analysis::Index &index, int64_t size,
                                     mlir::Value streaming = {});

  /// Prefetches what storeOutputs would load at the index with contiguous
  /// lanes, without computing anything.
  mlir::LogicalResult prefetchOutputs(const analysis::Index &index);

  /// Stores an element, or lanes, of the op's update into its window of the
  /// output. The dims of the space are those of the update.
  mlir::LogicalResult storeWindow(tx::DynamicUpdateSliceOp op, unsigned output);

  /// Loads an element of an output that was stored before, such as an
  /// accumulator of a scatter.
  mlir::Value reload(unsigned output, const analysis::Index &index);

  /// Returns an i1 that is true if all guards hold, or null if they always do.
  /// The guards must be the same for all lanes.
  mlir::Value allHold(llvm::ArrayRef<analysis::Guard> guards);

  /// Returns the position in memory of the outputs' elements at the index. All
  /// outputs have the same shape.
  mlir::Value outputPosition(const analysis::Index &index) {
    return indexValue(space.linearize(
        index, kernel.dims(kernel.yield().getValues().front())));
  }

  mlir::Value splat(mlir::Value scalar);
  mlir::Value indexValue(mlir::AffineExpr expr);
  /// Returns the expression's value for each lane, as vector<width x index>.
  mlir::Value laneIndex(mlir::AffineExpr expr);

private:
  friend class ElementReads;
  using Key = std::pair<mlir::Value, mlir::AffineMap>;

  KernelBuilder &kernel;
  mlir::ImplicitLocOpBuilder &b;
  const analysis::IterationSpace &space;
  llvm::SmallVector<mlir::Value> dimValues;
  std::optional<Lanes> lanes;
  mlir::Value mask;
  /// An i1 that is true if loads whose result all lanes share may be executed,
  /// or null if they always may be.
  mlir::Value mayRead;
  int64_t prefetchBytes = 0;
  std::optional<unsigned> prefetchLoop;
  unsigned prefetchLocality = 2;
  bool aligned = false, atMultiples = false, masksOnly = false,
       mostlyOn = false;
  /// True while `prefetchOutputs` runs: loads become prefetches, and zeros
  /// stand for the loaded values.
  bool prefetchesOnly = false;
  mlir::AffineExpr alignedRow;
  llvm::DenseMap<mlir::Value, mlir::Value> bound;
  struct BoundRows {
    mlir::Value value;
    llvm::SmallVector<mlir::Value> rows;
    mlir::Value offset;
  };
  BoundRows boundRows;
  /// Caches of emitted values, one per scope, innermost last. A branch or a
  /// narrower mask opens a scope, because values emitted in it are not valid
  /// outside.
  struct Scope {
    llvm::DenseMap<Key, mlir::Value> elements;
    llvm::DenseMap<mlir::AffineExpr, mlir::Value> indices;
    /// Masks of the lanes in which 0 <= first expression < second expression.
    llvm::DenseMap<std::pair<mlir::AffineExpr, mlir::AffineExpr>, mlir::Value>
        bounds;
    /// Loaded vectors of contiguous elements, and of elements with stride two,
    /// by buffer and position of lane 0.
    using Location = std::pair<mlir::Value, mlir::AffineExpr>;
    llvm::DenseMap<Location, mlir::Value> contiguous, everyOther;
  };
  llvm::SmallVector<Scope> scopes;

  bool variesByLane(const analysis::Index &index) const;
  bool variesByLane(mlir::AffineExpr expr) const;
  Key keyOf(mlir::Value v, const analysis::Index &index) const;
  mlir::AffineExpr symbolOf(mlir::Value v) { return kernel.symbolOf(v); }

  /// Returns 0, or a vector of zeros if `byLane` is set.
  mlir::Value nothing(mlir::Type element, bool byLane);
  mlir::FailureOr<mlir::Value> compute(mlir::Value v,
                                       const analysis::Index &index);
  mlir::Value loadBoundRows(const analysis::Index &index);
  mlir::FailureOr<mlir::Value> load(mlir::BlockArgument input,
                                    const analysis::Index &index);
  /// Loads the element, or one per lane, at `position` plus `offset` (a scalar
  /// or a vector; null: 0).
  mlir::Value loadAt(mlir::Value buffer, mlir::AffineExpr position,
                     mlir::Value offset = {});
  mlir::Value loadScalar(mlir::Value buffer, mlir::Value at);
  std::optional<int64_t> laneStep(mlir::AffineExpr position) const;
  llvm::SmallVector<mlir::Value>
  loadVectors(mlir::Value buffer, llvm::ArrayRef<mlir::Value> offsets,
              mlir::VectorType type,
              llvm::function_ref<mlir::Value(size_t)> maskOf);
  mlir::Value loadEven(mlir::Value buffer, mlir::AffineExpr position,
                       mlir::Value offset);
  mlir::Value moveEven(mlir::Value buffer, mlir::AffineExpr position);
  mlir::Value endOfEven(mlir::Value buffer, mlir::AffineExpr position,
                        bool isFirst);
  mlir::Value
  known(llvm::DenseMap<Scope::Location, mlir::Value> Scope::*vectors,
        mlir::Value buffer, mlir::AffineExpr position, int64_t distance);
  std::optional<llvm::SmallVector<int64_t>>
  offsetsOfLanes(mlir::AffineExpr expr, bool fromFirst) const;
  mlir::Value loadRepeated(mlir::Value buffer, mlir::AffineExpr position,
                           int64_t count);
  mlir::Value loadInterleaved(mlir::Value buffer, mlir::AffineExpr position,
                              llvm::ArrayRef<int64_t> offsets);
  mlir::Value loadBackwards(mlir::Value buffer, mlir::Value first);
  int64_t sizeOfShortRow(mlir::BlockArgument input,
                         const analysis::Index &index) const;
  mlir::Value loadShortRows(mlir::BlockArgument input,
                            const analysis::Index &index, int64_t size);
  llvm::MaybeAlign alignmentAt(mlir::AffineExpr position, mlir::Type element);
  void prefetchAt(mlir::Value buffer, mlir::Value first);
  /// Stores the lanes that are on in `on` (null: all lanes).
  void storeAt(mlir::Value vector, mlir::Value buffer, mlir::Value at,
               mlir::Value on, llvm::MaybeAlign alignment,
               mlir::Value streaming);
  void storeShortRow(llvm::ArrayRef<mlir::Value> elements, unsigned output,
                     const analysis::Index &index, mlir::Value streaming);
  mlir::FailureOr<mlir::Value> iota(tx::IotaOp op,
                                    const analysis::Index &index);
  mlir::FailureOr<mlir::Value> size(tx::SizeOp op);
  mlir::FailureOr<mlir::Value> randomBits(tx::RandomBitsOp op,
                                          const analysis::Index &index);
  mlir::FailureOr<mlir::Value> elementwise(mlir::Operation *op,
                                           const analysis::Index &index);
  /// Emits an op that reads an operand at indices known only at run time, such
  /// as a gather (ElementReads.cpp).
  mlir::FailureOr<mlir::Value> readAtElements(mlir::Operation *op,
                                              const analysis::Index &index);
  mlir::FailureOr<mlir::Value> pad(tx::PadOp op, const analysis::Index &index);
  mlir::FailureOr<mlir::Value> concatenate(tx::ConcatenateOp op,
                                           const analysis::Index &index);
  /// If the value's element is copied from one input, and from the same part of
  /// it for all lanes, returns the element's location. Returns nullopt if it is
  /// computed (ElementLocations.cpp).
  std::optional<ElementLocation>
  locate(mlir::Value v, const analysis::Index &index, unsigned nested = 0);
  mlir::Value choose(const OffsetChoice &choice);
  mlir::Value loadChosen(const ElementLocation &location);
  using Thunk = llvm::function_ref<mlir::FailureOr<mlir::Value>()>;
  /// Emits then() for the lanes in which all guards hold, and otherwise() for
  /// the other lanes.
  mlir::FailureOr<mlir::Value> guarded(llvm::ArrayRef<analysis::Guard> guards,
                                       mlir::Type element, Thunk then,
                                       Thunk otherwise);
  /// Like `guarded`, for a condition that is the same for all lanes and a mask.
  /// Either may be null, which means always true.
  mlir::FailureOr<mlir::Value> conditional(mlir::Value uniform,
                                           mlir::Value byLane,
                                           mlir::Type element, Thunk then,
                                           Thunk otherwise);
  mlir::FailureOr<mlir::Value> branch(mlir::Value condition, mlir::Type type,
                                      Thunk then, Thunk otherwise);
  /// Returns true or false if the guard has that value at all indices of the
  /// space, and nullopt otherwise.
  std::optional<bool> settled(const analysis::Guard &guard) const;
  mlir::Value condition(const analysis::Guard &guard, bool byLane);
  mlir::Value narrowCondition(const analysis::Guard &guard);
  mlir::FailureOr<mlir::Value> scoped(Thunk thunk);
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_EXPRESSIONEMITTER_H
