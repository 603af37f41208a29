package dev.sequitur.sequencer.actor;

import dev.sequitur.protocol.indexing.Indexer;

/** What the operator is told of a ledger that was reorganised below what counted as final. */
final class LedgerRift {
  private LedgerRift() {}

  static String undone(Indexer.Rift rift) {
    return "The base ledger has replaced final blocks, "
        + place(rift)
        + ". This node was told nothing by them but their heights, and reads the others now: raise"
        + " ledger.confirmations.";
  }

  static String halted(Indexer.Rift rift) {
    return "The base ledger has replaced final blocks, "
        + place(rift)
        + ". This node has acted upon them, and reads no further: see that it reads the right"
        + " ledger; if it does, raise ledger.confirmations, stop the node, all its JVMs, and start"
        + " it with --reindex "
        + rift.last().hash()
        + ".";
  }

  private static String place(Indexer.Rift rift) {
    var last = rift.last().height();
    return rift.ancestor()
        .map(ancestor -> (ancestor.value() + 1) + " to " + last)
        .orElseGet(() -> "up to " + last + " and since a height that is not known any more");
  }
}
