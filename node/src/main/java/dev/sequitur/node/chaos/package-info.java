/**
 * Rehearsal of faults on a running network: {@link dev.sequitur.node.chaos.Rehearsal} sets and ends
 * them within a node that allows it, {@link dev.sequitur.node.chaos.Chaos} asks several nodes for
 * them at random and reports.
 */
package dev.sequitur.node.chaos;
