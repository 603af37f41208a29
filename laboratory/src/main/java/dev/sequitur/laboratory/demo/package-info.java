/**
 * The demonstration: several nodes in one process, a workload in which they compete for shared
 * states, and a summary with a double-check told from the ledger's blocks. {@link
 * dev.sequitur.laboratory.demo.Demo} is the whole of it, step by step.
 */
package dev.sequitur.laboratory.demo;
