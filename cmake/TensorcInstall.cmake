# `cmake --install build --prefix DIR`. Components: runtime (libtensorc_rt.so and
# its header), compiler (libtensorc.so and the other headers), tools, examples.
# find_package(tensorc) and pkg-config find them wherever the prefix is moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

option(TENSORC_INSTALL_STRIP "Strip what is installed" ${TENSORC_STATIC_LLVM})
if(TENSORC_INSTALL_STRIP)
  install(CODE "set(CMAKE_INSTALL_DO_STRIP ON)" ALL_COMPONENTS)
endif()

target_include_directories(tensorc_runtime_abi INTERFACE
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set_target_properties(tensorc_runtime_abi PROPERTIES EXPORT_NAME runtime_headers)
set_target_properties(tensorc_headers PROPERTIES EXPORT_NAME headers)
set_target_properties(tensorc_rt PROPERTIES EXPORT_NAME runtime INSTALL_RPATH $ORIGIN)
set_target_properties(libtensorc PROPERTIES INSTALL_RPATH $ORIGIN)
set_target_properties(tensorc PROPERTIES EXPORT_NAME tool)
set_target_properties(tensorc-opt PROPERTIES EXPORT_NAME opt)
file(RELATIVE_PATH _bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_target_properties(tensorc tensorc-opt PROPERTIES INSTALL_RPATH $ORIGIN/${_bin_to_lib})
if(NOT TENSORC_STATIC_LLVM)
  set_target_properties(libtensorc tensorc tensorc-opt PROPERTIES
    INSTALL_RPATH_USE_LINK_PATH ON)
endif()

install(TARGETS tensorc_rt tensorc_runtime_abi EXPORT tensorc-runtime COMPONENT runtime)
install(TARGETS libtensorc tensorc_headers EXPORT tensorc-compiler COMPONENT compiler)
install(TARGETS tensorc tensorc-opt EXPORT tensorc-tools COMPONENT tools)
install(DIRECTORY runtime/include/tensorc
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT runtime)
install(DIRECTORY compiler/include/tensorc ${PROJECT_BINARY_DIR}/compiler/include/tensorc
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT compiler)

# The configuration loads the targets of the components that are there.
set(_config ${CMAKE_INSTALL_LIBDIR}/cmake/tensorc)
foreach(component runtime compiler tools)
  install(EXPORT tensorc-${component} NAMESPACE tensorc::
    FILE tensorc-${component}.cmake DESTINATION ${_config} COMPONENT ${component})
endforeach()
configure_package_config_file(cmake/install/tensorcConfig.cmake.in
  ${PROJECT_BINARY_DIR}/install/tensorcConfig.cmake INSTALL_DESTINATION ${_config}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/install/tensorcConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/install/tensorcConfig.cmake
              ${PROJECT_BINARY_DIR}/install/tensorcConfigVersion.cmake
  DESTINATION ${_config} COMPONENT runtime)

# pkg-config: paths relative to the .pc file.
set(_pc ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
foreach(name LIBDIR INCLUDEDIR)
  file(RELATIVE_PATH TENSORC_PC_${name} ${CMAKE_INSTALL_PREFIX}/${_pc}
       ${CMAKE_INSTALL_FULL_${name}})
endforeach()
foreach(name tensorc tensorc-runtime)
  configure_file(cmake/install/${name}.pc.in ${PROJECT_BINARY_DIR}/install/${name}.pc @ONLY)
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/install/tensorc-runtime.pc
  DESTINATION ${_pc} COMPONENT runtime)
install(FILES ${PROJECT_BINARY_DIR}/install/tensorc.pc
  DESTINATION ${_pc} COMPONENT compiler)

# Licences: ours, and those of what is linked in.
set(_licences ${CMAKE_INSTALL_DATADIR}/licenses/tensorc)
# tensorc_licence(NAME PACKAGE COMPONENT): what the distribution says of a package.
function(tensorc_licence NAME PACKAGE COMPONENT)
  install(FILES /usr/share/doc/${PACKAGE}/copyright DESTINATION ${_licences}
    RENAME ${NAME}.txt COMPONENT ${COMPONENT})
endfunction()
install(FILES LICENSE DESTINATION ${_licences} COMPONENT runtime)
tensorc_licence(flatbuffers libflatbuffers-dev runtime)
if(TENSORC_STATIC_LLVM)
  tensorc_licence(llvm llvm-22-dev compiler)
  tensorc_licence(mlir libmlir-22-dev compiler)
  tensorc_licence(lld liblld-22-dev compiler)
  tensorc_licence(zlib zlib1g-dev compiler)
  tensorc_licence(zstd libzstd-dev compiler)
endif()

# Examples that build against what is installed.
set(_examples ${CMAKE_INSTALL_DATADIR}/tensorc/examples)
install(FILES examples/softmax.mlir DESTINATION ${_examples} COMPONENT examples)
install(DIRECTORY examples/first examples/embed-cmake examples/c-api examples/digits
  DESTINATION ${_examples} COMPONENT examples
  PATTERN train* EXCLUDE PATTERN digits/CMakeLists.txt EXCLUDE)
