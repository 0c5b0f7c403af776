//! The JSON of a file.

use super::layout::Layout;
use crate::Up;
use serde_json::{Map, Value, json};

/// What changes over time, and names.
pub(super) struct Contents {
    /// The path of the object.
    pub name: String,
    /// The box around the base and around every morph target.
    pub bounds: Vec<[[f32; 3]; 2]>,
    /// The scene's numbers of the first and of the following frames.
    pub numbers: Vec<f64>,
    /// The times of the first and last frame.
    pub times: [f64; 2],
    pub up: Option<Up>,
    pub metres_per_unit: Option<f64>,
}

impl Contents {
    pub fn still(name: &str) -> Self {
        let (up, metres_per_unit) = (None, None);
        Self {
            name: name.to_owned(),
            bounds: Vec::new(),
            numbers: Vec::new(),
            times: [0.0; 2],
            up,
            metres_per_unit,
        }
    }

    /// The text; `uri` is the name of the buffer when it is not in the same file.
    pub fn json(&self, layout: &Layout, uri: Option<&str>) -> String {
        let (vertices, frames) = (layout.sources.len() as u64, self.bounds.len() as u64);
        let fixed = layout.bytes.len() as u64;
        let frame_bytes = layout.frame_bytes();
        let [times, weights] = if frames > 1 { [4 * frames, 4 * frames * (frames - 1)] } else { [0, 0] };
        let mut views: Vec<Value> = Vec::new();
        let mut end = 0;
        let mut view = |length: u64, stride: Option<u64>| {
            views.push(json!({ "buffer": 0, "byteOffset": end, "byteLength": length }));
            if let (Some(stride), Some(view)) = (stride, views.last_mut()) {
                view["byteStride"] = stride.into();
            }
            end += length;
            views.len() - 1
        };
        let mut accessors: Vec<Value> = Vec::new();
        if fixed > 0 {
            let view = view(fixed, None);
            accessors.extend(layout.arrays.iter().map(|array| {
                json!({ "bufferView": view, "byteOffset": array.at, "componentType": array.component_type,
                        "count": array.count, "type": array.kind })
            }));
        }
        let first = accessors.len();
        let of_frames = view(frame_bytes * frames, Some(12));
        accessors.extend(self.bounds.iter().enumerate().map(|(i, [min, max])| {
            json!({ "bufferView": of_frames, "byteOffset": frame_bytes * i as u64, "componentType": 5126,
                    "count": vertices, "type": "VEC3", "min": min, "max": max })
        }));
        let with_normals = if layout.has_moving_normals() { frames } else { 0 };
        accessors.extend((0..with_normals).map(|i| {
            json!({ "bufferView": of_frames, "byteOffset": frame_bytes * i + layout.point_bytes(),
                    "componentType": 5126, "count": vertices, "type": "VEC3" })
        }));
        let mut document = Map::new();
        if frames > 1 {
            let (of_times, of_weights) = (view(times, None), view(weights, None));
            let (input, output) = (accessors.len(), accessors.len() + 1);
            accessors.push(
                json!({ "bufferView": of_times, "componentType": 5126, "count": frames, "type": "SCALAR",
                                   "min": [self.times[0] as f32], "max": [self.times[1] as f32] }),
            );
            accessors.push(
                json!({ "bufferView": of_weights, "componentType": 5126, "count": frames * (frames - 1),
                                   "type": "SCALAR" }),
            );
            document.insert("animations".to_owned(), json!([self.animation(input, output)]));
        }
        let mut buffer = json!({ "byteLength": end });
        if let Some(uri) = uri {
            buffer["uri"] = uri.into();
        }
        document.insert("asset".to_owned(), json!({ "version": "2.0", "generator": "Supple" }));
        document.insert("scene".to_owned(), 0.into());
        document.insert("scenes".to_owned(), json!([{ "nodes": [0] }]));
        document.insert("nodes".to_owned(), self.nodes().into());
        document.insert("meshes".to_owned(), json!([self.mesh(layout, first)]));
        if !layout.materials.is_empty() {
            let materials: Vec<Value> = layout.materials.iter().map(|name| json!({ "name": name })).collect();
            document.insert("materials".to_owned(), materials.into());
        }
        document.insert("accessors".to_owned(), accessors.into());
        document.insert("bufferViews".to_owned(), views.into());
        document.insert("buffers".to_owned(), json!([buffer]));
        Value::Object(document).to_string()
    }

