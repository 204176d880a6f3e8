# The Python package (python/), if nanobind and Python's headers are installed.
# `pip install` sets the interpreter; the project's own build uses that of
# .venv. It is not built with sanitizers, because the interpreter does not
# contain their runtimes.
if(NOT SKBUILD AND EXISTS ${PROJECT_SOURCE_DIR}/.venv/bin/python3)
  set(Python_EXECUTABLE ${PROJECT_SOURCE_DIR}/.venv/bin/python3)
endif()
set(_has_nanobind 1)
if(NOT TENSORC_SANITIZE)
  find_package(Python 3.11 COMPONENTS Interpreter Development.Module)
  if(Python_Development.Module_FOUND)
    execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir
      RESULT_VARIABLE _has_nanobind OUTPUT_QUIET ERROR_QUIET)
  endif()
endif()
if(_has_nanobind EQUAL 0)
  set(_default ON)
else()
  set(_default OFF)
endif()
option(TENSORC_BUILD_PYTHON "The Python package, into <build>/python" ${_default})
if(TENSORC_BUILD_PYTHON)
  add_subdirectory(python)
endif()
