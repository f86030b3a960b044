//! Predicates about memory: `__CPROVER_is_fresh` and the like, and functions of a proof that use them.
//!
//! Where a condition is assumed, such a predicate establishes what it states, as no arbitrary pointer leads
//! to an object. So each function that uses one has a twin for assumptions: it takes a pointer to each
//! parameter that it may redirect, and a flag whether it must hold.

use crate::contract::{About, clauses, needed};
use crate::dialect::Refusal;
use crate::parameter::{Parameter, arguments, typed};
use crate::token::{Kind, Tokens};
use crate::unit::{Function, functions};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The predicate that a pointer points to an object of its own.
const FRESH: &str = "__CPROVER_is_fresh";

/// The predicates of CBMC: name, index of the pointer argument, and function that establishes the predicate.
const KNOWN: [(&str, usize, &str); 3] = [
    (FRESH, 0, "beeline_make_fresh"),
    ("__CPROVER_pointer_equals", 0, "beeline_make_equal"),
    ("__CPROVER_pointer_in_range_dfcc", 1, "beeline_make_in_range"),
];

/// The prefix of the names of twins.
const TWIN: &str = "beeline_make_";
/// The parameter of a twin that says whether it must hold.
const MUST: &str = "beeline_must";

/// A function that uses such predicates.
#[derive(Debug, Clone, Default)]
struct Predicate {
    /// For each parameter, whether the function may redirect it.
    led: Vec<bool>,
    /// Whether it states that something is fresh.
    fresh: bool,
    /// Whether it is a part of a condition that is assumed.
    wanted: bool,
    /// The number of places where it states itself that something is fresh.
    sites: usize,
}

/// The functions of all files that use such predicates, by their names.
#[derive(Debug, Default)]
pub(crate) struct Predicates {
    all: BTreeMap<String, Predicate>,
}

impl Predicates {
    /// Reads the files of a proof. Assumed conditions are the preconditions of functions whose contracts are
    /// checked, and the postconditions of functions that contracts stand for.
    pub(crate) fn read(
        files: &[&Tokens],
        checked: &BTreeSet<String>,
        replaced: &BTreeSet<String>,
    ) -> Predicates {
        let mut predicates = Predicates::default();
        let units: Vec<(&Tokens, Vec<Function>)> =
            files.iter().map(|tokens| (*tokens, functions(tokens))).collect();
        let bodies = || {
            units.iter().flat_map(|(tokens, found)| {
                found.iter().filter_map(|function| Some((*tokens, function, function.body.clone()?)))
            })
        };
        while bodies()
            .fold(false, |grown, (tokens, function, body)| predicates.grow(tokens, function, body) || grown)
        {
        }
        let mut roots = Vec::new();
        for (tokens, function) in
            units.iter().flat_map(|(tokens, found)| found.iter().map(|function| (*tokens, function)))
        {
            for clause in clauses(tokens, function) {
                let set = match clause.about {
                    About::Requires => checked,
                    About::Ensures => replaced,
                    About::Assigns | About::Frees => continue,
                };
                if set.contains(&function.name) {
                    roots.extend(predicates.mentioned(tokens, clause.inside));
                }
            }
        }
        while let Some(name) = roots.pop() {
            let Some(predicate) = predicates.all.get_mut(&name) else { continue };
            if !std::mem::replace(&mut predicate.wanted, true) {
                for (tokens, _, body) in bodies().filter(|(_, function, _)| function.name == name) {
                    roots.extend(predicates.mentioned(tokens, body));
                }
            }
        }
        predicates
    }

