package dev.sequitur.node.rpc.schedule;

import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.protocol.guard.Named;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.Subject;
import dev.sequitur.schedule.multisignature.MultiSignatureTerms;
import dev.sequitur.schedule.queue.History;
import dev.sequitur.schedule.queue.QueueEffect.Publish;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.TransactionRecord;
import dev.sequitur.scheduler.KnownSchedule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What must be granted to see a schedule: the account that owns it, and of what it runs the privacy
 * group, or who sends it to the chain, as for the transaction itself, since its content is in the
 * schedule. A multi-signature one is there for all who may have to sign it: of it the group alone.
 *
 * <p>What its caller may not see is not there for it (CLR-4): ids are computed from what schedules
 * do.
 */
final class SeenSchedules {
  private static final List<Named> EVERY =
      List.of(
          new Named(Named.Kind.ACCOUNTS, Named.ALL),
          new Named(Named.Kind.GROUPS, Named.ALL),
          new Named(Named.Kind.IDENTITIES, Named.ALL));

  private SeenSchedules() {}

  /** Whether there is none that the caller may not see. */
  static boolean seesAll(Call call) {
    return call.reads(EVERY);
  }

  /**
   * For what is sent without a call that could be asked.
   *
   * @throws dev.sequitur.node.rpc.RpcFailure if there are any that the caller may not see
   */
  static void mustSeeAll(Call call) {
    call.mustSee(EVERY);
  }

  static boolean sees(Call call, Proposal proposal) {
    return call.reads(
        proposal.terms() instanceof MultiSignatureTerms terms
            ? ofGroup(terms.group())
            : about(Subject.of(proposal)));
  }

  static boolean sees(Call call, MultiSignatureTerms terms) {
    return call.reads(ofGroup(terms.group()));
  }

  /** Of what has ended, as of the schedule while it waited. */
  static boolean sees(Call call, History.Recorded recorded) {
    return call.reads(about(recorded.about()));
  }

  static boolean sees(Call call, TransactionRecord recorded) {
    return call.reads(ofGroup(recorded.group()));
  }

  /** Whether what is known of one is there for the caller: where it stands, or how it ended. */
  static boolean sees(Call call, KnownSchedule known) {
    var seen = seen(call, known);
    return known.view().isPresent() ? seen.view().isPresent() : seen.lastOutcome().isPresent();
  }

  /** As much of what is known as the caller may see. */
  static KnownSchedule seen(Call call, KnownSchedule known) {
    return new KnownSchedule(
        known.view().filter(view -> sees(call, view.schedule().proposal())),
        known.lastOutcome().filter(last -> sees(call, last)));
  }

  /**
   * Whoever creates one with a group's private transaction needs the group: it is told of the
   * identical one, if there is one.
   *
   * @throws dev.sequitur.node.rpc.RpcFailure if it has not
   */
  static void mustHaveGroup(Call call, Creation creation) {
    call.mustSee(ofGroup(creation.group()));
  }

  /** Of what is published, as of the schedule itself; what is of none is the queue's. */
  static boolean hears(Call call, Publish told) {
    return hears(call, told.about());
  }

  /**
   * @param whose empty if it is of no schedule
   */
  static boolean hears(Call call, Optional<Subject> whose) {
    return whose.map(subject -> call.reads(about(subject))).orElse(true);
  }

  private static List<Named> about(Subject subject) {
    var about = new ArrayList<>(ofGroup(subject.group()));
    if (subject.family() != FamilyKind.MULTI_SIGNATURE) {
      about.add(new Named(Named.Kind.ACCOUNTS, subject.owner().value()));
    }
    subject
        .sender()
        .ifPresent(sender -> about.add(new Named(Named.Kind.IDENTITIES, sender.toString())));
    return about;
  }

  private static List<Named> ofGroup(Optional<ContractAddress> group) {
    return group.map(it -> new Named(Named.Kind.GROUPS, it.value())).stream().toList();
  }
}
