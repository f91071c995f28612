# suite_tool(NAME [VERB...]): the tool in the current folder. Everything but main.c becomes the
# library NAME-lib, which the tests link too; main.c and that library make the program.
# Each VERB has a manual page of its own. They are noted in the global properties SUITE_LIBRARIES and SUITE_PROGRAMS.
function(suite_tool name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.c)
  list(REMOVE_ITEM sources ${CMAKE_CURRENT_SOURCE_DIR}/main.c)
  # What other programs are started with is a library of its own.
  list(FILTER sources EXCLUDE REGEX "/preload/")

  add_library(${name}-lib STATIC ${sources})
  target_include_directories(${name}-lib PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(${name}-lib PUBLIC common)
  set_property(GLOBAL APPEND PROPERTY SUITE_LIBRARIES ${name}-lib)
  if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/main.c)
    return()
  endif()

  add_executable(${name} ${CMAKE_CURRENT_SOURCE_DIR}/main.c)
  target_link_libraries(${name} PRIVATE ${name}-lib)
  set_property(GLOBAL APPEND PROPERTY SUITE_PROGRAMS ${name})
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  suite_generated(${name} man ${CMAKE_INSTALL_MANDIR}/man1/${name}.1)
  foreach(verb IN LISTS ARGN)
    suite_generated(${name} man ${CMAKE_INSTALL_MANDIR}/man1/${name}-${verb}.1 ${verb})
  endforeach()
  suite_generated(${name} bash ${CMAKE_INSTALL_DATADIR}/bash-completion/completions/${name})
  suite_generated(${name} zsh ${CMAKE_INSTALL_DATADIR}/zsh/site-functions/_${name})
  # fish completes `cargo` by cargo.fish alone: what is for its subcommands is read at start.
  suite_generated(${name} fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_conf.d/${name}.fish)
endfunction()

# suite_generated(NAME KIND PATH [VERB]): installs what `NAME [VERB] --generate KIND` prints as PATH.
function(suite_generated name kind path)
  set(made ${CMAKE_CURRENT_BINARY_DIR}/${name}${ARGN}.${kind})
  install(CODE "execute_process(COMMAND \"$<TARGET_FILE:${name}>\" ${ARGN} --generate ${kind}
                OUTPUT_FILE \"${made}\" COMMAND_ERROR_IS_FATAL ANY)")
  get_filename_component(folder ${path} DIRECTORY)
  get_filename_component(file ${path} NAME)
  install(FILES ${made} DESTINATION ${folder} RENAME ${file})
endfunction()
