# A library of its own: the library needs no threads, and an engine may have its own.
find_package(Threads REQUIRED)
add_library(fractalray_executor core/thread_executor.cc)
add_library(fractalray::executor ALIAS fractalray_executor)
target_link_libraries(fractalray_executor
  PUBLIC fractalray::fractalray Threads::Threads
  PRIVATE $<BUILD_INTERFACE:fractalray_flags>)
