package dev.sequitur.ledger;

import dev.sequitur.protocol.id.LedgerAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;

/**
 * The new order of a reorganisation's transactions. The same plan on the same transactions gives
 * the same order.
 *
 * @param blocks what each of the new blocks tries to hold
 * @param kept all that is not lost, as it is to be executed now or later
 */
record Reordering(List<List<CheckedTransaction>> blocks, List<CheckedTransaction> kept) {
  /** At most this part of the transactions waits for a later block. */
  private static final int PART_LEFT_OVER = 4;

  static Reordering of(Reorganisation plan, List<CheckedTransaction> replaced, int blockLimit) {
    var random = new Random(plan.seed());
    var kept = new ArrayList<CheckedTransaction>();
    for (var transaction : shuffle(replaced, random)) {
      boolean lost = random.nextDouble() < plan.shareLost();
      var doomed = new HashSet<Integer>();
      for (int place = 0; place < transaction.weight(); place++) {
        if (random.nextDouble() < plan.shareReverted()) {
          doomed.add(place);
        }
      }
      if (!lost) {
        kept.add(transaction.doomedAt(doomed));
      }
    }
    int now = kept.size() - random.nextInt(kept.size() / PART_LEFT_OVER + 1);
    return new Reordering(split(kept.subList(0, now), plan.depth(), blockLimit), kept);
  }

  /** Any order in which those of one signer keep theirs. */
  private static List<CheckedTransaction> shuffle(
      List<CheckedTransaction> transactions, Random random) {
    Map<LedgerAddress, Queue<CheckedTransaction>> bySigner = new HashMap<>();
    var turns = new ArrayList<LedgerAddress>();
    for (var transaction : transactions) {
      turns.add(transaction.signer());
      bySigner.computeIfAbsent(transaction.signer(), signer -> new ArrayDeque<>()).add(transaction);
    }
    Collections.shuffle(turns, random);
    return turns.stream().map(signer -> bySigner.get(signer).remove()).toList();
  }

  private static List<List<CheckedTransaction>> split(
      List<CheckedTransaction> transactions, int blocks, int blockLimit) {
    int each = Math.min(blockLimit, (transactions.size() + blocks - 1) / blocks);
    var split = new ArrayList<List<CheckedTransaction>>();
    for (int i = 0; i < blocks; i++) {
      int from = Math.min(transactions.size(), i * each);
      split.add(
          List.copyOf(transactions.subList(from, Math.min(transactions.size(), from + each))));
    }
    return split;
  }
}
