# How sources that are mostly Eigen are compiled; a folder of such includes this.
# Eigen's templates take minutes to compile, and sanitizers multiply them, though
# the code is not ours. So every type of build compiles them by one command, without
# sanitizers, and ccache serves the second build. The options of the build do
# not reach them for that: they name no folder of the build, and have no flags of
# a type.
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
