//! The tree of prims: one statement after the other, with a stack of the brackets that are open.

use super::metadata::{read_arcs, read_entries, read_interpolation, read_of_layer, read_of_prim};
use super::scanner::Scanner;
use crate::blob::Blob;
use crate::usd::spec::{
    AttributeSpec, Layer, MOST_ATTRIBUTES, MOST_PRIMS, Metadata, PrimSpec, Raw, Specifier, Values,
};
use crate::{FormatError, Problem};

/// A bracket that is open.
enum Scope {
    Prim(u32),
    /// The variants of a set of a prim.
    Set(u32, String),
}

struct Reader {
    scanner: Scanner,
    blob: Blob,
    prims: Vec<PrimSpec>,
    scopes: Vec<Scope>,
}

pub(in crate::usd) fn read_layer(blob: Blob) -> Result<Layer, FormatError> {
    let mut scanner = Scanner::new(blob.clone());
    // The first line is a comment.
    let metadata = match scanner.skip_space()? {
        Some(b'(') => read_of_layer(&mut scanner, &blob)?,
        _ => Metadata::default(),
    };
    let mut reader = Reader { scanner, blob, prims: vec![PrimSpec::default()], scopes: vec![Scope::Prim(0)] };
    while reader.read_statement()? {}
    let values = Values { blob: reader.blob, tables: None };
    Ok(Layer::new(values, metadata, reader.prims))
}

impl Reader {
    /// Whether there is more.
    fn read_statement(&mut self) -> Result<bool, FormatError> {
        match self.scanner.skip_space()? {
            None if self.scopes.len() == 1 => return Ok(false),
            None => return Err(self.scanner.unexpected("the } that closes a prim")),
            Some(b'}') if self.scopes.len() > 1 => {
                self.scanner.next()?;
                self.scopes.pop();
                return Ok(true);
            }
            Some(_) => {}
        }
        match self.scopes.last() {
            Some(Scope::Set(prim, set)) => {
                let (prim, set) = (*prim, set.clone());
                self.read_variant(prim, set)?;
            }
            Some(&Scope::Prim(prim)) => self.read_of_prim(prim)?,
            None => {}
        }
        Ok(true)
    }

    fn add_prim(&mut self, spec: PrimSpec) -> Result<u32, FormatError> {
        if self.prims.len() == MOST_PRIMS {
            return Err(self.scanner.error(Problem::TooLarge { what: "prims" }));
        }
        self.prims.push(spec);
        Ok((self.prims.len() - 1) as u32)
    }

    fn read_variant(&mut self, prim: u32, set: String) -> Result<(), FormatError> {
        let name = self.scanner.string()?;
        let mut spec = PrimSpec { name: name.clone(), ..PrimSpec::default() };
        if self.scanner.skip_space()? == Some(b'(') {
            read_of_prim(&mut self.scanner, &self.blob, &mut spec)?;
        }
        self.scanner.expect(b'{')?;
        let variant = self.add_prim(spec)?;
        self.prims[prim as usize].variants.push((set, name, variant));
        self.scopes.push(Scope::Prim(variant));
        Ok(())
    }

    fn read_of_prim(&mut self, prim: u32) -> Result<(), FormatError> {
        let mut word = self.scanner.word()?;
        match word.as_str() {
            "def" => return self.read_prim(prim, Specifier::Def),
            "over" => return self.read_prim(prim, Specifier::Over),
            "class" => return self.read_prim(prim, Specifier::Class),
            "variantSet" => {
                let set = self.scanner.string()?;
                self.scanner.expect(b'=')?;
                self.scanner.expect(b'{')?;
                self.scopes.push(Scope::Set(prim, set));
                return Ok(());
            }
            "reorder" => {
                self.scanner.word()?;
                self.scanner.expect(b'=')?;
                self.scanner.value()?;
                return Ok(());
            }
            "" => return Err(self.scanner.unexpected("a prim, an attribute or the closing bracket")),
            _ => {}
        }
        let mut is_deleted = false;
        while matches!(
            word.as_str(),
            "custom" | "uniform" | "varying" | "config" | "prepend" | "append" | "add"
        ) || word == "delete"
        {
            is_deleted |= word == "delete";
            word = self.scanner.word()?;
        }
        if word == "rel" { self.read_relationship(prim, is_deleted) } else { self.read_attribute(prim, word) }
    }

