/* What preload/ makes, as bytes in the program. */
        .section .rodata
        .global heap_library_bytes, heap_library_bytes_end
heap_library_bytes:
        .incbin "libheap.so"
heap_library_bytes_end:
        .byte 0
        .section .note.GNU-stack, "", %progbits
