//! How surfaces, strokes and the copy to the window are drawn: all that never changes.

use eframe::wgpu::{self, vertex_attr_array};

pub const COLOUR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
pub const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
pub const SHADE: wgpu::TextureFormat = wgpu::TextureFormat::R8Unorm;

/// What a surface and a stroke are made of.
const POINT: [wgpu::VertexAttribute; 1] = vertex_attr_array![0 => Float32x3];
const NORMAL: [wgpu::VertexAttribute; 1] = vertex_attr_array![1 => Float32x3];
const COLOURS: [wgpu::VertexAttribute; 1] = vertex_attr_array![2 => Unorm8x4];
const STROKE: [wgpu::VertexAttribute; 4] =
    vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Unorm8x4, 3 => Float32];

/// All that never changes.
pub struct Pipelines {
    pub solid: wgpu::RenderPipeline,
    pub glass: wgpu::RenderPipeline,
    pub strokes: wgpu::RenderPipeline,
    pub copy: wgpu::RenderPipeline,
    pub shadow: wgpu::RenderPipeline,
    pub ground: wgpu::RenderPipeline,
    pub eye: wgpu::BindGroupLayout,
    pub paint: wgpu::BindGroupLayout,
    pub picture: wgpu::BindGroupLayout,
    pub sampler: wgpu::Sampler,
    pub samples: u32,
}

impl Pipelines {
    pub fn new(device: &wgpu::Device, window: wgpu::TextureFormat, samples: u32) -> Self {
        let shader = device.create_shader_module(wgpu::include_wgsl!("shader.wgsl"));
        let eye = uniform_layout(device, "eye");
        let paint = uniform_layout(device, "paint");
        let picture = picture_layout(device);
        let per_vertex = wgpu::VertexStepMode::Vertex;
        let of_surface = [
            Some(layout(12, per_vertex, &POINT)),
            Some(layout(12, per_vertex, &NORMAL)),
            Some(layout(4, per_vertex, &COLOURS)),
        ];
        let of_strokes = [Some(layout(32, wgpu::VertexStepMode::Instance, &STROKE))];
        let make = |name: &str, buffers: &[_], layouts: &[_], target, depth: Option<bool>, blends| {
            let entries = (format!("{name}_vertex"), format!("{name}_fragment"));
            let samples = if depth.is_some() { samples } else { 1 };
            pipeline(
                device,
                &shader,
                (&entries.0, &entries.1),
                buffers,
                layouts,
                target,
                depth,
                blends,
                samples,
            )
        };
        let all = [Some(&eye), Some(&paint), Some(&picture)];
        let both = &all[..2];
        Self {
            solid: make("surface", &of_surface, both, COLOUR, Some(true), false),
            glass: make("surface", &of_surface, both, COLOUR, Some(false), true),
            strokes: make("stroke", &of_strokes, &both[..1], COLOUR, Some(false), true),
            copy: make("screen", &[], &[Some(&picture)], window, None, false),
            shadow: make("shadow", &of_surface[..1], &both[..1], SHADE, None, false),
            ground: make("ground", &[], &all, COLOUR, Some(false), true),
            eye,
            paint,
            picture,
            sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                ..wgpu::SamplerDescriptor::default()
            }),
            samples,
        }
    }
}

fn layout(
    stride: u64,
    step_mode: wgpu::VertexStepMode,
    attributes: &[wgpu::VertexAttribute],
) -> wgpu::VertexBufferLayout<'_> {
    wgpu::VertexBufferLayout { array_stride: stride, step_mode, attributes }
}

fn uniform_layout(device: &wgpu::Device, label: &str) -> wgpu::BindGroupLayout {
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some(label),
        entries: &[wgpu::BindGroupLayoutEntry {
            binding: 0,
            visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        }],
    })
}

fn picture_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::FRAGMENT,
        ty,
        count: None,
    };
    let texture = wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable: true },
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("picture"),
        entries: &[entry(0, texture), entry(1, sampler)],
    })
}

#[expect(clippy::too_many_arguments, reason = "one place where all of a pipeline comes together")]
fn pipeline(
    device: &wgpu::Device,
    shader: &wgpu::ShaderModule,
    (vertex, fragment): (&str, &str),
    buffers: &[Option<wgpu::VertexBufferLayout<'_>>],
    layouts: &[Option<&wgpu::BindGroupLayout>],
    format: wgpu::TextureFormat,
    depth: Option<bool>,
    blends: bool,
    samples: u32,
) -> wgpu::RenderPipeline {
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(vertex),
        bind_group_layouts: layouts,
        immediate_size: 0,
    });
    let blend = blends.then_some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING);
    let target = wgpu::ColorTargetState { format, blend, write_mask: wgpu::ColorWrites::ALL };
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(vertex),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: shader,
            entry_point: Some(vertex),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers,
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: depth.map(|writes| wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(writes),
            depth_compare: Some(wgpu::CompareFunction::LessEqual),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }),
        multisample: wgpu::MultisampleState { count: samples, ..wgpu::MultisampleState::default() },
        fragment: Some(wgpu::FragmentState {
            module: shader,
            entry_point: Some(fragment),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &[Some(target)],
        }),
        multiview_mask: None,
        cache: None,
    })
}
