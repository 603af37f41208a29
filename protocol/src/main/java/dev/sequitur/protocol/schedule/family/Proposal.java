package dev.sequitur.protocol.schedule.family;

import dev.sequitur.protocol.schedule.AccountId;
import dev.sequitur.protocol.schedule.LatePolicy;
import dev.sequitur.protocol.schedule.RetryPolicy;
import dev.sequitur.protocol.schedule.Target;

/**
 * What somebody asks to have run.
 *
 * @param owner who pays, and may cancel
 */
public record Proposal(
    AccountId owner, Terms terms, Target target, LatePolicy late, RetryPolicy retry) {
  /** With the policies that the family's text has. */
  public static Proposal of(AccountId owner, Terms terms, Target target) {
    return new Proposal(owner, terms, target, LatePolicy.AS_SPECIFIED, RetryPolicy.NEVER);
  }

  Proposal with(Terms nextTerms, Target nextTarget) {
    return new Proposal(owner, nextTerms, nextTarget, late, retry);
  }
}
