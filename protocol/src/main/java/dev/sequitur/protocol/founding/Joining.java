package dev.sequitur.protocol.founding;

import dev.sequitur.protocol.group.GenesisFlaw;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.GroupGenesis;
import dev.sequitur.protocol.message.GroupWithdrawal;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.ResolveVerifierError;
import dev.sequitur.protocol.message.ResolveVerifierRequest;
import dev.sequitur.protocol.message.ResolveVerifierResponse;
import dev.sequitur.protocol.port.NodeStore.Deployment;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import java.time.Instant;
import java.util.Optional;

/**
 * In which groups of others a node takes part (SEL-7, SEL-9). Pure.
 *
 * @param rules which domains it has, which keys, and which names its own keys have
 */
public record Joining(GroupRules rules) {
  /** What a node answers that is asked for a key. */
  public Message.OfVerifier answer(ResolveVerifierRequest request) {
    var identity = request.identity();
    boolean mine = identity.node().equals(rules.self()) && !rules.taken().test(identity);
    return mine
        ? new ResolveVerifierResponse(request.requestId(), identity, rules.ownKey(identity))
        : new ResolveVerifierError(
            request.requestId(),
            identity,
            "Node " + rules.self() + " does not hold " + identity + ".");
  }

  /** Why it takes no part, as far as that does not depend on what it has stored. */
  public Optional<GenesisFlaw> flaw(NodeName from, GroupGenesis given) {
    var domain = rules.domains().get(given.domain());
    if (domain == null) {
      return Optional.of(GenesisFlaw.DOMAIN_UNKNOWN);
    }
    return new GenesisFlaw.Check(rules.self(), rules::ownKey, rules::signsNothing, rules.taken())
        .flaw(from, given.genesis().committee())
        .or(
            () ->
                GroupRules.refused(given.domain(), domain, given.genesis().configuration())
                    .map(refusal -> GenesisFlaw.CONFIGURATION_REFUSED));
  }

  /** That a group is stored already says nothing of what it was stored as. */
  public static Optional<GenesisFlaw> flaw(StoredGroup known, GroupGenesis given) {
    if (known.withdrawnBy().isPresent()) {
      return Optional.of(GenesisFlaw.WITHDRAWN);
    }
    return known.deployment().equals(Optional.of(deployment(given)))
        ? Optional.empty()
        : Optional.of(GenesisFlaw.OTHER_GENESIS);
  }

  /** What is stored of a group that it takes part in. */
  public static StoredGroup awaited(NodeName giver, GroupGenesis given, Instant now) {
    return StoredGroup.of(given.genesis().group(), now)
        .withGiver(Optional.of(giver))
        .withDeployment(Optional.of(deployment(given)));
  }

  /**
   * What is stored of a group that it does not know and that is withdrawn: its genesis may be on
   * its way still.
   */
  public static StoredGroup withdrawn(NodeName giver, GroupWithdrawal withdrawal, Instant now) {
    return StoredGroup.of(withdrawal.group(), now)
        .withGiver(Optional.of(giver))
        .withNotMade(Optional.of(withdrawal.reason()));
  }

  private static Deployment deployment(GroupGenesis given) {
    return new Deployment(given.domain(), given.genesis());
  }
}
