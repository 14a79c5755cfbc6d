//! A run: steps with size control and retry. Where a reader starts.
