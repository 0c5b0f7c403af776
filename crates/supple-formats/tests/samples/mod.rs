//! Small files in every encoding of their format, written value by value as the format says.

pub mod rigs;
pub mod scenes;

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Encoding {
    Text,
    LittleEndian,
    BigEndian,
}

pub const ENCODINGS: [Encoding; 3] = [Encoding::Text, Encoding::LittleEndian, Encoding::BigEndian];

/// The corners of the unit cube, and a point beside it.
pub const POSITIONS: [[f64; 3]; 9] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [1.0, 1.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 0.0, 1.0],
    [1.0, 1.0, 1.0],
    [0.0, 1.0, 1.0],
    [2.0, 0.5, -0.125],
];

struct Writer {
    bytes: Vec<u8>,
    encoding: Encoding,
}

impl Writer {
    fn new(encoding: Encoding) -> Self {
        Self { bytes: Vec::new(), encoding }
    }

    fn text(&mut self, text: &str) {
        self.bytes.extend(text.as_bytes());
    }

    fn value<const N: usize>(&mut self, text: String, little: [u8; N], big: [u8; N]) {
        match self.encoding {
            Encoding::Text => self.text(&format!("{text} ")),
            Encoding::LittleEndian => self.bytes.extend(little),
            Encoding::BigEndian => self.bytes.extend(big),
        }
    }

    fn byte(&mut self, x: u8) {
        self.value(x.to_string(), x.to_le_bytes(), x.to_be_bytes());
    }

    fn int(&mut self, x: i32) {
        self.value(x.to_string(), x.to_le_bytes(), x.to_be_bytes());
    }

    fn size(&mut self, x: u64) {
        self.value(x.to_string(), x.to_le_bytes(), x.to_be_bytes());
    }

    fn real(&mut self, x: f64) {
        self.value(format!("{x:?}"), x.to_le_bytes(), x.to_be_bytes());
    }

    fn reals(&mut self, numbers: &[f64]) {
        for &x in numbers {
            self.real(x);
        }
    }

    fn ints(&mut self, integers: &[i32]) {
        for &x in integers {
            self.int(x);
        }
    }

    fn sizes(&mut self, integers: &[u64]) {
        for &x in integers {
            self.size(x);
        }
    }

    /// Ends a row, which in text takes a line.
    fn end_row(&mut self) {
        if self.encoding == Encoding::Text {
            self.text("\n");
        }
    }

    fn gmsh_format(&mut self, version: &str) {
        let kind = u8::from(self.encoding != Encoding::Text);
        self.text(&format!("$MeshFormat\n{version} {kind} 8\n"));
        if kind == 1 {
            self.int(1);
            self.text("\n");
        }
        self.text("$EndMeshFormat\n");
        self.text("$PhysicalNames\n2\n2 5 \"front side\"\n3 7 \"body\"\n$EndPhysicalNames\n");
    }
}

/// Gmsh 2.2. The nodes of [`POSITIONS`] have tags 10, 20, … A triangle is in the physical surface
/// "front side" (5), two tets are in the volume "body" (7), the second in volume 8 also, by repetition.
/// A point is in the physical point 3.
pub fn gmsh2(encoding: Encoding) -> Vec<u8> {
    let mut out = Writer::new(encoding);
    out.gmsh_format("2.2");
    out.text("$Nodes\n9\n");
    for (v, position) in POSITIONS.iter().enumerate() {
        out.int(10 * (v as i32 + 1));
        out.reals(position);
        out.end_row();
    }
    // Type, then the physical group, the entity and the corners.
    let elements: [(i32, &[i32]); 5] = [
        (15, &[3, 1, 90]),
        (2, &[5, 1, 10, 20, 30]),
        (4, &[7, 1, 10, 20, 30, 50]),
        (4, &[7, 2, 20, 30, 60, 90]),
        (4, &[8, 2, 20, 30, 60, 90]),
    ];
    out.text("\n$EndNodes\n$Elements\n5\n");
    for (e, (kind, values)) in (1..).zip(elements) {
        match encoding {
            Encoding::Text => out.ints(&[e, kind, 2]),
            // One header for the two tets of the body.
            _ if e == 4 => out.int(e),
            _ => out.ints(&[kind, if e == 3 { 2 } else { 1 }, 2, e]),
        }
        out.ints(values);
        out.end_row();
    }
    out.text("\n$EndElements\n$NodeData\n1\n\"x\"\n$EndNodeData\n");
    out.bytes
}