    fn read_prim(&mut self, parent: u32, specifier: Specifier) -> Result<(), FormatError> {
        let type_name = self.scanner.word()?;
        let name = self.scanner.string()?;
        let mut spec = PrimSpec { name, specifier, type_name, ..PrimSpec::default() };
        if self.scanner.skip_space()? == Some(b'(') {
            read_of_prim(&mut self.scanner, &self.blob, &mut spec)?;
        }
        self.scanner.expect(b'{')?;
        let prim = self.add_prim(spec)?;
        self.prims[parent as usize].children.push(prim);
        self.scopes.push(Scope::Prim(prim));
        Ok(())
    }

    fn read_relationship(&mut self, prim: u32, is_deleted: bool) -> Result<(), FormatError> {
        let name = self.scanner.word()?;
        let mut targets = Vec::new();
        if self.scanner.takes(b'=')? {
            let raw = self.scanner.value()?;
            targets = read_arcs(&self.blob, &raw)?.into_iter().map(|arc| arc.prim).collect();
        }
        if self.scanner.skip_space()? == Some(b'(') {
            read_entries(&mut self.scanner, &mut |_, _| Ok(()))?;
        }
        if !is_deleted {
            self.prims[prim as usize].relationships.push((name, targets));
        }
        Ok(())
    }

    fn read_attribute(&mut self, prim: u32, mut type_name: String) -> Result<(), FormatError> {
        if self.scanner.takes(b'[')? {
            self.scanner.expect(b']')?;
            type_name.push_str("[]");
        }
        let word = self.scanner.word()?;
        if word.is_empty() {
            return Err(self.scanner.unexpected("the name of an attribute"));
        }
        let (name, part) = word.split_once('.').unwrap_or((&word, ""));
        let mut value = None;
        let mut samples = Vec::new();
        if self.scanner.takes(b'=')? {
            match part {
                "timeSamples" => samples = self.read_samples()?,
                "" => value = Some(self.scanner.value()?),
                _ => drop(self.scanner.value()?),
            }
        }
        let interpolation = match self.scanner.skip_space()? {
            Some(b'(') => read_interpolation(&mut self.scanner, &self.blob)?,
            _ => None,
        };
        // The value and the samples of one attribute come as two statements, usually one after the other.
        let attributes = &mut self.prims[prim as usize].attributes;
        let recent = attributes.len().saturating_sub(8);
        let known = attributes[recent..].iter().position(|known| known.name == name);
        let spec = match known {
            Some(at) => &mut attributes[recent + at],
            None if attributes.len() == MOST_ATTRIBUTES => {
                return Err(self.scanner.error(Problem::TooLarge { what: "attributes of a prim" }));
            }
            None => {
                attributes.push(AttributeSpec {
                    name: name.to_owned(),
                    type_name,
                    ..AttributeSpec::default()
                });
                let last = attributes.len() - 1;
                &mut attributes[last]
            }
        };
        spec.value = value.or(spec.value);
        spec.interpolation = interpolation.or(spec.interpolation.take());
        if !samples.is_empty() {
            spec.samples = samples;
        }
        Ok(())
    }

