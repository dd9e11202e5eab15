#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The commands of ./dev for machines other than the one that builds: 64-bit ARM, and WebAssembly with its
# package and page. ./dev reads this file.

wasm_packages=(emscripten clang-16 lld-16 llvm-16 nodejs googletest)  # some 1.3 GB; `wasm` alone installs them
arm_packages=(g++-aarch64-linux-gnu qemu-user googletest)  # some 300 MB; `aarch64` alone installs it
playground_packages=(nodejs python3-numpy)
# Of npm, for the tests of integrations/prismarine: some 570 MB, most of it data of Minecraft's versions.
prismarine_modules=(prismarine-world@3.7.0 prismarine-chunk@1.41.0 prismarine-block@1.23.0
  prismarine-registry@1.12.0 minecraft-data@3.119.0 mineflayer@4.25.0 vec3@0.2.0)
peer_modules=(fast-voxel-raycast@0.1.1)  # of npm, for `bench web`
npm_install=(npm install --no-audit --no-fund --no-package-lock --loglevel=error)

# Fetches Abseil's sources as Debian has them, by lists of its own: the system's lists have no
# sources. Needs no root.
abseil_source() {
  local folder=$PWD/build/abseil-source
  need dpkg-dev
  compgen -G "$folder/abseil-*/CMakeLists.txt" >/dev/null && return
  say "fetching the sources of Abseil"
  mkdir -p "$folder"/{lists/partial,cache/archives/partial,parts}
  local file
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [[ -e $file ]] && sed -n 's/^deb /deb-src /p' "$file"
  done >"$folder/sources.list"
  for file in /etc/apt/sources.list.d/*.sources; do
    [[ -e $file ]] && sed 's/^Types:.*/Types: deb-src/' "$file" >"$folder/parts/${file##*/}"
  done
  local options=(-qq -o Dir::Etc::sourcelist="$folder/sources.list"
    -o Dir::Etc::sourceparts="$folder/parts" -o Dir::State::lists="$folder/lists"
    -o Dir::Cache="$folder/cache")
  (cd "$folder" && apt-get "${options[@]}" update && apt-get "${options[@]}" source abseil)
}

# cross_configure PRESET GOOGLETEST_OPTION...: for another machine, with Abseil and GoogleTest compiled for
# it: Debian has the sources of both, so that no packages of another architecture are needed.
cross_configure() {
  abseil_source
  local googletest=$PWD/build/googletest-$1
  say "building GoogleTest in $googletest"
  cmake -S /usr/src/googletest -B "$googletest" -G Ninja --log-level=NOTICE --toolchain "$PWD/cmake/$1.cmake" \
    -DCMAKE_INSTALL_PREFIX="$googletest/installed" "${@:2}" >/dev/null
  cmake --build "$googletest" -j "$jobs" --target install >/dev/null
  configure "$1" -DCMAKE_PREFIX_PATH="$googletest/installed" \
    -DFRACTALRAY_ABSEIL_SOURCE="$(echo "$PWD"/build/abseil-source/abseil-*/)"
}

# The tests of what has code for certain instruction sets on 64-bit ARM, by emulation.
cmd_aarch64() {
  no_more_arguments "$@"
  need "${build_packages[@]}" "${arm_packages[@]}"
  cross_configure aarch64
  local emulator=(qemu-aarch64 -L /usr/aarch64-linux-gnu)
  test_programs aarch64 "${instruction_set_tests[@]}"
}

# Builds the WebAssembly module of bindings/js.
wasm_module() {
  need "${build_packages[@]}" "${wasm_packages[@]}"
  # emscripten writes into its cache; Node does not search Debian's folder of modules by itself.
  export EM_CACHE=$PWD/build/emscripten-cache NODE_PATH=/usr/share/nodejs EMCC_CORES=1
  [[ -d $EM_CACHE ]] || { mkdir -p build && cp -r /usr/share/emscripten/cache "$EM_CACHE"; }
  # LLVM 16 in place of the 14 that emscripten depends on: 14 compiles functions that may throw to code
  # that runs parts of them twice. The golden test shows it.
  export EM_CONFIG=$PWD/build/emscripten.config
  printf '%s\n' "LLVM_ROOT = '/usr/lib/llvm-16/bin'" "BINARYEN_ROOT = '/usr'" "NODE_JS = '$(command -v node)'" \
    "EMSCRIPTEN_ROOT = '/usr/share/emscripten'" >"$EM_CONFIG"
  cross_configure wasm -Dgtest_disable_pthreads=ON
  compile wasm fractalray_module
}

