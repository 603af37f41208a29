package dev.sequitur.schedule.family;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.Target;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What somebody asks to have run.
 *
 * @param owner who pays, and may cancel
 */
public record Proposal(
    AccountId owner,
    Terms terms,
    Target target,
    LatePolicy late,
    RetryPolicy retry,
    Description description) {
  /** Almost all have these policies, and there may be a million: each once. */
  public Proposal {
    late = late.equals(LatePolicy.AS_SPECIFIED) ? LatePolicy.AS_SPECIFIED : late;
    retry = retry.equals(RetryPolicy.NEVER) ? RetryPolicy.NEVER : retry;
    description = description.equals(Description.NONE) ? Description.NONE : description;
  }

  /** Of which nothing is said. */
  public Proposal(AccountId owner, Terms terms, Target target, LatePolicy late, RetryPolicy retry) {
    this(owner, terms, target, late, retry, Description.NONE);
  }

  /** With the policies that the family's text has. */
  public static Proposal of(AccountId owner, Terms terms, Target target) {
    return new Proposal(owner, terms, target, LatePolicy.AS_SPECIFIED, RetryPolicy.NEVER);
  }

  /** Those whose money it may move, its owner first, each once. */
  public List<AccountId> accounts() {
    return Stream.concat(Stream.of(owner), moves().keySet().stream()).distinct().toList();
  }

  /** What a run moves: what each of these accounts gets, or gives if it is negative. */
  public Map<AccountId, Long> moves() {
    return terms.moves(this);
  }

  /** With {@code same} in the place of its equal owner, so that all of an owner's share it. */
  public Proposal sharing(AccountId same) {
    return new Proposal(same, terms, target, late, retry, description);
  }

  public Proposal withLate(LatePolicy policy) {
    return new Proposal(owner, terms, target, policy, retry, description);
  }

  public Proposal with(Terms nextTerms, Target nextTarget) {
    return new Proposal(owner, nextTerms, nextTarget, late, retry, description);
  }

  public Proposal described(Description as) {
    return new Proposal(owner, terms, target, late, retry, as);
  }
}
