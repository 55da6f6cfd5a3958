# Compiler settings of everything in this repository: warnings as errors, ccache, sanitizers, and how programs link.

# -O3 gains nothing here: the time goes to system calls. It costs size, which is start-up time.
# Functions in sections of their own let the linker leave out those that nobody calls.
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
  # Line numbers are all that reports need.
  set(CMAKE_CXX_FLAGS_DEBUG "-g1")
  set(CMAKE_C_FLAGS_DEBUG "-g1")
  add_compile_options(-fsanitize=${SLIPWAY_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${SLIPWAY_SANITIZE})
  # Without optimization, the data of clang's checks is six times as large, and a short command takes twice as long. It
  # is full of addresses, which each start of a position-independent program would relocate. g++ warns of optimized
  # and instrumented code that is correct.
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1")
    set(CMAKE_C_FLAGS_DEBUG "-O1 -g1")
    add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
  endif()
endif()

# A program that users start a hundred times a day: libraries linked statically and no relocation at start, which halves
# its start-up time; code and constants in one mapping, which saves page faults; no destructors of static objects at its
# end. Sanitizers need their own runtimes to be shared, and report at exit.
function(slipway_fast_start target)
  if(NOT SLIPWAY_SANITIZE)
    target_compile_options(${target} PRIVATE -fno-pie)
    target_compile_definitions(${target} PRIVATE SLIPWAY_FAST_END)
    target_link_options(${target} PRIVATE -no-pie -static-libstdc++ -static-libgcc -Wl,--gc-sections -Wl,-z,now
                        -Wl,-z,noseparate-code)
  endif()
endfunction()

# For the targets of the calling directory: the few functions of libm that are used become part of them; finding and
# mapping the shared library would take a tenth of a short command. Behind all other libraries, which want some of them,
# too; as linker arguments, because g++ moves an -lm of its own to the end. Some functions (ldexp) are in the shared libc
# as well: libc stands before that -lm. Elsewhere than on Debian the static libm may
# be missing, and the shared one is as good.
find_library(SLIPWAY_STATIC_LIBM libm.a)
mark_as_advanced(SLIPWAY_STATIC_LIBM)
set(SLIPWAY_LIBM_ARGUMENTS -Wl,-Bstatic,-lstdc++,-lm,-Bdynamic,-lc)
if(SLIPWAY_STATIC_LIBM AND NOT SLIPWAY_SANITIZE)
  # Some functions (ceil) need the static libc as well, which the linker then misses. g++ replaces their calls in an
  # optimized build; clang and builds for debugging call them.
  include(CheckCXXSourceCompiles)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
  set(CMAKE_REQUIRED_FLAGS ${CMAKE_CXX_FLAGS_${build_type}})
  set(CMAKE_REQUIRED_LIBRARIES ${SLIPWAY_LIBM_ARGUMENTS})
  check_cxx_source_compiles("
    #include <unordered_map>
    int main(int count, char**) {
      std::unordered_map<int, int> map;
      map.reserve(static_cast<unsigned>(count));
      return map.empty() ? 0 : 1;
    }" SLIPWAY_STATIC_LIBM_LINKS)
  unset(CMAKE_REQUIRED_FLAGS)
  unset(CMAKE_REQUIRED_LIBRARIES)
endif()
macro(slipway_static_libm)
  if(SLIPWAY_STATIC_LIBM_LINKS)
    add_link_options(-Wl,--as-needed)
    string(APPEND CMAKE_CXX_STANDARD_LIBRARIES " ${SLIPWAY_LIBM_ARGUMENTS}")
  endif()
endmacro()

# A test calls what is optimized; optimizing the test itself only takes the compiler's time.
function(slipway_quick_to_compile target)
  target_compile_options(${target} PRIVATE -O0)
endfunction()
