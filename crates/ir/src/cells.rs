//! Source names of the cells of memory: for users who read values and addresses, without meaning for programs.

use smallvec::SmallVec;

/// The most indices in a name of cells.
const MAX_REPEATS: usize = 64;

/// A scalar of an object in memory, or the scalars at the same place of all elements of its arrays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedCells {
    /// The name in the source, with `[]` for each index: `queue.items[].length`.
    pub name: String,
    /// The type as the source's language writes it, or empty.
    pub ty: String,
    /// The address where all indices are 0.
    pub addr: u64,
    /// For each index, the outermost first, the distance of its elements and their number.
    pub repeats: Vec<Repeat>,
}

/// The elements of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repeat {
    /// The number of addresses from each element to the next.
    pub stride: u64,
    /// The number of elements.
    pub count: u64,
}

impl NamedCells {
    /// The name of the cell at an address, if it is one of them.
    pub fn name_at(&self, addr: u64) -> Option<String> {
        let mut rest = addr.checked_sub(self.addr)?;
        let mut indices: SmallVec<[u64; 4]> = SmallVec::new();
        for repeat in &self.repeats {
            let index = rest.checked_div(repeat.stride).filter(|index| *index < repeat.count)?;
            rest -= index * repeat.stride;
            indices.push(index);
        }
        if rest != 0 {
            return None;
        }
        let mut texts = self.name.split("[]");
        let first = texts.next()?.to_string();
        Some(indices.iter().zip(texts).fold(first, |name, (index, text)| format!("{name}[{index}]{text}")))
    }

    /// Whether the name has as many indices as there are repeats, not too many, and no repeat is empty.
    pub(crate) fn is_sound(&self) -> bool {
        let places = self.name.matches("[]").count();
        places == self.repeats.len()
            && places <= MAX_REPEATS
            && self.repeats.iter().all(|repeat| repeat.stride > 0 && repeat.count > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_index_leads_as_far_as_its_elements_are_apart() {
        let repeats = vec![Repeat { stride: 24, count: 2 }, Repeat { stride: 4, count: 3 }];
        let cells = NamedCells { name: "a[].x[].len".into(), ty: "int".into(), addr: 0x1004, repeats };
        assert!(cells.is_sound());
        let name = |addr| cells.name_at(addr);
        assert_eq!(name(0x1004).as_deref(), Some("a[0].x[0].len"));
        assert_eq!(name(0x1004 + 24 + 8).as_deref(), Some("a[1].x[2].len"));
        // After the inner array, between two cells, after the outer array, before it.
        for outside in [0x1004 + 12, 0x1004 + 2, 0x1004 + 48, 0x1000] {
            assert_eq!(name(outside), None);
        }
        assert!(!NamedCells { repeats: Vec::new(), ..cells }.is_sound());
    }
}
