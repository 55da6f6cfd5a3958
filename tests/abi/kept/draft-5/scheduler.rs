//! A scheduler that notes apps and runs nothing: each app succeeds at once, and its log has a line for each replica.
use crate::abi::*;
use crate::records::{directory, is_app, Record};
use crate::*;
use std::time::{SystemTime, UNIX_EPOCH};

struct Request {
    name: String,
    roles: Vec<(String, i32)>,
}

struct Logs {
    lines: Vec<(String, i32)>,
    next: usize,
}

unsafe extern "C" fn run_opts(
    this: *mut slipway_scheduler, _: *const slipway_call, on_opt: slipway_on_run_opt, ctx: *mut c_void,
    err: *mut slipway_error,
) -> i32 {
    guard(object(this).host, err, || {
        let mut keeps = sized!(slipway_cfg_entry);
        keeps.r#type = SLIPWAY_TYPE_STR as i32;
        keeps.text = view("keeps");
        let mut verb = sized!(slipway_run_opt);
        verb.name = view("verb");
        verb.r#type = SLIPWAY_TYPE_STR as i32;
        verb.help = view("the first word of a printed request");
        verb.default_value = &keeps;
        ok(on_opt.unwrap()(ctx, &verb))
    })
}

unsafe extern "C" fn app_fields(
    this: *mut slipway_scheduler, _: *const slipway_call, _: *const slipway_cfg, on_field: slipway_on_app_field,
    ctx: *mut c_void, err: *mut slipway_error,
) -> i32 {
    guard(object(this).host, err, || {
        let mut image = sized!(slipway_app_field);
        image.name = view("image");
        ok(on_field.unwrap()(ctx, &image))
    })
}

/// Refuses what a later version may order (R8), and reports what is ignored.
unsafe fn judge(role: &slipway_role, on_finding: slipway_on_finding, ctx: *mut c_void) -> Result<(), Stop> {
    if !(0..=SLIPWAY_RETRY_ROLE).contains(&i64::from(role.retry_policy)) {
        return Err(because(SLIPWAY_E_UNIMPLEMENTED, "the retry policy is unknown"));
    }
    for mount in items!(role.mounts) {
        if !(0..=SLIPWAY_MOUNT_DEVICE).contains(&i64::from(mount.kind)) {
            return Err(because(SLIPWAY_E_UNIMPLEMENTED, "the kind of the mount is unknown"));
        }
        let mut finding = sized!(slipway_finding);
        finding.kind = SLIPWAY_FINDING_IGNORED as i32;
        finding.role = role.name;
        finding.field = view("mounts");
        finding.why = view("nothing runs here");
        ok(on_finding.unwrap()(ctx, &finding))?;
    }
    Ok(())
}

unsafe extern "C" fn submit_dryrun(
    this: *mut slipway_scheduler, _: *const slipway_call, app: *const slipway_app_def, _: *const slipway_cfg,
    on_finding: slipway_on_finding, ctx: *mut c_void, out: *mut *mut slipway_request, err: *mut slipway_error,
) -> i32 {
    guard(object(this).host, err, || {
        let mut request = Request { name: text((*app).name), roles: Vec::new() };
        for role in items!((*app).roles) {
            judge(role, on_finding, ctx)?;
            request.roles.push((text(role.name), role.num_replicas));
        }
        *out = Box::into_raw(Box::new(request)) as *mut slipway_request;
        Ok(0)
    })
}

unsafe extern "C" fn request_print(
    this: *mut slipway_scheduler, request: *const slipway_request, format: i32, on_text: slipway_on_str,
    ctx: *mut c_void, err: *mut slipway_error,
) -> i32 {
    guard(object(this).host, err, || {
        let request = &*(request as *const Request);
        let print = |piece: &str| ok(on_text.unwrap()(ctx, view(piece)));
        match i64::from(format) {
            SLIPWAY_PRINT_JSON => print(&format!("{{\"roles\": {}}}", request.roles.len())),
            SLIPWAY_PRINT_TEXT => {
                for (role, count) in &request.roles {
                    print(&format!("{} {}\n", count, role))?;
                }
                print("is kept\n")
            }
            _ => Err(because(SLIPWAY_E_UNIMPLEMENTED, "the format is unknown")),
        }
    })
}

unsafe extern "C" fn request_free(_: *mut slipway_scheduler, request: *mut slipway_request) {
    drop(Box::from_raw(request as *mut Request));
}

