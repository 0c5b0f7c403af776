//! From the tables of a file to its layer.

use super::cursor::Cursor;
use super::lists::read_retiming;
use super::tables::{NONE, SpecEntry, Tables, missing};
use super::values::{Rep, numbers, types, words};
use crate::blob::Blob;
use crate::scene::Budget;
use crate::usd::spec::{
    AttributeSpec, Layer, MOST_ATTRIBUTES, MOST_PRIMS, Metadata, PrimSpec, Raw, Retiming,
};
use crate::usd::spec::{Specifier, Values};
use crate::{FormatError, Problem};
use std::collections::HashMap;
use std::sync::Arc;

const ATTRIBUTE: i64 = 1;
const PRIM: i64 = 6;
const ROOT: i64 = 7;
const RELATIONSHIP: i64 = 8;
const VARIANT: i64 = 10;

pub(super) struct Reader<'a> {
    pub blob: &'a Blob,
    pub tables: &'a Tables,
    pub budget: Budget,
    metadata: Metadata,
    prims: Vec<PrimSpec>,
    /// The prim at a path, by number.
    of_path: Vec<u32>,
}

pub(in crate::usd) fn read_layer(blob: Blob) -> Result<Layer, FormatError> {
    let (tables, specs) = Tables::read(&blob)?;
    let mut reader = Reader {
        blob: &blob,
        tables: &tables,
        budget: Budget::for_file(blob.len()),
        metadata: Metadata::default(),
        prims: vec![PrimSpec::default()],
        of_path: vec![NONE; tables.paths.len()],
    };
    reader.plant(&specs)?;
    for spec in &specs {
        match spec.kind {
            PRIM | VARIANT => reader.read_prim(spec)?,
            ROOT => reader.read_root(spec)?,
            ATTRIBUTE => reader.read_attribute(spec)?,
            RELATIONSHIP => reader.read_relationship(spec)?,
            _ => {}
        }
    }
    reader.join(&specs)?;
    let (metadata, prims) = (reader.metadata, reader.prims);
    Ok(Layer::new(Values { blob, tables: Some(Arc::new(tables)) }, metadata, prims))
}

