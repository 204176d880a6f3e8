//===- ExpressionEmitter.h - Emit elements of a fusion's values -----------===//
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

struct ElementPlace;
struct PlaceChoice;

/// Emits the code for an element, or a vector of elements, of a value at an
/// index, by walking the fusion's producers. Every skeleton calls it in its
/// innermost loop, with the loops' induction variables bound to the iteration
/// space's dims.
///
/// One dim may run along lanes: lane l of a vector is the element at dim + l.
/// Values that do not depend on that dim stay scalar until they are combined
/// with a vector.
class ExpressionEmitter {
public:
  struct Lanes {
    unsigned dim;
    int64_t width;
  };

  /// `dimValues` has an index value per dim of `space`. Lanes that are off in
  /// `mask` (null: all are on) hold undefined elements and never read memory.
  ExpressionEmitter(KernelBuilder &kernel,
                    const analysis::IterationSpace &space,
                    mlir::ValueRange dimValues,
                    std::optional<Lanes> lanes = std::nullopt,
                    mlir::Value mask = {});

  /// Binds a value that was computed elsewhere, such as a reduction's result,
  /// at any index.
  void bind(mlir::Value v, mlir::Value element) { bound[v] = element; }

  /// Binds the value's element at this index.
  void give(mlir::Value v, const analysis::Index &index, mlir::Value element) {
    scopes.front().elements[keyOf(v, index)] = element;
  }

  /// Declares that the value's rows are in memory. Its first dim selects one of
  /// `rows`, its last dim is the position in the row from `offset` on, and its
  /// other dims are those of the current row. A copy of a row's first element
  /// follows its last one.
  void keep(mlir::Value v, llvm::ArrayRef<mlir::Value> rows,
            mlir::Value offset) {
    kept = {v, llvm::to_vector(rows), offset};
  }

  /// Declares that lane 0 is at a multiple of the number of lanes, and so is
  /// the start of every row of `row` elements (null: there is one row). Vectors
  /// that are aligned in consequence are accessed by aligned loads and stores.
  void assumeAligned(mlir::AffineExpr row) {
    aligned = true;
    alignedRow = row;
  }

  /// Declares that lane 0 is at a multiple of the number of lanes, without
  /// assuming any alignment in memory.
  void beginAtMultiples() { atMultiples = true; }

  /// Makes loads of contiguous lanes also prefetch the data `bytes` further,
  /// past the page within which the hardware prefetcher stays. If a loop is
  /// given, only data that changes along it is prefetched. `locality` is 2 for
  /// L2, 3 for L1.
  void prefetch(int64_t bytes, std::optional<unsigned> loop = std::nullopt,
                unsigned locality = 2) {
    ahead = bytes;
    aheadLoop = loop;
    aheadLocality = locality;
  }

  /// Masks lanes off if a uniform guard fails, instead of branching: a branch
  /// around few instructions costs more than the instructions.
  void preferMasks() { masksOnly = true; }

  /// Declares that all lanes are usually on. Loads then test for that and use
  /// no mask, as the hardware prefetcher ignores masked loads.
  void expectAllOn() { mostlyOn = true; }

  /// Returns a scalar, or a vector if the index depends on the lanes' dim.
  mlir::FailureOr<mlir::Value> emit(mlir::Value v,
                                    const analysis::Index &index);
  /// Does the same, but always returns a vector if there are lanes.
  mlir::FailureOr<mlir::Value> emitLanes(mlir::Value v,
                                         const analysis::Index &index);

  /// Stores an element, or one per lane, of the fusion's output. `streaming` is
  /// an i1 (null: false): if true, all lanes are on, the address is aligned to
  /// the vector, and the store is non-temporal.
  void store(mlir::Value element, unsigned output, const analysis::Index &index,
             mlir::Value streaming = {});

  /// Computes the fusion's outputs at the index: all of them, or those for
  /// which `isMeant` is true. Stores come after all loads, because an output
  /// may alias an input.
  mlir::LogicalResult
  storeOutputs(const analysis::Index &index, mlir::Value streaming = {},
               llvm::function_ref<bool(mlir::Value)> isMeant = nullptr);

