# Makes a build whose commands do not name it a unity build, which takes half the time: a toolchain file
# is what the environment can name.
set(CMAKE_UNITY_BUILD ON)