unsafe extern "C" fn schedule(
    this: *mut slipway_scheduler, _: *const slipway_call, request: *const slipway_request,
    opts: *const slipway_schedule_opts, on_submission: slipway_on_submission, ctx: *mut c_void,
    err: *mut slipway_error,
) -> i32 {
    let me = object(this);
    guard(me.host, err, || {
        if i64::from((*opts).flags) & SLIPWAY_MUST_UNDERSTAND != 0 {
            return Err(because(SLIPWAY_E_UNIMPLEMENTED, "an option of a later version is set"));
        }
        let request = &*(request as *const Request);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as i64);
        // The time, with a fixed width, sorts the apps.
        let app_id = format!("kept-{:016x}-{:x}", now, std::process::id());
        let record = Record {
            session: me.session.clone(),
            name: request.name.clone(),
            submitted_at_ns: now,
            roles: request.roles.clone(),
        };
        record.save(&directory(me.host, err)?, &app_id).map_err(|error| {
            because(SLIPWAY_E_CANT_CREATE, &format!("cannot write the record of the app: {}", error))
        })?;
        let mut submission = sized!(slipway_submission);
        submission.app_id = view(&app_id);
        ok(on_submission.unwrap()(ctx, &submission))
    })
}

/// Returns the statuses of the replicas of one role.
fn replicas(count: i32) -> Vec<slipway_replica_status> {
    let one = |id| {
        let mut out = sized!(slipway_replica_status);
        out.id = id;
        out.state = SLIPWAY_STATE_SUCCEEDED as i32;
        out.has_exit_code = 1;
        out.reason = view("exit");
        out
    };
    (0..count).map(one).collect()
}

unsafe extern "C" fn describe(
    this: *mut slipway_scheduler, _: *const slipway_call, app_id: slipway_str, opts: *const slipway_describe_opts,
    on_description: slipway_on_description, ctx: *mut c_void, err: *mut slipway_error,
) -> i32 {
    let host = object(this).host;
    guard(host, err, || {
        let app = match Record::load(&directory(host, err)?, &text(app_id)) {
            Some(app) => app,
            None => return Ok(0),
        };
        let statuses: Vec<_> = app.roles.iter().map(|(_, count)| replicas(*count)).collect();
        let mut roles = Vec::new();
        for ((name, _), replicas) in app.roles.iter().zip(&statuses) {
            let mut role = sized!(slipway_role_status);
            role.role = view(name);
            role.replicas.ptr = replicas.as_ptr();
            role.replicas.count = replicas.len();
            role.replicas.stride = std::mem::size_of::<slipway_replica_status>();
            roles.push(role);
        }
        let mut out = sized!(slipway_description);
        out.state = SLIPWAY_STATE_SUCCEEDED as i32;
        out.app_id = app_id;
        out.name = view(&app.name);
        out.submitted_at_ns = app.submitted_at_ns;
        out.started_at_ns = app.submitted_at_ns;
        out.finished_at_ns = app.submitted_at_ns;
        if i64::from((*opts).want) & SLIPWAY_WANT_REPLICAS != 0 {
            out.roles.ptr = roles.as_ptr();
            out.roles.count = roles.len();
            out.roles.stride = std::mem::size_of::<slipway_role_status>();
        }
        ok(on_description.unwrap()(ctx, &out))
    })
}

/// Does nothing: each app has ended.
unsafe extern "C" fn cancel(
    _: *mut slipway_scheduler, _: *const slipway_call, _: slipway_str, _: *const slipway_cancel_opts,
    _: *mut slipway_error,
) -> i32 {
    SLIPWAY_OK as i32
}

unsafe extern "C" fn delete_app(
    this: *mut slipway_scheduler, _: *const slipway_call, app_id: slipway_str, _: *const slipway_delete_opts,
    err: *mut slipway_error,
) -> i32 {
    let host = object(this).host;
    guard(host, err, || {
        let app_id = text(app_id);
        if is_app(&app_id) {
            let _ = std::fs::remove_file(directory(host, err)?.join(app_id));
        }
        Ok(0)
    })
}