    /// The weights over time, from the accessors of times and weights.
    fn animation(&self, input: usize, output: usize) -> Value {
        let node = self.names().len() - 1;
        let channel = json!({ "sampler": 0, "target": { "node": node, "path": "weights" } });
        let sampler = json!({ "input": input, "output": output, "interpolation": "LINEAR" });
        json!({ "channels": [channel], "samplers": [sampler] })
    }

    /// The names along the path of the object, at least one.
    fn names(&self) -> Vec<&str> {
        let names: Vec<&str> = self.name.split('/').filter(|name| !name.is_empty()).collect();
        if names.is_empty() { vec!["mesh"] } else { names }
    }

    /// One node within the other, the last with the mesh. glTF is in metres with y up: the first node turns
    /// and scales what is not.
    fn nodes(&self) -> Vec<Value> {
        let names = self.names();
        let mut nodes: Vec<Value> = names.iter().map(|name| json!({ "name": name })).collect();
        for (i, node) in nodes.iter_mut().enumerate().take(names.len() - 1) {
            node["children"] = json!([i + 1]);
        }
        let half = std::f64::consts::FRAC_1_SQRT_2;
        match self.up {
            Some(Up::Z) => nodes[0]["rotation"] = json!([-half, 0, 0, half]),
            Some(Up::X) => nodes[0]["rotation"] = json!([0, 0, half, half]),
            Some(Up::Y) | None => {}
        }
        if let Some(unit) = self.metres_per_unit.filter(|unit| *unit != 1.0) {
            nodes[0]["scale"] = json!([unit, unit, unit]);
        }
        if let Some(last) = nodes.last_mut() {
            last["mesh"] = 0.into();
        }
        nodes
    }

    /// The mesh, whose base is accessor `first` and whose morph targets follow it, then the normals of both.
    fn mesh(&self, layout: &Layout, first: usize) -> Value {
        let mut attributes = Map::new();
        attributes.insert("POSITION".to_owned(), first.into());
        for (i, array) in layout.arrays.iter().enumerate().filter(|(_, array)| !array.name.is_empty()) {
            attributes.insert(array.name.to_owned(), i.into());
        }
        let frames = self.bounds.len();
        let mut targets: Vec<Value> = (1..frames).map(|i| json!({ "POSITION": first + i })).collect();
        if layout.has_moving_normals() {
            attributes.insert("NORMAL".to_owned(), (first + frames).into());
            for (i, target) in targets.iter_mut().enumerate() {
                target["NORMAL"] = (first + frames + 1 + i).into();
            }
        }
        let primitive = |faces: &super::layout::Faces| {
            let mut primitive = json!({ "attributes": attributes, "indices": faces.array, "mode": 4 });
            if let Some(material) = faces.material {
                primitive["material"] = material.into();
            }
            if !targets.is_empty() {
                primitive["targets"] = targets.clone().into();
            }
            primitive
        };
        let mut primitives: Vec<Value> = layout.faces.iter().map(primitive).collect();
        if primitives.is_empty() {
            // Without faces the points alone: not drawn as triangles, but there.
            primitives.push(json!({ "attributes": attributes, "mode": 0 }));
        }
        let mut mesh = json!({ "name": self.names().last(), "primitives": primitives });
        if !targets.is_empty() {
            let names: Vec<String> =
                self.numbers.iter().skip(1).map(|number| format!("frame {number}")).collect();
            mesh["weights"] = vec![0; targets.len()].into();
            mesh["extras"] = json!({ "targetNames": names });
        }
        mesh
    }
}
