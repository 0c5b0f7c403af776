// Surfaces, strokes and the copy to the window. Colours are in gamma space, as those of the window.

struct View {
    clip: mat4x4<f32>,
    right: vec4<f32>,
    up: vec4<f32>,
    back: vec4<f32>,
    // Width and height in pixels, pixels per point, nothing.
    size: vec4<f32>,
}

struct Paint {
    colour: vec4<f32>,
}

@group(0) @binding(0) var<uniform> view: View;
@group(1) @binding(0) var<uniform> paint: Paint;

struct Surface {
    @builtin(position) place: vec4<f32>,
    @location(0) normal: vec3<f32>,
    @location(1) colour: vec4<f32>,
}

@vertex
fn surface_vertex(@location(0) p: vec3<f32>, @location(1) n: vec3<f32>, @location(2) c: vec4<f32>) -> Surface {
    var place = view.clip * vec4(p, 1.0);
    if paint.colour.a < 1.0 {
        // A little farther than it is, so that what is seen through does not tint what is at the same place.
        place.z += 6e-5 * place.w;
    }
    return Surface(place, n, c);
}

@fragment
fn surface_fragment(in: Surface) -> @location(0) vec4<f32> {
    // The normal, seen from the eye; a surface has two sides.
    var n = vec3(dot(in.normal, view.right.xyz), dot(in.normal, view.up.xyz), dot(in.normal, view.back.xyz));
    n = n / max(length(n), 1e-12);
    if n.z < 0.0 {
        n = -n;
    }
    let key = max(dot(n, normalize(vec3(-0.4, 0.7, 0.6))), 0.0);
    let fill = max(dot(n, normalize(vec3(0.7, -0.1, 0.5))), 0.0);
    let shine = pow(max(dot(n, normalize(vec3(-0.2, 0.4, 1.0))), 0.0), 40.0);
    // What looks down has light from the ground.
    let below = max(-dot(n, vec3(view.right.y, view.up.y, view.back.y)), 0.0);
    var base = mix(paint.colour.rgb, in.colour.rgb, in.colour.a);
    var cover = paint.colour.a;
    if cover < 1.0 {
        // Of what is seen through, the colour of a vertex says how much of it is not there.
        base = paint.colour.rgb;
        cover = cover * (1.0 - in.colour.a);
    }
    let light = base * (0.36 + 0.54 * key + 0.2 * fill + 0.22 * below) + vec3(0.1 * shine);
    return vec4(light, 1.0) * cover;
}

struct Stroke {
    @builtin(position) place: vec4<f32>,
    @location(0) colour: vec4<f32>,
    // Pixels along and across, the length and half the width of the stroke.
    @location(1) at: vec2<f32>,
    @location(2) shape: vec2<f32>,
}

@vertex
fn stroke_vertex(
    @builtin(vertex_index) corner: u32,
    @location(0) begin: vec3<f32>,
    @location(1) end: vec3<f32>,
    @location(2) colour: vec4<f32>,
    @location(3) width: f32,
) -> Stroke {
    var a = view.clip * vec4(begin, 1.0);
    var b = view.clip * vec4(end, 1.0);
    // What is behind the eye is cut off.
    let nearest = 1e-5;
    if a.w < nearest && b.w < nearest {
        return Stroke(vec4(2.0, 2.0, 2.0, 1.0), colour, vec2(0.0), vec2(0.0));
    }
    if a.w < nearest {
        a = mix(a, b, (nearest - a.w) / (b.w - a.w));
    } else if b.w < nearest {
        b = mix(b, a, (nearest - b.w) / (a.w - b.w));
    }
    let half_size = 0.5 * view.size.xy;
    let pa = a.xy / a.w * half_size;
    let pb = b.xy / b.w * half_size;
    let apart = pb - pa;
    let reach = length(apart);
    var along = vec2(1.0, 0.0);
    if reach > 1e-4 {
        along = apart / reach;
    }
    let across = vec2(-along.y, along.x);
    let half_width = 0.5 * width * view.size.z;
    let margin = half_width + 1.0;
    var ends = array(false, false, true, true, true, false);
    var sides = array(-1.0, 1.0, -1.0, 1.0, -1.0, 1.0);
    let at_end = ends[corner];
    let s = sides[corner];
    let along_by = select(-margin, reach + margin, at_end);
    let pixel = pa + along * along_by + across * (s * margin);
    let here = select(a, b, at_end);
    // A little nearer than it is, so that it is seen on the surface it lies on.
    let depth = here.z / here.w - 2e-5;
    return Stroke(vec4(pixel / half_size, depth, 1.0), colour, vec2(along_by, s * margin), vec2(reach, half_width));
}

