//! Z3 goals: formulas that tactics transform, and the conversion of models back.
#![allow(unsafe_code)] // The safe bindings know neither how a goal converts models nor its clauses.

use std::ffi::CString;
use std::time::Duration;
use z3::Context;
use z3::ast::{Ast, Bool, Dynamic};
use z3_sys::{Z3_goal, Z3_model, Z3_tactic};

/// A tactic by its name, with parameters.
pub(super) type Tactic = (&'static str, &'static [(&'static str, Setting)]);

/// The value of a parameter.
#[derive(Debug, Clone, Copy)]
pub(super) enum Setting {
    /// Whether something is done.
    Bool(bool),
    /// How much is done.
    Number(u32),
}

/// The limits of tactics.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// Steps in Z3's count.
    pub steps: u32,
    /// The time, if it is limited.
    pub time: Option<Duration>,
}

/// Formulas that Z3 may change as long as models can be converted back.
pub(super) struct Goal {
    context: Context,
    goal: Z3_goal,
}

impl Drop for Goal {
    fn drop(&mut self) {
        // SAFETY: the goal was counted when it was taken, and the context still lives.
        unsafe { z3_sys::Z3_goal_dec_ref(self.context.get_z3_context(), self.goal) };
    }
}

impl Goal {
    /// The formulas, unchanged.
    pub(super) fn new(formulas: &[Bool]) -> Option<Goal> {
        let context = Context::thread_local();
        let raw = context.get_z3_context();
        // SAFETY: the goal is counted at once, and formulas of a thread are in its context.
        let goal = unsafe {
            let goal = z3_sys::Z3_mk_goal(raw, true, false, false)?;
            z3_sys::Z3_goal_inc_ref(raw, goal);
            for formula in formulas {
                z3_sys::Z3_goal_assert(raw, goal, formula.get_z3_ast());
            }
            goal
        };
        Some(Goal { context, goal })
    }

    /// Applies tactics in sequence; `None` if they do not end in time with one equisatisfiable goal.
    pub(super) fn apply(&self, tactics: &[Tactic], bounds: &Bounds) -> Option<Goal> {
        let mut context = self.context.clone();
        let raw = context.get_z3_context();
        let mut chain = Chain::new(&context, tactics)?;
        if let Some(time) = bounds.time {
            chain = chain.within(time)?;
        }
        // Tactics take this limit only from here. Solvers get their own limits.
        context.update_param_value("rlimit", &bounds.steps.max(1).to_string());
        // SAFETY: the chain and the goal are of this context and counted.
        let result = unsafe { z3_sys::Z3_tactic_apply(raw, chain.tactic, self.goal) };
        context.update_param_value("rlimit", "0");
        // SAFETY: the result is counted before it is read, and its only goal before the result goes.
        let goal = unsafe {
            let result = result?;
            z3_sys::Z3_apply_result_inc_ref(raw, result);
            let goal = match z3_sys::Z3_apply_result_get_num_subgoals(raw, result) {
                1 => z3_sys::Z3_apply_result_get_subgoal(raw, result, 0),
                _ => None,
            };
            if let Some(goal) = goal {
                z3_sys::Z3_goal_inc_ref(raw, goal);
            }
            z3_sys::Z3_apply_result_dec_ref(raw, result);
            goal?
        };
        let goal = Goal { context, goal };
        // SAFETY: the goal is of this context and counted.
        let precision = unsafe { z3_sys::Z3_goal_precision(raw, goal.goal) };
        (precision == z3_sys::GoalPrec::Precise).then_some(goal)
    }

    /// Its formulas.
    pub(super) fn formulas(&self) -> Vec<Bool> {
        let raw = self.context.get_z3_context();
        // SAFETY: only formulas that the goal has are asked for; each is counted at once.
        unsafe {
            let size = z3_sys::Z3_goal_size(raw, self.goal);
            let formula = |index| z3_sys::Z3_goal_formula(raw, self.goal, index);
            (0..size).filter_map(formula).map(|formula| Bool::wrap(&self.context, formula)).collect()
        }
    }

    /// Converts values of the constants of this goal to a model of the goal that it was made from.
    pub(super) fn convert_model(
        &self,
        values: &[(Dynamic, Dynamic)],
        wanted: &[Dynamic],
    ) -> Option<z3::Model> {
        let raw = self.context.get_z3_context();
        let own = RawModel::new(&self.context)?;
        for (constant, value) in values {
            own.set(constant, value)?;
        }
        // SAFETY: the goal and the model are of this context; what comes back is counted at once.
        let converted = unsafe {
            let converted = z3_sys::Z3_goal_convert_model(raw, self.goal, own.model)?;
            z3_sys::Z3_model_inc_ref(raw, converted);
            RawModel { context: self.context.clone(), model: converted }
        };
        let model = z3::Model::new();
        for constant in wanted {
            model.add_const_interp(&constant.decl(), &converted.value(constant)?);
        }
        Some(model)
    }
}

/// A sequence of tactics.
struct Chain {
    context: Context,
    tactic: Z3_tactic,
}

impl Drop for Chain {
    fn drop(&mut self) {
        // SAFETY: the tactic was counted when it was made.
        unsafe { z3_sys::Z3_tactic_dec_ref(self.context.get_z3_context(), self.tactic) };
    }
}

impl Chain {
    fn new(context: &Context, tactics: &[Tactic]) -> Option<Chain> {
        let mut chain: Option<Chain> = None;
        for (name, settings) in tactics {
            let next = Chain::one(context, name, settings)?;
            chain = Some(match chain {
                None => next,
                Some(before) => before.then(&next)?,
            });
        }
        chain
    }

    /// Takes over a tactic that was just made.
    ///
    /// # Safety
    /// It must be one of the context.
    unsafe fn of(context: &Context, tactic: Z3_tactic) -> Chain {
        // SAFETY: as the caller says.
        unsafe { z3_sys::Z3_tactic_inc_ref(context.get_z3_context(), tactic) };
        Chain { context: context.clone(), tactic }
    }

    fn one(context: &Context, name: &str, settings: &[(&str, Setting)]) -> Option<Chain> {
        let raw = context.get_z3_context();
        let name = CString::new(name).ok()?;
        // SAFETY: the name lives as long as the call; what is made is counted at once.
        let plain = unsafe { Chain::of(context, z3_sys::Z3_mk_tactic(raw, name.as_ptr())?) };
        if settings.is_empty() {
            return Some(plain);
        }
        let params = Params::new(context)?;
        for &(name, value) in settings {
            params.set(name, value)?;
        }
        // SAFETY: both are of this context and counted.
        unsafe {
            let tactic = z3_sys::Z3_tactic_using_params(raw, plain.tactic, params.params)?;
            Some(Chain::of(context, tactic))
        }
    }

    fn then(&self, next: &Chain) -> Option<Chain> {
        // SAFETY: both are of this context and counted.
        unsafe {
            let raw = self.context.get_z3_context();
            let tactic = z3_sys::Z3_tactic_and_then(raw, self.tactic, next.tactic)?;
            Some(Chain::of(&self.context, tactic))
        }
    }

    fn within(&self, time: Duration) -> Option<Chain> {
        let milliseconds = time.as_millis().clamp(1, 1 << 30) as u32;
        // SAFETY: the tactic is of this context and counted.
        unsafe {
            let tactic = z3_sys::Z3_tactic_try_for(self.context.get_z3_context(), self.tactic, milliseconds)?;
            Some(Chain::of(&self.context, tactic))
        }
    }
}

/// Parameters of tactics.
struct Params {
    context: Context,
    params: z3_sys::Z3_params,
}

impl Drop for Params {
    fn drop(&mut self) {
        // SAFETY: they were counted when they were made.
        unsafe { z3_sys::Z3_params_dec_ref(self.context.get_z3_context(), self.params) };
    }
}

impl Params {
    fn new(context: &Context) -> Option<Params> {
        let raw = context.get_z3_context();
        // SAFETY: what is made is counted at once.
        let params = unsafe {
            let params = z3_sys::Z3_mk_params(raw)?;
            z3_sys::Z3_params_inc_ref(raw, params);
            params
        };
        Some(Params { context: context.clone(), params })
    }

    fn symbol(&self, name: &str) -> Option<z3_sys::Z3_symbol> {
        let name = CString::new(name).ok()?;
        // SAFETY: the name lives as long as the call; symbols live as long as their context.
        unsafe { z3_sys::Z3_mk_string_symbol(self.context.get_z3_context(), name.as_ptr()) }
    }

    fn set(&self, name: &str, value: Setting) -> Option<()> {
        let name = self.symbol(name)?;
        let raw = self.context.get_z3_context();
        // SAFETY: both are of this context.
        unsafe {
            match value {
                Setting::Bool(value) => z3_sys::Z3_params_set_bool(raw, self.params, name, value),
                Setting::Number(value) => z3_sys::Z3_params_set_uint(raw, self.params, name, value),
            }
        }
        Some(())
    }
}

/// A model that the safe bindings cannot hold.
struct RawModel {
    context: Context,
    model: Z3_model,
}

impl Drop for RawModel {
    fn drop(&mut self) {
        // SAFETY: the model was counted when it was taken.
        unsafe { z3_sys::Z3_model_dec_ref(self.context.get_z3_context(), self.model) };
    }
}

impl RawModel {
    fn new(context: &Context) -> Option<RawModel> {
        let raw = context.get_z3_context();
        // SAFETY: what is made is counted at once.
        let model = unsafe {
            let model = z3_sys::Z3_mk_model(raw)?;
            z3_sys::Z3_model_inc_ref(raw, model);
            model
        };
        Some(RawModel { context: context.clone(), model })
    }

    /// Gives a constant a value of the same sort.
    fn set(&self, constant: &Dynamic, value: &Dynamic) -> Option<()> {
        let raw = self.context.get_z3_context();
        if constant.get_sort() != value.get_sort() || !constant.is_const() {
            return None;
        }
        // SAFETY: a constant is an application without arguments, and its sort is that of the value.
        unsafe {
            let app = z3_sys::Z3_to_app(raw, constant.get_z3_ast())?;
            let decl = z3_sys::Z3_get_app_decl(raw, app)?;
            z3_sys::Z3_add_const_interp(raw, self.model, decl, value.get_z3_ast());
        }
        Some(())
    }

    /// The value of a term. Anything that the model leaves open gets some value.
    fn value(&self, term: &Dynamic) -> Option<Dynamic> {
        let raw = self.context.get_z3_context();
        let mut value = term.get_z3_ast();
        // SAFETY: the term is of this context, and what comes back is counted at once.
        unsafe {
            z3_sys::Z3_model_eval(raw, self.model, term.get_z3_ast(), true, &raw mut value)
                .then(|| Dynamic::wrap(&self.context, value))
        }
    }
}
