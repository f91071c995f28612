# suite_tool(NAME): the tool in the current folder. Everything but main.c becomes the
# library NAME-lib, which the tests link too; main.c and that library make the program,
# which is noted in the global property SUITE_PROGRAMS.
function(suite_tool name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.c)
  list(REMOVE_ITEM sources ${CMAKE_CURRENT_SOURCE_DIR}/main.c)

  add_library(${name}-lib STATIC ${sources})
  target_include_directories(${name}-lib PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(${name}-lib PUBLIC common)

  add_executable(${name} ${CMAKE_CURRENT_SOURCE_DIR}/main.c)
  target_link_libraries(${name} PRIVATE ${name}-lib)
  set_property(GLOBAL APPEND PROPERTY SUITE_PROGRAMS ${name})
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()
