# Builds the checkout that contains this file: vcpkg install fractalray --overlay-ports=packaging/vcpkg
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS feature_options
  FEATURES
    capi FRACTALRAY_BUILD_CAPI
    executor FRACTALRAY_BUILD_EXECUTOR
    explain FRACTALRAY_BUILD_EXPLAIN
    formats FRACTALRAY_BUILD_FORMATS)
string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" dynamic shared)
vcpkg_find_acquire_program(PKGCONFIG)  # the formats find zstd by it
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    ${feature_options}
    "-DFRACTALRAY_CAPI_SHARED=${shared}"
    -DFRACTALRAY_BUILD_APPS=OFF
    -DFRACTALRAY_BUILD_EXAMPLES=OFF
    -DFRACTALRAY_BUILD_STORE=OFF
    -DFRACTALRAY_BUILD_TESTS=OFF
    -DFRACTALRAY_CCACHE=OFF
    "-DPKG_CONFIG_EXECUTABLE=${PKGCONFIG}")
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/fractalray)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