/// Gmsh 4.1, the same mesh as [`gmsh2`].
pub fn gmsh4(encoding: Encoding) -> Vec<u8> {
    let mut out = Writer::new(encoding);
    out.gmsh_format("4.1");
    out.text("$Entities\n");
    out.sizes(&[1, 0, 1, 2]);
    out.end_row();
    out.int(1);
    out.reals(&[2.0, 0.5, -0.125]);
    out.size(1);
    out.int(3);
    out.end_row();
    let entities: [(i32, &[i32], &[i32]); 3] = [(1, &[-5], &[]), (1, &[7], &[1]), (2, &[7, 8], &[1, -1])];
    for (tag, physical, boundary) in entities {
        out.int(tag);
        out.reals(&[-1e22, 0.0, 0.0, 1.0, 1.0, 1.0]);
        out.size(physical.len() as u64);
        out.ints(physical);
        out.size(boundary.len() as u64);
        out.ints(boundary);
        out.end_row();
    }
    out.text("\n$EndEntities\n$Nodes\n");
    out.sizes(&[2, 9, 10, 90]);
    out.end_row();
    // The nodes of the surface carry two parameters each.
    for (dimension, range) in [(2, 0..4), (3, 4..9)] {
        let parametric = dimension == 2;
        out.ints(&[dimension, 1, i32::from(parametric)]);
        out.size(range.len() as u64);
        out.end_row();
        for v in range.clone() {
            out.size(10 * (v as u64 + 1));
            out.end_row();
        }
        for v in range {
            out.reals(&POSITIONS[v]);
            out.reals(if parametric { &[0.25, 0.75] } else { &[] });
            out.end_row();
        }
    }
    out.text("\n$EndNodes\n$Elements\n");
    out.sizes(&[4, 4, 1, 4]);
    out.end_row();
    let blocks: [([i32; 3], &[u64]); 4] = [
        ([0, 1, 15], &[1, 90]),
        ([2, 1, 2], &[2, 10, 20, 30]),
        ([3, 1, 4], &[3, 10, 20, 30, 50]),
        ([3, 2, 4], &[4, 20, 30, 60, 90]),
    ];
    for (block, element) in blocks {
        out.ints(&block);
        out.size(1);
        out.end_row();
        out.sizes(element);
        out.end_row();
    }
    out.text("\n$EndElements\n");
    out.bytes
}

/// The cube of [`POSITIONS`], two of its sides as a quadrilateral and a triangle, with a property and
/// an element that no one needs.
pub fn ply(encoding: Encoding) -> Vec<u8> {
    let mut out = Writer::new(encoding);
    let format = match encoding {
        Encoding::Text => "ascii",
        Encoding::LittleEndian => "binary_little_endian",
        Encoding::BigEndian => "binary_big_endian",
    };
    out.text(&format!(
        "ply\nformat {format} 1.0\ncomment seed\nelement vertex 9\nproperty double x\nproperty double y\n\
         property double z\nproperty int flag\nelement range 1\nproperty list uchar double data\n\
         element face 2\nproperty list uchar int vertex_indices\nend_header\n"
    ));
    for position in POSITIONS {
        out.reals(&position);
        out.int(-1);
        out.end_row();
    }
    out.byte(2);
    out.reals(&[0.5, 1.5]);
    out.end_row();
    for corners in [&[0, 3, 2, 1][..], &[4, 5, 6]] {
        out.byte(corners.len() as u8);
        out.ints(corners);
        out.end_row();
    }
    out.bytes
}

/// A binary STL file whose header begins like a text.
pub fn stl() -> Vec<u8> {
    let mut bytes = b"solid but binary".to_vec();
    bytes.resize(80, b' ');
    bytes.extend(2u32.to_le_bytes());
    for corners in [[0, 3, 2], [4, 5, 6]] {
        bytes.extend([f32::NAN; 3].iter().flat_map(|x| x.to_le_bytes()));
        for vertex in corners {
            bytes.extend(POSITIONS[vertex].iter().flat_map(|&x| (x as f32).to_le_bytes()));
        }
        bytes.extend([0x12, 0x80]);
    }
    bytes
}

/// Three frames of four vertices: the corners of a square that rises, and moves for good in the last.
pub const MOTION: [[[f32; 3]; 4]; 3] = [
    [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
    [[0.0, 0.0, 0.1], [1.0, 0.0, 0.1], [1.0, 1.0, 0.1], [0.0, 1.0, 0.1]],
    [[-0.0, 1e-45, 3.4e38], [1.5, -2.5, 1e-38], [1e10, 0.3, -7.0], [0.25, -1.0, 2.0]],
];

/// [`MOTION`] as PC2, every second frame from 10.5.
pub fn pc2() -> Vec<u8> {
    let mut bytes = b"POINTCACHE2\0\x01\0\0\0\x04\0\0\0".to_vec();
    bytes.extend([0, 0, 0x28, 0x41]);
    bytes.extend([0, 0, 0, 0x40]);
    bytes.extend(b"\x03\0\0\0");
    bytes.extend(MOTION.as_flattened().as_flattened().iter().flat_map(|x| x.to_bits().to_le_bytes()));
    bytes
}

/// [`MOTION`] as MDD, a quarter of a second apart, from frame 2 of such.
pub fn mdd() -> Vec<u8> {
    let mut bytes = b"\0\0\0\x03\0\0\0\x04".to_vec();
    bytes.extend([0x3F, 0, 0, 0, 0x3F, 0x40, 0, 0, 0x3F, 0x80, 0, 0]);
    bytes.extend(MOTION.as_flattened().as_flattened().iter().flat_map(|x| x.to_bits().to_be_bytes()));
    bytes
}
