package dev.sequitur.protocol.checkpoint;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.LedgerAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the readers of a ledger have said of its checkpoints. Of each the last word is kept.
 *
 * @param readers by their names, those whom the ledger's operator has listed; blocks are dropped
 *     only if each of them agrees
 * @param said by readers, also by some that are listed no more
 */
public record Agreements(Map<String, LedgerAddress> readers, Map<LedgerAddress, Word> said) {
  public Agreements {
    readers = Map.copyOf(readers);
    said = Map.copyOf(said);
  }

  /**
   * @param same whether the ledger has the same
   */
  public record Word(Checkpoint checkpoint, boolean same) {}

  /** What comes of a word. */
  public enum Answer {
    /** It is the last word of its reader, which has what the ledger has. */
    AGREED,
    /** It is the last word of its reader, which has something else: no block is dropped. */
    DIFFERS,
    /** The reader has said this, or something of a later checkpoint. */
    KNOWN,
    /** The ledger's operator has not listed who says it. */
    NO_READER,
    /** The signature is not that of its reader. */
    NOT_SIGNED,
    /** The ledger has no checkpoint there that can't change any more, or has dropped its block. */
    NO_CHECKPOINT
  }

  /** How a reader stands. */
  public enum Standing {
    /** It agrees to the newest checkpoint. */
    AGREES,
    /** It agrees to an older one. */
    BEHIND,
    /** It has another digest than the ledger. */
    DIFFERS,
    /** It has not said anything yet. */
    SILENT
  }

  /**
   * A reader, for the operator.
   *
   * @param upTo which checkpoint its last word is about
   */
  public record Reader(
      String name, LedgerAddress address, Standing standing, Optional<BlockHeight> upTo) {}

  /**
   * What comes of a word (ROM-9).
   *
   * @param reader the address of the key that it names
   * @param signed whether that key has signed it
   * @param own the ledger's own checkpoint of the same height, if it is final and still there
   */
  public Answer judge(
      Checkpoint word, LedgerAddress reader, boolean signed, Optional<Checkpoint> own) {
    if (!readers.containsValue(reader)) {
      return Answer.NO_READER;
    }
    if (!signed) {
      return Answer.NOT_SIGNED;
    }
    var last = said.get(reader);
    if (last != null
        && (word.equals(last.checkpoint())
            || word.height().compareTo(last.checkpoint().height()) < 0)) {
      return Answer.KNOWN;
    }
    return own.map(mine -> mine.equals(word) ? Answer.AGREED : Answer.DIFFERS)
        .orElse(Answer.NO_CHECKPOINT);
  }

  /** The same with a word that was {@linkplain #judge judged}. */
  public Agreements with(LedgerAddress reader, Word word) {
    var all = new HashMap<>(said);
    all.put(reader, word);
    return new Agreements(readers, all);
  }

  /**
   * The newest checkpoint that every reader agrees to (ROM-10): who agrees to one agrees to all
   * below. Empty while one is silent or has something else, and if nobody is listed.
   */
  public Optional<BlockHeight> agreed() {
    var lowest = Optional.<BlockHeight>empty();
    for (var reader : readers.values()) {
      var word = said.get(reader);
      if (word == null || !word.same()) {
        return Optional.empty();
      }
      var height = word.checkpoint().height();
      lowest = Optional.of(lowest.filter(it -> it.compareTo(height) <= 0).orElse(height));
    }
    return lowest;
  }

  /**
   * All readers by their names, and how each stands.
   *
   * @param newest checkpoint of the ledger that is final
   */
  public List<Reader> standing(Optional<BlockHeight> newest) {
    return new TreeMap<>(readers)
        .entrySet().stream()
            .map(
                each ->
                    new Reader(
                        each.getKey(),
                        each.getValue(),
                        standing(each.getValue(), newest),
                        Optional.ofNullable(said.get(each.getValue()))
                            .map(word -> word.checkpoint().height())))
            .toList();
  }

  private Standing standing(LedgerAddress reader, Optional<BlockHeight> newest) {
    var word = said.get(reader);
    if (word == null) {
      return Standing.SILENT;
    }
    if (!word.same()) {
      return Standing.DIFFERS;
    }
    return newest.filter(it -> it.compareTo(word.checkpoint().height()) > 0).isPresent()
        ? Standing.BEHIND
        : Standing.AGREES;
  }
}
