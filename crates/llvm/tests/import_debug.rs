//! What debug information says about variables, places and the source language.

use beeline_llvm::import::{Options, import};
use beeline_module::*;

fn read(text: &str) -> Module {
    import(text.as_bytes(), "test.ll", &Options::default()).expect("the text is LLVM IR")
}

/// Debug information that every test shares: a compile unit, a file, a function and simple types.
const COMMON: &str = r#"
    !llvm.dbg.cu = !{!0}
    !llvm.module.flags = !{!1}
    !0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !2, emissionKind: FullDebug)
    !1 = !{i32 2, !"Debug Info Version", i32 3}
    !2 = !DIFile(filename: "src/main.c", directory: "/home/someone")
    !3 = !DIFile(filename: "/usr/include/list.h", directory: "/home/someone")
    !4 = distinct !DISubprogram(name: "f", scope: !2, file: !2, line: 10, unit: !0, type: !5, spFlags: DISPFlagDefinition)
    !5 = !DISubroutineType(types: !6)
    !6 = !{null}
    !7 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
    !8 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
    !9 = !DILocation(line: 12, column: 3, scope: !4)
"#;

fn with_common(text: &str) -> Module {
    read(&format!("{text}\n{COMMON}"))
}

/// The variable of a global whose debug type is node 20.
fn global_of_type(nodes: &str) -> DebugVar {
    let module = with_common(&format!(
        "@g = global i8 0, !dbg !10
        !10 = !DIGlobalVariableExpression(var: !11, expr: !DIExpression())
        !11 = distinct !DIGlobalVariable(name: \"g\", scope: !0, file: !2, line: 3, type: !20)
        {nodes}"
    ));
    let global = module.globals.values().next().expect("there is one");
    global.debug.clone().expect("it has a name")
}

fn type_name(nodes: &str) -> String {
    global_of_type(nodes).ty
}

#[test]
fn real_bitcode_of_clang() {
    let module = import(include_bytes!("data/small.bc"), "x.bc", &Options::default()).expect("it is whole");
    assert_eq!((module.name.as_str(), module.language.as_str()), ("small.c", "C11"));
    assert_eq!(module.files, ["small.c"]);
    let sum = module.functions.values().find(|f| f.name == "sum").expect("it is in the source");
    assert_eq!(sum.place, Some(Place { file: 0, line: 4, col: 0 }));
    let names: Vec<_> =
        sum.allocas.iter().map(|(_, variable)| (variable.name.as_str(), variable.ty.as_str())).collect();
    assert_eq!(names, [("list", "struct node *"), ("total", "int"), ("at", "struct node *")]);
    let head = module.globals.values().find(|g| g.name == "head").and_then(|g| g.debug.as_ref());
    assert_eq!(head.map(|head| head.ty.as_str()), Some("struct node *"));
}

#[test]
fn names_of_types() {
    let pointer = "!21 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType:";
    assert_eq!(type_name("!20 = !DIBasicType(name: \"unsigned long\", size: 64)"), "unsigned long");
    assert_eq!(type_name("!20 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null)"), "void *");
    let twice = format!("!20 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !21)\n{pointer} !8)");
    assert_eq!(type_name(&twice), "char **");
    let typedef = "!20 = !DIDerivedType(tag: DW_TAG_typedef, name: \"size_t\", baseType: !7)";
    assert_eq!(type_name(typedef), "size_t");
    let to_const = "!20 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !21)
        !21 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !8)";
    assert_eq!(type_name(to_const), "const char *");
    let const_pointer = format!("!20 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !21)\n{pointer} !8)");
    assert_eq!(type_name(&const_pointer), "char *const");
    let matrix = "!20 = !DICompositeType(tag: DW_TAG_array_type, baseType: !7, elements: !21)
        !21 = !{!22, !23}
        !22 = !DISubrange(count: 2)
        !23 = !DISubrange(count: 3)";
    assert_eq!(type_name(matrix), "int[2][3]");
    let open = "!20 = !DICompositeType(tag: DW_TAG_array_type, baseType: !7, elements: !21)
        !21 = !{!22}
        !22 = !DISubrange(count: -1)";
    assert_eq!(type_name(open), "int[]");
    let function = "!20 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !21)
        !21 = !DISubroutineType(types: !22)
        !22 = !{!7, !8, null}";
    assert_eq!(type_name(function), "int (*)(char, ...)");
    for (tag, keyword) in [("structure", "struct"), ("union", "union"), ("enumeration", "enum")] {
        let node = format!(
            "!20 = !DICompositeType(tag: DW_TAG_{tag}_type, name: \"x\", elements: !21)\n!21 = !{{}}"
        );
        assert_eq!(type_name(&node), format!("{keyword} x"));
    }
    // A type that leads to itself only through pointers.
    let endless = "!20 = distinct !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !20)";
    assert_eq!(type_name(endless), "");
}

