//! Safe handles to LLVM's objects: the only unsafe code of the crate.
//!
//! A handle is a pointer that LLVM gave us, with the lifetime of the module that it belongs to. Contexts outlive their
//! modules, and changing a module takes it by `&mut`, so no handle survives a change. LLVM is built without its
//! assertions: an accessor for the wrong kind of object is undefined behaviour there, hence every accessor here checks
//! the kind first, and panics where only a mistake of the import itself can get it wrong.

#![allow(unsafe_code)]

pub(crate) mod checks;
pub(crate) mod copy;
pub(crate) mod crash;
mod cut;
mod edit;
mod flags;
mod mark;
mod meta;
pub(crate) mod statics;
mod types;
mod value;
mod versions;

pub(crate) use cut::Ending;
pub(crate) use edit::Report;
pub(crate) use mark::{Insertion, Tell, When};
pub(crate) use meta::{Meta, MetaOperand};
pub(crate) use types::{Layout, Type};
pub(crate) use value::{Attributes, BlockRef, Inst, Value};
pub(crate) use versions::{BASE_TYPE, DebugRecord, LLVM, Says};

use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use llvm_sys::core::*;
use llvm_sys::debuginfo::{
    LLVMCreateDIBuilderDisallowUnresolved, LLVMDIBuilderCreateExpression, LLVMDebugMetadataVersion,
    LLVMDisposeDIBuilder, LLVMGetModuleDebugMetadataVersion, LLVMStripModuleDebugInfo,
};
use llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
use llvm_sys::linker::LLVMLinkModules2;
use llvm_sys::prelude::*;
use llvm_sys::support::LLVMParseCommandLineOptions;
use llvm_sys::target::LLVMGetModuleDataLayout;
use llvm_sys::transforms::pass_builder::{
    LLVMCreatePassBuilderOptions, LLVMDisposePassBuilderOptions, LLVMRunPasses,
};
use llvm_sys::{LLVMDiagnosticSeverity, LLVMLinkage};
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_void};
use std::marker::PhantomData;
use std::ptr::{NonNull, null_mut};
use std::sync::Once;

/// A string of LLVM's with a length.
fn text(start: *const c_char, len: usize) -> String {
    if start.is_null() || len == 0 {
        return String::new();
    }
    // SAFETY: callers pass a pointer and a length that LLVM returned together for one live string.
    let bytes = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), len) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// A string of LLVM's that ends with a zero.
fn c_text(start: *const c_char) -> String {
    if start.is_null() {
        return String::new();
    }
    // SAFETY: callers pass a live string that LLVM ended with a zero.
    unsafe { CStr::from_ptr(start) }.to_string_lossy().into_owned()
}

/// A message of LLVM's, which is freed.
fn message(start: *mut c_char) -> String {
    let result = c_text(start);
    if !start.is_null() {
        // SAFETY: callers pass a message that LLVM allocated for us; it is not used after this.
        unsafe { LLVMDisposeMessage(start) };
    }
    result
}

/// Keeps a diagnostic of LLVM's for [`Context::take_diagnostics`].
extern "C" fn keep_diagnostic(info: LLVMDiagnosticInfoRef, store: *mut c_void) {
    // SAFETY: LLVM passes a live diagnostic, and the store that `Context::new` registered, which
    // lives as long as the context.
    let (severity, description, store) = unsafe {
        let store = &*store.cast::<RefCell<Vec<String>>>();
        (LLVMGetDiagInfoSeverity(info), message(LLVMGetDiagInfoDescription(info)), store)
    };
    if matches!(severity, LLVMDiagnosticSeverity::LLVMDSError) {
        store.borrow_mut().push(description);
    }
}

/// The owner of modules, types and constants.
pub(crate) struct Context {
    raw: LLVMContextRef,
    diagnostics: Box<RefCell<Vec<String>>>,
}

impl Context {
    /// Creates one. The first also sets LLVM's options for this process.
    pub(crate) fn new() -> Context {
        // The reader of LLVM would verify the module itself, print what it finds, and give up.
        let options = [c"beeline".as_ptr(), c"-disable-auto-upgrade-debug-info".as_ptr()];
        static OPTIONS: Once = Once::new();
        // SAFETY: the options are strings that live forever, and LLVM knows them.
        OPTIONS.call_once(|| unsafe { LLVMParseCommandLineOptions(2, options.as_ptr(), std::ptr::null()) });
        let diagnostics = Box::new(RefCell::new(Vec::new()));
        let store: *const RefCell<Vec<String>> = &*diagnostics;
        // SAFETY: the store is boxed: it stays where it is until the context is dropped.
        let raw = unsafe {
            let raw = LLVMContextCreate();
            LLVMContextSetDiagnosticHandler(raw, Some(keep_diagnostic), store.cast_mut().cast());
            raw
        };
        Context { raw, diagnostics }
    }

