//! Two named resources.
use crate::abi::*;
use crate::*;

unsafe fn deliver(cpu: i32, on_resource: slipway_on_named_resource, ctx: *mut c_void) -> Outcome {
    let mut resource = sized!(slipway_resource);
    resource.cpu = cpu;
    resource.mem_mb = i64::from(cpu) * 1024;
    let mut named = sized!(slipway_named_resource);
    named.name = view(if cpu == 1 { "kept.small" } else { "kept.large" });
    named.resource = &resource;
    ok(on_resource.unwrap()(ctx, &named))
}

unsafe extern "C" fn list(
    this: *mut slipway_named_resources, _: *const slipway_call, on_resource: slipway_on_named_resource,
    ctx: *mut c_void, err: *mut slipway_error,
) -> i32 {
    guard(object(this).host, err, || {
        deliver(1, on_resource, ctx)?;
        deliver(8, on_resource, ctx)
    })
}

unsafe extern "C" fn get(
    this: *mut slipway_named_resources, _: *const slipway_call, name: slipway_str,
    on_resource: slipway_on_named_resource, ctx: *mut c_void, err: *mut slipway_error,
) -> i32 {
    guard(object(this).host, err, || match text(name).as_str() {
        "kept.small" => deliver(1, on_resource, ctx),
        "kept.large" => deliver(8, on_resource, ctx),
        _ => Ok(0),
    })
}

static TABLE: Shared<slipway_named_resources_vtbl> = Shared(slipway_named_resources_vtbl {
    struct_size: std::mem::size_of::<slipway_named_resources_vtbl>() as u32,
    destroy: Some(destroy::<slipway_named_resources>),
    list: Some(list),
    get: Some(get),
    ..empty_table!(slipway_named_resources_vtbl)
});

pub unsafe extern "C" fn create(
    host: *const slipway_host, _: *const slipway_call, args: *const slipway_create_args, out: *mut *mut c_void,
    _: *mut slipway_error,
) -> i32 {
    make(slipway_named_resources { vtbl: &TABLE.0 }, host, args, out)
}
