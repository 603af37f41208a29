/**
 * A whole network in one thread: the pure machines of several nodes on a virtual clock, with faults
 * from one seed and invariants that are checked as it runs. What the actors do around the machines
 * is imitated by the shells here; nothing but the JDK and the protocol is used. Begin with {@link
 * dev.sequitur.simulation.Simulation}.
 */
package dev.sequitur.simulation;
