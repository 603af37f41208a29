/**
 * The rules of the coordinator of one contract: accept delegations, assemble one after another,
 * gather endorsements, ask leave, dispatch (ASM-1). Nothing of it is durable. Begin with {@link
 * dev.sequitur.protocol.coordinator.Coordinator}.
 */
package dev.sequitur.protocol.coordinator;
