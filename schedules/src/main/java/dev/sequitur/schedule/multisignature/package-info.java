/**
 * Transactions that run when all who must have signed them (docs/rules/multi-signature.md). Begin
 * with {@link dev.sequitur.schedule.multisignature.MultiSignature}.
 */
package dev.sequitur.schedule.multisignature;
