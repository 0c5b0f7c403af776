//! Draws scenes into pictures of its own, and copies them to the window.

use super::gpu::{Buffer, Mesh, Target, Uniform};
use super::pipelines::Pipelines;
use super::shadow::Shadow;
use super::{Drawing, Eye};
use eframe::egui::{Context, PaintCallbackInfo};
use eframe::egui_wgpu::{CallbackResources, CallbackTrait, RenderState, ScreenDescriptor};
use eframe::wgpu;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Seconds a picture has to stand still to be drawn with smooth edges where that takes long.
const STILL: f64 = 0.2;

/// Draws scenes; one for all viewports of a window.
pub struct SceneRenderer {
    pipelines: Pipelines,
    /// Those of smooth edges, where pictures take long: for what stands still.
    fine: Option<Pipelines>,
    viewports: BTreeMap<usize, Viewport>,
}

/// What belongs to one viewport.
struct Viewport {
    eye: Uniform,
    meshes: Vec<Mesh>,
    strokes: Buffer,
    stroke_count: u32,
    shadow: Shadow,
    target: Target,
    /// The picture with smooth edges, once what is seen has stood still.
    fine: Option<Target>,
    /// Since when it has, in seconds of the window.
    since: f64,
    /// What the picture is of.
    drawn: Option<Drawing>,
}

impl SceneRenderer {
    /// Makes the renderer of a window, and puts it where callbacks find it; answers whether pictures take long there.
    pub fn install(state: &RenderState) -> bool {
        let is_slow = state.adapter.get_info().device_type == wgpu::DeviceType::Cpu;
        let samples = if is_slow { 1 } else { 4 };
        let pipelines = Pipelines::new(&state.device, state.target_format, samples);
        let fine = is_slow.then(|| Pipelines::new(&state.device, state.target_format, 4));
        let renderer = Self { pipelines, fine, viewports: BTreeMap::new() };
        state.renderer.write().callback_resources.insert(renderer);
        is_slow
    }

    fn prepare(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        painted: &Painted,
    ) -> Option<wgpu::CommandBuffer> {
        let size = painted.size.map(|length| length.clamp(1, 8192));
        let pipelines = &self.pipelines;
        let new = || Viewport {
            eye: Uniform::new(device, &pipelines.eye, size_of::<Eye>() as u64),
            meshes: Vec::new(),
            strokes: Buffer::new(wgpu::BufferUsages::VERTEX),
            stroke_count: 0,
            shadow: Shadow::new(device, pipelines),
            target: Target::new(device, pipelines, size),
            fine: None,
            since: painted.now,
            drawn: None,
        };
        let viewport = self.viewports.entry(painted.viewport).or_insert_with(new);
        if viewport.target.size != size {
            viewport.target = Target::new(device, pipelines, size);
            (viewport.drawn, viewport.fine) = (None, None);
        }
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let background = painted.drawing.background;
        if viewport.drawn.as_ref().is_some_and(|drawn| drawn.looks_like(&painted.drawing)) {
            let fine = self.fine.as_ref().filter(|_| viewport.fine.is_none() && !painted.drawing.hurries)?;
            if painted.now - viewport.since < STILL {
                return None;
            }
            let target = Target::new(device, fine, size);
            viewport.draw(&mut encoder, fine, &target, background);
            viewport.fine = Some(target);
            return Some(encoder.finish());
        }
        (viewport.fine, viewport.since) = (None, painted.now);
        if self.fine.is_some() {
            painted.ctx.request_repaint_after(Duration::from_secs_f64(STILL + 0.01));
        }
        viewport.update(device, queue, pipelines, painted);
        viewport.drawn = Some(painted.drawing.clone());
        viewport.shadow.draw_picture(&mut encoder, pipelines, viewport.meshes.first());
        viewport.draw(&mut encoder, pipelines, &viewport.target, background);
        Some(encoder.finish())
    }
}

