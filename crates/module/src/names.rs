//! The functions that Beeline calls in modules that it changes. No function of a C program has such a name.

/// Reports that an execution is at a place: `void beeline.mark(int holds, int number)`, if the first argument is not zero.
pub const MARK: &str = "beeline.mark";
/// Asserts that no operation on finite floats has an infinite result.
pub const FINITE: &str = "beeline_is_finite";
/// Asserts that no operation on numbers results in NaN.
pub const NUMBER: &str = "beeline_is_number";
/// Asserts that a computed pointer leads into its object, or one past its end.
pub const WITHIN: &str = "beeline_is_within";
/// Returns whether a pointer leads into the object of the pointer that it was made from, or one past its end.
pub const ASKED: &str = "beeline_leads_within";
/// A variable that names functions of the program of which the module has nothing, or something else.
pub const LEFT_OUT: &str = "__beeline_left_out";
/// The ordinal of a scheduling point before a return.
pub const BEFORE_RETURN: u32 = u32::MAX;
