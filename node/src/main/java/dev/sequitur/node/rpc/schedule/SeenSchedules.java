package dev.sequitur.node.rpc.schedule;

import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.protocol.guard.Named;
import dev.sequitur.protocol.schedule.Target;
import dev.sequitur.protocol.schedule.family.Proposal;
import dev.sequitur.protocol.schedule.multisignature.MultiSignatureTerms;
import dev.sequitur.protocol.schedule.signing.Action;
import dev.sequitur.scheduler.KnownSchedule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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

  private static List<Named> about(Proposal proposal) {
    if (proposal.terms() instanceof MultiSignatureTerms terms) {
      return about(terms);
    }
    var about = new ArrayList<Named>();
    about.add(new Named(Named.Kind.ACCOUNTS, proposal.owner().value()));
    ofTarget(proposal.target()).ifPresent(about::add);
    return about;
  }

  private static List<Named> about(MultiSignatureTerms terms) {
    return terms.creation().transaction().action() instanceof Action.PrivateTransaction sent
        ? ofTarget(sent.call()).stream().toList()
        : List.of();
  }

  private static Optional<Named> ofTarget(Target target) {
    return switch (target) {
      case Target.PrivateCall sent ->
          Optional.of(new Named(Named.Kind.GROUPS, sent.contract().value()));
      case Target.PublicCall sent ->
          Optional.of(new Named(Named.Kind.IDENTITIES, sent.from().toString()));
      case Target.InQueue ignored -> Optional.empty();
    };
  }
}
