/**
 * The process of a node: main, its own commands, JSON-RPC, health and metrics. The one place where
 * everything meets that a node needs.
 */
package dev.sequitur.node;