impl Reader<'_> {
    /// A place for every prim and variant.
    fn plant(&mut self, specs: &[SpecEntry]) -> Result<(), FormatError> {
        for spec in specs {
            let place = &mut self.of_path[spec.path as usize];
            if spec.kind == ROOT {
                *place = 0;
            } else if (spec.kind == PRIM || spec.kind == VARIANT) && *place == NONE {
                if self.prims.len() == MOST_PRIMS {
                    return Err(FormatError::whole_file(Problem::TooLarge { what: "prims" }));
                }
                *place = self.prims.len() as u32;
                let token = self.tables.paths[spec.path as usize].token;
                let name = self.tables.token(token.into())?.to_owned();
                self.prims.push(PrimSpec { name, ..PrimSpec::default() });
            }
        }
        Ok(())
    }

    /// Each prim below the one above it, in the order the file gives.
    fn join(&mut self, specs: &[SpecEntry]) -> Result<(), FormatError> {
        let mut is_joined = vec![false; self.prims.len()];
        for spec in specs {
            let path = self.tables.paths[spec.path as usize];
            let prim = self.of_path[spec.path as usize];
            if !(spec.kind == PRIM || spec.kind == VARIANT) || path.parent == NONE {
                continue;
            }
            let parent = self.of_path[path.parent as usize];
            if parent == NONE || std::mem::replace(&mut is_joined[prim as usize], true) {
                continue;
            }
            let name = self.prims[prim as usize].name.clone();
            let variant = name.strip_prefix('{').and_then(|name| name.strip_suffix('}')?.split_once('='));
            match variant {
                Some((set, name)) => {
                    let variant = (set.to_owned(), name.to_owned(), prim);
                    self.prims[parent as usize].variants.push(variant);
                }
                None => self.prims[parent as usize].children.push(prim),
            }
        }
        for spec in specs.iter().filter(|spec| matches!(spec.kind, PRIM | VARIANT | ROOT)) {
            self.sort_children(spec)?;
        }
        Ok(())
    }

    fn sort_children(&mut self, spec: &SpecEntry) -> Result<(), FormatError> {
        let fields = self.fields(spec)?;
        let Some((_, rep)) = fields.iter().find(|(name, _)| name == "primChildren") else {
            return Ok(());
        };
        let order = words(self.blob, self.tables, *rep)?;
        self.budget.take("names of prims", order.len() as u64, 64)?;
        let order: HashMap<&str, usize> =
            order.iter().enumerate().map(|(i, name)| (name.as_str(), i)).collect();
        let mut children =
            std::mem::take(&mut self.prims[self.of_path[spec.path as usize] as usize].children);
        children
            .sort_by_key(|c| order.get(self.prims[*c as usize].name.as_str()).copied().unwrap_or(usize::MAX));
        self.prims[self.of_path[spec.path as usize] as usize].children = children;
        Ok(())
    }

    /// The names and values of a spec. Sets of fields are shared, so what they sum up to is bounded here.
    fn fields(&mut self, spec: &SpecEntry) -> Result<Vec<(String, u64)>, FormatError> {
        let from = self.tables.fieldsets.get(spec.fieldset as usize..).unwrap_or_default();
        let mut fields = Vec::new();
        for &field in from.iter().take_while(|field| **field != NONE) {
            let &(token, value) = self
                .tables
                .fields
                .get(field as usize)
                .ok_or_else(|| missing("field", field.into(), self.tables.fields.len()))?;
            let name = self.tables.token(token.into())?;
            // A long name is none that matters.
            self.budget.take("fields", 1, 8)?;
            fields.push((name.get(..name.len().min(64)).unwrap_or_default().to_owned(), value));
        }
        Ok(fields)
    }

    fn word(&self, rep: u64) -> Result<Option<String>, FormatError> {
        Ok(words(self.blob, self.tables, rep)?.into_iter().next())
    }

    fn number(&self, rep: u64) -> Result<Option<f64>, FormatError> {
        Ok(numbers(self.blob, self.tables, rep)?.first().copied())
    }

    fn flag(&self, rep: u64) -> Option<bool> {
        let rep = Rep::new(rep);
        (rep.kind == types::BOOL).then_some(rep.payload != 0)
    }

    fn read_root(&mut self, spec: &SpecEntry) -> Result<(), FormatError> {
        for (name, rep) in self.fields(spec)? {
            match name.as_str() {
                "upAxis" => self.metadata.up_axis = self.word(rep)?,
                "defaultPrim" => self.metadata.default_prim = self.word(rep)?,
                "metersPerUnit" => self.metadata.metres_per_unit = self.number(rep)?,
                "timeCodesPerSecond" => self.metadata.codes_per_second = self.number(rep)?,
                "framesPerSecond" => self.metadata.frames_per_second = self.number(rep)?,
                "startTimeCode" => self.metadata.start = self.number(rep)?,
                "endTimeCode" => self.metadata.end = self.number(rep)?,
                "subLayers" => {
                    let names = words(self.blob, self.tables, rep)?;
                    self.metadata.sublayers = names.into_iter().map(|name| (name, Retiming::NONE)).collect();
                }
                _ => {}
            }
        }
        // The offsets go with the names, whichever come first.
        for (name, rep) in self.fields(spec)? {
            if name == "subLayerOffsets" {
                let mut cursor = Cursor::new(self.blob, Rep::new(rep).payload);
                let count = cursor.u64("sublayers")?;
                for (_, retiming) in self.metadata.sublayers.iter_mut().take(count as usize) {
                    *retiming = read_retiming(&mut cursor)?;
                }
            }
        }
        Ok(())
    }

    fn read_prim(&mut self, spec: &SpecEntry) -> Result<(), FormatError> {
        let mut prim = std::mem::take(&mut self.prims[self.of_path[spec.path as usize] as usize]);
        for (name, bits) in self.fields(spec)? {
            let rep = Rep::new(bits);
            match name.as_str() {
                "specifier" => {
                    prim.specifier = match rep.payload {
                        0 => Specifier::Def,
                        2 => Specifier::Class,
                        _ => Specifier::Over,
                    }
                }
                "typeName" => prim.type_name = self.word(bits)?.unwrap_or_default(),
                "references" => {
                    prim.references = self.list(rep, |reader, cursor| reader.reference(cursor, true))?;
                }
                "payload" if rep.kind == types::PAYLOAD => {
                    prim.payloads = vec![self.reference(&mut Cursor::new(self.blob, rep.payload), false)?];
                }
                "payload" => {
                    prim.payloads = self.list(rep, |reader, cursor| reader.reference(cursor, false))?;
                }
                "inheritPaths" | "specializes" => prim.inherits.extend(self.list(rep, Self::path)?),
                "variantSelection" => {
                    let mut cursor = Cursor::new(self.blob, rep.payload);
                    for _ in 0..cursor.u64("variants")? {
                        let [set, name] = [cursor.u32("variants")?, cursor.u32("variants")?];
                        let [set, name] = [self.tables.string(set.into())?, self.tables.string(name.into())?];
                        self.budget.take("variants", 1, 64)?;
                        prim.selections.push((set.to_owned(), name.to_owned()));
                    }
                }
                "active" => prim.active = self.flag(bits),
                "instanceable" => prim.instanceable = self.flag(bits),
                "clips" => prim.has_clips = true,
                _ => {}
            }
        }
        self.prims[self.of_path[spec.path as usize] as usize] = prim;
        Ok(())
    }

    /// The prim a property belongs to, and the name of the property.
    fn owner(&self, spec: &SpecEntry) -> Result<Option<(u32, String)>, FormatError> {
        let path = self.tables.paths[spec.path as usize];
        if path.parent == NONE || !path.is_property {
            return Ok(None);
        }
        let owner = self.of_path[path.parent as usize];
        let name = self.tables.token(path.token.into())?.to_owned();
        Ok((owner != NONE).then_some((owner, name)))
    }

    fn read_attribute(&mut self, spec: &SpecEntry) -> Result<(), FormatError> {
        let Some((owner, name)) = self.owner(spec)? else {
            return Ok(());
        };
        let mut attribute = AttributeSpec { name, ..AttributeSpec::default() };
        for (name, bits) in self.fields(spec)? {
            match name.as_str() {
                "typeName" => attribute.type_name = self.word(bits)?.unwrap_or_default(),
                "default" => attribute.value = Some(raw(bits)),
                "interpolation" => attribute.interpolation = self.word(bits)?,
                "timeSamples" => attribute.samples = self.read_samples(Rep::new(bits))?,
                _ => {}
            }
        }
        self.budget.take("attributes", 1, size_of::<AttributeSpec>() as u64)?;
        let attributes = &mut self.prims[owner as usize].attributes;
        if attributes.len() == MOST_ATTRIBUTES {
            return Err(FormatError::whole_file(Problem::TooLarge { what: "attributes of a prim" }));
        }
        attributes.push(attribute);
        Ok(())
    }

    fn read_samples(&mut self, rep: Rep) -> Result<Vec<(f64, Raw)>, FormatError> {
        let mut cursor = Cursor::new(self.blob, rep.payload);
        cursor.follow("the times of values")?;
        let times = numbers(self.blob, self.tables, cursor.u64("the times of values")?)?;
        cursor.follow("values over time")?;
        let count = cursor.u64("values over time")?;
        if count != times.len() as u64 {
            let (announced, found) = (times.len(), usize::try_from(count).unwrap_or(usize::MAX));
            let problem = Problem::WrongCount { what: "values over time", announced, found };
            return Err(FormatError::whole_file(problem));
        }
        let bytes = cursor.bytes(count.saturating_mul(8), "values over time")?;
        self.budget.take("values over time", count, size_of::<(f64, Raw)>() as u64)?;
        if let Some(time) = times.iter().find(|time| !time.is_finite()) {
            return Err(FormatError::whole_file(Problem::NotFinite(format!("a time of {time}"))));
        }
        let (values, _) = bytes.as_chunks::<8>();
        let mut samples: Vec<(f64, Raw)> =
            times.into_iter().zip(values.iter().map(|value| raw(u64::from_le_bytes(*value)))).collect();
        samples.sort_by(|a, b| a.0.total_cmp(&b.0));
        Ok(samples)
    }

    fn read_relationship(&mut self, spec: &SpecEntry) -> Result<(), FormatError> {
        let Some((owner, name)) = self.owner(spec)? else {
            return Ok(());
        };
        let mut targets = Vec::new();
        for (name, bits) in self.fields(spec)? {
            if name == "targetPaths" {
                targets = self.list(Rep::new(bits), Self::path)?;
            }
        }
        self.prims[owner as usize].relationships.push((name, targets));
        Ok(())
    }
}

fn raw(bits: u64) -> Raw {
    if Rep::new(bits).kind == types::BLOCK { Raw::Blocked } else { Raw::Binary(bits) }
}
