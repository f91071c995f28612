#include "dwarf/entry_attributes.h"

#include <dwarf.h>

enum entry_attribute entry_attribute_of(uint16_t name)
{
    switch (name) {
    case DW_AT_abstract_origin:
        return ENTRY_ABSTRACT_ORIGIN;
    case DW_AT_addr_base:
    case DW_AT_GNU_addr_base:
        return ENTRY_ADDRESS_BASE;
    case DW_AT_call_file:
        return ENTRY_CALL_FILE;
    case DW_AT_call_line:
        return ENTRY_CALL_LINE;
    case DW_AT_comp_dir:
        return ENTRY_DIRECTORY;
    case DW_AT_decl_file:
        return ENTRY_DECLARED_FILE;
    case DW_AT_high_pc:
        return ENTRY_HIGH_PC;
    case DW_AT_language:
        return ENTRY_LANGUAGE;
    case DW_AT_linkage_name:
    case DW_AT_MIPS_linkage_name:
        return ENTRY_LINKAGE_NAME;
    case DW_AT_low_pc:
        return ENTRY_LOW_PC;
    case DW_AT_name:
        return ENTRY_NAME;
    case DW_AT_ranges:
        return ENTRY_RANGES;
    case DW_AT_rnglists_base:
    case DW_AT_GNU_ranges_base:
        return ENTRY_RANGES_BASE;
    case DW_AT_specification:
        return ENTRY_SPECIFICATION;
    case DW_AT_GNU_dwo_id:
        return ENTRY_SPLIT_ID;
    case DW_AT_dwo_name:
    case DW_AT_GNU_dwo_name:
        return ENTRY_SPLIT_NAME;
    case DW_AT_stmt_list:
        return ENTRY_STATEMENTS;
    case DW_AT_str_offsets_base:
        return ENTRY_STR_OFFSETS_BASE;
    default:
        return ENTRY_ATTRIBUTE_COUNT;
    }
}
