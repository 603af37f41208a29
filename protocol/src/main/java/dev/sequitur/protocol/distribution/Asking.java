package dev.sequitur.protocol.distribution;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.distribution.MissingContents.Missing;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.trie.HashTrie;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.pcollections.PMap;
import org.pcollections.TreePVector;

/**
 * How far a state store is in asking the other members for contents that have not come. It asks in
 * rounds: of each member in turn, page by page, all that was missing when the round began. In
 * memory only.
 *
 * @param upTo the newest block of which it asks in this round
 * @param left whom it has not asked yet in this round; the first is being asked
 * @param after the last state that the first of them was asked for
 * @param fruitless rounds in a row that have brought nothing
 * @param brought whether this round has brought something
 * @param next asks nobody before
 * @param open the request that is out
 * @param answers what came of asking each member last
 * @param through up to which block each member was asked for all that is missing, and has answered
 * @param rests up to this block nothing more is asked for, since who has not answered has been
 *     silent for too long; in effect until something newer is missing
 */
@Copyable
public record Asking(
    BlockHeight upTo,
    TreePVector<NodeName> left,
    Optional<Missing> after,
    int fruitless,
    boolean brought,
    Instant next,
    Optional<Open> open,
    PMap<NodeName, Answer> answers,
    PMap<NodeName, BlockHeight> through,
    Optional<BlockHeight> rests)
    implements AskingBuilder.With {

  /**
   * A request that is out.
   *
   * @param page what it asks for, oldest first
   */
  public record Open(RequestId request, NodeName of, List<Missing> page) {
    public Open {
      page = List.copyOf(page);
    }
  }

  /** What came of asking a member, as a person is told of it. */
  public enum Answer {
    NONE("does not answer"),
    NOTHING("has none of them"),
    SOME("has given some"),
    FALSE("gives what they are not");

    private final String words;

    Answer(String words) {
      this.words = words;
    }

    /** Follows the node's name. */
    public String words() {
      return words;
    }
  }

  static Asking beginning(BlockHeight upTo, List<NodeName> members, Instant next) {
    return new Asking(
        upTo,
        TreePVector.from(members),
        Optional.empty(),
        0,
        false,
        next,
        Optional.empty(),
        HashTrie.empty(),
        HashTrie.empty(),
        Optional.empty());
  }

  Asking again(BlockHeight newest, List<NodeName> members, Instant notBefore) {
    return with()
        .upTo(newest)
        .left(TreePVector.from(silentLast(members)))
        .after(Optional.empty())
        .fruitless(brought ? 0 : fruitless + 1)
        .brought(false)
        .next(notBefore)
        .build();
  }

  /** Each of them holds up those behind it. */
  private List<NodeName> silentLast(List<NodeName> members) {
    return members.stream()
        .sorted(Comparator.comparing(member -> answers.get(member) == Answer.NONE))
        .toList();
  }

  /** The first has answered for all that this round asks for. */
  Asking throughWithMember() {
    return withThrough(through.plus(left.get(0), upTo)).nextMember();
  }

  /** Up to which block's states everybody has answered. */
  BlockHeight throughWithAll(List<NodeName> members) {
    return members.stream()
        .map(member -> through.getOrDefault(member, BlockHeight.ZERO))
        .min(Comparator.naturalOrder())
        .orElse(upTo);
  }

  /** Whether it waits for something to be missing that is newer than what it has given up on. */
  boolean isResting(MissingContents missing) {
    return open.isEmpty()
        && rests.isPresent()
        && missing.newest().filter(newest -> newest.compareTo(rests.get()) > 0).isEmpty();
  }

  /** A round after a rest asks for what is newer, too. */
  Asking awake(BlockHeight newest) {
    return rests.isEmpty() ? this : with().upTo(newest).rests(Optional.empty()).build();
  }

  Asking nextMember() {
    return with().left(left.minus(0)).after(Optional.empty()).build();
  }

  Asking asked(Open request) {
    return withOpen(Optional.of(request));
  }

  /** Nothing is out any longer. */
  Asking answered(NodeName by, Answer answer) {
    return with()
        .open(Optional.empty())
        .answers(answers.plus(by, answer))
        .brought(brought || answer == Answer.SOME)
        .build();
  }
}