    fn read_samples(&mut self) -> Result<Vec<(f64, Raw)>, FormatError> {
        self.scanner.expect(b'{')?;
        let mut samples: Vec<(f64, Raw)> = Vec::new();
        loop {
            if self.scanner.skip_space()? == Some(b'}') {
                self.scanner.next()?;
                samples.sort_by(|a, b| a.0.total_cmp(&b.0));
                return Ok(samples);
            }
            let word = self.scanner.number_word()?;
            let time: f64 = match word.parse() {
                Ok(time) if f64::is_finite(time) => time,
                _ => return Err(self.scanner.error(Problem::expected("the time of a value", &word))),
            };
            self.scanner.expect(b':')?;
            samples.push((time, self.scanner.value()?));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(text: &str) -> Layer {
        read_layer(Blob::memory(text.as_bytes().to_vec())).unwrap()
    }

    #[test]
    fn statements_of_every_form() {
        let layer = layer(
            "#usda 1.0\n(\n \"a comment\"\n doc = \"\"\"three \"quotes\" \n lines\"\"\"\n upAxis = \"Z\"\n metersPerUnit = 0.01\n\
             customLayerData = { string a = \"}\"; dictionary b = { int c = 1 } }\n subLayers = [ @a.usda@, @b.usda@ (offset = 2; scale = 3) ]\n)\n\
             def Xform \"root\" (\n prepend references = [ @x.usdc@</x>, </y> (offset = 1), @z@ ]\n variants = { string v = \"one\" }\n active = false ; kind = \"component\"\n)\n{\n\
             custom uniform token[] xformOpOrder = [\"xformOp:translate\", 'b'] # not ]\n\
             double3 xformOp:translate.timeSamples = { 1: (0, 1, 2), 0.5 : None, }\n\
             point3f[] points = [(1, 2e0, -3), (inf, 0, 0)] (\n interpolation = \"vertex\"\n )\n point3f[] points.timeSamples = { 3: [] }\n\
             prepend rel material:binding = </m/red>\n rel many = [ </a>, <../b> ] ( bindMaterialAs = \"x\" )\n float a.connect = </b.c>\n float lone\n\
             variantSet \"v\" = { \"one\" { over \"child\" { int x = 3 } } \"two\" ( active = true ) { } }\n reorder nameChildren = [\"b\", \"a\"]\n\
             over \"child\" {}\n}\n",
        );
        let metadata = &layer.metadata;
        assert_eq!((metadata.up_axis.as_deref(), metadata.metres_per_unit), (Some("Z"), Some(0.01)));
        assert_eq!(metadata.sublayers[1].1.apply(1.0), 5.0);
        let root = &layer.prims[layer.child(0, "root").unwrap() as usize];
        assert_eq!(
            (root.specifier, root.type_name.as_str(), root.active),
            (Specifier::Def, "Xform", Some(false))
        );
        let arcs: Vec<_> =
            root.references.iter().map(|arc| (arc.asset.as_str(), arc.prim.as_str())).collect();
        assert_eq!(arcs, [("x.usdc", "/x"), ("", "/y"), ("z", "")]);
        assert_eq!(root.references[1].retiming.offset, 1.0);
        assert_eq!(root.selections, [("v".to_owned(), "one".to_owned())]);
        let attribute = |name: &str| root.attributes.iter().find(|a| a.name == name).unwrap();
        let order = layer.values.words(&attribute("xformOpOrder").value.unwrap()).unwrap();
        assert_eq!(order, ["xformOp:translate", "b"]);
        let samples = &attribute("xformOp:translate").samples;
        assert_eq!((samples[0].0, samples[0].1), (0.5, Raw::Blocked));
        assert_eq!(layer.values.numbers(&samples[1].1).unwrap(), [0.0, 1.0, 2.0]);
        let points = attribute("points");
        assert_eq!(
            (points.type_name.as_str(), points.interpolation.as_deref()),
            ("point3f[]", Some("vertex"))
        );
        assert_eq!(points.samples.len(), 1);
        assert_eq!(
            layer.values.numbers(&points.value.unwrap()).unwrap()[..4],
            [1.0, 2.0, -3.0, f64::INFINITY]
        );
        assert_eq!(root.relationships[1].1, ["/a", "../b"]);
        assert_eq!(root.variants.len(), 2);
        let variant = &layer.prims[root.variants[0].2 as usize];
        assert_eq!(layer.prims[variant.children[0] as usize].attributes[0].name, "x");
    }

    #[test]
    fn errors_name_the_line() {
        for (text, message) in [
            ("def Mesh \"a\" {\n", "line 2: expected the } that closes a prim, found the end of the file"),
            (
                "def Mesh \"a\" {\n point3f[] points = [(0, 1\n",
                "line 2: expected the bracket that closes the one here, found the end of the file",
            ),
            ("}", "line 1: expected a prim, an attribute or the closing bracket, found \"}\""),
            ("def \"a\n\" {}", "line 2: expected the end of a string on its line, found \"\\\"\""),
            (
                "def \"a\" { int x.timeSamples = { one: 1 } }",
                "line 1: expected the time of a value, found \"one\"",
            ),
        ] {
            let error = read_layer(Blob::memory(text.as_bytes().to_vec())).err().unwrap();
            assert_eq!(error.to_string(), message);
        }
        let layer = layer("def \"a\" { point3f[] points = [(0, 1,\n 2), (3,\n x, 5)] }");
        let raw = layer.prims[1].attributes[0].value.unwrap();
        assert_eq!(
            layer.values.numbers(&raw).unwrap_err().to_string(),
            "line 3: expected a number, found \"x\""
        );
    }
}
