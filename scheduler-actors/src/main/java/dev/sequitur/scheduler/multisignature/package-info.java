/**
 * How a multi-signature transaction comes into a queue: {@link
 * dev.sequitur.scheduler.multisignature.VerifiedSubmission} asks whose keys are in question,
 * verifies the signatures by them, and submits. How one is read is in {@code body}.
 */
package dev.sequitur.scheduler.multisignature;
