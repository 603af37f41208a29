package dev.sequitur.domain;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.transaction.PrivateState;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What a party checks of any endorsement request before it looks at what the states mean. Each
 * check throws a {@link RuleViolation}; cheap ones come first, since a stranger may send anything.
 */
final class EndorsementCheck {
  private static final int MAX_STATES = 64;

  private EndorsementCheck() {}

  /** The request speaks of one transaction, of this group, to one of its members. */
  static void checkEnvelope(
      PrivacyGroup group, String domain, EndorsementRequest request, EndorsementRequest.Item item) {
    var transaction = item.transaction();
    RuleViolation.unless(
        group.domain().equals(domain) && transaction.domain().equals(domain),
        "The transaction is not of the domain of its group.");
    RuleViolation.unless(
        request.contract().equals(group.contract())
            && transaction.contract().equals(group.contract()),
        "The transaction is not of the contract that is asked about.");
    RuleViolation.unless(
        group.committee().member(request.party()).isPresent(),
        "The party that is asked is no member of the group.");
    RuleViolation.unless(
        group.committee().members().containsAll(item.verifiers()),
        "A verifier is not the one that the group knows.");
  }

  /**
   * Every state is what its id says, for the whole committee of when it was made, and stands in one
   * place only.
   */
  static void checkStates(PrivacyGroup group, EndorsementRequest.Item item) {
    RuleViolation.unless(
        item.infoStates().isEmpty(), "A state is told for information; there should be none.");
    int states = item.inputStates().size() + item.readStates().size() + item.outputStates().size();
    RuleViolation.unless(states <= MAX_STATES, "There are more than " + MAX_STATES + " states.");
    var seen = new HashSet<StateId>();
    checkStates(group, item.inputStates(), group.committees()::hasHad, seen);
    checkStates(group, item.readStates(), group.committees()::hasHad, seen);
    checkStates(group, item.outputStates(), group.committee()::consistsOf, seen);
  }

  private static void checkStates(
      PrivacyGroup group,
      List<PrivateState> states,
      Predicate<List<Identity>> isWhole,
      Set<StateId> seen) {
    for (var state : states) {
      RuleViolation.unless(seen.add(state.id()), "A state stands twice.");
      RuleViolation.unless(
          isWhole.test(state.distribution()), "A state is not distributed to the whole committee.");
      RuleViolation.unless(
          StateContent.isGenuine(group, state), "The id of a state is not that of its content.");
    }
  }
}
