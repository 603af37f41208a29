/**
 * Faults that callers set on a running node, if it allows that: {@link
 * dev.sequitur.node.rehearsal.Rehearsal} sets and ends them. Who asks for them is not here.
 */
package dev.sequitur.node.rehearsal;