  /// Maximum number of elements of a short row.
  static constexpr int64_t longestRow = 4;

  /// Stores the outputs at all indices of the last dim, of size `size`. Lanes
  /// are rows of that dim, and contiguous rows are stored as whole vectors.
  mlir::LogicalResult storeShortRows(const analysis::Index &index, int64_t size,
                                     mlir::Value streaming = {});

  /// Prefetches the contiguous vectors from which the outputs at the index are
  /// computed, without computing them.
  mlir::LogicalResult prefetchOutputs(const analysis::Index &index);

  /// Stores the element, or the lanes, of the update at the space's own index
  /// to the window of the output that the op replaces.
  mlir::LogicalResult storeWindow(tx::DynamicUpdateSliceOp op, unsigned output);

  /// Loads an element of an output that was stored before.
  mlir::Value reload(unsigned output, const analysis::Index &index);

  /// Returns an i1: true if all guards, which must be uniform, hold. Null:
  /// always true.
  mlir::Value allHold(llvm::ArrayRef<analysis::Guard> guards);

  /// Returns the position of the outputs' elements at the index. All outputs
  /// have one shape.
  mlir::Value outputPlace(const analysis::Index &index) {
    return indexValue(space.linearize(
        index, kernel.dims(kernel.yield().getValues().front())));
  }

  mlir::Value splat(mlir::Value scalar);
  mlir::Value indexValue(mlir::AffineExpr expr);
  /// Returns the expression's value per lane, as vector<width x index>.
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
  /// An i1: true if the guards that mask all lanes hold. Null: always.
  mlir::Value mayRead;
  int64_t ahead = 0;
  std::optional<unsigned> aheadLoop;
  unsigned aheadLocality = 2;
  bool aligned = false, atMultiples = false, masksOnly = false,
       mostlyOn = false;
  /// True if only prefetches are emitted; zeros stand for the loaded values.
  bool asksOnly = false;
  mlir::AffineExpr alignedRow;
  llvm::DenseMap<mlir::Value, mlir::Value> bound;
  struct Kept {
    mlir::Value value;
    llvm::SmallVector<mlir::Value> rows;
    mlir::Value offset;
  };
  Kept kept;
  /// Scopes of values that were already emitted, innermost last. A branch or a
  /// narrower mask opens a scope, because its values are not valid outside.
  struct Scope {
    llvm::DenseMap<Key, mlir::Value> elements;
    llvm::DenseMap<mlir::AffineExpr, mlir::Value> indices;
    /// Masks of lanes in which an expression is at least 0 and below a size.
    llvm::DenseMap<std::pair<mlir::AffineExpr, mlir::AffineExpr>, mlir::Value>
        bounds;
    /// Vectors of contiguous elements, and of every other element, by the
    /// position of lane 0.
    using Place = std::pair<mlir::Value, mlir::AffineExpr>;
    llvm::DenseMap<Place, mlir::Value> sideBySide, everyOther;
  };
  llvm::SmallVector<Scope> scopes;

  bool variesByLane(const analysis::Index &index) const;
  bool variesByLane(mlir::AffineExpr expr) const;
  Key keyOf(mlir::Value v, const analysis::Index &index) const;
  mlir::AffineExpr symbolOf(mlir::Value v) { return kernel.symbolOf(v); }

