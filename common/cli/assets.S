/* cargo.bash as text in the program; complete_bash.c names it. */
        .section .rodata
        .global cli_cargo_bash
cli_cargo_bash:
        .incbin "cli/cargo.bash"
        .byte 0
        .section .note.GNU-stack, "", %progbits
