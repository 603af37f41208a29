package dev.sequitur.schedule.family;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Target;
import java.util.List;
import java.util.Optional;

/**
 * A schedule, as far as it decides who may see it and hear of it (CLR-4), and by what it is looked
 * for when it is gone.
 *
 * @param owner of its account
 * @param group of which it runs a private transaction
 * @param sender as whom it sends a public one
 * @param labels that it has
 */
public record Subject(
    FamilyKind family,
    AccountId owner,
    Optional<ContractAddress> group,
    Optional<Identity> sender,
    List<String> labels) {
  public Subject {
    labels = List.copyOf(labels);
  }

  /** Of a schedule that was proposed so. */
  public static Subject of(Proposal proposal) {
    return switch (proposal.target()) {
      case Target.PrivateCall sent -> of(proposal, Optional.of(sent.contract()), Optional.empty());
      case Target.PublicCall sent -> of(proposal, Optional.empty(), Optional.of(sent.from()));
      case Target.InQueue ignored -> of(proposal, Optional.empty(), Optional.empty());
    };
  }

  private static Subject of(
      Proposal proposal, Optional<ContractAddress> group, Optional<Identity> sender) {
    return new Subject(
        proposal.terms().family(),
        proposal.owner(),
        group,
        sender,
        proposal.description().labels());
  }
}
