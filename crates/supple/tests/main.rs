//! Tests of the whole program, and of the shape of its code.

mod architecture;
mod cli;
mod oracles;
