/**
 * {@code sequitur chaos}: {@link dev.sequitur.laboratory.chaos.Chaos} asks several running nodes
 * for faults at random ({@link dev.sequitur.node.rehearsal.RehearsedFault}), and reports. Knows the
 * nodes by their JSON-RPC only.
 */
package dev.sequitur.laboratory.chaos;