impl Viewport {
    /// Brings over what has changed.
    fn update(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        pipelines: &Pipelines,
        painted: &Painted,
    ) {
        let drawing = &painted.drawing;
        let [width, height] = self.target.size.map(|length| length as f32);
        let eye = Eye { size: [width, height, painted.pixels_per_point, 0.0], ..drawing.eye };
        self.eye.write(queue, bytemuck::bytes_of(&eye));
        self.meshes.truncate(drawing.surfaces.len());
        for (slot, drawn) in drawing.surfaces.iter().enumerate() {
            if slot == self.meshes.len() {
                self.meshes.push(Mesh::new(device, pipelines));
            }
            self.meshes[slot].update(device, queue, drawn, drawing.hurries);
        }
        let first = drawing.surfaces.first().map(|drawn| &*drawn.surface);
        self.shadow.update(queue, drawing.ground, first);
        self.strokes.write(device, queue, bytemuck::cast_slice(&drawing.strokes));
        self.stroke_count = drawing.strokes.len() as u32;
        let triangles = self.meshes.first().map_or(0, Mesh::triangles);
        painted.drawn.store(triangles, Ordering::Relaxed);
    }

    fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        pipelines: &Pipelines,
        target: &Target,
        [r, g, b]: [f32; 3],
    ) {
        let clear = wgpu::Color { r: r.into(), g: g.into(), b: b.into(), a: 1.0 };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("scene"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &target.colour,
                depth_slice: None,
                resolve_target: target.resolved.as_ref(),
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(clear), store: wgpu::StoreOp::Store },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &target.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(1.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..wgpu::RenderPassDescriptor::default()
        });
        pass.set_bind_group(0, &self.eye.group, &[]);
        let is_glass = |mesh: &&Mesh| mesh.is_glass();
        for mesh in self.meshes.iter().filter(|mesh| !is_glass(mesh)) {
            mesh.draw(&mut pass, pipelines);
        }
        self.shadow.draw(&mut pass, pipelines);
        for mesh in self.meshes.iter().filter(is_glass) {
            mesh.draw(&mut pass, pipelines);
        }
        if let Some(strokes) = self.strokes.slice() {
            pass.set_pipeline(&pipelines.strokes);
            pass.set_vertex_buffer(0, strokes);
            pass.draw(0..6, 0..self.stroke_count);
        }
    }
}

/// A viewport that is painted in this frame of the window.
pub struct Painted {
    /// Which; each has its own number.
    pub viewport: usize,
    /// What it shows.
    pub drawing: Drawing,
    /// How large it is, in pixels.
    pub size: [u32; 2],
    /// How fine the screen is.
    pub pixels_per_point: f32,
    /// The moment, in seconds of the window.
    pub now: f64,
    /// The window, to be drawn again when what is seen has stood still.
    pub ctx: Context,
    /// Where it is said how many triangles of the first surface are drawn.
    pub drawn: Arc<AtomicUsize>,
}

impl CallbackTrait for Painted {
    fn prepare(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        _: &ScreenDescriptor,
        _: &mut wgpu::CommandEncoder,
        resources: &mut CallbackResources,
    ) -> Vec<wgpu::CommandBuffer> {
        supple_model::passing!();
        let renderer = resources.get_mut::<SceneRenderer>();
        renderer.and_then(|renderer| renderer.prepare(device, queue, self)).into_iter().collect()
    }

    fn paint(
        &self,
        _: PaintCallbackInfo,
        pass: &mut wgpu::RenderPass<'static>,
        resources: &CallbackResources,
    ) {
        let Some(renderer) = resources.get::<SceneRenderer>() else { return };
        let Some(viewport) = renderer.viewports.get(&self.viewport) else { return };
        pass.set_pipeline(&renderer.pipelines.copy);
        let target = viewport.fine.as_ref().unwrap_or(&viewport.target);
        pass.set_bind_group(0, &target.group, &[]);
        pass.draw(0..3, 0..1);
    }
}
