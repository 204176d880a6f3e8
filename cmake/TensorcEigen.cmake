# Settings for sources that consist mostly of Eigen code. Folders with such
# sources include this file. Eigen's templates take minutes to compile, and
# several times as long with sanitizers, although the code is not ours.
# Therefore all build types compile them by the same command, without
# sanitizers, so that ccache can reuse the objects. For that reason the build's
# options are not applied: the command contains no build folder and no flags of
# a build type.
string(TOUPPER "${CMAKE_BUILD_TYPE}" _type)
set(CMAKE_CXX_FLAGS_${_type} "")
if(TARGET tensorc_eigen_options)
  return()
endif()
find_package(Eigen3 3.4 REQUIRED NO_MODULE GLOBAL)
add_library(tensorc_eigen_options INTERFACE)
target_link_libraries(tensorc_eigen_options INTERFACE Eigen3::Eigen)
target_include_directories(tensorc_eigen_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(tensorc_eigen_options INTERFACE -O2 -fno-math-errno -Wall -Wextra -Werror
  -Wno-unused-parameter)
target_compile_definitions(tensorc_eigen_options INTERFACE EIGEN_MPL2_ONLY EIGEN_NO_DEBUG EIGEN_DONT_PARALLELIZE)
