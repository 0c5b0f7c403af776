//! Numbers of numpy, read and written where they lie, a frame at a time, without the interpreter.
//!
//! A buffer is asked of Python once, which keeps its memory in place for as long as it is held. Whoever changes the array
//! meanwhile changes what is read.

#![expect(unsafe_code, reason = "the memory of an array is read without holding the interpreter")]

use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use rayon::prelude::*;
use std::fmt;
use supple_formats::{FormatError, MotionWriter};
use supple_model::{FrameError, FrameSink, FrameSource};

/// Points that are written as one task.
const POINTS_PER_TASK: usize = 8192;

/// What the numbers of an array are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    Single,
    Double,
}

/// Points in the memory of somebody else.
pub struct Array {
    buffer: PyUntypedBuffer,
    number: Number,
    /// Whether bytes stand the other way around.
    is_swapped: bool,
}

impl Array {
    /// The numbers of an array, called `name` where something is wrong with it.
    pub fn of(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let wrong = |found: &str| {
            PyTypeError::new_err(format!("{name} must be an array of float32 or float64, got {found}"))
        };
        let buffer = PyUntypedBuffer::get(object).map_err(|_| {
            wrong(&object.get_type().name().map_or_else(|_| String::new(), |n| n.to_string()))
        })?;
        let format = buffer.format().to_string_lossy().into_owned();
        let (order, kind) = match format.as_bytes() {
            [order @ (b'<' | b'>' | b'=' | b'@' | b'!'), kind] => (*order, *kind),
            [kind] => (b'@', *kind),
            _ => return Err(wrong(&format!("{format:?}"))),
        };
        let number = match kind {
            b'f' => Number::Single,
            b'd' => Number::Double,
            _ => return Err(wrong(&format!("numbers of the kind {format:?}"))),
        };
        let other = if cfg!(target_endian = "little") { [b'>', b'!'] } else { [b'<', b'<'] };
        Ok(Self { buffer, number, is_swapped: other.contains(&order) })
    }

    /// The same, to be written to.
    pub fn to_fill(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let array = Self::of(object, name)?;
        if array.buffer.readonly() {
            return Err(PyValueError::new_err(format!("{name} is read-only")));
        }
        Ok(array)
    }

    pub fn shape(&self) -> &[usize] {
        self.buffer.shape()
    }

    /// Whether its shape is this one; a dimension that is `None` may be any.
    pub fn demand(&self, name: &str, shape: &[Option<usize>]) -> PyResult<()> {
        let found = self.shape();
        let fits = found.len() == shape.len()
            && found.iter().zip(shape).all(|(found, asked)| asked.is_none_or(|asked| *found == asked));
        if fits {
            return Ok(());
        }
        let asked: Vec<String> =
            shape.iter().map(|side| side.map_or_else(|| "n".to_owned(), |side| side.to_string())).collect();
        Err(PyValueError::new_err(format!(
            "{name} must have the shape ({}), got {found:?}",
            asked.join(", ")
        )))
    }

    /// Whether its numbers are doubles.
    pub fn is_double(&self) -> bool {
        self.number == Number::Double
    }

    /// Where the numbers of a frame begin, and the steps from point to point and from number to number. Frames are the first
    /// dimension of three; an array of two is one frame.
    fn layout(&self, frame: usize) -> (*mut u8, [isize; 2]) {
        let (strides, begin) = (self.buffer.strides(), self.buffer.buf_ptr().cast::<u8>());
        match strides {
            [step, point, number] => (begin.wrapping_offset(*step * frame as isize), [*point, *number]),
            [point, number] => (begin, [*point, *number]),
            // Shapes were looked at when the array came.
            _ => (begin, [0, 0]),
        }
    }

    /// Where the numbers of a frame are as `T` in a row, if they are: what a processor reads and writes several of at once.
    fn in_a_row<T: InMemory>(&self, frame: usize) -> Option<*mut [T; 3]> {
        let (begin, [point, number]) = self.layout(frame);
        let size = size_of::<T>() as isize;
        let is_plain = self.number == T::NUMBER && !self.is_swapped && [point, number] == [3 * size, size];
        let begin = begin.cast::<[T; 3]>();
        (is_plain && begin.is_aligned()).then_some(begin)
    }

    /// Reads the points of a frame.
    fn read(&self, frame: usize, positions: &mut [[f64; 3]]) {
        if let Some(begin) = self.in_a_row::<f32>(frame) {
            for (v, position) in positions.iter_mut().enumerate() {
                // SAFETY: as below; the place is aligned.
                *position = unsafe { begin.add(v).read() }.map(f64::from);
            }
            return;
        }
        let (begin, [point, number]) = self.layout(frame);
        for (v, position) in positions.iter_mut().enumerate() {
            for (c, x) in position.iter_mut().enumerate() {
                let at = begin.wrapping_offset(point * v as isize + number * c as isize);
                // SAFETY: the place is inside of the buffer: its shape was compared with the frames and points that are
                // read, its strides are those of that shape, and the buffer is held. Alignment is not asked for.
                *x = unsafe { self.at(at) };
            }
        }
    }

    /// # Safety
    /// A number of this array must be there.
    unsafe fn at(&self, at: *const u8) -> f64 {
        // SAFETY: as the caller says.
        unsafe {
            match (self.number, self.is_swapped) {
                (Number::Single, false) => f64::from(at.cast::<f32>().read_unaligned()),
                (Number::Double, false) => at.cast::<f64>().read_unaligned(),
                (Number::Single, true) => {
                    f64::from(f32::from_bits(at.cast::<u32>().read_unaligned().swap_bytes()))
                }
                (Number::Double, true) => f64::from_bits(at.cast::<u64>().read_unaligned().swap_bytes()),
            }
        }
    }

