/* Calls branch.mlir's function so that each block runs. */
#include "branch.h"

#include <stdio.h>
#include <stdlib.h>

int main(void) {
  static const float inputs[2][3] = {{1, 2, 3}, {-1, -2, -3}};
  for (int i = 0; i < 2; ++i) {
    float y[3];
    branch_inputs in = {inputs[i], 3};
    branch_outputs out = {y};
    void *workspace = malloc((size_t)branch_workspace_size(in.n) + 1);
    int status = branch_run(&in, &out, workspace);
    free(workspace);
    printf("%d: %g %g %g\n", status, y[0], y[1], y[2]);
  }
  return 0;
}