unsafe extern "C" fn list(
    this: *mut slipway_scheduler, _: *const slipway_call, _: *const slipway_list_query, on_item: slipway_on_list_item,
    ctx: *mut c_void, err: *mut slipway_error,
) -> i32 {
    let host = object(this).host;
    guard(host, err, || {
        let directory = directory(host, err)?;
        let entries = std::fs::read_dir(&directory).map_or_else(|_| Vec::new(), |files| files.flatten().collect());
        let mut ids: Vec<_> = entries.iter().filter_map(|entry| entry.file_name().into_string().ok()).collect();
        ids.sort_by(|a, b| b.cmp(a));
        for id in ids {
            let app = match Record::load(&directory, &id) {
                Some(app) => app,
                None => continue,
            };
            let mut item = sized!(slipway_list_item);
            item.state = SLIPWAY_STATE_SUCCEEDED as i32;
            item.app_id = view(&id);
            item.name = view(&app.name);
            item.session = view(&app.session);
            item.submitted_at_ns = app.submitted_at_ns;
            ok(on_item.unwrap()(ctx, &item))?;
        }
        Ok(0)
    })
}

unsafe fn is_wanted(query: &slipway_log_query, role: &str, replica: i32) -> bool {
    let matches = |target: &slipway_log_target| {
        text(target.role) == role
            && (target.replica_count == 0
                || std::slice::from_raw_parts(target.replicas, target.replica_count).contains(&replica))
    };
    query.targets.count == 0 || items!(query.targets).any(matches)
}

unsafe extern "C" fn log_open(
    this: *mut slipway_scheduler, _: *const slipway_call, query: *const slipway_log_query,
    out: *mut *mut slipway_log_iter, err: *mut slipway_error,
) -> i32 {
    let host = object(this).host;
    guard(host, err, || {
        let query = &*query;
        if query.stream != 0 || query.since_ns != 0 || query.until_ns != 0 {
            return Err(because(SLIPWAY_E_UNIMPLEMENTED, "there is one stream, without times"));
        }
        let app = Record::load(&directory(host, err)?, &text(query.app_id))
            .ok_or_else(|| because(SLIPWAY_E_NOT_FOUND, "there is no such app"))?;
        let mut lines = Vec::new();
        for (role, count) in app.roles {
            lines.extend((0..count).filter(|k| is_wanted(query, &role, *k)).map(|k| (role.clone(), k)));
        }
        if lines.is_empty() {
            return Err(because(SLIPWAY_E_NOT_FOUND, "the app has no such replica"));
        }
        *out = Box::into_raw(Box::new(Logs { lines, next: 0 })) as *mut slipway_log_iter;
        Ok(0)
    })
}

unsafe extern "C" fn log_next(
    iter: *mut slipway_log_iter, _: i64, on_chunk: slipway_on_log_chunk, ctx: *mut c_void, _: *mut slipway_error,
) -> i32 {
    let logs = &mut *(iter as *mut Logs);
    if logs.next == logs.lines.len() {
        return SLIPWAY_END as i32;
    }
    while logs.next < logs.lines.len() {
        let (role, replica) = &logs.lines[logs.next];
        logs.next += 1;
        let mut chunk = sized!(slipway_log_chunk);
        chunk.role = view(role);
        chunk.replica = *replica;
        chunk.bytes = view("was kept\n");
        let status = on_chunk.unwrap()(ctx, &chunk);
        if status < 0 {
            return status;
        }
    }
    SLIPWAY_OK as i32
}

/// Does nothing, because log_next never waits.
unsafe extern "C" fn log_cancel(_: *mut slipway_log_iter) {}

unsafe extern "C" fn log_close(iter: *mut slipway_log_iter) {
    drop(Box::from_raw(iter as *mut Logs));
}

static TABLE: Shared<slipway_scheduler_vtbl> = Shared(slipway_scheduler_vtbl {
    struct_size: std::mem::size_of::<slipway_scheduler_vtbl>() as u32,
    flags: SLIPWAY_SCHEDULER_FOREGROUND_BY_DEFAULT as u32,
    destroy: Some(destroy::<slipway_scheduler>),
    run_opts: Some(run_opts),
    app_fields: Some(app_fields),
    submit_dryrun: Some(submit_dryrun),
    request_print: Some(request_print),
    request_free: Some(request_free),
    schedule: Some(schedule),
    describe: Some(describe),
    cancel: Some(cancel),
    delete_app: Some(delete_app),
    list: Some(list),
    log_open: Some(log_open),
    log_next: Some(log_next),
    log_cancel: Some(log_cancel),
    log_close: Some(log_close),
    ..empty_table!(slipway_scheduler_vtbl)
});

pub unsafe extern "C" fn create(
    host: *const slipway_host, _: *const slipway_call, args: *const slipway_create_args, out: *mut *mut c_void,
    _: *mut slipway_error,
) -> i32 {
    make(slipway_scheduler { vtbl: &TABLE.0 }, host, args, out)
}
