# slipway_add_plugin(<target> ID <id> VERSION <version> SOURCES <file>...
#                    [DESCRIPTION <text>] [SCHEDULERS <name>...] [IMAGE_PROVIDERS <name>...]
#                    [NAMED_RESOURCES <name>...] [RESOURCES <name or start*>...]
#                    [COMPONENTS <name>...] [COMPONENT_FILES <extension>...] [WORKSPACES <name>...]
#                    [WORKSPACE_URL <url>] [CONFIG <toml line>...]
#                    [LIBRARY_DIR <dir>] [MANIFEST_DIR <dir>] [STATIC_RUNTIME] [INSTALL] [NO_CHECK]
#                    [CHECK_ARGUMENTS <argument>...])
#
# Builds lib<target>.so as the plug-in contract requires (hidden symbols, one export, no undefined symbols, never
# unloaded) and writes its manifest <target>.toml, which names the library by a path relative to the manifest.
# Both go to the binary directory, or to *_DIR if given; point SLIPWAY_PLUGIN_PATH at the manifest to try the plug-in.
# STATIC_RUNTIME links the C++ runtime into the plug-in, with one mapping for code and constants, so that loading it costs
# the host little.
# RESOURCES lists the resources of the one provider in NAMED_RESOURCES; `start*` stands for all names that begin so.
# With the list in the manifest, an app file that names one of the resources loads this plug-in and no other provider.
# COMPONENT_FILES lists the extensions of the source files, without the dot, that the one provider in COMPONENTS reads.
# WORKSPACE_URL, such as image://${dir}?from=${image}, is the workspace that `run --workspace DIR` uses in place of DIR for
# apps of SCHEDULERS; ${dir} is the path, ${image} the image of a role, any other name a run option.
# INSTALL installs library and manifest where a Slipway of the same prefix finds them.
# CONFIG lists the lines of the manifest's table [plugin.config], the settings of the plug-in.
# The sources may be C, C++ or both; C++ is compiled as C++17 or later.
#
# If the conformance kit is installed (slipway-plugin-check, part of the SDK), ctest runs it on the plug-in as the test
# check_<target>; the project must have called enable_testing(). CHECK_ARGUMENTS go to the kit (--app app.toml, run
# options); NO_CHECK leaves the test out, as a cross-compilation does. ctest ends the test after ten times the kit's time
# limit of one check (--limit, by default 60 s), so that the kit can report several hanging checks before. In the test the
# plug-in has a cache directory of its own (XDG_CACHE_HOME), below the binary directory.

set(SLIPWAY_PLUGIN_MAP ${CMAKE_CURRENT_LIST_DIR}/plugin.map)

# Sets `out` to the remaining arguments as a TOML list of texts.
function(_slipway_toml_list out)
  set(names ${ARGN})
  list(TRANSFORM names PREPEND "\"")
  list(TRANSFORM names APPEND "\"")
  list(JOIN names ", " joined)
  set(${out} "[${joined}]" PARENT_SCOPE)
endfunction()

