//! What becomes of LLVM's instructions, constants, types and debug information.

use beeline_ir::{Bits, FloatKind};
use beeline_llvm::import::{ImportError, Options, import};
use beeline_module::*;

/// Reads a text, with the layout of x86-64 where it matters here unless the text names one.
fn read(text: &str) -> Module {
    let layout = if text.contains("target datalayout") { "" } else { "target datalayout = \"e-i64:64\"\n" };
    let text = format!("{layout}{text}");
    import(text.as_bytes(), "test.ll", &Options::default()).expect("the text is LLVM IR")
}

fn function<'a>(module: &'a Module, name: &str) -> &'a Function {
    module.functions.values().find(|function| function.name == name).expect("there is such a function")
}

fn global<'a>(module: &'a Module, name: &str) -> &'a Global {
    module.globals.values().find(|global| global.name == name).expect("there is such a global")
}

fn init<'a>(module: &'a Module, name: &str) -> &'a Const {
    global(module, name).init.as_ref().expect("it has a value")
}

fn global_id(module: &Module, name: &str) -> GlobalId {
    module.globals.iter().find(|(_, global)| global.name == name).expect("there is such a global").0
}

fn fn_id(module: &Module, name: &str) -> FnId {
    module.functions.iter().find(|(_, f)| f.name == name).expect("there is such a function").0
}

/// The kinds of the instructions of `@f` in order.
fn kinds(module: &Module) -> Vec<InstKind> {
    let f = function(module, "f");
    f.blocks.values().flat_map(|block| &block.insts).map(|&inst| f.insts[inst].kind.clone()).collect()
}

fn param(index: u32) -> Operand {
    Operand::Param(index)
}

fn inst(index: u32) -> Operand {
    Operand::Inst(InstId::from_u32(index))
}

fn block(index: u32) -> BlockId {
    BlockId::from_u32(index)
}

fn int(operand: &Operand) -> i64 {
    match operand {
        Operand::Const(_, Const::Int(bits)) => bits.to_i64().expect("a small number"),
        other => panic!("not a constant: {other:?}"),
    }
}

/// The kind of the only instruction before the `ret void` of a function with a body and parameters.
fn only(params: &str, body: &str) -> InstKind {
    let text = format!("define void @f({params}) {{\n{body}\nret void\n}}");
    let mut kinds = kinds(&read(&text));
    assert_eq!(kinds.pop(), Some(InstKind::Ret(None)));
    assert_eq!(kinds.len(), 1);
    kinds.remove(0)
}

#[test]
fn binary_operations() {
    let cases = [
        ("add", BinaryOp::Add),
        ("sub", BinaryOp::Sub),
        ("mul", BinaryOp::Mul),
        ("udiv", BinaryOp::UDiv),
        ("sdiv", BinaryOp::SDiv),
        ("urem", BinaryOp::URem),
        ("srem", BinaryOp::SRem),
        ("and", BinaryOp::And),
        ("or", BinaryOp::Or),
        ("xor", BinaryOp::Xor),
        ("shl", BinaryOp::Shl),
        ("lshr", BinaryOp::LShr),
        ("ashr", BinaryOp::AShr),
    ];
    for (name, op) in cases {
        let kind = only("i32 %a, i32 %b", &format!("%x = {name} i32 %a, %b"));
        assert_eq!(kind, InstKind::Binary(op, param(0), param(1)), "{name}");
    }
    let cases = [
        ("fadd", BinaryOp::FAdd),
        ("fsub", BinaryOp::FSub),
        ("fmul", BinaryOp::FMul),
        ("fdiv", BinaryOp::FDiv),
        ("frem", BinaryOp::FRem),
    ];
    for (name, op) in cases {
        let kind = only("double %a, double %b", &format!("%x = {name} double %a, %b"));
        assert_eq!(kind, InstKind::Binary(op, param(0), param(1)), "{name}");
    }
    assert_eq!(only("float %a", "%x = fneg float %a"), InstKind::FNeg(param(0)));
}

