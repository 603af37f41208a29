package dev.sequitur.node.rpc.server;

import dev.sequitur.node.rpc.HealthSettings;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.NodeStore.Hindrance;
import dev.sequitur.protocol.port.Transport.Link;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What follows from what was seen of a node. It is <em>live</em> unless a new start of the process,
 * and nothing else, mends it. It is <em>ready</em> if calls to it can succeed. What is only told
 * hinders no call: a peer that is away, say, is no reason to take every node out of service.
 *
 * @param restart sentences why the process should be started anew
 * @param unready sentences why calls cannot succeed, those of {@code restart} among them
 * @param told sentences about what else an operator should look at
 */
record Health(List<String> restart, List<String> unready, List<String> told) {
  /** Less is what NTP does every day. */
  private static final Duration SET_BACK = Duration.ofSeconds(5);

  Health {
    restart = List.copyOf(restart);
    unready = List.copyOf(unready);
    told = List.copyOf(told);
  }

  /**
   * What was seen of a node at one moment.
   *
   * @param leaving a sentence, if the JVM is being drained
   * @param member whether the JVM is in its node's cluster
   * @param store what keeps the node from storing anything
   * @param head the ledger's newest block; empty if the ledger did not answer
   * @param sinceNewBlock how long the head has been the same, at least
   * @param indexed the newest block that the node has read
   * @param parted a sentence, if the ledger lacks blocks that the node has acted upon
   * @param notRecovered a sentence, if entities cannot be loaded from the journal
   * @param undealt a sentence, if entities cannot be found since nobody deals out their shards
   * @param troubles sentences of the schedules, and of what waits for gas money
   * @param links to peers; none within one process
   */
  record Seen(
      Optional<String> leaving,
      boolean member,
      Optional<Hindrance> store,
      Optional<BlockHeight> head,
      Duration sinceNewBlock,
      BlockHeight indexed,
      Optional<String> parted,
      Optional<String> notRecovered,
      Optional<String> undealt,
      List<String> troubles,
      Map<NodeName, Link> links) {}

  /** Also if no schedule waits: times that people are shown are wrong. */
  static Optional<String> setBack(Duration by) {
    return by.compareTo(SET_BACK) < 0
        ? Optional.empty()
        : Optional.of(
            ("The clock of this JVM was set back: the node's own time is %d s ahead of it, and goes"
                    + " on slowly until the clock has come to it. Set the clock right (NTP) if it"
                    + " is wrong now.")
                .formatted(by.toSeconds()));
  }

  /**
   * Also after a restart, when the node's own time is right again.
   *
   * @param by how far the newest transaction is dated ahead of the clock
   */
  static Optional<String> acceptedAhead(Duration by) {
    return by.compareTo(SET_BACK) < 0
        ? Optional.empty()
        : Optional.of(
            ("The newest transaction is dated %d s ahead of this JVM's clock, since the clock, or"
                    + " that of another JVM of this node, was ahead when one was accepted. Set the"
                    + " clocks right (NTP) if they are wrong now. New transactions have the clock's"
                    + " time again when it has come to that, and ten minutes after the first of"
                    + " them if that is more than an hour away.")
                .formatted(by.toSeconds()));
  }

  static Health of(Seen seen, HealthSettings settings) {
    var unready = new ArrayList<String>();
    seen.leaving().ifPresent(unready::add);
    if (!seen.member() && seen.leaving().isEmpty()) {
      unready.add(
          "This JVM is not in the cluster of its node: wait until it has joined, or call another.");
    }
    seen.store().map(Hindrance::sentence).ifPresent(unready::add);
    if (seen.head().isEmpty()) {
      unready.add(
          "The base ledger cannot be reached: look whether it runs and %s is right."
              .formatted(settings.ledgerKey()));
    }
    seen.parted().ifPresent(unready::add);
    seen.notRecovered().ifPresent(unready::add);
    seen.undealt().ifPresent(unready::add);
    seen.head().ifPresent(head -> addBlocks(unready, head, seen, settings));
    var told = new ArrayList<>(seen.troubles());
    new TreeMap<>(seen.links())
        .forEach(
            (peer, link) -> {
              if (!link.connected()) {
                told.add(noConnection(peer, link));
              }
            });
    return new Health(restart(seen.store()), unready, told);
  }

  /** Why the process should be started anew: what else hinders a write, a new start meets again. */
  static List<String> restart(Optional<Hindrance> store) {
    return store.filter(Hindrance::endsWithRestart).map(Hindrance::sentence).stream().toList();
  }

  private static void addBlocks(
      List<String> unready, BlockHeight head, Seen seen, HealthSettings settings) {
    settings
        .noBlockFor()
        .filter(most -> seen.sinceNewBlock().compareTo(most) >= 0)
        .ifPresent(
            most ->
                unready.add(
                    "The base ledger has made no block for %d s: look whether it stands still; health.no-block-for says how long it may."
                        .formatted(seen.sinceNewBlock().toSeconds())));
    if (head.value() < seen.indexed().value() - settings.blocksBehind()) {
      unready.add(
          "The base ledger tells of no block after %d, and this node has read block %d: it was restored from a backup, or is another one. Nothing is read of it until it has caught up."
              .formatted(head.value(), seen.indexed().value()));
    }
    long behind = head.value() - settings.confirmations() - seen.indexed().value();
    if (behind > settings.blocksBehind()) {
      unready.add(
          "The node has %d blocks yet to read, more than the %d of health.blocks-behind: wait until it has caught up."
              .formatted(behind, settings.blocksBehind()));
    }
  }

  private static String noConnection(NodeName peer, Link link) {
    var why = link.trouble().isEmpty() ? "" : " (" + link.trouble() + ")";
    return "There is no connection to node %s%s: look whether it runs and transport.peers is right."
        .formatted(peer, why);
  }

  boolean isLive() {
    return restart.isEmpty();
  }

  boolean isReady() {
    return unready.isEmpty();
  }

  /** Those that hinder calls first. */
  List<String> troubles() {
    var all = new ArrayList<>(unready);
    all.addAll(told);
    return all;
  }

  /** {@code UP}; {@code DEGRADED} if there is only something to tell; {@code DOWN} if not ready. */
  String status() {
    return !isReady() ? "DOWN" : told.isEmpty() ? "UP" : "DEGRADED";
  }
}
