//! Wrappers: functions that check another function's contract around a call of it, and functions that stand
//! for another one by its contract alone.

use crate::contract::{About, Clause, Target, What, clauses, needed, targets};
use crate::dialect::{RESULT, Refusal};
use crate::old;
use crate::parameter::typed;
use crate::predicate::{Context, Predicates, declared, sites, watched};
use crate::token::Tokens;
use crate::unit::Function;
use std::collections::BTreeSet;
use std::ops::Range;

/// The name prefix of functions whose contracts are checked.
pub(crate) const REAL: &str = "beeline_real_";
/// The placeholder of what watches a byte.
const WATCHED: &str = "@";
/// Words about the linkage of a function, not its result type.
const STORAGE: [&str; 6] = ["extern", "static", "inline", "__inline", "__inline__", "__extension__"];

/// A function with a contract, as declared in its file.
pub(crate) struct Wrapper<'w> {
    tokens: &'w Tokens<'w>,
    predicates: &'w Predicates,
    function: &'w Function,
    clauses: Vec<Clause>,
    /// Its declaration, with another name.
    head: String,
    /// The type of its result, if it has one.
    result: Option<String>,
    /// The names of its parameters.
    arguments: Vec<String>,
    parameters: String,
    /// The text so far.
    text: String,
    /// The number of places that it stores.
    places: usize,
}

/// The use of a condition.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meant {
    /// It is assumed.
    Assumed,
    /// It is asserted.
    Shown,
}

/// The declaration of a function by another name, without a contract.
pub(crate) fn prototype(tokens: &Tokens, function: &Function, name: &str) -> String {
    let before = tokens.text(function.all.start..function.at);
    let words: Vec<&str> = before
        .split(' ')
        .filter(|word| !["extern", "inline", "__inline", "__inline__"].contains(word))
        .collect();
    format!("{} {name}{}", words.join(" "), tokens.text(function.params.clone()))
}

