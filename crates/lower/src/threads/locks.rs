//! Functions of the models that acquire and release what one thread at a time holds.

use beeline_ir::copied_function;

/// Functions that acquire what one thread at a time holds, and those that release it: if no thread tries to acquire it
/// without waiting, an early release takes no execution away.
pub(super) const ACQUIRE: [&str; 5] =
    ["pthread_mutex_lock", "pthread_rwlock_rdlock", "pthread_rwlock_wrlock", "pthread_spin_lock", "sem_wait"];
pub(super) const RELEASE: [&str; 4] =
    ["pthread_mutex_unlock", "pthread_rwlock_unlock", "pthread_spin_unlock", "sem_post"];
/// Of these, those with which one thread excludes all others.
pub(super) const LOCK: [&str; 2] = [ACQUIRE[0], ACQUIRE[3]];
pub(super) const UNLOCK: [&str; 2] = [RELEASE[0], RELEASE[2]];

/// Whether a function of the models acquires or releases something.
pub(super) fn is_lock(name: &str) -> bool {
    let name = copied_function(name);
    ACQUIRE.contains(&name) || RELEASE.contains(&name)
}
