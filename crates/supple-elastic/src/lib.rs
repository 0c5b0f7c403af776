//! Elastic bodies: energies, forces, stiffness, mass and modes.
