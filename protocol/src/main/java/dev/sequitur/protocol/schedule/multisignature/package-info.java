/**
 * Transactions that run when all who must have signed them (docs/rules/multi-signature.md). Begin
 * with {@link dev.sequitur.protocol.schedule.multisignature.MultiSignature}.
 */
package dev.sequitur.protocol.schedule.multisignature;
