//! A plug-in with one provider of each kind, without crates.
#![allow(dead_code, non_camel_case_types, non_upper_case_globals)]
#![allow(improper_ctypes_definitions, clippy::missing_safety_doc)]

mod components;
mod images;
mod records;
mod resources;
mod scheduler;
mod workspaces;

/// The C headers; see rust_bindings.py.
pub mod abi {
    include!(env!("SLIPWAY_BINDINGS"));
}

use abi::*;
use std::os::raw::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// Why a function stops.
pub enum Stop {
    /// A failure, with its status and message.
    Because(i64, String),
    /// The negative status of a callback or service of the host.
    Returned(i32),
}
pub type Outcome = Result<i32, Stop>;

pub fn because(code: i64, message: &str) -> Stop {
    Stop::Because(code, message.to_string())
}

/// Returns the status of a callback, as an error if it is negative.
pub fn ok(status: i32) -> Outcome {
    if status < 0 {
        Err(Stop::Returned(status))
    } else {
        Ok(status)
    }
}

/// Runs a function of the plug-in; no panic leaves it (R5).
pub fn guard(host: *const slipway_host, err: *mut slipway_error, body: impl FnOnce() -> Outcome) -> i32 {
    let (code, message) = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(status)) => return status,
        Ok(Err(Stop::Returned(status))) => return status,
        Ok(Err(Stop::Because(code, message))) => (code as i32, message),
        Err(_) => (SLIPWAY_E_INTERNAL as i32, "a panic".to_string()),
    };
    if let Some(set) = unsafe { (*host).error_set } {
        unsafe { set(err, code, view(&message), ABSENT, ABSENT) };
    }
    code
}

pub const ABSENT: slipway_str = slipway_str { ptr: std::ptr::null(), len: 0 };

pub const fn view(text: &str) -> slipway_str {
    slipway_str { ptr: text.as_ptr() as *const _, len: text.len() }
}

pub fn text(view: slipway_str) -> String {
    if view.ptr.is_null() {
        return String::new();
    }
    let bytes = unsafe { std::slice::from_raw_parts(view.ptr as *const u8, view.len) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns the path of an image or workspace without its scheme, or None unless it is absolute.
pub fn path_of(name: slipway_str) -> Option<String> {
    let name = text(name);
    let path = name.strip_prefix("kept://").unwrap_or(&name);
    if path.starts_with('/') && !path.contains('\0') {
        Some(path.to_string())
    } else {
        None
    }
}

/// Returns the elements of an array with a stride (R2).
#[macro_export]
macro_rules! items {
    ($array:expr) => {{
        let array = $array;
        (0..array.count).map(move |i| unsafe { &*$crate::step(array.ptr, i * array.stride) })
    }};
}
pub unsafe fn step<T>(first: *const T, bytes: usize) -> *const T {
    (first as *const u8).add(bytes) as *const T
}

/// A struct of zeros with its struct_size.
#[macro_export]
macro_rules! sized {
    ($kind:ty) => {{
        let mut out: $kind = unsafe { std::mem::zeroed() };
        out.struct_size = std::mem::size_of::<$kind>() as u32;
        out
    }};
}

/// A table of functions in which all functions are missing.
#[macro_export]
macro_rules! empty_table {
    ($kind:ty) => {
        unsafe { std::mem::transmute::<[u8; std::mem::size_of::<$kind>()], $kind>([0; std::mem::size_of::<$kind>()]) }
    };
}

/// What the host may read from any thread.
#[repr(transparent)]
pub struct Shared<T>(pub T);
unsafe impl<T> Sync for Shared<T> {}

/// An object of any kind: the handle that the host knows, and what belongs to it.
#[repr(C)]
pub struct Object<Handle> {
    handle: Handle,
    pub host: *const slipway_host,
    pub session: String,
}

pub unsafe fn object<'a, Handle>(handle: *mut Handle) -> &'a Object<Handle> {
    &*(handle as *const Object<Handle>)
}

pub unsafe fn make<Handle>(
    handle: Handle, host: *const slipway_host, args: *const slipway_create_args, out: *mut *mut c_void,
) -> i32 {
    let made = Object { handle, host, session: text((*args).session) };
    *out = Box::into_raw(Box::new(made)) as *mut c_void;
    SLIPWAY_OK as i32
}

pub unsafe extern "C" fn destroy<Handle>(handle: *mut Handle) {
    drop(Box::from_raw(handle as *mut Object<Handle>));
}

type Create = unsafe extern "C" fn(
    *const slipway_host, *const slipway_call, *const slipway_create_args, *mut *mut c_void, *mut slipway_error,
) -> i32;

const fn provider(kind: &'static str, description: &'static str, create: Create) -> slipway_provider {
    slipway_provider {
        struct_size: std::mem::size_of::<slipway_provider>() as u32,
        reserved0: 0,
        kind: view(kind),
        name: view("kept"),
        description: view(description),
        create: Some(create),
    }
}

static PROVIDERS: Shared<[slipway_provider; 5]> = Shared([
    provider(SLIPWAY_KIND_SCHEDULER, "notes apps", scheduler::create),
    provider(SLIPWAY_KIND_IMAGE_PROVIDER, "directories", images::create),
    provider(SLIPWAY_KIND_NAMED_RESOURCES, "two sizes", resources::create),
    provider(SLIPWAY_KIND_COMPONENT, "one component", components::create),
    provider(SLIPWAY_KIND_WORKSPACE, "copies of files", workspaces::create),
]);

#[no_mangle]
pub static slipway_plugin_v1: Shared<slipway_plugin> = Shared(slipway_plugin {
    magic: SLIPWAY_PLUGIN_MAGIC as u32,
    struct_size: std::mem::size_of::<slipway_plugin>() as u32,
    abi_major: SLIPWAY_ABI_MAJOR as u16,
    abi_minor: SLIPWAY_ABI_MINOR as u16,
    min_host_minor: 0,
    draft: SLIPWAY_ABI_DRAFT as u16,
    id: view("org.example.kept"),
    version: view("1.0.0"),
    build: view("Rust"),
    init: None,
    deinit: None,
    providers: slipway_provider_array {
        ptr: &PROVIDERS.0 as *const slipway_provider,
        count: 5,
        stride: std::mem::size_of::<slipway_provider>(),
    },
});
