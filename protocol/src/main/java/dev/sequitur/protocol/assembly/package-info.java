/**
 * The graph of assembled transactions of one contract: who spends and makes which state, who
 * depends on whom. Begin with {@link dev.sequitur.protocol.assembly.AssemblyGraph}.
 */
package dev.sequitur.protocol.assembly;