#[test]
fn comparisons() {
    let cases = [
        ("eq", IntPredicate::Eq),
        ("ne", IntPredicate::Ne),
        ("ugt", IntPredicate::Ugt),
        ("uge", IntPredicate::Uge),
        ("ult", IntPredicate::Ult),
        ("ule", IntPredicate::Ule),
        ("sgt", IntPredicate::Sgt),
        ("sge", IntPredicate::Sge),
        ("slt", IntPredicate::Slt),
        ("sle", IntPredicate::Sle),
    ];
    for (name, predicate) in cases {
        let kind = only("ptr %a, ptr %b", &format!("%x = icmp {name} ptr %a, %b"));
        assert_eq!(kind, InstKind::IntCompare(predicate, param(0), param(1)), "{name}");
    }
    // The relations that make each one true: less, equal, greater, unordered.
    let cases = [
        ("false", ""),
        ("oeq", "e"),
        ("ogt", "g"),
        ("oge", "eg"),
        ("olt", "l"),
        ("ole", "le"),
        ("one", "lg"),
        ("ord", "leg"),
        ("uno", "u"),
        ("ueq", "eu"),
        ("ugt", "gu"),
        ("uge", "egu"),
        ("ult", "lu"),
        ("ule", "leu"),
        ("une", "lgu"),
        ("true", "legu"),
    ];
    for (name, relations) in cases {
        let has = |relation| relations.contains(relation);
        let predicate =
            FloatPredicate { less: has('l'), equal: has('e'), greater: has('g'), unordered: has('u') };
        let kind = only("double %a, double %b", &format!("%x = fcmp {name} double %a, %b"));
        assert_eq!(kind, InstKind::FloatCompare(predicate, param(0), param(1)), "{name}");
    }
}

#[test]
fn casts() {
    let cases = [
        ("trunc i32 %a to i8", "i32", CastKind::Trunc),
        ("zext i8 %a to i32", "i8", CastKind::ZExt),
        ("sext <2 x i8> %a to <2 x i32>", "<2 x i8>", CastKind::SExt),
        ("fptrunc double %a to float", "double", CastKind::FpTrunc),
        ("fpext float %a to double", "float", CastKind::FpExt),
        ("fptoui float %a to i32", "float", CastKind::FpToUi),
        ("fptosi float %a to i32", "float", CastKind::FpToSi),
        ("uitofp i32 %a to float", "i32", CastKind::UiToFp),
        ("sitofp i32 %a to float", "i32", CastKind::SiToFp),
        ("ptrtoint ptr %a to i32", "ptr", CastKind::PtrToInt),
        ("inttoptr i32 %a to ptr", "i32", CastKind::IntToPtr),
        ("bitcast double %a to i64", "double", CastKind::BitCast),
        ("addrspacecast ptr %a to ptr addrspace(1)", "ptr", CastKind::BitCast),
    ];
    for (text, ty, kind) in cases {
        let found = only(&format!("{ty} %a"), &format!("%x = {text}"));
        assert_eq!(found, InstKind::Cast(kind, param(0)), "{text}");
    }
    let text = "target datalayout = \"e-p:64:64-p1:32:32\"\ndefine void @f(ptr %a) {
        %x = addrspacecast ptr %a to ptr addrspace(1)\nret void }";
    assert_eq!(kinds(&read(text))[0], InstKind::Unsupported("addrspacecast".into()));
}

