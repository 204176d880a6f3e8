# What a .deb has other than the archive: Debian's oneTBB is a dependency, and
# files lie below /usr.
if(CPACK_GENERATOR STREQUAL "DEB")
  list(GET CPACK_INSTALL_CMAKE_PROJECTS 0 _build)
  set(CPACK_INSTALL_CMAKE_PROJECTS "${_build};tensorc;ALL;/")
endif()
