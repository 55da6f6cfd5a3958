// Nothing of its own: compiled for the headers that the test programs share, see CMakeLists.txt.