    /// Adds the properties of a function that its body shows, and returns whether they are new.
    fn grow(&mut self, tokens: &Tokens, function: &Function, body: Range<usize>) -> bool {
        let names: Vec<Option<String>> = typed(tokens, function)
            .map(|parameters| parameters.into_iter().map(|parameter| parameter.name).collect())
            .unwrap_or_default();
        let mut found = self.all.get(&function.name).cloned();
        for at in body.clone() {
            let Some((led, fresh)) = self.leads(tokens, at) else { continue };
            let found = found
                .get_or_insert_with(|| Predicate { led: vec![false; names.len()], ..Predicate::default() });
            found.fresh |= fresh;
            for (argument, _) in arguments_of(tokens, at).into_iter().zip(led).filter(|(_, led)| *led) {
                let text = tokens.text(crate::quantifier::bare(tokens, argument));
                if let Some(index) = names.iter().position(|name| name.as_deref() == Some(text.as_str())) {
                    found.led[index] = true;
                }
            }
        }
        let Some(mut found) = found else { return false };
        found.sites = sites(tokens, body).len();
        let known = self.all.insert(function.name.clone(), found.clone());
        known.is_none_or(|known| known.led != found.led || known.fresh != found.fresh)
    }

    /// If a token is the name of a predicate that is called: the arguments that it redirects, and whether it
    /// states that something is fresh.
    fn leads(&self, tokens: &Tokens, at: usize) -> Option<(Vec<bool>, bool)> {
        let token = &tokens.all[at];
        let is_called =
            token.kind == Kind::Word && tokens.next(at + 1).is_some_and(|open| tokens.is(open, "("));
        let name = is_called.then_some(&*token.text)?;
        match KNOWN.iter().find(|(known, ..)| *known == name) {
            Some((known, pointer, _)) => {
                Some(((0..3).map(|index| index == *pointer).collect(), *known == FRESH))
            }
            None => self.all.get(name).map(|predicate| (predicate.led.clone(), predicate.fresh)),
        }
    }

    /// The predicates of the proof that some tokens mention.
    fn mentioned(&self, tokens: &Tokens, range: Range<usize>) -> Vec<String> {
        let words = tokens.all[range].iter().filter(|token| token.kind == Kind::Word);
        words.map(|token| token.text.to_string()).filter(|name| self.all.contains_key(name)).collect()
    }

    /// A token of a condition that states that something is fresh.
    pub(crate) fn says_fresh(&self, tokens: &Tokens, range: Range<usize>) -> Option<usize> {
        range.into_iter().find(|&at| self.leads(tokens, at).is_some_and(|(_, fresh)| fresh))
    }

    /// The variables that watch objects which twins make.
    pub(crate) fn watched(&self) -> impl Iterator<Item = String> {
        let wanted = self.all.iter().filter(|(_, predicate)| predicate.wanted);
        wanted.flat_map(|(name, predicate)| (0..predicate.sites).map(move |site| watched(name, site)))
    }

    /// The twins of functions of a file, each with the token after which it is declared or defined.
    pub(crate) fn twins(&self, tokens: &Tokens, found: &[Function]) -> Result<Vec<(usize, String)>, Refusal> {
        let wanted = |function: &&Function| self.all.get(&function.name).is_some_and(|known| known.wanted);
        let twin = |function: &Function| Ok((function.all.end - 1, self.twin(tokens, function)?));
        found.iter().filter(wanted).map(twin).collect()
    }

    fn twin(&self, tokens: &Tokens, function: &Function) -> Result<String, Refusal> {
        let led = &self.all[&function.name].led;
        let parameters = typed(tokens, function)?;
        let one = |(index, Parameter { ty, name }): (usize, &Parameter)| {
            let name = name.clone().unwrap_or_else(|| format!("beeline_{index}"));
            match led.get(index) {
                Some(true) => format!("__typeof__({ty}) *{name}, "),
                _ => format!("{ty} {name}, "),
            }
        };
        let list: String = parameters.iter().enumerate().map(one).collect();
        let head = tokens.text(function.all.start..function.at).replace("extern ", "");
        let head = format!("{head} {TWIN}{}({list}_Bool {MUST})", function.name);
        let Some(body) = &function.body else { return Ok(format!(" {head};")) };
        let names = parameters
            .iter()
            .zip(led)
            .filter(|(_, led)| **led)
            .filter_map(|(parameter, _)| parameter.name.clone());
        let led: BTreeSet<String> = names.collect();
        self.expect_untouched(tokens, std::slice::from_ref(body))?;
        let context = Context {
            owner: &function.name,
            sites: sites(tokens, body.clone()),
            led: &led,
            needed: needed_of(tokens, body),
            must: MUST,
            other: &|_| None,
        };
        let text = self.assumed(tokens, body.clone(), &context);
        let variables = declared((0..context.sites.len()).map(|site| watched(&function.name, site)));
        // A variable with the name of a redirected parameter would be taken for it.
        let strict = "\n#pragma clang diagnostic push\n#pragma clang diagnostic error \"-Wshadow\"\n";
        Ok(format!(
            "{strict}{variables}{}{head} {text}\n#pragma clang diagnostic pop\n",
            tokens.marker(function.at)
        ))
    }