    /// The errors that LLVM reported since the last call, in one text.
    pub(crate) fn take_diagnostics(&self) -> String {
        std::mem::take(&mut *self.diagnostics.borrow_mut()).join("; ")
    }

    /// Reads bitcode or textual IR.
    pub(crate) fn parse(&self, bytes: &[u8], name: &str) -> Result<RawModule<'_>, String> {
        let name = CString::new(name.replace('\0', " ")).expect("the zeros are gone");
        let mut module = null_mut();
        let mut error = null_mut();
        // SAFETY: the buffer is a copy of `bytes` that the parser takes over; the results are read
        // only as the status says.
        let parsed = unsafe {
            let buffer =
                LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes.as_ptr().cast(), bytes.len(), name.as_ptr());
            versions::parse(self.raw, buffer, &mut module, &mut error)
        };
        let error = message(error);
        match NonNull::new(module) {
            Some(raw) if parsed => Ok(RawModule { raw, context: self }),
            _ => Err(if error.is_empty() { self.take_diagnostics() } else { error }),
        }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: modules borrow the context, so none is left.
        unsafe { LLVMContextDispose(self.raw) };
    }
}

/// A module of LLVM's.
pub(crate) struct RawModule<'c> {
    raw: NonNull<llvm_sys::LLVMModule>,
    context: &'c Context,
}

impl Drop for RawModule<'_> {
    fn drop(&mut self) {
        // SAFETY: the module is ours, and handles borrow it, so none is left.
        unsafe { LLVMDisposeModule(self.raw.as_ptr()) };
    }
}

/// The objects of a list of LLVM's from its first, by the function that returns the next.
fn list<'m>(first: LLVMValueRef, next: unsafe extern "C" fn(LLVMValueRef) -> LLVMValueRef) -> Vec<Value<'m>> {
    let mut found = Vec::new();
    let mut at = first;
    while let Some(value) = Value::from_raw(at) {
        found.push(value);
        // SAFETY: callers pass an element of the list that `next` belongs to.
        at = unsafe { next(at) };
    }
    found
}

// SAFETY (of every block below): `self.raw` is a live module.
impl<'c> RawModule<'c> {
    fn at(&self) -> LLVMModuleRef {
        self.raw.as_ptr()
    }