# The module and its package, with the golden answers and the tests of C in Node, and those of the package
# in Node and in Chromium.
cmd_wasm() {
  no_more_arguments "$@"
  local emulator=(node)
  wasm_module
  test_programs wasm golden_test capi_test
  npm_package
  playground_modules
  need "${browser_packages[@]}"
  say "testing bindings/js in Node and in Chromium"
  npm_modules build/prismarine "${prismarine_modules[@]}"
  # Answers are compared with those of the program, if one has been built.
  local preset
  for preset in checked release; do
    [[ -x build/$preset/bin/fractalray ]] || continue
    compile "$preset" fractalray_app
    export FRACTALRAY_PROGRAM=$PWD/build/$preset/bin/fractalray
    break
  done
  FRACTALRAY_PRISMARINE=$PWD/build/prismarine node --test tests/js/*_test.mjs
}

# Measures the JavaScript package: ./dev bench web.
bench_web() {
  wasm_module
  compile wasm fractalray_named_module
  packed_world
  configure release -DFRACTALRAY_BUILD_BENCH=ON
  compile release fractalray_web_native
  npm_modules build/bench-web "${peer_modules[@]}"
  say "running tools/bench/web/main.mjs${*:+ $*}"
  node tools/bench/web/main.mjs "$@"
}

# Puts together what npm publishes: `npm pack build/npm` makes the file.
npm_package() {
  say "making the package in build/npm"
  rm -rf build/npm
  mkdir -p build/npm
  cp -r bindings/js/{README.md,package.json,*.js,*.d.ts,src,types} LICENSE build/wasm/bin/fractalray.wasm build/npm
  node tools/scripts/make_inline_module.mjs build/wasm/bin/fractalray.wasm build/npm/inline.js
}

# npm_modules FOLDER [PACKAGE...]: installs these, or those that the folder's package.json names.
npm_modules() {
  command -v npm >/dev/null || need npm
  mkdir -p "$1"
  "${npm_install[@]}" --prefix "$1" "${@:2}"
}
# Installs the bundler and so on that the playground and the tests of the package use.
playground_modules() { npm_modules docs/playground; }

# Packs the bundled world into build/playground/world.bin.gz, by the native library.
packed_world() {
  need "${build_packages[@]}" "${playground_packages[@]}"
  configure release
  compile release fractalray_c
  export PYTHONPATH=$PWD/bindings/python FRACTALRAY_LIBRARY=$PWD/build/release/bindings/c/libfractalray_c.so
  say "packing the bundled world"
  mkdir -p build/playground
  # The chunks in which its land is.
  /usr/bin/python3 docs/playground/tools/make_world.py examples/worlds/w1 build/playground/world.bin.gz --chunks=-17,-2,-7..-8,7,2
}

# Makes the page of docs/playground, build/playground/index.html. Writes into docs/playground/node_modules.
playground_page() {
  local folder=build/playground
  playground_modules
  wasm_module
  packed_world
  say "making the playground in $folder"
  node docs/playground/build.mjs --module build/wasm/bin/fractalray.wasm --world "$folder/world.bin.gz" --out "$folder/index.html"
}

# Serves the page, or tests it in Node and in Chromium: also that 100,000 shots by a seed of this run have one hash
# there and in the native library, and that copied samples and explained shots are those of the page.
cmd_playground() {
  local folder=build/playground port=8000 test=false
  while (($#)); do
    case $1 in
      --test) test=true ;;
      --port)
        port=${2:-}
        [[ $port =~ ^[1-9][0-9]{0,4}$ ]] && ((port < 65536)) || fail "--port takes a number from 1 to 65535, not '$port'"
        shift
        ;;
      *) fail "unknown option '$1'; playground takes --port N and --test" ;;
    esac
    shift
  done
  playground_page
  if ! $test; then
    say "http://127.0.0.1:$port/ has the playground; Ctrl+C ends this"
    exec python3 -m http.server --bind 127.0.0.1 --directory "$folder" "$port"
  fi
  need "${browser_packages[@]}" luajit
  compile release fractalray_app  # and the static library, for samples in C++
  local program=$PWD/build/release/bin/fractalray
  local seed=$((RANDOM * 32768 + RANDOM + 1)) hash
  node docs/playground/tools/export_world.mjs "$folder/world.bin.gz" "$folder/world.json"
  hash=$(/usr/bin/python3 docs/playground/tools/native_hash.py "$folder/world.json" --seed="$seed" | grep -oP '^hash \K[0-9a-f]+')
  say "testing the playground in Node; seed $seed has hash $hash in the native library"
  PLAYGROUND_MODULE=build/wasm/bin/fractalray.wasm PLAYGROUND_WORLD=$folder/world.bin.gz PLAYGROUND_SEED=$seed \
    PLAYGROUND_HASH=$hash FRACTALRAY_BUILD=$PWD/build/release FRACTALRAY_PROGRAM=$program node --test docs/playground/tests/*.test.mjs
  say "driving the playground in Chromium; pictures in $folder/pictures"
  mkdir -p "$folder/pictures"
  node docs/playground/drive.mjs "$folder/index.html" "$folder/pictures" --seed "$seed" --hash "$hash" --program "$program"
}
