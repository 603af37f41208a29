/**
 * Endurance: a network of processes under a steady load while its JVMs are killed, and an account
 * of every transaction from the ledger's blocks. {@link dev.sequitur.laboratory.soak.Soak} is the
 * whole of it, step by step.
 */
package dev.sequitur.laboratory.soak;
