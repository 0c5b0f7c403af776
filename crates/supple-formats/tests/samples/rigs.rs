//! Small skeletons that move.

/// A planar leg below a root that moves, as most programs write it.
pub const BVH: &str = "HIERARCHY
ROOT Hips
{
\tOFFSET 0.00000 0.00000 0.00000
\tCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
\tJOINT LeftLeg
\t{
\t\tOFFSET 0.5 -4.25 0
\t\tCHANNELS 1 Xrotation
\t\tEnd Site
\t\t{
\t\t\tOFFSET 0 -4.5 1e-05
\t\t}
\t}
}
MOTION
Frames: 2
Frame Time: .0083333
0 9 0 10 20 30 12.5
0.1 9.25 -0.5 -10 +20 -.5 12.750000
";

/// The same in all ways that are in use and unlike that: cases, colons, blanks, ends of lines, braces, channels and ends.
pub const ODD_BVH: &str = "\u{feff}hierarchy\r\nroot Bip01 Hips {\r\n channels 3 yrotation XPosition zRotation \r\n\
    Offset\t1  2\t-3\r\n\r\n Joint Foot\r\n {\r\n OFFSET 0 -1 0\r\n CHANNELS 0\r\n END SITE\r\n { OFFSET 0 0 1 }\r\n\
    EndSite toe\r\n {\r\n }\r\n }\r\n JOINT Foot\r\n{ OFFSET 0 0 0 CHANNELS 1 Zrotation }\r\n}\r\nmotion\r\n\
    FRAME TIME : 4e-2\r\nframes 2\r\n\r\n  1\t2 3 4  \r\n\r\n-1 -2 -3 -4 \r\n \t";