#[test]
fn memory() {
    assert_eq!(only("ptr %a", "%x = load i32, ptr %a"), InstKind::Load { addr: param(0), volatile: false });
    assert_eq!(
        only("ptr %a", "%x = load volatile i32, ptr %a"),
        InstKind::Load { addr: param(0), volatile: true }
    );
    let store = InstKind::Store { addr: param(1), value: param(0) };
    assert_eq!(only("i32 %v, ptr %a", "store volatile i32 %v, ptr %a"), store);
    assert_eq!(only("", "fence seq_cst"), InstKind::Fence);
    for (word, weak) in [("", false), ("weak ", true)] {
        let swap = InstKind::CmpXchg { addr: param(0), expected: param(1), new: param(2), weak };
        let text = format!("%x = cmpxchg {word}ptr %p, i32 %e, i32 %n seq_cst seq_cst");
        assert_eq!(only("ptr %p, i32 %e, i32 %n", &text), swap);
    }
    assert_eq!(only("ptr %l", "%x = va_arg ptr %l, i32"), InstKind::VaArg { list: param(0) });
    let cases = [
        ("xchg", RmwOp::Xchg),
        ("add", RmwOp::Add),
        ("sub", RmwOp::Sub),
        ("and", RmwOp::And),
        ("nand", RmwOp::Nand),
        ("or", RmwOp::Or),
        ("xor", RmwOp::Xor),
        ("max", RmwOp::Max),
        ("min", RmwOp::Min),
        ("umax", RmwOp::UMax),
        ("umin", RmwOp::UMin),
        ("uinc_wrap", RmwOp::UIncWrap),
        ("udec_wrap", RmwOp::UDecWrap),
    ];
    for (name, op) in cases {
        let kind = only("ptr %a, i32 %v", &format!("%x = atomicrmw {name} ptr %a, i32 %v seq_cst"));
        assert_eq!(kind, InstKind::AtomicRmw { op, addr: param(0), value: param(1) }, "{name}");
    }
    for (name, op) in
        [("fadd", RmwOp::FAdd), ("fsub", RmwOp::FSub), ("fmax", RmwOp::FMax), ("fmin", RmwOp::FMin)]
    {
        let kind = only("ptr %a, float %v", &format!("%x = atomicrmw {name} ptr %a, float %v seq_cst"));
        assert_eq!(kind, InstKind::AtomicRmw { op, addr: param(0), value: param(1) }, "{name}");
    }
}

#[test]
fn allocas_are_dynamic_outside_the_entry_or_with_a_variable_count() {
    let module = read(
        "define void @f(i32 %n) {
        %a = alloca [3 x i16], i32 5
        %b = alloca i8, i32 %n
        br label %next
        next:
        %c = alloca i64
        ret void }",
    );
    let kinds = kinds(&module);
    let InstKind::Alloca { ty, count, align: 2, dynamic: false } = &kinds[0] else {
        panic!("{:?}", kinds[0])
    };
    assert_eq!((module.types[*ty].size, int(count)), (6, 5));
    assert!(matches!(&kinds[1], InstKind::Alloca { count: Operand::Param(0), dynamic: true, .. }));
    assert!(matches!(&kinds[3], InstKind::Alloca { dynamic: true, .. }));
}

#[test]
fn addresses_split_into_offset_and_steps() {
    let kind = only(
        "ptr %p, i64 %i, i32 %j",
        "%x = getelementptr {i32, [4 x {i8, i64}]}, ptr %p, i64 %i, i32 1, i32 %j, i32 1",
    );
    let steps = vec![GepStep { index: param(1), scale: 72 }, GepStep { index: param(2), scale: 16 }];
    assert_eq!(kind, InstKind::Gep { base: param(0), offset: 16, steps });
    let kind = only("ptr %p", "%x = getelementptr i32, ptr %p, i8 -1");
    assert_eq!(kind, InstKind::Gep { base: param(0), offset: -4, steps: vec![] });
    // Bits above 64 of an index do not count.
    let kind = only("ptr %p", "%x = getelementptr i32, ptr %p, i128 18446744073709551619");
    assert_eq!(kind, InstKind::Gep { base: param(0), offset: 12, steps: vec![] });
    let kind = only("<2 x ptr> %p", "%x = getelementptr i32, <2 x ptr> %p, i64 1");
    assert_eq!(kind, InstKind::Unsupported("getelementptr".into()));
    let kind = only("ptr %p, <2 x i64> %i", "%x = getelementptr i32, ptr %p, <2 x i64> %i");
    assert_eq!(kind, InstKind::Unsupported("getelementptr".into()));
}

