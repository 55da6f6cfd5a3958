//! Workspaces that are copied as the files of one directory, without its directories.
use crate::abi::*;
use crate::*;
use std::fs;
use std::path::{Path, PathBuf};

const MARK: &str = ".kept"; // a file in each image that `build` made

/// Finds the workspace and the path of its image.
unsafe fn read(order: *const slipway_workspace_order) -> Result<(PathBuf, PathBuf), Stop> {
    let source = path_of((*order).source).filter(|path| Path::new(path).is_dir());
    let source = source.ok_or_else(|| because(SLIPWAY_E_NOT_FOUND, "the workspace is no directory"))?;
    let directory = path_of((*order).directory).ok_or_else(|| because(SLIPWAY_E_INVALID, "the copy has no place"))?;
    Ok((PathBuf::from(source), Path::new(&directory).join(text((*order).name))))
}

unsafe fn deliver(image: &Path, on_result: slipway_on_workspace, ctx: *mut c_void) -> Outcome {
    let image = image.to_string_lossy();
    let mut result = sized!(slipway_workspace_result);
    result.image = view(&image);
    result.files = -1;
    result.bytes = -1;
    ok(on_result.unwrap()(ctx, &result))
}

fn copy_files(source: &Path, unfinished: &Path) -> std::io::Result<()> {
    fs::create_dir_all(unfinished)?;
    for entry in fs::read_dir(source)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), unfinished.join(entry.file_name()))?;
        }
    }
    fs::write(unfinished.join(MARK), "")
}

unsafe extern "C" fn plan(
    this: *mut slipway_workspace, _: *const slipway_call, order: *const slipway_workspace_order,
    on_result: slipway_on_workspace, ctx: *mut c_void, err: *mut slipway_error,
) -> i32 {
    guard(object(this).host, err, || deliver(&read(order)?.1, on_result, ctx))
}

unsafe extern "C" fn build(
    this: *mut slipway_workspace, _: *const slipway_call, order: *const slipway_workspace_order,
    on_result: slipway_on_workspace, ctx: *mut c_void, err: *mut slipway_error,
) -> i32 {
    guard(object(this).host, err, || {
        let (source, image) = read(order)?;
        if image.is_dir() {
            return Err(because(SLIPWAY_E_EXISTS, "the copy exists already"));
        }
        let unfinished = PathBuf::from(format!("{}.part", image.display()));
        if let Err(error) = copy_files(&source, &unfinished).and_then(|()| fs::rename(&unfinished, &image)) {
            let _ = fs::remove_dir_all(&unfinished);
            return Err(because(SLIPWAY_E_CANT_CREATE, &format!("cannot copy the workspace: {}", error)));
        }
        deliver(&image, on_result, ctx)
    })
}

unsafe extern "C" fn discard(
    this: *mut slipway_workspace, _: *const slipway_call, image: slipway_str, err: *mut slipway_error,
) -> i32 {
    guard(object(this).host, err, || {
        if let Some(image) = path_of(image).filter(|path| Path::new(path).join(MARK).exists()) {
            let _ = fs::remove_dir_all(image);
        }
        Ok(0)
    })
}

static TABLE: Shared<slipway_workspace_vtbl> = Shared(slipway_workspace_vtbl {
    struct_size: std::mem::size_of::<slipway_workspace_vtbl>() as u32,
    destroy: Some(destroy::<slipway_workspace>),
    plan: Some(plan),
    build: Some(build),
    discard: Some(discard),
    ..empty_table!(slipway_workspace_vtbl)
});

pub unsafe extern "C" fn create(
    host: *const slipway_host, _: *const slipway_call, args: *const slipway_create_args, out: *mut *mut c_void,
    _: *mut slipway_error,
) -> i32 {
    make(slipway_workspace { vtbl: &TABLE.0 }, host, args, out)
}
