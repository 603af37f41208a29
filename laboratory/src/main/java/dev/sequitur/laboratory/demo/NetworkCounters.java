package dev.sequitur.laboratory.demo;

import dev.sequitur.node.process.RunningNetwork;

/** Counters of all nodes together, since their processes began. */
record NetworkCounters(long messages, long switchovers, long reassemblies, long ledgerReverts) {

  static NetworkCounters of(RunningNetwork network) {
    return new NetworkCounters(
        sum(network, "sequitur_messages_sent_total"),
        sum(network, "sequitur_switchovers_total"),
        sum(network, "sequitur_reassemblies_total"),
        sum(network, "sequitur_ledger_reverts_total"));
  }

  NetworkCounters since(NetworkCounters earlier) {
    return new NetworkCounters(
        messages - earlier.messages,
        switchovers - earlier.switchovers,
        reassemblies - earlier.reassemblies,
        ledgerReverts - earlier.ledgerReverts);
  }

  private static long sum(RunningNetwork network, String counter) {
    double sum = 0;
    for (var node : network.nodes()) {
      sum += node.sequencer().metrics().getOrDefault(counter, 0.0);
    }
    return Math.round(sum);
  }
}