    /// The text of a condition that is assumed.
    pub(crate) fn assumed(&self, tokens: &Tokens, range: Range<usize>, context: &Context<'_>) -> String {
        let mut words = Vec::new();
        let mut at = range.start;
        while at < range.end {
            let token = &tokens.all[at];
            let mut end = at + 1;
            if token.matters() {
                if let Some((text, behind)) = (context.other)(at) {
                    words.push(text);
                    end = behind;
                } else if let Some((text, behind)) = self.call(tokens, at, context) {
                    words.push(text);
                    end = behind;
                } else if token.kind == Kind::Word
                    && context.led.contains(&*token.text)
                    && !is_member(tokens, at)
                {
                    words.push(format!("(*{})", token.text));
                } else {
                    words.push(token.text.to_string());
                }
            }
            at = end;
        }
        words.join(" ")
    }

    /// A call that establishes a predicate, and the end of its tokens.
    fn call(&self, tokens: &Tokens, at: usize, context: &Context<'_>) -> Option<(String, usize)> {
        let (led, _) = self.leads(tokens, at)?;
        let name = &*tokens.all[at].text;
        let known = KNOWN.iter().find(|(known, ..)| *known == name);
        let open = tokens.next(at + 1)?;
        let argument = |(index, argument): (usize, Range<usize>)| {
            let text = self.assumed(tokens, argument, context);
            match (led.get(index), known) {
                (Some(true), Some(_)) => format!("(void **)&({text})"),
                (Some(true), None) => format!("&({text})"),
                _ => format!("({text})"),
            }
        };
        let all = arguments(tokens, open);
        let mut arguments: Vec<String> = all.iter().cloned().enumerate().map(argument).collect();
        let site = context.sites.iter().position(|&site| site == at);
        if let (Some(_), Some(first)) = (site, all.first()) {
            arguments.push(format!("__alignof__(*({}))", self.assumed(tokens, first.clone(), context)));
        }
        arguments.push(if context.needed.contains(&at) { context.must.into() } else { "0".into() });
        if let Some(site) = site {
            arguments.push(watched(context.owner, site));
        }
        let twin = known.map_or_else(|| format!("{TWIN}{name}"), |(_, _, makes)| makes.to_string());
        Some((format!("{twin}({})", arguments.join(", ")), tokens.closing(open)? + 1))
    }

    /// Refuses conditions that compare a pointer before they redirect it, which would change it after the
    /// comparison.
    pub(crate) fn expect_untouched(&self, tokens: &Tokens, ranges: &[Range<usize>]) -> Result<(), Refusal> {
        let all: Vec<usize> =
            ranges.iter().cloned().flatten().filter(|&at| tokens.all[at].matters()).collect();
        for (place, &at) in all.iter().enumerate() {
            let Some((led, _)) = self.leads(tokens, at) else { continue };
            for (argument, _) in arguments_of(tokens, at).into_iter().zip(led).filter(|(_, led)| *led) {
                let bare = crate::quantifier::bare(tokens, argument);
                let pointer: Vec<&str> = words(tokens, bare);
                let before: Vec<&str> = all[..place].iter().map(|&at| &*tokens.all[at].text).collect();
                if is_compared(&before, &pointer) {
                    let what =
                        format!("a comparison of `{}` before `{}`", pointer.join(" "), tokens.all[at].text);
                    return Err(Refusal::at(tokens, at, what));
                }
            }
        }
        Ok(())
    }
}

