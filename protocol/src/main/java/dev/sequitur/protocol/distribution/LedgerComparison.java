package dev.sequitur.protocol.distribution;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.distribution.MissingContents.Missing;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.trie.HashTrie;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.pcollections.PMap;
import org.pcollections.PSet;
import org.pcollections.TreePMap;

/**
 * What the ledger shows of a contract, read a second time and page by page, beside what this node
 * holds (DST-9). Blocks are compared only when the node has acknowledged them; it may be further
 * meanwhile. What is spent on the ledger must not be unspent here. What is made there must be, or
 * be spent by a block that is still to come in this comparison. Own intents that are fulfilled must
 * have their outcome.
 *
 * @param whole whether the block that has made the contract was read
 * @param unspent what was made less what was spent, as far as was read
 * @param awaited what was made and is not held here: mostly it is spent by a later block
 * @param heldAt how many of these there are by how far the store had come, so that nobody goes
 *     through all to see that none is lacking
 * @param held what the ledger shows as spent and this node as unspent, and the block that spent it
 * @param outcomes own intents that are fulfilled and have no such outcome here
 * @param skipped whether there was too much that is not held: some of it was not looked at
 * @param unmade what was held here as it began, and no block that was read so far has made
 */
@Copyable
public record LedgerComparison(
    boolean whole,
    long unspent,
    PMap<StateId, Awaited> awaited,
    TreePMap<BlockHeight, Integer> heldAt,
    PMap<StateId, BlockHeight> held,
    PMap<TransactionId, BlockHeight> outcomes,
    boolean skipped,
    PSet<StateId> unmade)
    implements LedgerComparisonBuilder.With {
  /** States that are not held and whose spending is still to be read, at most. */
  static final int MOST_AWAITED = 200_000;

  /** What is asked of a state store at once. */
  public static final int MOST_ASKED = 1_000;

  /**
   * @param madeAt by which block
   * @param heldAt the store had come so far when it did not hold it: up to there it was spent, or
   *     it is lacking
   */
  public record Awaited(BlockHeight madeAt, BlockHeight heldAt) {}

  /**
   * What a state store holds.
   *
   * @param height the newest block that it has applied
   * @param unspent which of the states that it was asked for
   * @param all how many it holds unspent
   */
  public record Holding(BlockHeight height, Set<StateId> unspent, long all) {
    public Holding {
      unspent = Set.copyOf(unspent);
    }
  }

  /**
   * What some blocks in a row show.
   *
   * @param made and not spent by the same blocks
   */
  public record Page(
      BlockHeight upTo,
      Map<StateId, BlockHeight> made,
      Map<StateId, BlockHeight> spent,
      long unspent) {
    /** Of a contract's blocks, in their order. */
    public static Page of(List<StateStore.Input.BlockIndexed> blocks, BlockHeight upTo) {
      var made = new LinkedHashMap<StateId, BlockHeight>();
      var spent = new LinkedHashMap<StateId, BlockHeight>();
      long unspent = 0;
      for (var block : blocks) {
        block.created().forEach(id -> made.put(id, block.height()));
        block.spent().forEach(id -> spent.put(id, block.height()));
        unspent += block.created().size() - block.spent().size();
      }
      made.keySet().removeAll(spent.keySet());
      return new Page(upTo, made, spent, unspent);
    }

    /** What its state store is to be asked for, in parts. */
    public List<List<StateId>> questions() {
      var all = Stream.concat(made.keySet().stream(), spent.keySet().stream()).toList();
      var parts = new ArrayList<List<StateId>>();
      for (int from = 0; from < all.size(); from += MOST_ASKED) {
        parts.add(all.subList(from, Math.min(all.size(), from + MOST_ASKED)));
      }
      return parts;
    }
  }

  public static LedgerComparison beginning(boolean whole) {
    return new LedgerComparison(
        whole,
        0,
        HashTrie.empty(),
        TreePMap.empty(),
        HashTrie.empty(),
        HashTrie.empty(),
        false,
        HashTrie.emptySet());
  }

  /** Whether nothing of what was read can show a difference any more, whatever is read next. */
  public boolean isSettled() {
    return awaited.isEmpty()
        && held.isEmpty()
        && outcomes.isEmpty()
        && unmade.isEmpty()
        && !skipped;
  }

  /** A block that was read has made the contract: nothing of it is older. */
  public LedgerComparison made() {
    return withWhole(true);
  }

  /** Before the first block is read: this is held here. */
  public LedgerComparison holding(Collection<StateId> held) {
    return withUnmade(unmade.plusAll(held));
  }

  /**
   * @param answers to the questions of the page
   * @param lost own intents that the page shows fulfilled and that have no such outcome here
   */
  public LedgerComparison with(
      Page page, Collection<Holding> answers, Map<TransactionId, BlockHeight> lost) {
    var storeAt = page.upTo();
    for (var answer : answers) {
      storeAt = answer.height().compareTo(storeAt) > 0 ? answer.height() : storeAt;
    }
    var nowHeldAt = heldAt;
    for (var spent : page.spent().keySet()) {
      var known = awaited.get(spent);
      nowHeldAt = known == null ? nowHeldAt : changed(nowHeldAt, known.heldAt(), -1);
    }
    var nowAwaited = awaited.minusAll(page.spent().keySet());
    boolean tooMany = skipped;
    for (var made : page.made().entrySet()) {
      if (isHeld(made.getKey(), answers)) {
        continue;
      }
      if (nowAwaited.size() >= MOST_AWAITED) {
        tooMany = true;
      } else {
        var before = nowAwaited.get(made.getKey());
        nowHeldAt = before == null ? nowHeldAt : changed(nowHeldAt, before.heldAt(), -1);
        nowAwaited = nowAwaited.plus(made.getKey(), new Awaited(made.getValue(), storeAt));
        nowHeldAt = changed(nowHeldAt, storeAt, 1);
      }
    }
    var nowHeld = held;
    for (var spent : page.spent().entrySet()) {
      if (isHeld(spent.getKey(), answers)) {
        nowHeld = nowHeld.plus(spent.getKey(), spent.getValue());
      }
    }
    return with()
        .unspent(unspent + page.unspent())
        .awaited(nowAwaited)
        .heldAt(nowHeldAt)
        .held(nowHeld)
        .outcomes(outcomes.plusAll(lost))
        .skipped(tooMany)
        .unmade(unmade.minusAll(page.made().keySet()).minusAll(page.spent().keySet()))
        .build();
  }

  private static TreePMap<BlockHeight, Integer> changed(
      TreePMap<BlockHeight, Integer> numbers, BlockHeight at, int by) {
    int now = numbers.getOrDefault(at, 0) + by;
    return now == 0 ? numbers.minus(at) : numbers.plus(at, now);
  }

  private static boolean isHeld(StateId id, Collection<Holding> answers) {
    return answers.stream().anyMatch(answer -> answer.unspent().contains(id));
  }

  /**
   * States that are unspent on the ledger and not held here, with the blocks that made them.
   *
   * @param upTo the last block that was read
   */
  public List<Missing> lacking(BlockHeight upTo) {
    return lackingNow(upTo)
        .map(each -> new Missing(each.getValue().madeAt(), each.getKey()))
        .sorted()
        .toList();
  }

  /** In no order: there may be very many that are awaited, and mostly none of them is lacking. */
  private Stream<Map.Entry<StateId, Awaited>> lackingNow(BlockHeight upTo) {
    return lackingCount(upTo) == 0
        ? Stream.empty()
        : awaited.entrySet().stream().filter(each -> each.getValue().heldAt().compareTo(upTo) <= 0);
  }

  /** How many are unspent on the ledger and not held here. */
  public long lackingCount(BlockHeight upTo) {
    long number = 0;
    for (var each : heldAt.entrySet()) {
      if (each.getKey().compareTo(upTo) > 0) {
        break;
      }
      number += each.getValue();
    }
    return number;
  }

  /** The first block that shows what this node does not have, or has otherwise. */
  public Optional<BlockHeight> differsSince(BlockHeight upTo) {
    return Stream.of(
            lackingNow(upTo).map(each -> each.getValue().madeAt()),
            held.values().stream(),
            outcomes.values().stream())
        .flatMap(blocks -> blocks)
        .min(BlockHeight::compareTo);
  }

  /**
   * How many states are held that no block has made, by their number.
   *
   * @param now of the store, which must not be further than what was read
   * @return empty if that can't be said
   */
  public Optional<Long> surplus(BlockHeight upTo, Holding now) {
    return !whole || skipped || now.height().compareTo(upTo) > 0
        ? Optional.empty()
        : Optional.of(now.all() - (unspent - lackingCount(upTo)) - held.size());
  }

  /** The same, as far as it is known; 0 if older blocks may have made them. */
  public long unknown(BlockHeight upTo, Holding now) {
    return whole ? Math.max(unmade.size(), surplus(upTo, now).orElse(0L)) : 0;
  }

  /**
   * Whether all that differs is known, so that what is held can be made what was read: only then
   * may what no block has made be put aside. If there is more of it than is known, or less, what
   * was read is not all that the ledger has.
   */
  public boolean isAll(BlockHeight upTo, Holding now) {
    return surplus(upTo, now).filter(number -> number == unmade.size()).isPresent();
  }
}
