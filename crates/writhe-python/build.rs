//! Lets linkers that want every symbol leave Python's open.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
