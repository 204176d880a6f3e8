/* Indices that are tensors, from C99; part of c_api_test. */
#include "tests/compiler/api/c_checks.h"

#include "tensorc/arrays.h"
#include "tensorc/indexing.h"

#include <stdio.h>
#include <string.h>

/* The text of a tensor that was just made; releases it. */
static void expect_text(tensorc_status *status, tensorc_tensor *x,
                        const char *expected, int line) {
  char *text = NULL;
  if (!status)
    status = tensorc_to_string(x, &text);
  if (status || !strstr(text, expected)) {
    printf("line %d: %s, not %s: %s\n", line, text ? text : "", expected,
           tensorc_status_message(status));
    ++failures;
  }
  tensorc_status_free(status);
  tensorc_string_free(text);
  tensorc_tensor_release(x);
}
#define EXPECT_TEXT(call, text) expect_text(call, y, text, __LINE__)

void test_indexing(void) {
  const int64_t two[1] = {2}, zero[1] = {0}, one[1] = {1}, sizes[2] = {1, 3},
                dims[2] = {2, 3}, indices[2] = {-1, 0};
  tensorc_tensor *flat = NULL, *x = NULL, *i = NULL, *y = NULL;
  tensorc_index_item items[3] = {{TENSORC_INDEX_TENSOR, 0, 0, 1, NULL},
                                 {TENSORC_INDEX_NEW_AXIS, 0, 0, 1, NULL},
                                 {TENSORC_INDEX_INTEGER, 1, 0, 1, NULL}};
  tensorc_gather_numbers rows = {1, one, 1, zero, 1, zero, 1};
  tensorc_status *status = tensorc_arange(TENSORC_I32, 0, 6, 1, HERE, &flat);
  if (!status)
    status = tensorc_reshape(flat, 2, dims, HERE, &x);
  if (!status)
    status = tensorc_from_data(TENSORC_I64, 1, two, indices, NULL, HERE, &i);
  if (status) {
    printf("%s\n", tensorc_status_message(status));
    tensorc_status_free(status);
    ++failures;
    return;
  }
  items[0].tensor = i;
  EXPECT_TEXT(tensorc_index(x, 1, items, HERE, &y), "[[3, 4, 5], [0, 1, 2]]");
  EXPECT_TEXT(tensorc_index(x, 3, items, HERE, &y), "[[4], [1]]");
  EXPECT_TEXT(tensorc_index_update(x, 1, items, TENSORC_UPDATE_ADD,
                                   TENSORC_ARG(10), HERE, &y),
              "[[10, 11, 12], [13, 14, 15]]");
  EXPECT_TEXT(tensorc_take(x, i, TENSORC_NONE, HERE, &y), "[5, 0]");
  EXPECT_TEXT(tensorc_take_along_axis(flat, i, 0, HERE, &y), "[5, 0]");
  EXPECT_TEXT(tensorc_narrow(x, 1, -2, 1, HERE, &y), "[[1], [4]]");
  EXPECT_TEXT(tensorc_isclose(x, TENSORC_ARG(2), 0.5, 0, 0, HERE, &y),
              "[[false, true, true], [true, false, false]]");
  EXPECT_TEXT(tensorc_logical_and(x, TENSORC_ARG(2), HERE, &y),
              "[[false, true, true], [true, true, true]]");
  EXPECT_TEXT(tensorc_logical_or(flat, TENSORC_ARG(0), HERE, &y),
              "[false, true, true, true, true, true]");
  EXPECT_TEXT(tensorc_logical_xor(i, TENSORC_ARG(1), HERE, &y),
              "[false, true]");
  EXPECT_TEXT(tensorc_logical_not(i, HERE, &y), "[false, true]");
  EXPECT_TEXT(tensorc_one_hot(i, 3, TENSORC_I32, HERE, &y),
              "[[0, 0, 1], [1, 0, 0]]");
  EXPECT_TEXT(tensorc_flip(x, 1, zero, HERE, &y), "[[3, 4, 5], [0, 1, 2]]");
  {
    tensorc_tensor *mask = NULL, *places[2] = {NULL, NULL};
    const int64_t part[2] = {1, 2};
    const tensorc_arg starts[2] = {tensorc_int_arg(1), tensorc_int_arg(9)};
    status = tensorc_gt(TENSORC_ARG(x), TENSORC_ARG(3), HERE, &mask);
    if (!status)
      status = tensorc_nonzero(mask, 3, 7, HERE, places);
    items[0].tensor = mask;
    expect_text(status, places[0], "[1, 1, 7]", __LINE__);
    expect_text(NULL, places[1], "[1, 2, 7]", __LINE__);
    EXPECT_TEXT(tensorc_masked_fill(x, mask, TENSORC_ARG(0), HERE, &y),
                "[[0, 1, 2], [3, 0, 0]]");
    EXPECT_TEXT(tensorc_masked_select(x, mask, 3, TENSORC_ARG(-1), HERE, &y),
                "[4, 5, -1]");
    EXPECT_TEXT(tensorc_index_update(x, 1, items, TENSORC_UPDATE_SET,
                                     TENSORC_ARG(0), HERE, &y),
                "[[0, 1, 2], [3, 0, 0]]");
    EXPECT_TEXT(tensorc_dynamic_slice(x, 2, starts, part, HERE, &y),
                "[[4, 5]]");
    EXPECT_TEXT(tensorc_dynamic_update_slice(x, x, 2, starts, HERE, &y),
                "[[0, 1, 2], [3, 4, 5]]");
    tensorc_tensor_release(mask);
    items[0].tensor = i;
  }
  /* Not counted from the end: clamped, or dropped. */
  EXPECT_TEXT(tensorc_gather(x, i, &rows, sizes, HERE, &y),
              "[[0, 1, 2], [0, 1, 2]]");
  EXPECT_TEXT(tensorc_scatter(x, i, x, TENSORC_UPDATE_SET, &rows, HERE, &y),
              "[[3, 4, 5], [3, 4, 5]]");
  tensorc_tensor_release(i);
  tensorc_tensor_release(x);
  tensorc_tensor_release(flat);
}
