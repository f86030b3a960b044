use super::*;
use crate::translate::entry::{MOST_ARGUMENTS, text_of_argument};

#[test]
fn the_arguments_of_main_are_where_no_object_is() {
    for (width, space, fixed) in [(64, WIDE, 1 << 58), (32, NARROW, 0x1000_0000 + NARROW_SPACE)] {
        let (first, end) = (text_of_argument(width, 0), text_of_argument(width, MOST_ARGUMENTS));
        assert!(fixed <= first && first < end, "{width} bits");
        for arena in [space.stack, space.heap, space.locals] {
            assert!(end <= arena.start || arena.end <= first, "{width} bits: {arena:?}");
        }
    }
}
