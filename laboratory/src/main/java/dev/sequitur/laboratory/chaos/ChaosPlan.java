package dev.sequitur.laboratory.chaos;

import dev.sequitur.node.rehearsal.RehearsedFault;
import dev.sequitur.node.rehearsal.RehearsedFault.Traffic;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Which faults are set when, and where: the same for the same seed, duration and nodes.
 *
 * @param steps in the order of their times
 */
record ChaosPlan(List<Step> steps) {
  private static final int EVERY_SECONDS = 5;
  private static final int SHORTEST_SECONDS = 5;
  private static final int LONGEST_SECONDS = 15;
  private static final int KINDS = 6;

  ChaosPlan {
    steps = List.copyOf(steps);
  }

  /**
   * A node that takes part.
   *
   * @param contract of one of its groups, if it has any
   */
  record Target(NodeName name, Set<NodeName> peers, Optional<ContractAddress> contract) {}

  /**
   * One fault.
   *
   * @param at after the beginning
   * @param target by its place in the list of nodes
   */
  record Step(Duration at, int target, RehearsedFault fault, Duration lasts) {}

  /** One fault every five seconds; the last ends before the time is over. */
  static ChaosPlan of(long seed, Duration duration, List<Target> targets) {
    var random = new SplittableRandom(seed);
    var steps = new ArrayList<Step>();
    long seconds = duration.toSeconds();
    for (long at = 0; at + SHORTEST_SECONDS <= seconds; at += EVERY_SECONDS) {
      int target = random.nextInt(targets.size());
      long lasts = Math.min(seconds - at, random.nextInt(SHORTEST_SECONDS, LONGEST_SECONDS + 1));
      steps.add(
          new Step(
              Duration.ofSeconds(at),
              target,
              fault(targets.get(target), random),
              Duration.ofSeconds(lasts)));
    }
    return new ChaosPlan(steps);
  }

  private static RehearsedFault fault(Target target, SplittableRandom random) {
    var peers = target.peers().stream().sorted().toList();
    var peer =
        peers.isEmpty() ? Set.<NodeName>of() : Set.of(peers.get(random.nextInt(peers.size())));
    int kind = peers.isEmpty() ? KINDS - 2 + random.nextInt(2) : random.nextInt(KINDS);
    double share = random.nextInt(1, 6) / 10.0;
    var traffic = Traffic.to(peer);
    return switch (kind) {
      case 0 -> new RehearsedFault.Drop(traffic, share);
      case 1 ->
          new RehearsedFault.Delay(traffic, share, Duration.ofMillis(random.nextInt(50, 2_000)));
      case 2 -> new RehearsedFault.Duplicate(traffic, share);
      case 3 -> new RehearsedFault.Partition(peer);
      case 4 -> new RehearsedFault.LedgerLag(random.nextInt(1, 10));
      default -> {
        int count = random.nextInt(1, 4);
        yield target
            .contract()
            .<RehearsedFault>map(contract -> new RehearsedFault.LedgerRevert(contract, count))
            .orElse(new RehearsedFault.LedgerLag(count));
      }
    };
  }
}
