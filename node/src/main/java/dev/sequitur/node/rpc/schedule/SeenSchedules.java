package dev.sequitur.node.rpc.schedule;

import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.protocol.guard.Named;
import dev.sequitur.protocol.schedule.FamilyKind;
import dev.sequitur.protocol.schedule.family.Proposal;
import dev.sequitur.protocol.schedule.multisignature.MultiSignatureTerms;
import dev.sequitur.protocol.schedule.queue.QueueEffect.Publish;
import dev.sequitur.protocol.schedule.queue.QueueEffect.Subject;
import dev.sequitur.protocol.schedule.signing.Action;
import dev.sequitur.scheduler.KnownSchedule;
import java.util.ArrayList;
import java.util.List;

/**
 * What must be granted to see a schedule: the account that owns it, and of what it runs the privacy
 * group, or who sends it to the chain, as for the transaction itself, since its content is in the
 * schedule. A multi-signature one is there for all who may have to sign it: of it the group alone.
 */
final class SeenSchedules {
  private SeenSchedules() {}

  static boolean sees(Call call, Proposal proposal) {
    return call.refusal(about(proposal)).isEmpty();
  }

  /**
   * @throws dev.sequitur.node.rpc.RpcFailure if the caller may not see it
   */
  static void mustSee(Call call, Proposal proposal) {
    call.mustSee(about(proposal));
  }

  /** The same of one that is known; of one that is gone there is an outcome, and no content. */
  static KnownSchedule mustSee(Call call, KnownSchedule known) {
    known.view().ifPresent(view -> mustSee(call, view.schedule().proposal()));
    return known;
  }

  static void mustSee(Call call, MultiSignatureTerms terms) {
    call.mustSee(about(terms));
  }

  /** Of what is published, as of the schedule itself; what is of none is the queue's. */
  static boolean hears(Call call, Publish told) {
    return told.about().map(SeenSchedules::about).flatMap(call::refusal).isEmpty();
  }

  private static List<Named> about(Proposal proposal) {
    return proposal.terms() instanceof MultiSignatureTerms terms
        ? about(terms)
        : about(Subject.of(proposal));
  }

  private static List<Named> about(Subject subject) {
    var about = new ArrayList<Named>();
    if (subject.family() != FamilyKind.MULTI_SIGNATURE) {
      about.add(new Named(Named.Kind.ACCOUNTS, subject.owner().value()));
    }
    subject.group().ifPresent(group -> about.add(new Named(Named.Kind.GROUPS, group.value())));
    subject
        .sender()
        .ifPresent(sender -> about.add(new Named(Named.Kind.IDENTITIES, sender.toString())));
    return about;
  }

  private static List<Named> about(MultiSignatureTerms terms) {
    return terms.creation().transaction().action() instanceof Action.PrivateTransaction sent
        ? List.of(new Named(Named.Kind.GROUPS, sent.call().contract().value()))
        : List.of();
  }
}
