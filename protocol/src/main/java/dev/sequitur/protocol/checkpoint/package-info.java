/**
 * What those who read a base ledger say of its checkpoints, and up to which one all of them agree.
 * Pure rules (ROM-9, ROM-10): who asks, stores and drops is elsewhere.
 */
package dev.sequitur.protocol.checkpoint;
