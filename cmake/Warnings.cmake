# One interface target carries what every one of our targets is compiled with.
add_library(steward_options INTERFACE)
target_compile_options(steward_options INTERFACE
  -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual -Wpedantic
  $<$<BOOL:${STEWARD_WERROR}>:-Werror>)
if(STEWARD_SANITIZE)
  target_compile_options(steward_options INTERFACE
    -fsanitize=${STEWARD_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(steward_options INTERFACE -fsanitize=${STEWARD_SANITIZE})
endif()
if(STEWARD_COVERAGE)
  target_compile_options(steward_options INTERFACE --coverage -fprofile-update=atomic)
  target_link_options(steward_options INTERFACE --coverage)
endif()