@fragment
fn stroke_fragment(in: Stroke) -> @location(0) vec4<f32> {
    let beyond = max(max(-in.at.x, in.at.x - in.shape.x), 0.0);
    let away = length(vec2(beyond, in.at.y));
    let cover = clamp(in.shape.y + 0.5 - away, 0.0, 1.0);
    if cover <= 0.0 {
        discard;
    }
    return vec4(in.colour.rgb, 1.0) * (in.colour.a * cover);
}

// The shadow: the surface seen from above, as one grey, and the ground it falls on.

@vertex
fn shadow_vertex(@location(0) p: vec3<f32>) -> @builtin(position) vec4<f32> {
    return view.clip * vec4(p, 1.0);
}

@fragment
fn shadow_fragment() -> @location(0) vec4<f32> {
    return vec4(1.0);
}

struct Patch {
    // Least x and z, largest x and z.
    box: vec4<f32>,
    // Height, darkness, how far it is blurred (parts of the box), nothing.
    how: vec4<f32>,
}

@group(1) @binding(0) var<uniform> ground: Patch;
@group(2) @binding(0) var shade: texture_2d<f32>;
@group(2) @binding(1) var shade_sampler: sampler;

struct Ground {
    @builtin(position) place: vec4<f32>,
    @location(0) at: vec2<f32>,
}

@vertex
fn ground_vertex(@builtin(vertex_index) corner: u32) -> Ground {
    var xs = array(0.0, 1.0, 0.0, 0.0, 1.0, 1.0);
    var zs = array(0.0, 0.0, 1.0, 1.0, 0.0, 1.0);
    let at = vec2(xs[corner], zs[corner]);
    let p = mix(ground.box.xy, ground.box.zw, at);
    var place = view.clip * vec4(p.x, ground.how.x, p.y, 1.0);
    // A little nearer than it is, so that it is seen on a floor.
    place.z -= 1e-5 * place.w;
    return Ground(place, at);
}

@fragment
fn ground_fragment(in: Ground) -> @location(0) vec4<f32> {
    var sum = 0.0;
    var weights = 0.0;
    for (var i = -3; i <= 3; i++) {
        for (var j = -3; j <= 3; j++) {
            let away = vec2(f32(i), f32(j)) / 3.0;
            let weight = exp(-2.0 * dot(away, away));
            sum += weight * textureSampleLevel(shade, shade_sampler, in.at + away * ground.how.z, 0.0).r;
            weights += weight;
        }
    }
    return vec4(0.0, 0.0, 0.0, 1.0) * (ground.how.y * sum / weights);
}

struct Screen {
    @builtin(position) place: vec4<f32>,
    @location(0) at: vec2<f32>,
}

@vertex
fn screen_vertex(@builtin(vertex_index) corner: u32) -> Screen {
    let at = vec2(f32((corner << 1u) & 2u), f32(corner & 2u));
    return Screen(vec4(at * vec2(2.0, -2.0) + vec2(-1.0, 1.0), 0.0, 1.0), at);
}

@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var smooth_sampler: sampler;

@fragment
fn screen_fragment(in: Screen) -> @location(0) vec4<f32> {
    return vec4(textureSample(picture, smooth_sampler, in.at).rgb, 1.0);
}
