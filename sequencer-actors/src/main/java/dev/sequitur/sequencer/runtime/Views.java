package dev.sequitur.sequencer.runtime;

import static java.util.stream.Collectors.toUnmodifiableMap;

import dev.sequitur.protocol.distribution.Lacking;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.selection.Ranking;
import dev.sequitur.sequencer.actor.NodeServices;
import dev.sequitur.sequencer.view.CoordinatorView;
import dev.sequitur.sequencer.view.RingView;
import dev.sequitur.sequencer.view.SequencerStatus;
import dev.sequitur.sequencer.view.SequencerStatus.CoordinatorReport;
import dev.sequitur.sequencer.view.SequencerStatus.SenderReport;
import dev.sequitur.sequencer.view.SequencerStatus.SenderReport.Away;
import java.util.ArrayList;
import java.util.Optional;

/** Puts together what people are shown; nothing private is in it. */
final class Views {
  /** The present range of blocks, and those that follow. */
  private static final int RANGES_SHOWN = 10;

  private static final String SILENT = " did not answer a delegation and has given no sign since.";
  private static final String UNABLE =
      " answers and takes no delegation: it is behind on the ledger, cannot submit to it, or refuses"
          + " all.";

  private final NodeServices services;

  Views(NodeServices services) {
    this.services = services;
  }

  /** As the sender on this node chooses now. */
  CoordinatorView coordinator(ContractAddress contract, SenderReport report) {
    var selection = services.groups().selection(contract);
    var height = services.height();
    var ranking = selection.ranking(selection.range(height));
    var away = report.unavailable().stream().collect(toUnmodifiableMap(Away::node, it -> it));
    var chosen = ranking.preferred(node -> !away.containsKey(node)).orElse(ranking.preferred());
    var ranked = new ArrayList<CoordinatorView.Ranked>();
    boolean chosenSeen = false;
    for (var member : ranking.members()) {
      var node = member.identity().node();
      boolean available = !away.containsKey(node);
      boolean isChosen = !chosenSeen && node.equals(chosen);
      chosenSeen |= isChosen;
      ranked.add(
          new CoordinatorView.Ranked(
              ranked.size() + 1,
              member.identity(),
              Long.toUnsignedString(member.distance()),
              available,
              reason(member, isChosen, Optional.ofNullable(away.get(node))),
              Optional.ofNullable(away.get(node)).flatMap(Away::until)));
    }
    return new CoordinatorView(
        contract, height, selection.range(height), selection.policy().rangeSize(), chosen, ranked);
  }

  /** As all nodes at this height draw it. */
  RingView ring(ContractAddress contract) {
    var selection = services.groups().selection(contract);
    var height = services.height();
    return new RingView(
        contract,
        height,
        selection.policy().rangeSize(),
        selection.ring(selection.range(height), RANGES_SHOWN));
  }

  private static String reason(Ranking.Ranked member, boolean chosen, Optional<Away> away) {
    if (chosen) {
      return "Selected: nearest to the range's point of those presumed available.";
    }
    return away.map(it -> member.identity().node() + why(it))
        .orElse("Farther from the range's point than the one selected.");
  }

  private static String why(Away away) {
    return away.link()
        .map(" has no connection with this node: %s."::formatted)
        .orElse(away.answers() ? UNABLE : SILENT);
  }

  SequencerStatus status(
      ContractAddress contract,
      Optional<Lacking> lacking,
      SenderReport sender,
      CoordinatorReport coordinator) {
    var heartbeats = new ArrayList<>(coordinator.heard());
    heartbeats.addAll(sender.submitters());
    return new SequencerStatus(
        services.self(),
        contract,
        services.height(),
        lacking,
        sender.status(),
        coordinator.status(),
        heartbeats);
  }
}
