# Compiler settings of everything in this repository: warnings as errors, ccache, sanitizers, and how programs link.

# -O3 gains nothing here, because most of the time is spent in system calls, and larger programs start later.
# Each function gets its own section, so that the linker can omit unused functions.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG -ffunction-sections")
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG -ffunction-sections")

find_program(SLIPWAY_CCACHE ccache)
if(SLIPWAY_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${SLIPWAY_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${SLIPWAY_CCACHE})
endif()

# The repository's root is an include directory, so that an include names the part it comes from.
add_library(slipway_settings INTERFACE)
target_include_directories(slipway_settings INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(slipway_settings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
target_compile_definitions(slipway_settings INTERFACE SLIPWAY_VERSION="${PROJECT_VERSION}")

if(SLIPWAY_SANITIZE)
  # -g1: the reports need only line numbers.
  set(CMAKE_CXX_FLAGS_DEBUG "-g1")
  set(CMAKE_C_FLAGS_DEBUG "-g1")
  add_compile_options(-fsanitize=${SLIPWAY_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  # Without --as-needed, a program would load the libraries of ICU at each start, which Boost.Regex can use.
  add_link_options(-fsanitize=${SLIPWAY_SANITIZE} -Wl,--as-needed)
  # Without optimization, the data of clang's checks is six times as large, and a short command takes twice as long. The
  # data contains many addresses, which each start of a position-independent program would relocate. Not for g++, which
  # warns about optimized and instrumented code that is correct.
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1")
    set(CMAKE_C_FLAGS_DEBUG "-O1 -g1")
    add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
  endif()
endif()

# Makes a program start and end fast, because users start it a hundred times a day. Static libraries and no relocation
# halve its start-up time. One mapping for code and constants saves page faults. SLIPWAY_FAST_END skips the destructors of
# static objects. Builds with sanitizers are excluded: sanitizers need shared runtimes, and report at exit.
function(slipway_fast_start target)
  if(NOT SLIPWAY_SANITIZE)
    target_compile_options(${target} PRIVATE -fno-pie)
    target_compile_definitions(${target} PRIVATE SLIPWAY_FAST_END)
    target_link_options(${target} PRIVATE -no-pie -static-libstdc++ -static-libgcc -Wl,--gc-sections -Wl,-z,now
                        -Wl,-z,noseparate-code)
  endif()
endfunction()

# slipway_static_libm() links the used functions of libm statically into the targets of the calling directory, because
# finding and mapping the shared library would take a tenth of the time of a short command. On systems other than Debian
# the static libm may be missing; then the shared libm is used.
#
# These arguments come last, because all other libraries use libm. The static libstdc++ also does (std::from_chars),
# and g++ would add it only after these arguments. They are linker arguments, because g++ would move a plain `-lm` to
# the end. `-lc` follows, so that functions that libc also has (ldexp) do not need the shared `-lm` that g++ adds.
find_library(SLIPWAY_STATIC_LIBM libm.a)
mark_as_advanced(SLIPWAY_STATIC_LIBM)
set(SLIPWAY_LIBM_ARGUMENTS -Wl,-Bstatic,-lstdc++,-lm,-Bdynamic,-lc)
if(SLIPWAY_STATIC_LIBM AND NOT SLIPWAY_SANITIZE)
  # Some functions (ceil) of the static libm also need the static libc, so linking them fails. g++ replaces their calls in
  # an optimized build; clang and debug builds call them. The test program, whose hash table calls ceil, shows whether
  # this build can link libm.
  include(CheckCXXSourceCompiles)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
  # The result is cached, so each build type has its own.
  set(libm_links SLIPWAY_STATIC_LIBM_LINKS_${build_type})
  set(CMAKE_REQUIRED_FLAGS ${CMAKE_CXX_FLAGS_${build_type}})
  set(CMAKE_REQUIRED_LIBRARIES ${SLIPWAY_LIBM_ARGUMENTS})
  check_cxx_source_compiles("
    #include <unordered_map>
    int main(int count, char**) {
      std::unordered_map<int, int> map;
      map.reserve(static_cast<unsigned>(count));
      return map.empty() ? 0 : 1;
    }" ${libm_links})
  set(SLIPWAY_LINKS_STATIC_LIBM ${${libm_links}})
  unset(CMAKE_REQUIRED_FLAGS)
  unset(CMAKE_REQUIRED_LIBRARIES)
endif()
macro(slipway_static_libm)
  if(SLIPWAY_LINKS_STATIC_LIBM)
    add_link_options(-Wl,--as-needed)
    string(APPEND CMAKE_CXX_STANDARD_LIBRARIES " ${SLIPWAY_LIBM_ARGUMENTS}")
  endif()
endmacro()

# Compiles a test without optimization, which saves compile time. The code that the test calls is optimized.
function(slipway_quick_to_compile target)
  target_compile_options(${target} PRIVATE -O0)
endfunction()
