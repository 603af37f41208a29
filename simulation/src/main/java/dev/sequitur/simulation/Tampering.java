package dev.sequitur.simulation;

import dev.sequitur.protocol.endorser.EndorsementProof;
import dev.sequitur.protocol.group.ChangeFlaw;
import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.CommitteeStanding;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.port.Signatures;
import dev.sequitur.protocol.settings.SequencerSettings;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * Breaks a rule from outside, between a machine and what surrounds it or at the ledger, to see
 * whether the invariants notice. The machines themselves stay as they are.
 */
interface Tampering {
  /** Leaves everything as it is. */
  Tampering NONE = new Tampering() {};

  default SequencerSettings settings(SequencerSettings settings) {
    return settings;
  }

  /**
   * What a machine is told instead of {@code input}.
   *
   * @return empty if it is told nothing
   */
  default <I> Optional<I> input(Shell<I, ?, ?, ?> shell, I input) {
    return Optional.of(input);
  }

  /** What is waited for instead of what is stored beside a machine's events. */
  default CompletionStage<Void> alongside(Shell<?, ?, ?, ?> shell, CompletionStage<Void> stored) {
    return stored;
  }

  /** What is done instead of what a machine decided. */
  default <S, E, F> Decision<S, E, F> decided(Shell<?, S, E, F> shell, Decision<S, E, F> decision) {
    return decision;
  }

  /** What an endorser checks the signatures of senders with. */
  default Signatures ofSenders(Signatures signatures) {
    return signatures;
  }

  /** Whether the store refuses what a JVM writes that the others have left out. */
  default boolean isFenced() {
    return true;
  }

  /** Whose contents a node forgets, once a block that did this is old enough (ROM-1). */
  default List<StateId> forgotten(LedgerReceipt.Fulfilled done) {
    return done.spent();
  }

  /** Whether a node forgets what has no receipt as well. */
  default boolean forgetsWhatIsOpen() {
    return false;
  }

  /** Whether a node that has forgotten contents knows how their transaction ended (ROM-2). */
  default boolean keepsIds() {
    return true;
  }

  /** Whether the ledger takes the endorsements that a transition comes with. */
  default boolean isEndorsed(EndorsementProof proof) {
    return proof.flaw(SimulatedKeys.SIGNATURES).isEmpty();
  }

  /** Why the ledger does not take a change of a committee. */
  default Optional<ChangeFlaw> flaw(
      CommitteeStanding committees,
      CommitteeChange change,
      Set<Member> signers,
      BlockHeight block) {
    return committees.flaw(change, signers, block);
  }

  /** Whose endorsements the ledger takes in a block. */
  default Stream<Quorum> counting(CommitteeStanding committees, BlockHeight block) {
    return committees.counting(block);
  }

  /** What a node goes by after a change that it has read. */
  default PrivacyGroup read(PrivacyGroup before, PrivacyGroup after) {
    return after;
  }
}
