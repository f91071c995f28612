/* The files of assets/ as bytes in the program; assets.h names them. */
        .section .rodata
        .global page_flame_css, page_flame_css_end, page_flame_js, page_flame_js_end
        .global page_treemap_css, page_treemap_css_end, page_treemap_page_css, page_treemap_page_css_end
        .global page_treemap_js, page_treemap_js_end
page_flame_css:
        .incbin "page/assets/flame.css"
page_flame_css_end:
page_flame_js:
        .incbin "page/assets/names.js"
        .incbin "page/assets/flame.js"
page_flame_js_end:
page_treemap_css:
        .incbin "page/assets/treemap.css"
page_treemap_css_end:
page_treemap_page_css:
        .incbin "page/assets/treemap_page.css"
page_treemap_page_css_end:
page_treemap_js:
        .incbin "page/assets/names.js"
        .incbin "page/assets/treemap.js"
page_treemap_js_end:
        .byte 0
        .section .note.GNU-stack, "", %progbits
