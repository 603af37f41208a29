package dev.sequitur.protocol.exchange;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.trie.HashTrie;
import java.time.Duration;
import java.time.Instant;
import org.pcollections.PMap;
import org.pcollections.TreePMap;

/**
 * How long nodes have taken to answer questions of one kind, and how long to wait for the next
 * answer because of that (EXC-7). An answer is measured from the first send on, also one that comes
 * after its time was over: so a node that is slow and alive is waited for the next time, and one
 * that says nothing is waited for no longer than before.
 *
 * @param measured of each node that has answered
 * @param open questions that are not answered yet, among them those that nobody waits for any more:
 *     the newest {@value #MOST_OPEN}
 * @param order of the open ones
 * @param next numbers them
 * @param <K> tells questions apart
 */
public record AnswerTimes<K>(
    PMap<NodeName, Measured> measured, PMap<K, Asked> open, TreePMap<Long, K> order, long next) {
  /** So many times as long as is set is waited at most, however slow a node was. */
  public static final int MOST_TIMES = 3;

  static final int MOST_OPEN = 64;

  /**
   * As RFC 6298 has it for the round trips of TCP.
   *
   * @param smoothed an eighth of it is the newest answer's
   * @param deviation how far answers are from it: a quarter of it is the newest answer's
   */
  public record Measured(Duration smoothed, Duration deviation) {
    static Measured first(Duration took) {
      return new Measured(took, took.dividedBy(2));
    }

    Measured and(Duration took) {
      var off = smoothed.minus(took).abs();
      return new Measured(
          smoothed.multipliedBy(7).plus(took).dividedBy(8),
          deviation.multipliedBy(3).plus(off).dividedBy(4));
    }

    Duration patience() {
      return smoothed.plus(deviation.multipliedBy(4));
    }
  }

  /**
   * @param most that is waited: an answer that takes longer counts as one that takes this long, so
   *     that it is forgotten after a few that are fast
   * @param number its place in the order
   */
  public record Asked(NodeName of, Instant since, Duration most, long number) {}

  public static <K> AnswerTimes<K> none() {
    return new AnswerTimes<>(HashTrie.empty(), HashTrie.empty(), TreePMap.empty(), 0);
  }

  /**
   * How long to wait for an answer.
   *
   * @param set by the operator: no shorter, and at most {@link #MOST_TIMES} times as long
   */
  public Duration patience(NodeName of, Duration set) {
    var known = measured.get(of);
    if (known == null || known.patience().compareTo(set) <= 0) {
      return set;
    }
    return known.patience().compareTo(most(set)) < 0 ? known.patience() : most(set);
  }

  private static Duration most(Duration set) {
    return set.multipliedBy(MOST_TIMES);
  }

  /**
   * A question goes out.
   *
   * @param set how long the operator has its answer waited for
   */
  public AnswerTimes<K> asked(K key, Exchange question, Duration set) {
    var rest = without(key);
    if (rest.open.size() == MOST_OPEN) {
      rest = rest.without(rest.order.firstEntry().getValue());
    }
    return new AnswerTimes<>(
        measured,
        rest.open.plus(key, new Asked(question.to(), question.begun(), most(set), next)),
        rest.order.plus(next, key),
        next + 1);
  }

  /** An answer has come, of which the first counts. What was not asked of that node is ignored. */
  public AnswerTimes<K> answered(K key, NodeName by, Instant now) {
    var asked = open.get(key);
    if (asked == null || !asked.of().equals(by)) {
      return this;
    }
    var took = Duration.between(asked.since(), now);
    var counts = took.compareTo(asked.most()) < 0 ? took : asked.most();
    var before = measured.get(by);
    var rest = without(key);
    return new AnswerTimes<>(
        measured.plus(by, before == null ? Measured.first(counts) : before.and(counts)),
        rest.open,
        rest.order,
        next);
  }

  private AnswerTimes<K> without(K key) {
    var asked = open.get(key);
    return asked == null
        ? this
        : new AnswerTimes<>(measured, open.minus(key), order.minus(asked.number()), next);
  }
}
