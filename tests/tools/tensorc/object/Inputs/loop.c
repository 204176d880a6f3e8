/* Calls loop.mlir's function. */
#include "loop.h"

#include <stdio.h>
#include <stdlib.h>

int main(void) {
  static const float inputs[1][3] = {{1, 2, 3}};
  for (int i = 0; i < 1; ++i) {
    float y[3];
    loop_inputs in = {inputs[i], 3};
    loop_outputs out = {y};
    void *workspace = malloc((size_t)loop_workspace_size(in.n) + 1);
    int status = loop_run(&in, &out, workspace);
    free(workspace);
    printf("%d: %g %g %g\n", status, y[0], y[1], y[2]);
  }
  return 0;
}
