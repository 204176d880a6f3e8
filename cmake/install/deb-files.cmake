# CPack runs this before it packs a .deb: compresses man pages, and adds what Debian expects of each package.
set(_share ${CPACK_TEMPORARY_DIRECTORY}/usr/share)
set(_doc ${_share}/doc/tensorc)
file(GLOB _pages ${_share}/man/man1/*.1)
execute_process(COMMAND gzip -9n ${_pages} COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${_share}/zsh/site-functions ${_share}/zsh/vendor-completions)

# The text of the Apache License is part of Debian; LICENSE adds exceptions to
# it.
file(READ ${_share}/licenses/tensorc/LICENSE _licence)
string(REGEX MATCH "---- LLVM Exceptions.*" _exceptions "${_licence}")
string(TIMESTAMP _year "%Y" UTC)
file(WRITE ${_doc}/copyright "Copyright: ${_year} the tensorc developers
License: Apache-2.0 with LLVM exceptions

The Apache License 2.0 is in /usr/share/common-licenses/Apache-2.0; the
licences of what is linked in are in /usr/share/licenses/tensorc.

${_exceptions}")
# SOURCE_DATE_EPOCH sets the date, so that packages can be reproduced.
string(TIMESTAMP _date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${_doc}/changelog "tensorc (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * The changes are in CHANGELOG.md of the sources.

 -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${_date}
")
execute_process(COMMAND gzip -9n ${_doc}/changelog COMMAND_ERROR_IS_FATAL ANY)
configure_file(${CMAKE_CURRENT_LIST_DIR}/lintian-overrides ${_share}/lintian/overrides/tensorc COPYONLY)
