//! Tubes from frames.
