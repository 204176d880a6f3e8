//===- Interpolation.td - Image resizing ----------------------------------===//
#ifndef TENSORC_IR_LIBRARY_INTERPOLATION_TD
#define TENSORC_IR_LIBRARY_INTERPOLATION_TD

include "ir/library/Composite.td"

def Tx_InterpolateOp : Tx_Composite<"interpolate"> {
  let summary = "Resized images";
  let description = [{
    Along each of `dims` the result may have another size. Its elements are the nearest ones of x or, with
    `linear`, interpolate between the two neighbours, as in PyTorch. With `align_corners`, the first and last
    elements are those of x.
    ```mlir
    %0 = tx.interpolate %x linear dims = [2] : (tensor<2x4x3xf32>) -> tensor<2x4x7xf32>
    ```
  }];
  let arguments = (ins Tx_FloatTensor:$x, UnitAttr:$linear, UnitAttr:$align_corners, DenseI64ArrayAttr:$dims);
  let assemblyFormat = [{
    $x (`linear` $linear^)? (`align_corners` $align_corners^)? `dims` `=` $dims attr-dict `:` functional-type(operands, $result)
  }];
  let shapeRule = "shape::inferInterpolation(x, a.dims, result)";
  let ownsShape = 1;
}

#endif // TENSORC_IR_LIBRARY_INTERPOLATION_TD
