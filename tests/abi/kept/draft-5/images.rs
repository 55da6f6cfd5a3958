//! Images that are directories.
use crate::abi::*;
use crate::*;

unsafe fn deliver(root: &str, on_image: slipway_on_image, ctx: *mut c_void) -> Outcome {
    let mut image = sized!(slipway_image);
    image.root = view(root);
    ok(on_image.unwrap()(ctx, &image))
}

unsafe extern "C" fn resolve(
    this: *mut slipway_image_provider, _: *const slipway_call, image: slipway_str, on_image: slipway_on_image,
    ctx: *mut c_void, err: *mut slipway_error,
) -> i32 {
    guard(object(this).host, err, || {
        let root = path_of(image).ok_or_else(|| because(SLIPWAY_E_INVALID, "the image is no absolute path"))?;
        deliver(&root, on_image, ctx)
    })
}

unsafe extern "C" fn fetch(
    this: *mut slipway_image_provider, _: *const slipway_call, image: slipway_str, on_image: slipway_on_image,
    ctx: *mut c_void, err: *mut slipway_error,
) -> i32 {
    guard(object(this).host, err, || {
        let root = path_of(image).filter(|path| std::path::Path::new(path).is_dir());
        let root = root.ok_or_else(|| because(SLIPWAY_E_NOT_FOUND, "the image is no directory"))?;
        deliver(&root, on_image, ctx)
    })
}

static TABLE: Shared<slipway_image_provider_vtbl> = Shared(slipway_image_provider_vtbl {
    struct_size: std::mem::size_of::<slipway_image_provider_vtbl>() as u32,
    destroy: Some(destroy::<slipway_image_provider>),
    resolve: Some(resolve),
    fetch: Some(fetch),
    ..empty_table!(slipway_image_provider_vtbl)
});

pub unsafe extern "C" fn create(
    host: *const slipway_host, _: *const slipway_call, args: *const slipway_create_args, out: *mut *mut c_void,
    _: *mut slipway_error,
) -> i32 {
    make(slipway_image_provider { vtbl: &TABLE.0 }, host, args, out)
}