/// The context of a condition that is assumed.
pub(crate) struct Context<'c> {
    /// The function that it belongs to.
    pub owner: &'c str,
    /// The places where the function states itself that something is fresh.
    pub sites: Vec<usize>,
    /// Parameters that twins take by pointer.
    pub led: &'c BTreeSet<String>,
    /// The calls without which the condition does not hold.
    pub needed: BTreeSet<usize>,
    /// The text of the flag whether the condition itself must hold.
    pub must: &'c str,
    /// The replacement of other tokens, and their end.
    pub other: &'c dyn Fn(usize) -> Option<(String, usize)>,
}

/// The variable that watches the objects which one place of a function makes. Each place has a variable of
/// its own, so that a search for a proof can distinguish these objects.
pub(crate) fn watched(owner: &str, site: usize) -> String {
    format!("beeline_watched_{owner}_{site}")
}

/// Declarations of such variables, which several files may have.
pub(crate) fn declared(names: impl Iterator<Item = String>) -> String {
    names.map(|name| format!("__attribute__((weak)) struct beeline_watched {name}; ")).collect()
}

/// The places where some tokens state themselves that something is fresh.
pub(crate) fn sites(tokens: &Tokens, range: Range<usize>) -> Vec<usize> {
    range.into_iter().filter(|&at| tokens.is(at, FRESH)).collect()
}

/// The arguments of the call that begins at a token.
fn arguments_of(tokens: &Tokens, at: usize) -> Vec<Range<usize>> {
    tokens.next(at + 1).map_or(Vec::new(), |open| arguments(tokens, open))
}

/// The calls on which a function depends whose body only returns a condition.
fn needed_of(tokens: &Tokens, body: &Range<usize>) -> BTreeSet<usize> {
    let first = tokens.next(body.start + 1).filter(|&first| tokens.is(first, "return"));
    let end = first.and_then(|first| (first..body.end).find(|&at| tokens.is(at, ";")));
    let is_all = |end: &usize| tokens.next(end + 1) == Some(body.end - 1);
    let condition = first.zip(end.filter(is_all)).map(|(first, end)| first + 1..end);
    condition.map(|condition| needed(tokens, condition).into_iter().collect()).unwrap_or_default()
}

/// Whether a word is the name of a member.
fn is_member(tokens: &Tokens, at: usize) -> bool {
    tokens.before(at).is_some_and(|before| tokens.is(before, ".") || tokens.is(before, "->"))
}

fn words<'t>(tokens: &'t Tokens, range: Range<usize>) -> Vec<&'t str> {
    let matter = tokens.all[range].iter().filter(|token| token.matters());
    matter.map(|token| &*token.text).collect()
}

/// Whether some tokens compare a pointer with something other than zero.
fn is_compared(tokens: &[&str], pointer: &[&str]) -> bool {
    const COMPARE: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];
    const NULLS: [&[&str]; 3] =
        [&["0"], &["(", "(", "void", "*", ")", "0", ")"], &["(", "void", "*", ")", "0"]];
    let compares = |word: Option<&&str>| word.is_some_and(|word| COMPARE.contains(word));
    (0..tokens.len().saturating_sub(pointer.len().saturating_sub(1))).any(|start| {
        let end = start + pointer.len();
        let (before, behind) = (&tokens[..start], &tokens[end..]);
        tokens[start..end] == *pointer
            && (compares(behind.first()) && !NULLS.iter().any(|null| behind[1..].starts_with(null))
                || compares(before.last())
                    && !NULLS.iter().any(|null| before[..before.len() - 1].ends_with(null)))
    })
}
