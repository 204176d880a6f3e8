# `cmake --install build --prefix DIR`: both libraries, the public headers and
# the tools. find_package(tensorc) then gives tensorc::tensorc, and
# tensorc::runtime to programs that only run packages.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

target_include_directories(tensorc_runtime_abi INTERFACE
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set_target_properties(tensorc_rt PROPERTIES EXPORT_NAME runtime INSTALL_RPATH $ORIGIN)
set_target_properties(libtensorc PROPERTIES INSTALL_RPATH $ORIGIN)
set_target_properties(tensorc tensorc-opt PROPERTIES
  INSTALL_RPATH $ORIGIN/../${CMAKE_INSTALL_LIBDIR})
if(NOT TENSORC_STATIC_LLVM)
  set_target_properties(libtensorc tensorc tensorc-opt PROPERTIES
    INSTALL_RPATH_USE_LINK_PATH ON)
endif()

install(TARGETS libtensorc tensorc_rt tensorc_headers tensorc_runtime_abi EXPORT tensorc)
install(TARGETS tensorc tensorc-opt)
install(DIRECTORY compiler/include/tensorc runtime/include/tensorc
                  ${PROJECT_BINARY_DIR}/compiler/include/tensorc
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(_config ${CMAKE_INSTALL_LIBDIR}/cmake/tensorc)
install(EXPORT tensorc NAMESPACE tensorc:: FILE tensorcConfig.cmake DESTINATION ${_config})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tensorcConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tensorcConfigVersion.cmake DESTINATION ${_config})