impl<'w> Wrapper<'w> {
    /// The wrapper of a function.
    pub(crate) fn new(
        tokens: &'w Tokens<'w>,
        predicates: &'w Predicates,
        function: &'w Function,
    ) -> Result<Wrapper<'w>, Refusal> {
        let named: Vec<(String, String)> = typed(tokens, function)?
            .into_iter()
            .enumerate()
            .map(|(index, parameter)| {
                (parameter.ty, parameter.name.unwrap_or_else(|| format!("beeline_{index}")))
            })
            .collect();
        let parameters: Vec<String> = named.iter().map(|(ty, name)| format!("{ty} {name}")).collect();
        let before = tokens.text(function.all.start..function.at);
        let result: Vec<&str> = before.split(' ').filter(|word| !STORAGE.contains(word)).collect();
        let result = result.join(" ");
        let storage = if function.is_static { "static" } else { "" };
        Ok(Wrapper {
            tokens,
            predicates,
            function,
            clauses: clauses(tokens, function),
            head: format!("{storage} {result}"),
            result: (result != "void").then_some(result),
            arguments: named.into_iter().map(|(_, name)| name).collect(),
            parameters: if parameters.is_empty() { "void".into() } else { parameters.join(", ") },
            text: String::new(),
            places: 0,
        })
    }

    /// The wrapper that checks the contract around a call. If the function calls itself, or another function
    /// whose contract is checked, only the first call is checked, as the harness requests.
    pub(crate) fn checking(mut self) -> Result<String, Refusal> {
        let Wrapper { tokens, function, .. } = self;
        let real = format!("{REAL}{}", function.name);
        let call = format!("{real}({})", self.arguments.join(", "));
        let (keep, give) = match self.result.is_some() {
            true => (format!("beeline_result = {call};"), "return beeline_result;"),
            false => (format!("{call};"), "return;"),
        };
        let own = (0..self.sites(About::Requires).len()).map(|site| watched(&function.name, site));
        let watched: Vec<String> = self.predicates.watched().chain(own).collect();
        let variables = declared(watched.iter().cloned());
        self.open(&format!("{variables}{};", prototype(tokens, function, &real)));
        self.text.push_str(&format!(" if (beeline_checking) {{ {keep} {give} }}"));
        self.text.extend(watched.iter().map(|watched| format!(" BEELINE_WATCH_NONE({watched});")));
        self.state(About::Requires, Meant::Assumed)?;
        let ensured = self.conditions(About::Ensures, Meant::Shown)?;
        let (assigned, freed) = self.changed_places()?;
        let all: Vec<&str> = watched.iter().map(String::as_str).chain(["beeline_watched_static"]).collect();
        for (number, watched) in all.iter().enumerate() {
            let [assigned, freed] = [&assigned, &freed].map(|places| places.replace(WATCHED, watched));
            self.text.push_str(&format!(
                " _Bool beeline_may_go_{number} = !BEELINE_WATCHES({watched}){freed}, \
                 beeline_may_{number} = beeline_may_go_{number}{assigned}; \
                 unsigned long long beeline_before_{number} = 0; \
                 if (!beeline_may_{number}) beeline_before_{number} = BEELINE_HELD({watched});"
            ));
        }
        self.text.push_str(&format!(" beeline_checking = 1; {keep} beeline_checking = 0;"));
        let assigns = self.clauses.iter().find(|clause| clause.about == About::Assigns);
        let marker = tokens.marker(assigns.map_or(function.at, |clause| clause.at));
        let kept = |(number, watched): (usize, &&str)| {
            let same = format!("BEELINE_HELD({watched}) == beeline_before_{number}");
            format!(
                "{marker}__CPROVER_assert(beeline_may_{number} || {same}, \"{} assigns\");",
                function.name
            )
        };
        let lives = |(number, watched): (usize, &&str)| {
            let lives = format!("BEELINE_IS_THERE({watched})");
            let name = &function.name;
            format!("{marker}__CPROVER_assert(beeline_may_go_{number} || {lives}, \"{name} frees\");")
        };
        self.text.extend(all.iter().enumerate().map(kept));
        self.text.push_str(&ensured);
        // Native runs cannot decide these: they come last.
        self.text.extend(all.iter().enumerate().map(lives));
        Ok(format!("{} {give} }}", self.text))
    }

    /// What to add to a condition for a function that may assign the byte that replaces [`WATCHED`], and for one that may
    /// free its object.
    fn changed_places(&mut self) -> Result<(String, String), Refusal> {
        let (assigned, freed) = (self.targets(About::Assigns)?.len(), self.targets(About::Frees)?.len());
        let assigns =
            |k| format!(" || beeline_is_{k} && BEELINE_LIES({WATCHED}, beeline_to_{k}, beeline_size_{k})");
        let frees = |k| format!(" || beeline_is_{k} && BEELINE_IS_PART({WATCHED}, beeline_to_{k})");
        Ok(((0..assigned).map(assigns).collect(), (assigned..assigned + freed).map(frees).collect()))
    }

    /// The places where clauses of a kind state that something is fresh.
    fn sites(&self, about: About) -> Vec<usize> {
        let clauses = self.clauses.iter().filter(|clause| clause.about == about);
        clauses.flat_map(|clause| sites(self.tokens, clause.inside.clone())).collect()
    }

    /// The wrapper that stands for the function by its contract.
    pub(crate) fn replacing(mut self) -> Result<String, Refusal> {
        self.open("");
        self.text.push_str(" beeline_seen_size = 0;");
        self.state(About::Requires, Meant::Shown)?;
        self.text.push_str(" beeline_seen_size = 0;");
        let own = (0..self.sites(About::Ensures).len()).map(|site| watched(&self.function.name, site));
        self.text = format!("{} {}", declared(own), self.text);
        let ensured = self.conditions(About::Ensures, Meant::Assumed)?;
        let assigned = self.targets(About::Assigns)?;
        let freed = self.targets(About::Frees)?;
        for (k, target) in assigned.iter().enumerate() {
            let write = match target.what {
                What::Named(_) => format!("BEELINE_ANY(beeline_to_{k});"),
                What::Whole(_) => format!("__CPROVER_havoc_object((void *)beeline_to_{k});"),
                What::From(_) | What::UpTo(..) => {
                    format!("__VERIFIER_nondet_memory((void *)beeline_to_{k}, beeline_size_{k});")
                }
            };
            self.text.push_str(&format!(" if (beeline_is_{k} && beeline_to_{k}) {write}"));
        }
        for k in assigned.len()..assigned.len() + freed.len() {
            let frees = format!(
                " if (beeline_is_{k} && __VERIFIER_nondet_bool()) __builtin_free((void *)beeline_to_{k});"
            );
            self.text.push_str(&frees);
        }
        self.text.push_str(&ensured);
        let give = if self.result.is_some() { "return beeline_result;" } else { "" };
        Ok(format!("{} {give} }}", self.text))
    }

    /// Starts the definition.
    fn open(&mut self, before: &str) {
        let Function { name, at, .. } = self.function;
        let result = self.result.as_ref().map_or(String::new(), |ty| format!("{ty} beeline_result;"));
        let line = self.tokens.marker(*at);
        self.text = format!("{line}{before} {} {name}({}) {{ {result}", self.head, self.parameters);
    }

    /// Adds the conditions of all clauses of a kind.
    fn state(&mut self, about: About, meant: Meant) -> Result<(), Refusal> {
        let conditions = self.conditions(about, meant)?;
        self.text.push_str(&conditions);
        Ok(())
    }

    /// The conditions of all clauses of a kind, each in its line. The old values of their expressions are
    /// stored first.
    fn conditions(&mut self, about: About, meant: Meant) -> Result<String, Refusal> {
        let clauses: Vec<Clause> =
            self.clauses.iter().filter(|clause| clause.about == about).cloned().collect();
        let inside: Vec<Range<usize>> = clauses.iter().map(|clause| clause.inside.clone()).collect();
        if meant == Meant::Assumed {
            self.predicates.expect_untouched(self.tokens, &inside)?;
        }
        let mut text = String::new();
        for clause in clauses {
            let fresh = self.predicates.says_fresh(self.tokens, clause.inside.clone());
            if let Some(at) = fresh.filter(|_| about == About::Ensures && meant == Meant::Shown) {
                let what =
                    format!("`{}` in what a function ensures that is checked", self.tokens.all[at].text);
                return Err(Refusal::at(self.tokens, at, what));
            }
            let condition = self.condition(clause.inside, about, meant);
            let name = &self.function.name;
            let word = &self.tokens.all[clause.at].text;
            let plain = word.trim_start_matches("__CPROVER_");
            text.push_str(&self.tokens.marker(clause.at));
            text.push_str(&match meant {
                Meant::Assumed => format!("__CPROVER_assume({condition});"),
                Meant::Shown => format!("__CPROVER_assert({condition}, \"{name} {plain}\");"),
            });
        }
        Ok(text)
    }

    /// The text of a condition.
    fn condition(&mut self, range: Range<usize>, about: About, meant: Meant) -> String {
        let tokens = self.tokens;
        let olds = old::values(tokens, range.clone());
        for old in &olds {
            self.text.push_str(&tokens.marker(old.at));
            self.text.push_str(&old.stored);
        }
        let old = |at: usize| olds.iter().find(|old| old.at == at);
        let other = |at: usize| match &*tokens.all[at].text {
            RESULT => Some(("beeline_result".to_string(), at + 1)),
            _ if let Some(old) = old(at) => Some((old.variable.clone(), old.end)),
            // An asserted predicate is called as it is.
            text if meant == Meant::Shown => Some((text.to_string(), at + 1)),
            _ => None,
        };
        let needed: BTreeSet<usize> = needed(tokens, range.clone()).into_iter().collect();
        let (owner, sites) = (self.function.name.as_str(), self.sites(about));
        let context = Context { owner, sites, led: &BTreeSet::new(), needed, must: "1", other: &other };
        self.predicates.assumed(tokens, range, &context)
    }

    /// Stores the places in clauses of a kind before the function changes the pointers to them.
    fn targets(&mut self, about: About) -> Result<Vec<Target>, Refusal> {
        let tokens = self.tokens;
        let clauses: Vec<Clause> =
            self.clauses.iter().filter(|clause| clause.about == about).cloned().collect();
        let mut all = Vec::new();
        for clause in clauses {
            let found = targets(tokens, &clause)?;
            self.text.push_str(&tokens.marker(clause.at));
            for target in &found {
                let k = self.places;
                self.places += 1;
                let condition =
                    target.condition.clone().map_or("1".into(), |condition| tokens.text(condition));
                let is = format!(" _Bool beeline_is_{k} = ({condition});");
                let kept = self.place(k, &target.what, about).ok_or_else(|| {
                    Refusal::at(tokens, clause.at, "memory in a list of what a function frees")
                })?;
                self.text.push_str(&is);
                self.text.push(' ');
                self.text.push_str(&kept);
                if about == About::Assigns && matches!(target.what, What::UpTo(..)) {
                    let name = &self.function.name;
                    self.text.push_str(&format!(
                        " __CPROVER_assert(!beeline_to_{k} || (__CPROVER_w_ok)(beeline_to_{k}, beeline_size_{k}), \
                         \"{name} assigns\");"
                    ));
                }
            }
            all.extend(found);
        }
        Ok(all)
    }

    /// The place of a target, stored under a number: its start and its length.
    fn place(&self, k: usize, what: &What, about: About) -> Option<String> {
        let text = |range: &Range<usize>| self.tokens.text(range.clone());
        let bytes = |start: &str, size: &str| {
            format!(
                "const char *beeline_to_{k} = beeline_is_{k} ? (const char *){start} : 0; \
                 __SIZE_TYPE__ beeline_size_{k} = beeline_is_{k} ? {size} : 0;"
            )
        };
        Some(match (what, about) {
            (What::Named(pointer), About::Frees) => {
                format!("const void *beeline_to_{k} = beeline_is_{k} ? ({}) : 0;", text(pointer))
            }
            (_, About::Frees) => return None,
            (What::Named(named), _) => {
                let named = text(named);
                format!(
                    "__typeof__({named}) *beeline_to_{k} = beeline_is_{k} ? &({named}) : 0; \
                     __SIZE_TYPE__ beeline_size_{k} = sizeof({named});"
                )
            }
            (What::Whole(object), _) => {
                let object = text(object);
                let start = format!("({object}) - __CPROVER_POINTER_OFFSET({object})");
                bytes(&start, &format!("(__CPROVER_OBJECT_SIZE)({object})"))
            }
            (What::From(start), _) => {
                let start = text(start);
                let size = format!("(__CPROVER_OBJECT_SIZE)({start}) - __CPROVER_POINTER_OFFSET({start})");
                bytes(&format!("({start})"), &size)
            }
            (What::UpTo(start, size), _) => {
                bytes(&format!("({})", text(start)), &format!("({})", text(size)))
            }
        })
    }
}
