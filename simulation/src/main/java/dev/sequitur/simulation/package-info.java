/**
 * A whole network in one thread: the pure machines of several nodes on a virtual clock, with faults
 * from one seed and invariants that are checked as it runs. Each machine is driven by the same
 * {@code machine.Host} as in a node; the shells here stand in for what an actor does around it.
 * Nothing but the JDK and the protocol is used. Begin with {@link
 * dev.sequitur.simulation.Simulation}.
 */
package dev.sequitur.simulation;
