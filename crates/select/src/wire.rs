//! The encoding of a selector as the body of a `.sel` file.

use crate::{Model, Selector};
use beeline_ir::file::{Body, Decoder, Encoder, Kind, Version, Wire, WireError};

impl Body for Selector {
    const KIND: Kind = Kind::Sel;
    const VERSION: Version = Version { major: 1, minor: 0 };

    fn encode_body(&self, out: &mut Encoder) -> Result<(), WireError> {
        self.well_formed().map_err(WireError::new)?;
        let Selector { features, plans, model, card } = self;
        features.encode(out);
        plans.encode(out);
        model.encode(out);
        card.encode(out);
        Ok(())
    }

    fn decode_body(input: &mut Decoder<'_>, _: Version) -> Result<Selector, WireError> {
        let selector = Selector {
            features: Wire::decode(input)?,
            plans: Wire::decode(input)?,
            model: Wire::decode(input)?,
            card: Wire::decode(input)?,
        };
        selector.well_formed().map_err(WireError::new)?;
        Ok(selector)
    }
}

impl Selector {
    /// Reports references of the model to missing parts.
    pub fn well_formed(&self) -> Result<(), String> {
        let (features, plans) = (self.features.len(), self.plans.len());
        if plans == 0 {
            return Err("it has no plan".into());
        }
        match &self.model {
            Model::Always(plan) if (*plan as usize) < plans => Ok(()),
            Model::Always(_) => Err("it chooses a plan that does not exist".into()),
            Model::Tree(tree) => tree.well_formed(features, Some(plans)),
            Model::Votes(trees) if trees.is_empty() => Err("nobody votes".into()),
            Model::Votes(trees) => trees.iter().try_for_each(|tree| tree.well_formed(features, Some(plans))),
            Model::Costs(trees) if trees.len() != plans => {
                Err("the number of costs differs from the number of plans".into())
            }
            Model::Costs(trees) => trees.iter().try_for_each(|tree| tree.well_formed(features, None)),
        }
    }
}
