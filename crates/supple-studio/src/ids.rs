//! Names of widgets that stay when their words change: for tests, and for programs that drive the window.

use eframe::egui::Response;

/// Gives a widget a name of its own.
pub fn id(response: Response, name: &str) -> Response {
    response.ctx.accesskit_node_builder(response.id, |node| node.set_author_id(name));
    response
}