#[test]
fn aggregates_and_vectors() {
    let pair = "{i32, [2 x i8]} %a";
    assert_eq!(
        only(pair, "%x = extractvalue {i32, [2 x i8]} %a, 1, 0"),
        InstKind::ExtractValue(param(0), vec![1, 0])
    );
    assert_eq!(
        only(&format!("{pair}, i8 %v"), "%x = insertvalue {i32, [2 x i8]} %a, i8 %v, 1, 1"),
        InstKind::InsertValue(param(0), param(1), vec![1, 1])
    );
    assert_eq!(
        only("<4 x i8> %v, i32 %i", "%x = extractelement <4 x i8> %v, i32 %i"),
        InstKind::ExtractElement(param(0), param(1))
    );
    assert_eq!(
        only("<4 x i8> %v, i8 %e, i32 %i", "%x = insertelement <4 x i8> %v, i8 %e, i32 %i"),
        InstKind::InsertElement(param(0), param(1), param(2))
    );
    assert_eq!(
        only(
            "<2 x i8> %v, <2 x i8> %w",
            "%x = shufflevector <2 x i8> %v, <2 x i8> %w, <3 x i32> <i32 3, i32 poison, i32 0>"
        ),
        InstKind::ShuffleVector(param(0), param(1), vec![Some(3), None, Some(0)])
    );
    assert_eq!(
        only("i1 %c, i8 %a, i8 %b", "%x = select i1 %c, i8 %a, i8 %b"),
        InstKind::Select(param(0), param(1), param(2))
    );
    assert_eq!(only("i8 %a", "%x = freeze i8 %a"), InstKind::Freeze(param(0)));
}

#[test]
fn control_flow() {
    let module = read(
        "define i32 @f(i32 %n, i1 %c) {
        entry:
          switch i32 %n, label %other [ i32 -1, label %one i32 7, label %other ]
        one:
          br i1 %c, label %join, label %other
        other:
          br label %join
        join:
          %x = phi i32 [ %n, %one ], [ %x2, %late ], [ 3, %other ]
          br i1 %c, label %late, label %out
        late:
          %x2 = add i32 %x, 1
          br label %join
        out:
          ret i32 %x
        }",
    );
    let kinds = kinds(&module);
    let cases = vec![(Bits::from_i64(32, -1), block(1)), (Bits::new(32, 7), block(2))];
    assert_eq!(kinds[0], InstKind::Switch { value: param(0), default: block(2), cases });
    assert_eq!(kinds[1], InstKind::CondBr(param(1), block(3), block(2)));
    assert_eq!(kinds[2], InstKind::Br(block(3)));
    let InstKind::Phi(incoming) = &kinds[3] else { panic!("{:?}", kinds[3]) };
    // The value of a later instruction is known by its number.
    assert_eq!(incoming[..2], [(block(1), param(0)), (block(4), inst(5))]);
    assert_eq!((incoming[2].0, int(&incoming[2].1)), (block(2), 3));
    assert_eq!(kinds[7], InstKind::Ret(Some(inst(3))));
    assert_eq!(function(&module, "f").blocks[block(3)].name, "join");
    let trap = read("define void @f() { unreachable }");
    assert_eq!(self::kinds(&trap), [InstKind::Unreachable]);
}

#[test]
fn computed_gotos_go_by_block_numbers() {
    let module = read(
        "@table = constant [2 x ptr] [ptr blockaddress(@f, %one), ptr blockaddress(@f, %two)]
        @distance = constant i32 trunc (i64 sub (i64 ptrtoint (ptr blockaddress(@f, %two) to i64),
                                             i64 ptrtoint (ptr blockaddress(@f, %one) to i64)) to i32)
        define void @f(ptr %p) {
          indirectbr ptr %p, [ label %one, label %two ]
        one:
          ret void
        two:
          ret void
        }",
    );
    let targets = vec![block(1), block(2)];
    assert_eq!(kinds(&module)[0], InstKind::IndirectBr { addr: param(0), targets });
    let Const::Aggregate(parts) = init(&module, "table") else { panic!() };
    let addresses: Vec<Const> = parts.iter().map(|part| part.1.clone()).collect();
    assert_eq!(addresses, [Const::Int(Bits::new(64, 2)), Const::Int(Bits::new(64, 3))]);
    assert_eq!(*init(&module, "distance"), Const::Int(Bits::new(32, 1)));
}

