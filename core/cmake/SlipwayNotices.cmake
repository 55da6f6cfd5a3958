# Installs Slipway's licence and the notices of statically linked libraries, whose licences require both in every copy of
# the binaries. The notices are those of the Debian packages on the build machine.
set(SLIPWAY_LINKED_PACKAGES
  libarchive-dev libboost1.81-dev libc6-dev libcli11-dev libfmt-dev liblzma-dev libmd-dev libpcre2-dev
  libtomlplusplus-dev libzstd-dev nettle-dev zlib1g-dev)
# The name of the C++ runtime's package contains the compiler's major version.
file(GLOB SLIPWAY_RUNTIME_NOTICES /usr/share/doc/libstdc++-*-dev/copyright)
foreach(notice IN LISTS SLIPWAY_RUNTIME_NOTICES)
  cmake_path(GET notice PARENT_PATH directory)
  cmake_path(GET directory FILENAME package)
  list(APPEND SLIPWAY_LINKED_PACKAGES ${package})
endforeach()

configure_file(${CMAKE_SOURCE_DIR}/LICENSE ${SLIPWAY_TREE}/share/doc/slipway/LICENSE COPYONLY)
foreach(package IN LISTS SLIPWAY_LINKED_PACKAGES)
  set(notice /usr/share/doc/${package}/copyright)
  if(EXISTS ${notice})
    configure_file(${notice} ${SLIPWAY_TREE}/share/doc/slipway/notices/${package} COPYONLY)
  else()
    message(WARNING "${notice} is missing: add the notice of ${package} before you distribute the binaries")
  endif()
endforeach()
install(DIRECTORY ${SLIPWAY_TREE}/share/doc/slipway DESTINATION share/doc)
