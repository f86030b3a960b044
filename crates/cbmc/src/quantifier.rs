//! Implications and quantifiers: `a ==> b`, `__CPROVER_forall { T i; c }`.
//!
//! A quantifier becomes a loop over the numbers that matter for its condition. These are the numbers in the
//! range of the condition itself: `i >= a && i < b ==> c` holds for all others. In an assertion that needs
//! the quantifier to be true, one number stands for all. Comparisons convert: if a signed variable is
//! compared with an unsigned bound, negative numbers are above it.

use crate::dialect::Refusal;
use crate::polarity::is_asserted;
use crate::token::{Kind, Tokens};
use std::ops::Range;

/// The quantifiers, and whether all numbers have to meet the condition.
const QUANTIFIERS: [(&str, bool); 2] = [("__CPROVER_forall", true), ("__CPROVER_exists", false)];
/// Their names.
pub(crate) const NAMES: [&str; 2] = [QUANTIFIERS[0].0, QUANTIFIERS[1].0];
/// The replacement of an implication.
const IMPLIES: &str = ") || (";
/// The tokens that end an operand of an implication at its depth.
const BOUNDS: [&str; 15] =
    [",", ";", "?", ":", "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "return", "==>", "<==>"];

/// Translates implications and quantifiers to C.
pub(crate) fn rewrite(tokens: &mut Tokens) -> Result<(), Refusal> {
    // Inner ones come later in the text, and are changed before those around them.
    let found = |tokens: &Tokens| -> Vec<(usize, bool)> {
        let is = |index: &usize| {
            QUANTIFIERS.iter().find(|(name, _)| tokens.is(*index, name)).map(|(_, all)| (*index, *all))
        };
        (0..tokens.all.len()).filter_map(|index| is(&index)).collect()
    };
    for (index, all) in found(tokens).into_iter().rev() {
        let quantified = Quantified::read(tokens, index)
            .ok_or_else(|| Refusal::at(tokens, index, "a quantifier of this form"))?;
        // The braces end its operands, and are removed here.
        if all && !quantified.is_long && is_asserted(tokens, index, quantified.close) {
            imply_all(tokens, quantified.open..quantified.close)?;
            quantified.stand_for_all(tokens, index);
            continue;
        }
        let range = quantified.range(tokens, all).ok_or_else(|| {
            let what = "a quantifier that gives its variable no range, as in `i >= 0 && i < n ==> ...`";
            Refusal::at(tokens, index, what)
        })?;
        imply_all(tokens, quantified.open..quantified.close)?;
        quantified.write(tokens, index, all, &range);
    }
    imply_all(tokens, 0..tokens.all.len())
}

/// Translates all implications among some tokens.
fn imply_all(tokens: &mut Tokens, range: Range<usize>) -> Result<(), Refusal> {
    let is = |at: &usize| tokens.is(*at, "==>") || tokens.is(*at, "<==>");
    let implications: Vec<usize> = range.filter(is).collect();
    implications.into_iter().try_for_each(|at| imply(tokens, at))
}

/// Translates one implication.
fn imply(tokens: &mut Tokens, at: usize) -> Result<(), Refusal> {
    if tokens.is(at, "<==>") {
        return Err(Refusal::at(tokens, at, "the operator `<==>`"));
    }
    let left = operand_start(tokens, at);
    let right = operand_end(tokens, at);
    tokens.put_before(left, "(!(");
    tokens.all[at].kind = Kind::Text;
    tokens.all[at].text = IMPLIES.into();
    tokens.put_behind(right, "))");
    Ok(())
}

/// The start of the operand before an implication.
fn operand_start(tokens: &Tokens, at: usize) -> usize {
    let mut start = at;
    let mut next = tokens.before(at);
    while let Some(index) = next {
        let token = &tokens.all[index];
        // An implication that was translated already ends with its operator.
        if token.text == IMPLIES || BOUNDS.iter().any(|bound| token.is(bound)) {
            break;
        }
        start = match &*token.text {
            ")" | "]" | "}" if token.kind == Kind::Mark => match tokens.opening(index) {
                Some(open) => open,
                None => break,
            },
            "(" | "[" | "{" if token.kind == Kind::Mark => break,
            _ => index,
        };
        next = tokens.before(start);
    }
    start
}

/// The end of the operand after an implication, which may contain another implication.
fn operand_end(tokens: &Tokens, at: usize) -> usize {
    let mut end = at;
    let mut next = tokens.next(at + 1);
    while let Some(index) = next {
        let token = &tokens.all[index];
        if !token.is("==>") && BOUNDS.iter().any(|bound| token.is(bound)) {
            break;
        }
        end = match &*token.text {
            "(" | "[" | "{" if token.kind == Kind::Mark => match tokens.closing(index) {
                Some(close) => close,
                None => break,
            },
            ")" | "]" | "}" if token.kind == Kind::Mark => break,
            _ => index,
        };
        next = tokens.next(end + 1);
    }
    end
}

/// A quantified condition.
struct Quantified {
    open: usize,
    close: usize,
    /// The end of the declaration.
    semicolon: usize,
    variable: String,
    ty: String,
    unsigned: bool,
    /// Whether the variable may have more than 64 bits.
    is_long: bool,
}

/// A range of numbers, as C: no number in it is below the first text, and all meet the comparison with the second.
struct Bounds {
    least: String,
    most: (&'static str, String),
}

impl Quantified {
    fn read(tokens: &Tokens, index: usize) -> Option<Quantified> {
        let open = tokens.next(index + 1).filter(|&open| tokens.is(open, "{"))?;
        let close = tokens.closing(open)?;
        let semicolon = (open..close).find(|&at| tokens.is(at, ";"))?;
        let name = tokens.before(semicolon).filter(|&name| tokens.all[name].kind == Kind::Word)?;
        let words: Vec<&str> = tokens.all[open + 1..name]
            .iter()
            .filter(|token| token.matters())
            .map(|token| &*token.text)
            .collect();
        let no_integer = ["*", "float", "double", "_Bool", "__CPROVER_bool"];
        if words.is_empty() || words.iter().any(|word| no_integer.contains(word)) {
            return None;
        }
        let is_unsigned = |word: &&str| {
            ["unsigned", "size_t", "__CPROVER_size_t"].contains(word) || word.starts_with("uint")
        };
        let variable = tokens.all[name].text.to_string();
        let (ty, unsigned) = (words.join(" "), words.iter().any(is_unsigned));
        let is_long = ["__int128", "_BitInt", "__CPROVER_bitvector"].iter().any(|long| ty.contains(long));
        Some(Quantified { open, close, semicolon, variable, ty, unsigned, is_long })
    }

    /// The range of numbers outside of which the condition is trivial.
    fn range(&self, tokens: &Tokens, all: bool) -> Option<Bounds> {
        let inside = self.semicolon + 1..self.close;
        let guard = if all { self.antecedent(tokens, inside)? } else { inside };
        let (mut least, mut most) = (self.unsigned.then(|| "0".to_string()), None);
        for part in conjuncts(tokens, guard) {
            if let Some((left, operator, right)) = comparison(tokens, part) {
                let is_it = |side: &Range<usize>| tokens.text(side.clone()) == self.variable;
                let (operator, other) = match (is_it(&left), is_it(&right)) {
                    (true, false) => (operator, right),
                    (false, true) => (mirrored(operator), left),
                    _ => continue,
                };
                let other = tokens.text(other);
                match operator {
                    "<" | "<=" => most = Some((operator, other)),
                    // One number more does no harm: the condition excludes it.
                    _ => least = Some(other),
                }
            }
        }
        Some(Bounds { least: least?, most: most? })
    }

    /// The antecedent, if the condition is an implication.
    fn antecedent(&self, tokens: &Tokens, inside: Range<usize>) -> Option<Range<usize>> {
        let inside = bare(tokens, inside);
        let at = split(tokens, inside.clone(), "==>").first().cloned()?;
        (at.end < inside.end).then_some(at)
    }

    /// Replaces the quantifier by its condition for an arbitrary number.
    fn stand_for_all(&self, tokens: &mut Tokens, index: usize) {
        tokens.all[index].text = "__extension__ ({".into();
        tokens.all[self.open].text = " ".into();
        tokens.all[self.semicolon].text =
            format!(" = ({})__VERIFIER_nondet_ulong(); (_Bool)(", self.ty).into();
        tokens.all[self.close].text = "); })".into();
        self.count_as_text(tokens, index);
    }

    /// Marks the tokens of the quantifier as text: as brackets, they do not match any more.
    fn count_as_text(&self, tokens: &mut Tokens, index: usize) {
        for at in [index, self.open, self.semicolon, self.close] {
            tokens.all[at].kind = Kind::Text;
        }
    }

    /// Replaces the quantifier by a loop.
    fn write(
        &self,
        tokens: &mut Tokens,
        index: usize,
        all: bool,
        Bounds { least, most: (compare, most) }: &Bounds,
    ) {
        let Quantified { variable, ty, .. } = self;
        let (start, end) = if all { ("1", "0") } else { ("0", "1") };
        let not = if all { "!" } else { "" };
        let is_natural = least.chars().all(|c| c.is_ascii_digit());
        let (ordered, negative) = match is_natural {
            true => (String::new(), String::new()),
            false => (
                format!(" _Static_assert(BEELINE_SIGNED({ty}, {least}), \"a bound without a sign\");"),
                format!("!BEELINE_SIGNED({ty}, {most}) && {variable} < 0 || "),
            ),
        };
        tokens.all[index].text = format!("__extension__ ({{ _Bool beeline_holds = {start};").into();
        tokens.all[self.open].text = " ".into();
        let first = format!("BEELINE_FIRST({ty}, {least})");
        let head = format!(
            ";{ordered} for ({variable} = {first}; {negative}{variable} {compare} ({most}); ) {{ if ({not}("
        );
        tokens.all[self.semicolon].text = head.into();
        let next = format!("if (__builtin_add_overflow({variable}, 1, &{variable})) break;");
        tokens.all[self.close].text =
            format!(")) {{ beeline_holds = {end}; break; }} {next} }} beeline_holds; }})").into();
        self.count_as_text(tokens, index);
    }
}

/// The equivalent comparison with its sides exchanged.
fn mirrored(operator: &str) -> &'static str {
    match operator {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        _ => "<=",
    }
}

/// Some tokens without the parentheses around all of them.
pub(crate) fn bare(tokens: &Tokens, range: Range<usize>) -> Range<usize> {
    let (Some(first), Some(last)) = (tokens.next(range.start), tokens.before(range.end)) else {
        return range;
    };
    match tokens.is(first, "(") && tokens.closing(first) == Some(last) {
        true => bare(tokens, first + 1..last),
        false => range,
    }
}

/// The parts between outermost operators of one kind.
pub(crate) fn split(tokens: &Tokens, range: Range<usize>, operator: &str) -> Vec<Range<usize>> {
    let (mut parts, mut start, mut at) = (Vec::new(), range.start, range.start);
    while at < range.end {
        let token = &tokens.all[at];
        if token.kind == Kind::Mark && ["(", "[", "{"].contains(&&*token.text) {
            at = tokens.closing(at).map_or(range.end, |close| close.min(range.end));
        } else if token.is(operator) {
            parts.push(start..at);
            start = at + 1;
        }
        at += 1;
    }
    parts.push(start..range.end);
    parts
}

/// The conjuncts of a condition.
fn conjuncts(tokens: &Tokens, range: Range<usize>) -> Vec<Range<usize>> {
    let range = bare(tokens, range);
    let weaker = ["||", "?", "==>", ","].iter().any(|other| split(tokens, range.clone(), other).len() > 1);
    let parts = split(tokens, range.clone(), "&&");
    match parts.len() {
        _ if weaker => Vec::new(),
        1 => vec![range],
        _ => parts.into_iter().flat_map(|part| conjuncts(tokens, part)).collect(),
    }
}

/// The comparison that a condition is, with its operator.
fn comparison(tokens: &Tokens, part: Range<usize>) -> Option<(Range<usize>, &'static str, Range<usize>)> {
    ["<=", ">=", "<", ">"].into_iter().find_map(|operator| {
        let parts = split(tokens, part.clone(), operator);
        let [left, right] = &parts[..] else { return None };
        Some((bare(tokens, left.clone()), operator, bare(tokens, right.clone())))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(source: &str) -> String {
        let mut tokens = Tokens::read(source);
        rewrite(&mut tokens).map_or_else(|refusal| refusal.to_string(), |()| tokens.whole())
    }

    #[test]
    fn implications_bind_weaker_than_all_but_choices() {
        assert_eq!(rewritten("f(a || b ==> c && d, e)"), "f((!(a || b ) || ( c && d)), e)");
        assert_eq!(rewritten("return a ==> b ==> c;"), "return (!(a ) || ( (!(b ) || ( c))));");
        assert_eq!(rewritten("x = p ? a ==> b : c;"), "x = p ? (!(a ) || ( b)) : c;");
        assert_eq!(rewritten("(a ==> b) || c"), "((!(a ) || ( b))) || c");
        assert!(rewritten("a <==> b").contains("`<==>` is not supported"));
    }

    #[test]
    fn a_quantifier_ends_the_implication_in_it() {
        let text = rewritten("f(__CPROVER_forall { int i; (i >= 0 && i < n) ==> a[i] == 0 } || b)");
        assert!(text.ends_with("if (!( (!((i >= 0 && i < n) ) || ( a[i] == 0)) )) { beeline_holds = 0; break; } if (__builtin_add_overflow(i, 1, &i)) break; } beeline_holds; }) || b)"), "{text}");
    }

    #[test]
    fn ranges_are_what_the_condition_asks_for_and_nothing_less() {
        let all = |condition: &str| rewritten(&format!("__CPROVER_forall {{ unsigned i; {condition} }}"));
        assert!(all("i < n && p ==> q").contains("for (i = BEELINE_FIRST(unsigned, 0); i < (n); )"));
        assert!(
            all("((3 <= i) && (n >= i)) ==> q").contains("for (i = BEELINE_FIRST(unsigned, 3); i <= (n); )")
        );
        // Beyond such bounds, the condition is not trivial.
        for open in ["i < n || p ==> q", "q", "p ==> i < n", "i < n ? p : q", "!(i < n) ==> q"] {
            assert!(all(open).contains("gives its variable no range"), "{open}");
        }
        // A signed variable may be negative.
        assert!(rewritten("__CPROVER_forall { int i; i < n ==> q }").contains("no range"));
        let some = rewritten("__CPROVER_exists { int i; i >= a && i < b && p[i] }");
        assert!(some.contains("!BEELINE_SIGNED(int, b) && i < 0 || i < (b); ) { if (("), "{some}");
        assert!(rewritten("__CPROVER_exists { int i; i >= a ==> i < b }").contains("no range"));
        assert!(rewritten("__CPROVER_forall { float x; x < y ==> r }").contains("of this form"));
    }
}
