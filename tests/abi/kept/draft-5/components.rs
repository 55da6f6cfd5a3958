//! The component `kept.echo`: replicas that print a text.
use crate::abi::*;
use crate::*;

unsafe extern "C" fn list(
    this: *mut slipway_components, _: *const slipway_call, _: *const slipway_component_query,
    on_component: slipway_on_component, ctx: *mut c_void, err: *mut slipway_error,
) -> i32 {
    guard(object(this).host, err, || {
        let mut two = sized!(slipway_cfg_entry);
        two.r#type = SLIPWAY_TYPE_INT as i32;
        two.integer = 2;
        let mut text = sized!(slipway_component_param);
        text.name = view("text");
        text.help = view("the text to print");
        text.r#type = SLIPWAY_TYPE_STR as i32;
        text.required = 1;
        let mut replicas = sized!(slipway_component_param);
        replicas.name = view("replicas");
        replicas.help = view("number of replicas");
        replicas.r#type = SLIPWAY_TYPE_INT as i32;
        replicas.default_value = &two;
        let params = [text, replicas];
        let mut info = sized!(slipway_component_info);
        info.name = view("kept.echo");
        info.help = view("Prints a text.");
        info.params.ptr = params.as_ptr();
        info.params.count = params.len();
        info.params.stride = std::mem::size_of::<slipway_component_param>();
        ok(on_component.unwrap()(ctx, &info))
    })
}

unsafe extern "C" fn build(
    this: *mut slipway_components, _: *const slipway_call, order: *const slipway_component_order,
    on_app: slipway_on_app_def, ctx: *mut c_void, err: *mut slipway_error,
) -> i32 {
    guard(object(this).host, err, || {
        if text((*order).name) != "kept.echo" {
            return Err(because(SLIPWAY_E_NOT_FOUND, "there is only the component kept.echo"));
        }
        let find = |key: &str| items!((*(*order).args).entries).find(|entry| text(entry.key) == key);
        let words = [find("text").map_or(ABSENT, |entry| entry.text)];
        let replicas = find("replicas").map_or(0, |entry| entry.integer);
        if !(1..=1000).contains(&replicas) {
            return Err(because(SLIPWAY_E_INVALID, "--replicas is between 1 and 1000"));
        }
        let mut role = sized!(slipway_role);
        role.name = view("echo");
        role.image = view("/");
        role.entrypoint = view("echo");
        role.args.ptr = words.as_ptr();
        role.args.count = words.len();
        role.args.stride = std::mem::size_of::<slipway_str>();
        role.num_replicas = replicas as i32;
        let mut app = sized!(slipway_app_def);
        app.name = view("kept-echo");
        app.roles.ptr = &role;
        app.roles.count = 1;
        app.roles.stride = std::mem::size_of::<slipway_role>();
        ok(on_app.unwrap()(ctx, &app))
    })
}

static TABLE: Shared<slipway_components_vtbl> = Shared(slipway_components_vtbl {
    struct_size: std::mem::size_of::<slipway_components_vtbl>() as u32,
    destroy: Some(destroy::<slipway_components>),
    list: Some(list),
    build: Some(build),
    ..empty_table!(slipway_components_vtbl)
});

pub unsafe extern "C" fn create(
    host: *const slipway_host, _: *const slipway_call, args: *const slipway_create_args, out: *mut *mut c_void,
    _: *mut slipway_error,
) -> i32 {
    make(slipway_components { vtbl: &TABLE.0 }, host, args, out)
}
