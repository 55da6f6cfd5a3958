// Empty: compiled only for the precompiled headers of the test programs, see CMakeLists.txt.
