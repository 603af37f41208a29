package dev.sequitur.protocol.port;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.port.NodeStore.IndexedTo;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * How far a node has read the base ledger, and by which blocks it finds again where the ledger has
 * parted from that (CNF-10). A store keeps it as one value, which changes as a whole.
 *
 * @param height of the newest block that was read, all of it
 * @param hash of that block
 * @param trail some of the blocks before it, oldest first: the older they are, the fewer
 * @param reindex the one that has begun and not ended
 */
public record ReadSoFar(
    BlockHeight height, Hash hash, List<IndexedTo> trail, Optional<Reindex> reindex) {
  public ReadSoFar {
    trail = List.copyOf(trail);
  }

  /**
   * The ledger is read again from a fork on.
   *
   * @param fork of the blocks above it some may be gone
   * @param upTo the highest block that was read before
   * @param receipts the number of the last receipt that was written before: those up to it may name
   *     blocks that are gone
   */
  public record Reindex(BlockHeight fork, BlockHeight upTo, long receipts) {}

  public IndexedTo to() {
    return new IndexedTo(height, hash);
  }

  /** As it is once a newer block was read, or, if nothing was before, the first one. */
  public static ReadSoFar upTo(Optional<ReadSoFar> before, IndexedTo to) {
    return new ReadSoFar(
        to.height(),
        to.hash(),
        before.map(known -> thinned(known.blocks(), to)).orElse(List.of()),
        before.flatMap(ReadSoFar::reindex));
  }

  /**
   * As it is once the ledger is to be read again from a block on. Of two forks the older one counts
   * for what was told before.
   *
   * @param from the newest block of the {@link #blocks} that the ledger has, or one before all
   * @param receipts the number of the last receipt
   */
  public ReadSoFar readAgain(IndexedTo from, long receipts) {
    var fork = reindex.map(Reindex::fork).filter(known -> known.compareTo(from.height()) < 0);
    var highest = reindex.map(Reindex::upTo).filter(known -> known.compareTo(height) > 0);
    return new ReadSoFar(
        from.height(),
        from.hash(),
        trail.stream().filter(each -> each.height().compareTo(from.height()) < 0).toList(),
        Optional.of(new Reindex(fork.orElse(from.height()), highest.orElse(height), receipts)));
  }

  /** As it is once that one has ended; another one has not. */
  public ReadSoFar ended(Reindex which) {
    return new ReadSoFar(height, hash, trail, reindex.filter(open -> !open.equals(which)));
  }

  /** All that is known of what was read, oldest first. */
  public List<IndexedTo> blocks() {
    var all = new ArrayList<>(trail);
    all.add(to());
    return all;
  }

  /**
   * Of these blocks so many that each but the oldest is more than half as far from the newest as
   * the one before it: so a fork is found at no more than twice its depth, by about two blocks for
   * each doubling of the height.
   */
  private static List<IndexedTo> thinned(List<IndexedTo> blocks, IndexedTo newest) {
    var kept = new ArrayList<IndexedTo>();
    long last = 0;
    for (int i = blocks.size() - 1; i >= 0; i--) {
      long distance = newest.height().value() - blocks.get(i).height().value();
      if (distance <= 0) {
        continue;
      }
      boolean isOldest = i == 0;
      if (isOldest
          || last == 0
          || newest.height().value() - blocks.get(i - 1).height().value() > 2 * last) {
        kept.add(blocks.get(i));
        last = distance;
      }
    }
    Collections.reverse(kept);
    return kept;
  }
}
