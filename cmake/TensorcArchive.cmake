# `cpack` in a build folder of the preset `release` makes the archive
# tensorc-VERSION-linux-x86_64.tar.xz: the installed tree, and libtbb.so.12, so
# that it runs on systems without other packages. `cpack -G DEB` makes a package
# for Debian, which depends on the distribution's oneTBB.
find_package(TBB REQUIRED)
install(FILES $<TARGET_FILE:TBB::tbb> DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RENAME libtbb.so.12 COMPONENT tbb EXCLUDE_FROM_ALL)
install(FILES /usr/share/doc/libtbb12/copyright
  DESTINATION ${CMAKE_INSTALL_DATADIR}/licenses/tensorc
  RENAME tbb.txt COMPONENT tbb EXCLUDE_FROM_ALL)

string(TOLOWER ${CMAKE_SYSTEM_NAME} _system)
set(CPACK_PACKAGE_FILE_NAME
  tensorc-${PROJECT_VERSION}-${_system}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_GENERATOR TXZ)
set(CPACK_PACKAGE_CHECKSUM SHA256) # writes FILE.sha256 beside each file
set(CPACK_THREADS 0)
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)
set(CPACK_INSTALL_CMAKE_PROJECTS
  "${PROJECT_BINARY_DIR};tensorc;ALL;/;${PROJECT_BINARY_DIR};tensorc;tbb;/")
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/install/cpack-deb.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# The address is a placeholder (RFC 2606), which the publisher of a package replaces.
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "tensorc developers <tensorc@example.org>" CACHE STRING "Who answers for the package")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.36), libstdc++6 (>= 12), libgcc-s1, libtbb12")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/install/triggers)
set(CPACK_SOURCE_GENERATOR "")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "compiler of tensor expressions")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "tensorc compiles tensor expressions to kernels of processors and GPUs.
The package holds the tool, libraries for C and C++ that record, compile
and run expressions, the runtime of compiled packages, headers, examples.")
include(CPack)