    /// The context that it belongs to.
    pub(crate) fn context(&self) -> &'c Context {
        self.context
    }

    /// Checks the rules of LLVM IR.
    pub(crate) fn verify(&self) -> Result<(), String> {
        let mut error = null_mut();
        let action = LLVMVerifierFailureAction::LLVMReturnStatusAction;
        let failed = unsafe { LLVMVerifyModule(self.at(), action, &mut error) } != 0;
        let error = message(error);
        if failed { Err(error) } else { Ok(()) }
    }

    /// Removes debug information that breaks the rules of this LLVM or is of another version, as LLVM's
    /// own tools do, and checks the rules of LLVM IR.
    pub(crate) fn verify_with_debug(&mut self) -> Result<(), String> {
        let strip = || unsafe { LLVMStripModuleDebugInfo(self.at()) };
        if unsafe { LLVMGetModuleDebugMetadataVersion(self.at()) != LLVMDebugMetadataVersion() } {
            strip();
        }
        self.verify().or_else(|message| if strip() != 0 { self.verify() } else { Err(message) })
    }

    /// Moves all of another module of the same context into this one.
    pub(crate) fn link(&mut self, other: RawModule<'c>) -> Result<(), String> {
        let source = other.at();
        // The linker frees the other module.
        std::mem::forget(other);
        let failed = unsafe { LLVMLinkModules2(self.at(), source) } != 0;
        let error = self.context.take_diagnostics();
        if failed { Err(error) } else { Ok(()) }
    }

    /// Runs passes of LLVM's, given as for its program `opt`.
    pub(crate) fn run_passes(&mut self, passes: &str) -> Result<(), String> {
        let passes = CString::new(passes).map_err(|_| "it holds a zero byte".to_string())?;
        let error = unsafe {
            let options = LLVMCreatePassBuilderOptions();
            let error = LLVMRunPasses(self.at(), passes.as_ptr(), null_mut(), options);
            LLVMDisposePassBuilderOptions(options);
            error
        };
        if error.is_null() {
            return Ok(());
        }
        // SAFETY: the error is taken once, and its message is freed after it was copied.
        let error = unsafe {
            let start = LLVMGetErrorMessage(error);
            let error = c_text(start);
            LLVMDisposeErrorMessage(start);
            error
        };
        Err(error)
    }

    /// The source file that the module names.
    pub(crate) fn source_name(&self) -> String {
        let mut len = 0;
        let start = unsafe { LLVMGetSourceFileName(self.at(), &mut len) };
        text(start, len)
    }

    /// The target.
    pub(crate) fn triple(&self) -> String {
        c_text(unsafe { LLVMGetTarget(self.at()) })
    }

    /// The data layout as text; empty if it is LLVM's default.
    pub(crate) fn layout_text(&self) -> String {
        c_text(unsafe { LLVMGetDataLayoutStr(self.at()) })
    }

    /// The data layout.
    pub(crate) fn layout(&self) -> Layout<'_> {
        Layout { raw: unsafe { LLVMGetModuleDataLayout(self.at()) }, module: PhantomData }
    }

    /// Whether there is assembly outside of functions.
    pub(crate) fn has_assembly(&self) -> bool {
        let mut len = 0;
        let start = unsafe { LLVMGetModuleInlineAsm(self.at(), &mut len) };
        !text(start, len).trim().is_empty()
    }

    /// Functions, defined and declared.
    pub(crate) fn functions(&self) -> Vec<Value<'_>> {
        list(unsafe { LLVMGetFirstFunction(self.at()) }, LLVMGetNextFunction)
    }

    /// Global variables.
    pub(crate) fn globals(&self) -> Vec<Value<'_>> {
        list(unsafe { LLVMGetFirstGlobal(self.at()) }, LLVMGetNextGlobal)
    }

    /// Aliases.
    pub(crate) fn aliases(&self) -> Vec<Value<'_>> {
        list(unsafe { LLVMGetFirstGlobalAlias(self.at()) }, LLVMGetNextGlobalAlias)
    }

    /// Functions that a resolver chooses when the program starts.
    pub(crate) fn ifuncs(&self) -> Vec<Value<'_>> {
        list(unsafe { LLVMGetFirstGlobalIFunc(self.at()) }, LLVMGetNextGlobalIFunc)
    }

    /// Functions, global variables and aliases.
    pub(crate) fn symbols(&self) -> Vec<Value<'_>> {
        let mut all = self.functions();
        all.extend(self.globals());
        all.extend(self.aliases());
        all
    }

    /// Changes the linkage of the symbols for which `choose` names another one.
    pub(crate) fn relink(&mut self, mut choose: impl FnMut(&Value<'_>) -> Option<LLVMLinkage>) {
        for symbol in self.symbols() {
            if let Some(linkage) = choose(&symbol) {
                unsafe { LLVMSetLinkage(symbol.at(), linkage) };
            }
        }
    }

    /// The nodes of a metadata list of the module.
    pub(crate) fn named_metadata(&self, name: &str) -> Vec<Meta<'_>> {
        let name = CString::new(name).expect("names of lists are ours");
        let count = unsafe { LLVMGetNamedMetadataNumOperands(self.at(), name.as_ptr()) } as usize;
        let mut nodes = vec![null_mut(); count];
        unsafe { LLVMGetNamedMetadataOperands(self.at(), name.as_ptr(), nodes.as_mut_ptr()) };
        nodes.into_iter().filter_map(Value::from_raw).filter_map(|value| value.as_metadata()).collect()
    }

    /// The debug expression without operations: the variable is at exactly that place, or has exactly that value.
    pub(crate) fn empty_expression(&self) -> Option<Meta<'_>> {
        let raw = unsafe {
            let builder = LLVMCreateDIBuilderDisallowUnresolved(self.at());
            let node = LLVMDIBuilderCreateExpression(builder, null_mut(), 0);
            LLVMDisposeDIBuilder(builder);
            node
        };
        Meta::from_raw(raw)
    }
}
