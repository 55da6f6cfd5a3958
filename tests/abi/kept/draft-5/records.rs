//! Apps as files below the host's directory for state.
use crate::abi::*;
use crate::*;
use std::fs;
use std::path::PathBuf;

pub struct Record {
    pub session: String,
    pub name: String,
    pub submitted_at_ns: i64,
    /// Name and number of replicas.
    pub roles: Vec<(String, i32)>,
}

unsafe extern "C" fn take_path(ctx: *mut c_void, path: slipway_str) -> i32 {
    *(ctx as *mut String) = text(path);
    SLIPWAY_OK as i32
}

/// Returns the directory of the apps, which may be missing.
pub unsafe fn directory(host: *const slipway_host, err: *mut slipway_error) -> Result<PathBuf, Stop> {
    let service = (*host).get_extension.unwrap()(host, view(SLIPWAY_HOST_STATE_DIR)) as *const slipway_host_state_dir;
    if service.is_null() {
        return Err(because(SLIPWAY_E_UNIMPLEMENTED, "the host has no directory for state"));
    }
    let mut state = String::new();
    ok((*service).path.unwrap()(host, Some(take_path), &mut state as *mut String as *mut c_void, err))?;
    Ok(PathBuf::from(state).join("kept-rust"))
}

pub fn is_app(app_id: &str) -> bool {
    !app_id.is_empty() && app_id.len() < 256 && !app_id.starts_with('.') && !app_id.contains(&['/', '\0'][..])
}

impl Record {
    pub fn load(directory: &PathBuf, app_id: &str) -> Option<Record> {
        let content = fs::read_to_string(directory.join(app_id)).ok().filter(|_| is_app(app_id))?;
        let mut lines = content.lines();
        let session = lines.next()?.to_string();
        let name = lines.next()?.to_string();
        let submitted_at_ns = lines.next()?.parse().ok()?;
        let roles = lines.filter_map(|line| line.split_once(' ')).map(|(count, role)| {
            (role.to_string(), count.parse().unwrap_or(0))
        });
        Some(Record { session, name, submitted_at_ns, roles: roles.collect() })
    }

    /// Writes the file of the app under a temporary name, and renames it.
    pub fn save(&self, directory: &PathBuf, app_id: &str) -> std::io::Result<()> {
        let mut content = format!("{}\n{}\n{}\n", self.session, self.name, self.submitted_at_ns);
        for (role, count) in &self.roles {
            content += &format!("{} {}\n", count, role);
        }
        fs::create_dir_all(directory)?;
        let unfinished = directory.join(format!(".{}", app_id));
        fs::write(&unfinished, content)?;
        fs::rename(unfinished, directory.join(app_id))
    }
}
