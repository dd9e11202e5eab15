#!/bin/sh
# Builds the program in consumer/ with nothing but the flags of pkg-config, as an engine compiles and
# as one that has neither exceptions nor RTTI does, and runs it.
# usage: pkg_config.sh COMPILER OUTPUT-FOLDER [COMPONENT...]
set -eu
compiler=$1 output=$2
shift 2
sources=$(dirname "$0")/consumer
files=$sources/main.cc modules=fractalray
for component; do
  files="$files $sources/$component.cc"
  modules="$modules fractalray-$component"
done
pkg-config --print-errors --exists $modules
version=$(pkg-config --modversion fractalray)
library_folder=$(pkg-config --variable=libdir fractalray)
mkdir -p "$output"
for flags in "" "-fno-exceptions -fno-rtti"; do
  "$compiler" -std=c++20 $flags "-DFOUND_VERSION=\"$version\"" $(pkg-config --cflags $modules) $files \
    $(pkg-config --libs $modules) "-Wl,-rpath,$library_folder" -o "$output/consumer"
  "$output/consumer"
done
