//! What lives on the graphics processor: buffers that grow, and the picture of a viewport.

use super::pipelines::{COLOUR, DEPTH, Pipelines};
use super::{Drawn, Shape, Surface};
use eframe::wgpu;
use std::sync::Arc;

/// A buffer that grows with what is written to it.
pub struct Buffer {
    buffer: Option<wgpu::Buffer>,
    usage: wgpu::BufferUsages,
    length: u64,
}

impl Buffer {
    pub fn new(usage: wgpu::BufferUsages) -> Self {
        Self { buffer: None, usage: usage | wgpu::BufferUsages::COPY_DST, length: 0 }
    }

    pub fn write(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, bytes: &[u8]) {
        self.length = bytes.len() as u64;
        if bytes.is_empty() {
            return;
        }
        if self.buffer.as_ref().is_none_or(|buffer| buffer.size() < self.length) {
            self.buffer = Some(device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: self.length.next_multiple_of(256),
                usage: self.usage,
                mapped_at_creation: false,
            }));
        }
        if let Some(buffer) = &self.buffer {
            queue.write_buffer(buffer, 0, bytes);
        }
    }

    /// What was written; nothing if that was nothing.
    pub fn slice(&self) -> Option<wgpu::BufferSlice<'_>> {
        self.buffer.as_ref().filter(|_| self.length > 0).map(|buffer| buffer.slice(..self.length))
    }
}

/// A uniform with its bind group.
pub struct Uniform {
    buffer: wgpu::Buffer,
    pub group: wgpu::BindGroup,
}

impl Uniform {
    pub fn new(device: &wgpu::Device, layout: &wgpu::BindGroupLayout, size: u64) -> Self {
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size,
            usage,
            mapped_at_creation: false,
        });
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() }],
        });
        Self { buffer, group }
    }

    pub fn write(&self, queue: &wgpu::Queue, bytes: &[u8]) {
        queue.write_buffer(&self.buffer, 0, bytes);
    }
}

/// A surface on the graphics processor.
pub struct Mesh {
    shape: Option<(Arc<Shape>, bool)>,
    surface: Option<Arc<Surface>>,
    indices: Buffer,
    points: Buffer,
    normals: Buffer,
    colours: Buffer,
    paint: Uniform,
    count: u32,
    is_glass: bool,
}

impl Mesh {
    pub fn new(device: &wgpu::Device, pipelines: &Pipelines) -> Self {
        Self {
            shape: None,
            surface: None,
            indices: Buffer::new(wgpu::BufferUsages::INDEX),
            points: Buffer::new(wgpu::BufferUsages::VERTEX),
            normals: Buffer::new(wgpu::BufferUsages::VERTEX),
            colours: Buffer::new(wgpu::BufferUsages::VERTEX),
            paint: Uniform::new(device, &pipelines.paint, 16),
            count: 0,
            is_glass: false,
        }
    }

    /// Brings over what has changed.
    pub fn update(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, drawn: &Drawn, coarse: bool) {
        let few = if coarse { drawn.shape.coarse() } else { None };
        let is_coarse = few.is_some();
        let has = |(shape, was): &(Arc<Shape>, bool)| Arc::ptr_eq(shape, &drawn.shape) && *was == is_coarse;
        if !self.shape.as_ref().is_some_and(has) {
            let triangles = few.unwrap_or(&drawn.shape.triangles);
            self.indices.write(device, queue, bytemuck::cast_slice(triangles));
            self.count = 3 * triangles.len() as u32;
            self.shape = Some((drawn.shape.clone(), is_coarse));
        }
        if !self.surface.as_ref().is_some_and(|surface| Arc::ptr_eq(surface, &drawn.surface)) {
            let Surface { points, normals, colours, .. } = &*drawn.surface;
            self.points.write(device, queue, bytemuck::cast_slice(points));
            self.normals.write(device, queue, bytemuck::cast_slice(normals));
            self.colours.write(device, queue, bytemuck::cast_slice(colours));
            self.surface = Some(drawn.surface.clone());
        }
        self.is_glass = drawn.colour[3] < 1.0;
        self.paint.write(queue, bytemuck::bytes_of(&drawn.colour));
    }

    /// Whether it is seen through.
    pub fn is_glass(&self) -> bool {
        self.is_glass
    }

    /// How many triangles of it are drawn.
    pub fn triangles(&self) -> usize {
        self.count as usize / 3
    }

    /// Draws where it is, whatever it looks like.
    pub fn draw_shadow(&self, pass: &mut wgpu::RenderPass<'_>) {
        let (Some(indices), Some(points)) = (self.indices.slice(), self.points.slice()) else { return };
        pass.set_vertex_buffer(0, points);
        pass.set_index_buffer(indices, wgpu::IndexFormat::Uint32);
        pass.draw_indexed(0..self.count, 0, 0..1);
    }

    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, pipelines: &Pipelines) {
        let buffers = (self.indices.slice(), self.points.slice(), self.normals.slice(), self.colours.slice());
        let (Some(indices), Some(points), Some(normals), Some(colours)) = buffers else { return };
        pass.set_pipeline(if self.is_glass { &pipelines.glass } else { &pipelines.solid });
        pass.set_bind_group(1, &self.paint.group, &[]);
        pass.set_vertex_buffer(0, points);
        pass.set_vertex_buffer(1, normals);
        pass.set_vertex_buffer(2, colours);
        pass.set_index_buffer(indices, wgpu::IndexFormat::Uint32);
        pass.draw_indexed(0..self.count, 0, 0..1);
    }
}

/// The picture of a viewport.
pub struct Target {
    pub size: [u32; 2],
    pub colour: wgpu::TextureView,
    /// Where the samples of a pixel come together, if there are several.
    pub resolved: Option<wgpu::TextureView>,
    pub depth: wgpu::TextureView,
    pub group: wgpu::BindGroup,
}

impl Target {
    pub fn new(device: &wgpu::Device, pipelines: &Pipelines, size: [u32; 2]) -> Self {
        let texture = |format, samples, usage| {
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: samples,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage,
                view_formats: &[],
            });
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        let drawn = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let read = drawn | wgpu::TextureUsages::TEXTURE_BINDING;
        let single = texture(COLOUR, 1, read);
        let group = read_group(device, pipelines, &single);
        let depth = texture(DEPTH, pipelines.samples, drawn);
        let (colour, resolved) = match pipelines.samples {
            1 => (single, None),
            samples => (texture(COLOUR, samples, drawn), Some(single)),
        };
        Self { size, colour, resolved, depth, group }
    }
}

/// What reads a picture.
pub fn read_group(
    device: &wgpu::Device,
    pipelines: &Pipelines,
    picture: &wgpu::TextureView,
) -> wgpu::BindGroup {
    let sampler = wgpu::BindingResource::Sampler(&pipelines.sampler);
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipelines.picture,
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(picture) },
            wgpu::BindGroupEntry { binding: 1, resource: sampler },
        ],
    })
}