    /// Writes the points of a frame.
    ///
    /// # Panics
    /// When there is no such frame, or another number of points.
    pub fn write(&mut self, frame: usize, positions: &[[f64; 3]]) {
        self.write_with(frame, positions.len(), |v| positions[v]);
    }

    /// Writes the points of a frame as they are made.
    ///
    /// # Panics
    /// When there is no such frame, or another number of points.
    pub fn write_with(&mut self, frame: usize, count: usize, make: impl Fn(usize) -> [f64; 3] + Sync) {
        let (frames, points) = match self.shape() {
            [frames, points, 3] => (*frames, *points),
            [points, 3] => (1, *points),
            _ => (0, 0),
        };
        assert!(frame < frames && points == count && !self.buffer.readonly(), "a frame of the array");
        if let Some(begin) = self.in_a_row::<f32>(frame) {
            // SAFETY: so many points are inside of the buffer, as was just compared; it may be written to and is held, and
            // whoever has it filled leaves it alone meanwhile.
            fill(unsafe { std::slice::from_raw_parts_mut(begin, count) }, |v| make(v).map(|x| x as f32));
            return;
        }
        if let Some(begin) = self.in_a_row::<f64>(frame) {
            // SAFETY: as above.
            fill(unsafe { std::slice::from_raw_parts_mut(begin, count) }, make);
            return;
        }
        let (begin, [point, number]) = self.layout(frame);
        for v in 0..count {
            for (c, x) in make(v).into_iter().enumerate() {
                let at = begin.wrapping_offset(point * v as isize + number * c as isize);
                // SAFETY: the place is inside of the buffer, as was just compared, which may be written to and is held.
                unsafe { self.put(at, x) };
            }
        }
    }

    /// # Safety
    /// A number of this array must be there, and nobody else may read or write it.
    unsafe fn put(&self, at: *mut u8, x: f64) {
        // SAFETY: as the caller says.
        unsafe {
            match (self.number, self.is_swapped) {
                (Number::Single, false) => at.cast::<f32>().write_unaligned(x as f32),
                (Number::Double, false) => at.cast::<f64>().write_unaligned(x),
                (Number::Single, true) => at.cast::<u32>().write_unaligned((x as f32).to_bits().swap_bytes()),
                (Number::Double, true) => at.cast::<u64>().write_unaligned(x.to_bits().swap_bytes()),
            }
        }
    }
}

/// A number as it lies in memory.
trait InMemory: Copy + Send {
    const NUMBER: Number;
}

impl InMemory for f32 {
    const NUMBER: Number = Number::Single;
}

impl InMemory for f64 {
    const NUMBER: Number = Number::Double;
}

/// Makes all points of a frame, on all threads.
fn fill<T: InMemory>(points: &mut [[T; 3]], make: impl Fn(usize) -> [T; 3] + Sync) {
    points.par_chunks_mut(POINTS_PER_TASK).enumerate().for_each(|(task, points)| {
        for (k, point) in points.iter_mut().enumerate() {
            *point = make(task * POINTS_PER_TASK + k);
        }
    });
}

/// A number that is none, in frames of an array.
#[derive(Debug)]
pub struct NotFinite {
    /// The scene's number of the frame.
    pub frame: i32,
    vertex: usize,
    value: f64,
}

impl fmt::Display for NotFinite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { frame, vertex, value } = self;
        write!(f, "points: vertex {vertex} is at {value} in frame {frame}; all numbers must be finite")
    }
}

impl std::error::Error for NotFinite {}

/// The frames of an array.
pub struct ArrayFrames {
    array: Array,
    /// The scene's number of the first.
    start: i32,
}

impl ArrayFrames {
    /// Of an array of frames, points and three numbers.
    pub fn new(array: Array, start: i32) -> Self {
        Self { array, start }
    }
}

impl FrameSource for ArrayFrames {
    fn vertices(&self) -> usize {
        self.array.shape()[1]
    }

    fn frames(&self) -> usize {
        self.array.shape()[0]
    }

    fn read(&mut self, index: usize, positions: &mut [[f64; 3]]) -> Result<(), FrameError> {
        assert!(index < self.frames() && positions.len() == self.vertices(), "a frame of the array");
        self.array.read(index, positions);
        let numbers = positions.as_flattened();
        if numbers.iter().fold(true, |all, x| all & x.is_finite()) {
            return Ok(());
        }
        match numbers.iter().position(|x| !x.is_finite()) {
            None => Ok(()),
            Some(place) => {
                let (vertex, value) = (place / 3, positions[place / 3][place % 3]);
                let frame = self.start.saturating_add_unsigned(index as u32);
                Err(FrameError(Box::new(NotFinite { frame, vertex, value })))
            }
        }
    }
}

/// An array on its way to be filled, frame by frame.
pub struct ArrayWriter {
    array: Array,
    next: usize,
}

impl ArrayWriter {
    pub fn new(array: Array) -> Self {
        Self { array, next: 0 }
    }
}

impl FrameSink for ArrayWriter {
    fn write(&mut self, positions: &[[f64; 3]]) -> Result<(), FrameError> {
        self.array.write(self.next, positions);
        self.next += 1;
        Ok(())
    }
}

impl MotionWriter for ArrayWriter {
    fn finish(self: Box<Self>) -> Result<(), FormatError> {
        Ok(())
    }
}
