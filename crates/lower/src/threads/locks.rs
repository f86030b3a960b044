//! The functions of the models that take something of which one thread at a time has it, and those that give it back.

use beeline_ir::copied_function;

/// Functions that take what one thread at a time has, and those that give it back: where nobody tries without waiting,
/// giving back early takes no execution away.
pub(super) const ACQUIRE: [&str; 5] =
    ["pthread_mutex_lock", "pthread_rwlock_rdlock", "pthread_rwlock_wrlock", "pthread_spin_lock", "sem_wait"];
pub(super) const RELEASE: [&str; 4] =
    ["pthread_mutex_unlock", "pthread_rwlock_unlock", "pthread_spin_unlock", "sem_post"];
/// Of these, those with which one thread keeps all others out.
pub(super) const LOCK: [&str; 2] = [ACQUIRE[0], ACQUIRE[3]];
pub(super) const UNLOCK: [&str; 2] = [RELEASE[0], RELEASE[2]];

/// Is a function of the models one that takes something or gives it back?
pub(super) fn is_lock(name: &str) -> bool {
    let name = copied_function(name);
    ACQUIRE.contains(&name) || RELEASE.contains(&name)
}