# Sets `out` to `text` with the escapes of a TOML string, without the quotes.
function(_slipway_toml_text out text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# Sets `out` to the time limit in seconds of the kit's test. The remaining arguments are those of the kit.
function(_slipway_check_timeout out)
  set(limit 60)
  list(JOIN ARGN " " arguments)
  if(arguments MATCHES "--limit[ =]([0-9]+)")
    set(limit ${CMAKE_MATCH_1})
  endif()
  math(EXPR seconds "${limit} * 10")
  set(${out} ${seconds} PARENT_SCOPE)
endfunction()

function(slipway_add_plugin target)
  cmake_parse_arguments(P "STATIC_RUNTIME;INSTALL;NO_CHECK" "ID;VERSION;DESCRIPTION;WORKSPACE_URL;LIBRARY_DIR;MANIFEST_DIR"
    "SOURCES;SCHEDULERS;IMAGE_PROVIDERS;NAMED_RESOURCES;RESOURCES;COMPONENTS;COMPONENT_FILES;WORKSPACES;CONFIG;CHECK_ARGUMENTS" ${ARGN})
  if(P_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "slipway_add_plugin(${target}): unknown arguments: ${P_UNPARSED_ARGUMENTS}")
  endif()
  foreach(needed ID VERSION SOURCES)
    if(NOT P_${needed})
      message(FATAL_ERROR "slipway_add_plugin(${target}): ${needed} is missing")
    endif()
  endforeach()
  list(LENGTH P_NAMED_RESOURCES resource_providers)
  if(P_RESOURCES AND NOT resource_providers EQUAL 1)
    message(FATAL_ERROR "slipway_add_plugin(${target}): RESOURCES needs exactly one name in NAMED_RESOURCES")
  endif()
  list(LENGTH P_COMPONENTS component_providers)
  if(P_COMPONENT_FILES AND NOT component_providers EQUAL 1)
    message(FATAL_ERROR "slipway_add_plugin(${target}): COMPONENT_FILES needs exactly one name in COMPONENTS")
  endif()
  foreach(kind LIBRARY MANIFEST)
    if(NOT P_${kind}_DIR)
      set(P_${kind}_DIR ${CMAKE_CURRENT_BINARY_DIR})
    endif()
  endforeach()

  add_library(${target} MODULE ${P_SOURCES})
  target_link_libraries(${target} PRIVATE Slipway::sdk)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(CXX IN_LIST languages)
    target_compile_features(${target} PRIVATE cxx_std_17)
  endif()
  # `$<1:...>` stops multi-configuration generators from appending the configuration's name, because the manifest names
  # one place.
  set_target_properties(${target} PROPERTIES
    PREFIX lib SUFFIX .so
    LIBRARY_OUTPUT_DIRECTORY $<1:${P_LIBRARY_DIR}>
    CXX_VISIBILITY_PRESET hidden C_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LINK_DEPENDS ${SLIPWAY_PLUGIN_MAP})
  target_link_options(${target} PRIVATE
    -Wl,--version-script=${SLIPWAY_PLUGIN_MAP} -Wl,-z,now -Wl,-z,nodelete -Wl,--gc-sections)
  # Slipway's own builds with a sanitizer: the symbols of its runtime, which the host brings, stay undefined here.
  if(NOT SLIPWAY_SANITIZE)
    target_link_options(${target} PRIVATE -Wl,-z,defs)
    if(P_STATIC_RUNTIME)
      target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc -Wl,-z,noseparate-code)
    endif()
  endif()

  # The manifest before and after its key `library`, whose value differs between the build tree and an installation.
  set(head "manifest_version = 1\n\n[[plugin]]\nid = \"${P_ID}\"\nversion = \"${P_VERSION}\"\n")
  set(tail "abi = \"1.0\"\n")
  if(P_DESCRIPTION)
    _slipway_toml_text(description "${P_DESCRIPTION}")
    string(APPEND tail "description = \"${description}\"\n")
  endif()
  string(APPEND tail "\n[plugin.provides]\n")
  foreach(group SCHEDULERS IMAGE_PROVIDERS NAMED_RESOURCES COMPONENTS WORKSPACES)
    if(P_${group})
      _slipway_toml_list(names ${P_${group}})
      if(group STREQUAL "NAMED_RESOURCES" AND P_RESOURCES)
        _slipway_toml_list(resources ${P_RESOURCES})
        set(names "[{ name = \"${P_NAMED_RESOURCES}\", resources = ${resources} }]")
      endif()
      if(group STREQUAL "COMPONENTS" AND P_COMPONENT_FILES)
        _slipway_toml_list(extensions ${P_COMPONENT_FILES})
        set(names "[{ name = \"${P_COMPONENTS}\", component_files = ${extensions} }]")
      endif()
      if(group STREQUAL "SCHEDULERS" AND P_WORKSPACE_URL)
        _slipway_toml_text(url "${P_WORKSPACE_URL}")
        list(TRANSFORM P_SCHEDULERS REPLACE "(.+)" "{ name = \"\\1\", workspace = \"${url}\" }" OUTPUT_VARIABLE tables)
        list(JOIN tables ", " names)
        set(names "[${names}]")
      endif()
      string(TOLOWER ${group} key)
      string(APPEND tail "${key} = ${names}\n")
    endif()
  endforeach()
  if(P_CONFIG)
    list(JOIN P_CONFIG "\n" config)
    string(APPEND tail "\n[plugin.config]\n${config}\n")
  endif()
  file(RELATIVE_PATH library ${P_MANIFEST_DIR} ${P_LIBRARY_DIR}/lib${target}.so)
  file(GENERATE OUTPUT ${P_MANIFEST_DIR}/${target}.toml CONTENT "${head}library = \"${library}\"\n${tail}")

  if(SLIPWAY_PLUGIN_CHECK AND NOT P_NO_CHECK AND NOT CMAKE_CROSSCOMPILING)
    add_test(NAME check_${target}
      COMMAND ${SLIPWAY_PLUGIN_CHECK} ${P_CHECK_ARGUMENTS} ${P_MANIFEST_DIR}/${target}.toml)
    _slipway_check_timeout(timeout ${P_CHECK_ARGUMENTS})
    # The kit cleans up after SIGTERM. CMake before 3.27 ignores the last two properties.
    set_tests_properties(check_${target} PROPERTIES LABELS conformance TIMEOUT ${timeout}
      ENVIRONMENT "XDG_CACHE_HOME=${CMAKE_CURRENT_BINARY_DIR}/check_${target}.cache"
      TIMEOUT_SIGNAL_NAME SIGTERM TIMEOUT_SIGNAL_GRACE_PERIOD 30)
  endif()

  if(P_INSTALL)
    # The path from the manifest to the library may be another one than in the build directory.
    set(installed_manifest ${CMAKE_CURRENT_BINARY_DIR}/installed/${target}.toml)
    file(GENERATE OUTPUT ${installed_manifest}
      CONTENT "${head}library = \"../../../lib/slipway/lib${target}.so\"\n${tail}")
    install(TARGETS ${target} LIBRARY DESTINATION lib/slipway)
    install(FILES ${installed_manifest} DESTINATION share/slipway/plugins.d)
  endif()
endfunction()
