//! The shadow on the ground, so that heights can be read.
//!
//! The light comes from straight above: the first surface is drawn from there into a small picture of greys, and the
//! ground below it is darkened by that picture, blurred. The higher the body is, the wider and fainter.

use super::gpu::{Mesh, Uniform, read_group};
use super::pipelines::{Pipelines, SHADE};
use super::{Eye, Surface};
use eframe::wgpu;

/// Pixels of the picture along a side: few, so that the blur reaches from one of its places to the next.
const SIDE: u32 = 96;
/// How much larger the picture is than the body, on every side, so that the blur has room.
const MARGIN: f32 = 0.25;
/// How dark it is where the body stands on the ground.
const DARK: f32 = 0.42;

/// The ground below a drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// How high it is.
    pub height: f32,
    /// About how large what is drawn is.
    pub size: f32,
}

/// What the shadow of one viewport needs.
pub struct Shadow {
    picture: wgpu::TextureView,
    eye: Uniform,
    patch: Uniform,
    group: wgpu::BindGroup,
    is_seen: bool,
}

#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct Patch {
    bounds: [f32; 4],
    how: [f32; 4],
}

impl Shadow {
    pub fn new(device: &wgpu::Device, pipelines: &Pipelines) -> Self {
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("shadow"),
            size: wgpu::Extent3d { width: SIDE, height: SIDE, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: SHADE,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
        let picture = texture.create_view(&wgpu::TextureViewDescriptor::default());
        Self {
            eye: Uniform::new(device, &pipelines.eye, size_of::<Eye>() as u64),
            patch: Uniform::new(device, &pipelines.paint, size_of::<Patch>() as u64),
            group: read_group(device, pipelines, &picture),
            picture,
            is_seen: false,
        }
    }

    /// Sees a surface from above.
    pub fn update(&mut self, queue: &wgpu::Queue, ground: Option<Ground>, surface: Option<&Surface>) {
        let seen = ground.zip(surface.and_then(|surface| surface.bounds));
        self.is_seen = seen.is_some();
        let Some((ground, [low, high])) = seen else { return };
        let margin = MARGIN * (high[0] - low[0]).max(high[2] - low[2]).max(1e-3 * ground.size);
        let (x, z) = ([low[0] - margin, high[0] + margin], [low[2] - margin, high[2] + margin]);
        let (wide, deep) = (x[1] - x[0], z[1] - z[0]);
        // From x and z to the picture, whose second axis runs down; all heights are drawn.
        let mut clip = [[0.0; 4]; 4];
        (clip[0][0], clip[2][1]) = (2.0 / wide, -2.0 / deep);
        clip[3] = [-(x[0] + x[1]) / wide, (z[0] + z[1]) / deep, 0.5, 1.0];
        self.eye.write(queue, bytemuck::bytes_of(&Eye { clip, axes: [[0.0; 4]; 3], size: [0.0; 4] }));
        let above = ((low[1] - ground.height) / ground.size.max(1e-12)).clamp(0.0, 2.0);
        let how = [ground.height, DARK / (1.0 + 1.5 * above), 0.045 + 0.05 * above.min(1.0), 0.0];
        let patch = Patch { bounds: [x[0], z[0], x[1], z[1]], how };
        self.patch.write(queue, bytemuck::bytes_of(&patch));
    }

    /// Draws the picture from above.
    pub fn draw_picture(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        pipelines: &Pipelines,
        mesh: Option<&Mesh>,
    ) {
        let Some(mesh) = mesh.filter(|_| self.is_seen) else { return };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("shadow"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.picture,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..wgpu::RenderPassDescriptor::default()
        });
        pass.set_pipeline(&pipelines.shadow);
        pass.set_bind_group(0, &self.eye.group, &[]);
        mesh.draw_shadow(&mut pass);
    }

    /// Darkens the ground, in a scene whose solid things are drawn.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, pipelines: &Pipelines) {
        if self.is_seen {
            pass.set_pipeline(&pipelines.ground);
            pass.set_bind_group(1, &self.patch.group, &[]);
            pass.set_bind_group(2, &self.group, &[]);
            pass.draw(0..6, 0..1);
        }
    }
}
