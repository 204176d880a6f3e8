# `cmake --install build --prefix DIR`. Components: runtime (libtensorc_rt.so and
# its headers), compiler (libtensorc.so and the other headers), tools, examples.
# find_package(tensorc) and pkg-config also find them if the prefix is moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

option(TENSORC_INSTALL_STRIP "Strip what is installed" ${TENSORC_STATIC_LLVM})
if(TENSORC_INSTALL_STRIP)
  install(CODE "set(CMAKE_INSTALL_DO_STRIP ON)" ALL_COMPONENTS)
endif()

# tensorc_install_component(NAME TARGETS... [HEADERS folders...]): adds targets
# to the component's export set, which tensorcConfig.cmake loads if it is
# installed.
set(_config ${CMAKE_INSTALL_LIBDIR}/cmake/tensorc)
function(tensorc_install_component NAME)
  cmake_parse_arguments(A "" "" "TARGETS;HEADERS" ${ARGN})
  install(TARGETS ${A_TARGETS} EXPORT tensorc-${NAME} COMPONENT ${NAME})
  install(EXPORT tensorc-${NAME} NAMESPACE tensorc:: FILE tensorc-${NAME}.cmake
    DESTINATION ${_config} COMPONENT ${NAME})
  foreach(folder ${A_HEADERS})
    install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT ${NAME})
  endforeach()
endfunction()

# tensorc_install_pc(NAME COMPONENT): installs a pkg-config file, whose paths
# are relative to the file.
function(tensorc_install_pc NAME COMPONENT)
  set(folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  foreach(kind LIBDIR INCLUDEDIR)
    file(RELATIVE_PATH TENSORC_PC_${kind} ${CMAKE_INSTALL_PREFIX}/${folder}
         ${CMAKE_INSTALL_FULL_${kind}})
  endforeach()
  configure_file(cmake/install/${NAME}.pc.in ${PROJECT_BINARY_DIR}/install/${NAME}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/install/${NAME}.pc
    DESTINATION ${folder} COMPONENT ${COMPONENT})
endfunction()

# tensorc_install_licence(NAME PACKAGE COMPONENT): installs Debian's licence text
# of a package that is linked statically. Other distributions have none here.
set(_licences ${CMAKE_INSTALL_DATADIR}/licenses/tensorc)
function(tensorc_install_licence NAME PACKAGE COMPONENT)
  install(FILES /usr/share/doc/${PACKAGE}/copyright DESTINATION ${_licences}
    RENAME ${NAME}.txt COMPONENT ${COMPONENT} OPTIONAL)
endfunction()

# The runtime.
target_include_directories(tensorc_runtime_abi INTERFACE
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set_target_properties(tensorc_runtime_abi PROPERTIES EXPORT_NAME runtime_headers)
set_target_properties(tensorc_rt PROPERTIES EXPORT_NAME runtime INSTALL_RPATH $ORIGIN)
set(_linalg)
if(TENSORC_LINALG)
  set(_linalg tensorc_linalg)
  set_target_properties(tensorc_linalg PROPERTIES EXPORT_NAME linalg INSTALL_RPATH $ORIGIN)
endif()
tensorc_install_component(runtime TARGETS tensorc_rt ${_linalg} tensorc_runtime_abi
  HEADERS runtime/include/tensorc)
foreach(kind openmpi mpich)
  if(TARGET tensorc_mpi_${kind})
    install(FILES ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/libtensorc_mpi_${kind}.so
      DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime)
  endif()
endforeach()
configure_package_config_file(cmake/install/tensorcConfig.cmake.in
  ${PROJECT_BINARY_DIR}/install/tensorcConfig.cmake INSTALL_DESTINATION ${_config}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/install/tensorcConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/install/tensorcConfig.cmake
              ${PROJECT_BINARY_DIR}/install/tensorcConfigVersion.cmake
  DESTINATION ${_config} COMPONENT runtime)
tensorc_install_pc(tensorc-runtime runtime)
install(FILES LICENSE DESTINATION ${_licences} COMPONENT runtime)
tensorc_install_licence(flatbuffers libflatbuffers-dev runtime)
if(TENSORC_LINALG)
  tensorc_install_licence(eigen libeigen3-dev runtime)
endif()
if(TENSORC_RUNTIME_ONLY)
  return()
endif()

# The compiler, which contains the tools (tools/mains).
set_target_properties(tensorc_headers PROPERTIES EXPORT_NAME headers)
set_target_properties(libtensorc PROPERTIES INSTALL_RPATH $ORIGIN)
set_target_properties(tensorc PROPERTIES EXPORT_NAME tool)
set_target_properties(tensorc-opt PROPERTIES EXPORT_NAME opt)
set_target_properties(tensorc-lsp-server PROPERTIES EXPORT_NAME lsp_server)
file(RELATIVE_PATH _bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set(_tools tensorc tensorc-opt tensorc-lsp-server)
set_target_properties(${_tools} PROPERTIES INSTALL_RPATH $ORIGIN/${_bin_to_lib})
if(NOT TENSORC_STATIC_LLVM)
  set_target_properties(libtensorc ${_tools} PROPERTIES
    INSTALL_RPATH_USE_LINK_PATH ON)
endif()
tensorc_install_component(compiler TARGETS libtensorc tensorc_headers
  HEADERS compiler/include/tensorc ${TENSORC_DESCRIBED_HEADERS})
install(FILES ${TENSORC_BINDINGS_JSON} DESTINATION ${CMAKE_INSTALL_DATADIR}/tensorc COMPONENT compiler)
tensorc_install_component(tools TARGETS ${_tools})
# Man pages and shell completions, which the tool prints.
set(_printed ${PROJECT_BINARY_DIR}/install/share)
add_custom_command(OUTPUT ${_printed}/made
  COMMAND ${CMAKE_COMMAND} -D TENSORC=$<TARGET_FILE:tensorc> -D SHARE=${_printed}
          -P ${PROJECT_SOURCE_DIR}/cmake/install/share.cmake
  DEPENDS tensorc libtensorc ${PROJECT_SOURCE_DIR}/cmake/install/share.cmake VERBATIM)
if(TENSORC_SANITIZE)
  add_custom_target(tensorc-share DEPENDS ${_printed}/made)
else()
  add_custom_target(tensorc-share ALL DEPENDS ${_printed}/made)
endif()
install(DIRECTORY ${_printed}/ DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT tools PATTERN made EXCLUDE)
tensorc_install_pc(tensorc compiler)
if(TENSORC_STATIC_LLVM)
  tensorc_install_licence(llvm llvm-22-dev compiler)
  tensorc_install_licence(mlir libmlir-22-dev compiler)
  tensorc_install_licence(lld liblld-22-dev compiler)
  tensorc_install_licence(zlib zlib1g-dev compiler)
  tensorc_install_licence(zstd libzstd-dev compiler)
endif()

# The pretty printers for gdb.
install(FILES tools/gdb/tensorc.py DESTINATION ${CMAKE_INSTALL_DATADIR}/tensorc/gdb COMPONENT compiler)

# Examples that are built against the installed libraries.
set(_examples ${CMAKE_INSTALL_DATADIR}/tensorc/examples)
install(FILES examples/softmax.mlir DESTINATION ${_examples} COMPONENT examples)
install(DIRECTORY examples/first examples/embed-cmake examples/c-api examples/digits examples/models
  DESTINATION ${_examples} COMPONENT examples
  PATTERN train* EXCLUDE PATTERN digits/CMakeLists.txt EXCLUDE)