#[test]
fn names_of_parts() {
    let node = global_of_type(
        r#"!20 = !DIDerivedType(tag: DW_TAG_typedef, name: "Node", baseType: !21)
        !21 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "node", size: 256, elements: !22)
        !22 = !{!23, !24, !26, !27, !30}
        !23 = !DIDerivedType(tag: DW_TAG_member, name: "value", baseType: !7, size: 32)
        !24 = !DIDerivedType(tag: DW_TAG_member, name: "next", baseType: !25, size: 64, offset: 64)
        !25 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !21, size: 64)
        !26 = !DIDerivedType(tag: DW_TAG_member, name: "low", baseType: !7, size: 3, offset: 128, flags: DIFlagBitField, extraData: i64 128)
        !27 = !DIDerivedType(tag: DW_TAG_member, name: "high", baseType: !7, size: 5, offset: 131, flags: DIFlagBitField, extraData: i64 128)
        !30 = !DIDerivedType(tag: DW_TAG_member, baseType: !31, size: 64, offset: 160)
        !31 = distinct !DICompositeType(tag: DW_TAG_union_type, size: 64, elements: !32)
        !32 = !{!33, !35}
        !33 = !DIDerivedType(tag: DW_TAG_member, name: "pair", baseType: !34, size: 64)
        !34 = !DICompositeType(tag: DW_TAG_array_type, baseType: !7, size: 64, elements: !36)
        !35 = !DIDerivedType(tag: DW_TAG_member, name: "first", baseType: !7, size: 32)
        !36 = !{!37}
        !37 = !DISubrange(count: 2)"#,
    );
    let parts: Vec<_> = node
        .parts
        .iter()
        .map(|part| (part.offset, part.name.as_str(), part.ty.as_str(), part.repeats.len()))
        .collect();
    let expected = [
        (0, ".value", "int", 0),
        (8, ".next", "struct node *", 0),
        (16, ".low|high", "", 0),
        (20, ".pair[]", "int", 1),
        (20, ".first", "int", 0),
    ];
    assert_eq!((node.ty.as_str(), parts.as_slice()), ("Node", expected.as_slice()));
    assert_eq!(node.parts[3].repeats, [(4, 2)]);
    let long = global_of_type(
        "!20 = !DICompositeType(tag: DW_TAG_array_type, baseType: !8, size: 80000, elements: !21)
        !21 = !{!22}
        !22 = !DISubrange(count: 9223372036854775807)",
    );
    assert_eq!((long.parts.len(), long.parts[0].repeats.as_slice()), (1, [(1, i64::MAX as u64)].as_slice()));
    let table = global_of_type(
        "!20 = !DICompositeType(tag: DW_TAG_array_type, baseType: !23, size: 384, elements: !21)
        !21 = !{!22, !24}
        !22 = !DISubrange(count: 2)
        !24 = !DISubrange(count: 3)
        !23 = !DICompositeType(tag: DW_TAG_structure_type, name: \"cell\", size: 64, elements: !25)
        !25 = !{!26, !27}
        !26 = !DIDerivedType(tag: DW_TAG_member, name: \"key\", baseType: !7, size: 32)
        !27 = !DIDerivedType(tag: DW_TAG_member, name: \"tag\", baseType: !8, size: 8, offset: 32)",
    );
    let tags = &table.parts[1];
    assert_eq!((tags.offset_of("[1][2].tag"), tags.offset_of("[1][3].tag")), (Some(24 + 16 + 4), None));
    assert_eq!(
        (tags.name.as_str(), tags.offset, tags.repeats.as_slice()),
        ("[][].tag", 4, [(24, 2), (8, 3)].as_slice())
    );
    let scalar = global_of_type("!20 = !DIBasicType(name: \"int\", size: 32)");
    assert_eq!((scalar.parts, scalar.place.map(|place| place.line)), (vec![], Some(3)));
}

#[test]
fn places_are_in_the_file_of_the_innermost_scope() {
    let module = with_common(
        "define void @f() !dbg !4 {
          %a = add i32 1, 2, !dbg !9
          %b = add i32 1, 2, !dbg !20
          %c = add i32 1, 2, !dbg !22
          %d = add i32 1, 2
          ret void
        }
        !20 = !DILocation(line: 5, column: 7, scope: !21, inlinedAt: !9)
        !21 = distinct !DISubprogram(name: \"list\", scope: !3, file: !3, line: 4, unit: !0, type: !5, spFlags: DISPFlagDefinition)
        !22 = !DILocation(line: 0, scope: !4)",
    );
    let f = module.functions.values().next().expect("there is one");
    let places: Vec<_> = f.insts.values().map(|inst| inst.place).collect();
    let main = |line, col| Some(Place { file: 0, line, col });
    assert_eq!(places, [main(12, 3), Some(Place { file: 1, line: 5, col: 7 }), None, None, None]);
    assert_eq!(f.place, main(10, 0));
    assert_eq!(module.files, ["src/main.c", "/usr/include/list.h"]);
}

/// A function with two parameters and an alloca, and debug records for them.
fn described(records: &str) -> Module {
    with_common(&format!(
        "define void @f(ptr %0, i32 %1) !dbg !4 {{
          %3 = alloca i32
          %4 = add i32 %1, 1
          {records}
          ret void
        }}
        !20 = !DILocalVariable(name: \"x\", scope: !4, file: !2, line: 11, type: !7)
        !21 = !DILocalVariable(name: \"y\", scope: !4, file: !2, line: 11, type: !7)
        !22 = distinct !DIAssignID()"
    ))
}

#[test]
fn variables_of_allocas_and_values() {
    let module = described(
        "#dbg_declare(ptr %3, !20, !DIExpression(), !9)
        #dbg_declare(ptr %0, !21, !DIExpression(), !9)
        #dbg_value(i32 %4, !21, !DIExpression(), !9)
        #dbg_value(i32 %1, !20, !DIExpression(), !9)
        #dbg_value(i32 %1, !20, !DIExpression(), !9)
        #dbg_value(i32 7, !20, !DIExpression(), !9)",
    );
    let f = module.functions.values().next().expect("there is one");
    let allocas: Vec<_> = f.allocas.iter().map(|(inst, v)| (inst.as_u32(), v.name.as_str())).collect();
    assert_eq!(allocas, [(0, "x")]);
    assert_eq!(f.allocas[0].1.place, Some(Place { file: 0, line: 11, col: 0 }));
    let values: Vec<_> = f.values.iter().map(|(value, v)| (value.clone(), v.name.as_str())).collect();
    assert_eq!(values, [(Operand::Inst(InstId::from_u32(1)), "y"), (Operand::Param(1), "x")]);
    // The parameter points to the variable.
    assert_eq!(f.params, ["y", ""]);
    assert_eq!(f.insts.len(), 3, "debug records are no instructions");
}

/// The C API of LLVM 22 does not tell which variable is assigned.
#[cfg(not(feature = "llvm-22"))]
#[test]
fn assignments_name_allocas() {
    let module = described(
        "store i32 %4, ptr %3, !DIAssignID !22
        #dbg_assign(i32 %4, !20, !DIExpression(), !22, ptr %3, !DIExpression(), !9)",
    );
    let f = module.functions.values().next().expect("there is one");
    assert_eq!(f.allocas.iter().map(|(_, v)| v.name.as_str()).collect::<Vec<_>>(), ["x"]);
}

#[test]
fn what_is_not_the_whole_variable_does_not_name_it() {
    let module = described(
        "#dbg_declare(ptr %3, !20, !DIExpression(DW_OP_deref), !9)
        #dbg_value(i32 %1, !20, !DIExpression(DW_OP_plus_uconst, 4, DW_OP_stack_value), !9)
        #dbg_value(i32 %4, !20, !DIExpression(DW_OP_LLVM_fragment, 0, 16), !9)
        #dbg_assign(i32 %4, !20, !DIExpression(DW_OP_LLVM_fragment, 0, 16), !22, ptr %3, !DIExpression(), !9)
        #dbg_assign(i32 %4, !21, !DIExpression(), !22, ptr %3, !DIExpression(DW_OP_plus_uconst, 4), !9)
        #dbg_value(!DIArgList(i32 %1, i32 %4), !20, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value), !9)",
    );
    let f = module.functions.values().next().expect("there is one");
    assert_eq!((f.allocas.len(), f.values.len()), (0, 0));
}

#[test]
fn languages() {
    let unit = |language: &str| {
        read(&format!(
            "!llvm.dbg.cu = !{{!0, !3}}
            !llvm.module.flags = !{{!1}}
            !0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, emissionKind: FullDebug)
            !1 = !{{i32 2, !\"Debug Info Version\", i32 3}}
            !2 = !DIFile(filename: \"language: DW_LANG_Ada\", directory: \"\")
            !3 = distinct !DICompileUnit(language: DW_LANG_{language}, file: !2, emissionKind: FullDebug)"
        ))
        .language
    };
    assert_eq!(unit("C11"), "C99");
    assert_eq!(unit("C_plus_plus_14"), "C++14");
    assert_eq!(unit("Rust"), "Rust");
    let names = |names: &str| read(&format!("declare void @{names}()")).language;
    assert_eq!(names("main"), "");
    assert_eq!(names("_Z3foov"), "C++");
    assert_eq!(names("_ZN3foo3barEv"), "C++");
    assert_eq!(names("_ZN4core9panicking5panic17h0123456789abcdefE"), "Rust");
    assert_eq!(names("rust_eh_personality"), "Rust");
}