  /// Returns zero, or a vector of zeros.
  mlir::Value nothing(mlir::Type element, bool byLane);
  mlir::FailureOr<mlir::Value> compute(mlir::Value v,
                                       const analysis::Index &index);
  mlir::Value loadKept(const analysis::Index &index);
  mlir::FailureOr<mlir::Value> load(mlir::BlockArgument input,
                                    const analysis::Index &index);
  /// Loads the elements at a position. `offset` is added to it, per lane or for
  /// all lanes; null: none.
  mlir::Value loadAt(mlir::Value buffer, mlir::AffineExpr position,
                     mlir::Value offset = {});
  mlir::Value loadScalar(mlir::Value buffer, mlir::Value at);
  std::optional<int64_t> laneStep(mlir::AffineExpr position) const;
  llvm::SmallVector<mlir::Value>
  loadVectors(mlir::Value buffer, llvm::ArrayRef<mlir::Value> places,
              mlir::VectorType type,
              llvm::function_ref<mlir::Value(size_t)> maskOf);
  mlir::Value loadEven(mlir::Value buffer, mlir::AffineExpr position,
                       mlir::Value offset);
  mlir::Value moveEven(mlir::Value buffer, mlir::AffineExpr position);
  mlir::Value endOfEven(mlir::Value buffer, mlir::AffineExpr position,
                        bool isFirst);
  mlir::Value known(llvm::DenseMap<Scope::Place, mlir::Value> Scope::*places,
                    mlir::Value buffer, mlir::AffineExpr position,
                    int64_t distance);
  std::optional<llvm::SmallVector<int64_t>> placesOfLanes(mlir::AffineExpr expr,
                                                          bool fromFirst) const;
  mlir::Value loadRepeated(mlir::Value buffer, mlir::AffineExpr position,
                           int64_t count);
  mlir::Value loadInTurns(mlir::Value buffer, mlir::AffineExpr position,
                          llvm::ArrayRef<int64_t> places);
  mlir::Value loadBackwards(mlir::Value buffer, mlir::Value first);
  int64_t sizeOfShortRow(mlir::BlockArgument input,
                         const analysis::Index &index) const;
  mlir::Value loadShortRows(mlir::BlockArgument input,
                            const analysis::Index &index, int64_t size);
  llvm::MaybeAlign alignmentAt(mlir::AffineExpr position, mlir::Type element);
  void prefetchAt(mlir::Value buffer, mlir::Value first);
  /// Stores the lanes that are on in `on`; null: all.
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
  /// Emits an op that reads an operand at computed indices (ElementReads.cpp).
  mlir::FailureOr<mlir::Value> readAtElements(mlir::Operation *op,
                                              const analysis::Index &index);
  mlir::FailureOr<mlir::Value> pad(tx::PadOp op, const analysis::Index &index);
  mlir::FailureOr<mlir::Value> concatenate(tx::ConcatenateOp op,
                                           const analysis::Index &index);
  /// Returns the location of an element that is only moved from one input, the
  /// same way in all lanes; nullopt if it is computed (ElementPlaces.cpp).
  std::optional<ElementPlace>
  placeOf(mlir::Value v, const analysis::Index &index, unsigned nested = 0);
  mlir::Value choose(const PlaceChoice &choice);
  mlir::Value loadChosen(const ElementPlace &place);
  using Thunk = llvm::function_ref<mlir::FailureOr<mlir::Value>()>;
  /// Emits then() where all guards hold, and otherwise() elsewhere.
  mlir::FailureOr<mlir::Value> guarded(llvm::ArrayRef<analysis::Guard> guards,
                                       mlir::Type element, Thunk then,
                                       Thunk otherwise);
  /// Does the same for a uniform i1 and a mask; null: always.
  mlir::FailureOr<mlir::Value> conditional(mlir::Value uniform,
                                           mlir::Value byLane,
                                           mlir::Type element, Thunk then,
                                           Thunk otherwise);
  mlir::FailureOr<mlir::Value> branch(mlir::Value condition, mlir::Type type,
                                      Thunk then, Thunk otherwise);
  /// Returns whether the guard holds, if this is the same for all indices.
  std::optional<bool> settled(const analysis::Guard &guard) const;
  mlir::Value condition(const analysis::Guard &guard, bool byLane);
  mlir::Value narrowCondition(const analysis::Guard &guard);
  mlir::FailureOr<mlir::Value> scoped(Thunk thunk);
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_EXPRESSIONEMITTER_H
