//! Layered maps: many maps that differ in few entries are stored as their differences to a shared one.

use std::collections::BTreeMap;
use std::rc::Rc;

/// A layered map. Copying it takes time in the number of its changes to the shared map.
#[derive(Debug, Clone)]
pub struct Layered<K, V> {
    shared: Rc<BTreeMap<K, V>>,
    /// The changes to the shared map; `None` for a removed entry.
    changes: BTreeMap<K, Option<V>>,
}

impl<K, V> Default for Layered<K, V> {
    fn default() -> Layered<K, V> {
        Layered { shared: Rc::default(), changes: BTreeMap::new() }
    }
}

/// A map has at most so many changes, or this part of the shared map's size, before the changes become a part
/// of the shared map.
const FEW: usize = 64;
const PART: usize = 8;

impl<K: Ord + Copy, V: Clone> Layered<K, V> {
    /// The value of a key.
    pub fn get(&self, key: &K) -> Option<&V> {
        match self.changes.get(key) {
            Some(changed) => changed.as_ref(),
            None => self.shared.get(key),
        }
    }

    /// Sets the value of a key.
    pub fn insert(&mut self, key: K, value: V) {
        self.changes.insert(key, Some(value));
    }

    /// Removes the value of a key.
    pub fn remove(&mut self, key: &K) -> Option<V> {
        let known = self.get(key).cloned()?;
        self.changes.insert(*key, None);
        Some(known)
    }

    /// The keys that have a value, in order.
    pub fn keys(&self) -> std::vec::IntoIter<K> {
        let mut keys: Vec<K> = self.shared.keys().chain(self.changes.keys()).copied().collect();
        keys.sort_unstable();
        keys.dedup();
        keys.retain(|key| self.get(key).is_some());
        keys.into_iter()
    }

    /// The keys whose values may differ between two maps. All other keys have the same value in both.
    pub fn differing(&self, other: &Layered<K, V>) -> Vec<K> {
        let mut keys: Vec<K> = self.changes.keys().chain(other.changes.keys()).copied().collect();
        if !Rc::ptr_eq(&self.shared, &other.shared) {
            keys.extend(self.shared.keys().chain(other.shared.keys()));
        }
        keys.sort_unstable();
        keys.dedup();
        keys.retain(|key| self.get(key).is_some() || other.get(key).is_some());
        keys
    }

    /// Moves the changes into the shared map if there are many, so that copies share them as well.
    pub fn settle(&mut self) {
        if self.changes.len() < FEW.max(self.shared.len() / PART) {
            return;
        }
        let shared = Rc::make_mut(&mut self.shared);
        for (key, change) in std::mem::take(&mut self.changes) {
            match change {
                Some(value) => drop(shared.insert(key, value)),
                None => drop(shared.remove(&key)),
            }
        }
    }
}

impl<K: Ord + Copy, V: Clone> Extend<(K, V)> for Layered<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        entries.into_iter().for_each(|(key, value)| self.insert(key, value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compared with plain maps, with copies that are changed further.
    #[test]
    fn it_has_what_a_plain_map_has() {
        let mut rng = fastrand::Rng::with_seed(7);
        let mut maps = vec![(Layered::default(), BTreeMap::new())];
        for step in 0..3000 {
            let (mut map, mut plain) = maps[rng.usize(..maps.len())].clone();
            for _ in 0..rng.usize(..40) {
                let (key, value) = (rng.u32(..300), rng.u32(..));
                if rng.u8(..3) == 0 {
                    assert_eq!(map.remove(&key), plain.remove(&key));
                } else {
                    map.insert(key, value);
                    plain.insert(key, value);
                }
            }
            if rng.bool() {
                map.settle();
            }
            assert!(map.keys().eq(plain.keys().copied()), "step {step}");
            assert!(plain.iter().all(|(key, value)| map.get(key) == Some(value)), "step {step}");
            let (other, others) = &maps[rng.usize(..maps.len())];
            let differing = map.differing(other);
            let all = plain.keys().chain(others.keys());
            let mut apart = all.filter(|key| plain.get(key) != others.get(key));
            assert!(apart.all(|key| differing.contains(key)), "step {step}");
            let at = rng.usize(..8);
            if at < maps.len() { maps[at] = (map, plain) } else { maps.push((map, plain)) }
        }
    }
}