#[test]
fn calls() {
    let module = read(
        "%s = type { i64, i8 }
        declare void @g(ptr byval(%s), ...) noreturn
        define void @f(ptr byval(%s) %p, ptr %fn) {
          call void (ptr, ...) @g(ptr byval(%s) %p, i32 3) noreturn
          call void %fn(i8 1)
          call void asm sideeffect \"nop $0\", \"r\"(i32 5)
          call void asm sideeffect inteldialect \"nop\", \"\"()
          call void @llvm.dbg.label(metadata !0)
          ret void
        }
        declare void @llvm.dbg.label(metadata)
        !0 = !DILabel(scope: !1, name: \"l\", file: !2, line: 1)
        !1 = distinct !DISubprogram(name: \"f\")
        !2 = !DIFile(filename: \"a\", directory: \"\")",
    );
    let kinds = kinds(&module);
    let InstKind::Call(first) = &kinds[0] else { panic!() };
    let Operand::Const(_, Const::Func(callee)) = &first.callee else { panic!() };
    assert_eq!(*callee, fn_id(&module, "g"));
    assert!(first.noreturn && first.asm.is_none());
    let size = |ty: &Option<TyId>| ty.map(|ty| module.types[ty].size);
    assert_eq!(first.byval.iter().map(size).collect::<Vec<_>>(), [Some(16), None]);
    assert!(matches!(module.kind(first.ty), TyKind::Func(_, params, true) if params.len() == 1));
    let InstKind::Call(second) = &kinds[1] else { panic!() };
    assert_eq!((&second.callee, second.noreturn, second.args.len()), (&param(1), false, 1));
    let InstKind::Call(third) = &kinds[2] else { panic!() };
    let expected = Assembly { text: "nop $0".into(), constraints: "r".into(), intel: false };
    assert_eq!(third.asm, Some(expected));
    let InstKind::Call(fourth) = &kinds[3] else { panic!() };
    assert!(fourth.asm.as_ref().is_some_and(|assembly| assembly.intel));
    assert_eq!(kinds[4], InstKind::Ret(None));
    let f = function(&module, "f");
    assert_eq!(f.params, ["p", "fn"]);
    assert_eq!(f.byval.iter().map(size).collect::<Vec<_>>(), [Some(16), None]);
    let g = function(&module, "g");
    assert!(g.noreturn && g.is_declaration() && !f.noreturn && !f.is_declaration());
    assert!(module.functions.values().all(|function| !function.name.starts_with("llvm.dbg")));
}

#[test]
fn what_c_does_not_compile_to_is_unsupported() {
    let module = read(
        "declare void @g()
        declare i32 @personality(...)
        define void @f() personality ptr @personality {
          invoke void @g() to label %ok unwind label %bad
        ok:
          ret void
        bad:
          %l = landingpad { ptr, i32 } cleanup
          resume { ptr, i32 } %l
        }",
    );
    let names: Vec<String> = kinds(&module)
        .into_iter()
        .filter_map(|kind| if let InstKind::Unsupported(name) = kind { Some(name) } else { None })
        .collect();
    assert_eq!(names, ["invoke", "landingpad", "resume"]);
}

#[test]
fn types_have_their_layout() {
    let module = read(
        "target datalayout = \"e-p:32:32-i64:32-f80:32\"
        %list = type { i8, %list.part, ptr }
        %list.part = type <{ i8, i32 }>
        %unknown = type opaque
        @list = external global %list
        @big = external global i64
        @odd = external global i33
        @vector = external global <4 x i16>
        @long.double = external global x86_fp80
        @double = external global double
        @other = external global %unknown
        declare i1 @g(ptr, half)",
    );
    let ty = |name: &str| &module.types[global(&module, name).ty];
    let shape = |name: &str| (ty(name).size, ty(name).store_size, ty(name).align);
    assert_eq!((module.pointer_width, module.big_endian), (32, false));
    let TyKind::Struct(fields) = &ty("list").kind else { panic!() };
    assert_eq!(fields.iter().map(|field| field.1).collect::<Vec<_>>(), [0, 1, 8]);
    assert_eq!(shape("list"), (12, 12, 4));
    assert_eq!(shape("big"), (8, 8, 4));
    assert_eq!((&ty("odd").kind, ty("odd").store_size), (&TyKind::Int(33), 5));
    assert!(matches!(ty("vector").kind, TyKind::Vector(_, 4)));
    assert_eq!(
        (&ty("long.double").kind, shape("long.double")),
        (&TyKind::Float(FloatKind::X87), (12, 10, 4))
    );
    assert!(matches!(&ty("other").kind, TyKind::Other(_)));
    let TyKind::Func(result, params, false) = module.kind(function(&module, "g").ty) else { panic!() };
    assert_eq!(*module.kind(*result), TyKind::Int(1));
    assert_eq!(*module.kind(params[1]), TyKind::Float(FloatKind::F16));
    assert!(read("target datalayout = \"E-p:64:64\"").big_endian);
}

#[test]
fn numbers_are_exact() {
    let module = read(
        "@wide = global i128 -170141183460469231731687303715884105727
        @odd = global i65 18446744073709551617
        @minus = global i16 -2
        @half = global half 0xH3C01
        @bfloat = global bfloat 0xR3F81
        @float = global float 0x36A0000000000000
        @nan = global float 0x7FF4000000000000
        @double = global double -0.0
        @x87 = global x86_fp80 0xK3FFF8000000000000001
        @quad = global fp128 0xL00000000000000013FFF000000000000
        @null = global ptr null",
    );
    let float = |kind, width, value| Const::Float(kind, Bits::from_u128(width, value));
    assert_eq!(*init(&module, "wide"), Const::Int(Bits::from_u128(128, (1 << 127) + 1)));
    assert_eq!(*init(&module, "odd"), Const::Int(Bits::from_u128(65, (1 << 64) + 1)));
    assert_eq!(*init(&module, "minus"), Const::Int(Bits::new(16, 0xfffe)));
    assert_eq!(*init(&module, "half"), float(FloatKind::F16, 16, 0x3c01));
    assert_eq!(*init(&module, "bfloat"), float(FloatKind::Bf16, 16, 0x3f81));
    assert_eq!(*init(&module, "float"), float(FloatKind::F32, 32, 1));
    // A signalling NaN stays one.
    assert_eq!(*init(&module, "nan"), float(FloatKind::F32, 32, 0x7fa0_0000));
    assert_eq!(*init(&module, "double"), float(FloatKind::F64, 64, 1 << 63));
    assert_eq!(*init(&module, "x87"), float(FloatKind::X87, 80, 0x3fff_8000_0000_0000_0001));
    assert_eq!(*init(&module, "quad"), float(FloatKind::F128, 128, (0x3fff << 112) + 1));
    assert_eq!(*init(&module, "null"), Const::Int(Bits::zero(64)));
}

#[test]
fn aggregate_constants() {
    let module = read(
        "@bytes = constant [3 x i8] c\"a\\00\\ff\"
        @words = constant [2 x i16] [i16 1, i16 -1]
        @vector = constant <2 x i8> <i8 1, i8 2>
        @zero = global {i32, [9 x ptr]} zeroinitializer
        @mixed = global {i8, ptr, [1 x i32]} {i8 7, ptr @zero, [1 x i32] undef}
        @poison = global i32 poison
        @elsewhere = external global i32
        @outside = externally_initialized global i32 3
        @own = thread_local global i32 1, align 64",
    );
    assert_eq!(*init(&module, "bytes"), Const::Bytes(vec![b'a', 0, 255]));
    let values = |name: &str| match init(&module, name) {
        Const::Aggregate(parts) => parts.iter().map(|part| part.1.clone()).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    assert_eq!(values("words"), [Const::Int(Bits::new(16, 1)), Const::Int(Bits::new(16, 0xffff))]);
    assert_eq!(values("vector"), [Const::Int(Bits::new(8, 1)), Const::Int(Bits::new(8, 2))]);
    assert_eq!(*init(&module, "zero"), Const::Zero);
    let zero = Const::Global(global_id(&module, "zero"), 0);
    assert_eq!(values("mixed"), [Const::Int(Bits::new(8, 7)), zero, Const::Undef]);
    assert_eq!(*init(&module, "poison"), Const::Undef);
    assert_eq!(global(&module, "elsewhere").init, None);
    assert_eq!(global(&module, "outside").init, None);
    let own = global(&module, "own");
    assert!(own.thread_local && own.align == 64 && !own.constant);
    assert!(global(&module, "bytes").constant && global(&module, "words").align == 2);
}

#[test]
fn address_constants() {
    let module = read(
        "@a = global [10 x {i32, i64}] zeroinitializer
        @b = global i32 0
        @in = global ptr getelementptr ([10 x {i32, i64}], ptr @a, i64 0, i64 2, i32 1)
        @before = global ptr getelementptr (i8, ptr @b, i32 -3)
        @number = global i64 add (i64 ptrtoint (ptr @b to i64), i64 5)
        @back = global ptr inttoptr (i64 sub (i64 ptrtoint (ptr @b to i64), i64 5) to ptr)
        @apart = global i64 sub (i64 ptrtoint (ptr getelementptr (i32, ptr @a, i64 4) to i64),
                                 i64 ptrtoint (ptr @a to i64))
        @size = global i64 ptrtoint (ptr getelementptr ({i32, i64}, ptr null, i64 3) to i64)
        @low = global i32 ptrtoint (ptr @b to i32)
        @xor = global i64 xor (i64 ptrtoint (ptr @b to i64), i64 ptrtoint (ptr @a to i64))
        @masked = global i8 trunc (i64 ptrtoint (ptr @b to i64) to i8)
        @stepped = global ptr getelementptr (i32, ptr @a, i64 ptrtoint (ptr @b to i64))
        @function = global ptr @f
        @same = global ptr dso_local_equivalent @f
        @no.check = global ptr no_cfi @f
        @alias.deep = global ptr @second
        @far = global ptr @resolved
        @first = alias i32, getelementptr (i8, ptr @a, i64 8)
        @second = alias i32, getelementptr (i8, ptr @first, i64 4)
        @resolved = ifunc void (i8), ptr @resolver
        @f.alias = alias void (), ptr @f
        define ptr @resolver() { ret ptr null }
        define void @f() {
          call void @f.alias()
          ret void
        }",
    );
    let (a, b) = (global_id(&module, "a"), global_id(&module, "b"));
    let f = fn_id(&module, "f");
    assert_eq!(*init(&module, "in"), Const::Global(a, 40));
    assert_eq!(*init(&module, "before"), Const::Global(b, -3));
    assert_eq!(*init(&module, "number"), Const::Global(b, 5));
    assert_eq!(*init(&module, "back"), Const::Global(b, -5));
    assert_eq!(*init(&module, "apart"), Const::Int(Bits::new(64, 16)));
    assert_eq!(*init(&module, "size"), Const::Int(Bits::new(64, 48)));
    let address = |global| Box::new(Const::Global(global, 0));
    assert_eq!(*init(&module, "low"), Const::Resize { to: 32, signed: false, value: address(b) });
    assert_eq!(*init(&module, "xor"), Const::Binary(BinaryOp::Xor, address(b), address(a)));
    assert_eq!(*init(&module, "masked"), Const::Resize { to: 8, signed: false, value: address(b) });
    let scaled = Const::Binary(BinaryOp::Mul, address(b), Box::new(Const::Int(Bits::new(64, 4))));
    assert_eq!(*init(&module, "stepped"), Const::Binary(BinaryOp::Add, address(a), Box::new(scaled)));
    for name in ["function", "same", "no.check"] {
        assert_eq!(*init(&module, name), Const::Func(f), "{name}");
    }
    assert_eq!(*init(&module, "alias.deep"), Const::Global(a, 12));
    assert_eq!(*init(&module, "far"), Const::Func(fn_id(&module, "resolved")));
    assert!(function(&module, "resolved").is_declaration());
    let InstKind::Call(call) = &kinds(&module)[0] else { panic!() };
    assert!(matches!(call.callee, Operand::Const(_, Const::Func(callee)) if callee == f));
}

#[test]
fn a_short_text_for_a_huge_constant_is_not_written_out() {
    // Every level uses the one below twice. LLVM itself takes that long to check it: few levels must do.
    let mut text = "@a0 = global i64 0\n".to_string();
    for level in 0..14 {
        let below = format!("i64 ptrtoint (ptr @a{level} to i64)");
        text += &format!(
            "@a{} = alias i64, inttoptr (i64 xor ({below}, i64 add ({below}, i64 1)) to ptr)\n",
            level + 1
        );
    }
    text += "@x = global ptr @a14\n@table = global [2 x ptr] [ptr @a14, ptr @a0]";
    let module = read(&text);
    assert!(matches!(init(&module, "x"), Const::Unknown(_)));
    let Const::Aggregate(parts) = init(&module, "table") else { panic!() };
    assert_eq!(parts[1].1, Const::Global(global_id(&module, "a0"), 0));
}

#[test]
fn deep_constants_are_refused_and_not_followed_for_ever() {
    let mut expression = "ptrtoint (ptr @a to i32)".to_string();
    for _ in 0..150 {
        expression = format!(
            "xor (i32 trunc (i64 sub (i64 ptrtoint (ptr inttoptr (i32 {expression} to ptr) to i64), i64 3) to i32), i32 1)"
        );
    }
    let module = read(&format!("@a = global i64 0\n@x = global i32 {expression}"));
    let mut at = init(&module, "x");
    loop {
        at = match at {
            Const::Binary(_, first, _) => first,
            Const::Resize { value, .. } => value,
            other => break assert!(matches!(other, Const::Unknown(_)), "{other:?}"),
        };
    }
}

#[test]
fn what_is_no_module_is_refused_in_one_sentence() {
    let error = |bytes: &[u8]| {
        let error = import(bytes, "x.bc", &Options::default()).expect_err("that is no module");
        let text = error.to_string();
        assert!(text.starts_with("x.bc") && !text.contains('\n'), "{text}");
        error
    };
    assert!(matches!(error(b""), ImportError::Empty { .. }));
    assert!(matches!(error(b"int main(void) { return 0; }"), ImportError::NotIr { .. }));
    assert!(matches!(error(b"\x7fELF\x02\x01\x01\0\0\0\0"), ImportError::NotIr { .. }));
    assert!(matches!(error(b"BC\xc0\xde"), ImportError::Truncated { .. }));
    let unverified = b"define i32 @f() { ret i64 0 }";
    assert!(matches!(error(unverified), ImportError::NotIr { .. }));
    let unverified =
        b"define i32 @f(i32 %x) {\nbr label %a\na:\n%y = add i32 %z, 1\n%z = add i32 %y, 1\nret i32 %y }";
    assert!(matches!(error(unverified), ImportError::Broken { .. }));
}

const SMALL: &[u8] = include_bytes!("data/small.bc");

#[test]
fn bitcode_that_is_cut_off_is_refused() {
    assert!(import(SMALL, "x.bc", &Options::default()).is_ok());
    for end in 0..SMALL.len() {
        let error = import(&SMALL[..end], "x.bc", &Options::default()).expect_err("the end is missing");
        // Where the cut is in a block's header, LLVM cannot tell it from damage.
        let told = matches!(error, ImportError::Truncated { .. } | ImportError::Broken { .. });
        assert!(end < 4 || told, "{end}: {error}");
    }
    let half = import(&SMALL[..SMALL.len() / 2], "x.bc", &Options::default());
    assert!(matches!(half, Err(ImportError::Truncated { .. })));
}

#[test]
fn older_bitcode_is_upgraded() {
    let bytes = include_bytes!("data/typed-pointers-14.bc");
    let module = import(bytes, "x.bc", &Options::default()).expect("LLVM 19 reads what LLVM 14 wrote");
    let kinds = kinds(&module);
    assert_eq!(kinds[0], InstKind::Gep { base: param(0), offset: 8, steps: vec![] });
    assert_eq!(kinds[1], InstKind::Load { addr: inst(0), volatile: false });
    assert_eq!(*module.kind(function(&module, "f").insts[InstId::from_u32(1)].ty), TyKind::Ptr);
}

#[test]
fn passes_run_first() {
    let text = b"define i32 @f(i32 %n) {\n%a = alloca i32\nstore i32 %n, ptr %a\n%x = load i32, ptr %a\nret i32 %x }";
    let options = Options { passes: Some("function(mem2reg)".to_string()), ..Options::default() };
    let module = import(text, "x.ll", &options).expect("mem2reg exists");
    assert_eq!(kinds(&module), [InstKind::Ret(Some(param(0)))]);
    let options = Options { passes: Some("no-such-pass".to_string()), ..Options::default() };
    let error = import(text, "x.ll", &options).expect_err("there is no such pass");
    assert!(matches!(&error, ImportError::Passes { .. }), "{error}");
}
