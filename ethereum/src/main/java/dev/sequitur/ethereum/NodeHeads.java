package dev.sequitur.ethereum;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Which of a chain's nodes is asked, and up to which block what they tell counts (CHN-1 to CHN-3).
 * Pure.
 *
 * @param nodes in the order of the configuration
 * @param named what the operator has named them by
 * @param chainId that they must be of
 * @param quorum so many must have a block before it counts; 1 believes the one that is asked
 * @param maxLag so many blocks a node may lie behind the others, or behind what was seen
 */
record NodeHeads(List<URI> nodes, String named, long chainId, int quorum, long maxLag) {
  /**
   * Of who goes on alone, how many blocks it tells of is its own word. So it takes time as well:
   * longer than between two blocks of a chain that goes on, of which some become final only each
   * six and a half minutes.
   */
  static final Duration LEAST_ALONE = Duration.ofMinutes(10);

  /** One that lies a little behind has what was read by then, or stands still. */
  static final Duration LONGEST_BEHIND = Duration.ofMinutes(1);

  NodeHeads {
    nodes = List.copyOf(nodes);
  }

  /** Of the nodes, in the order of the configuration. */
  IntStream places() {
    return IntStream.range(0, nodes.size());
  }

  /** A block of the chain. */
  record Place(long height, String hash) {}

  /**
   * The newest block of a node.
   *
   * @param parent the hash of the one before
   * @param baseFee what it has charged for a unit of gas; 0 if it does not say
   */
  record Head(Place place, String parent, long baseFee) {}

  /**
   * What a node has told last.
   *
   * @param head its newest block; empty if it does not answer
   * @param trouble why it does not, a sentence; else empty
   * @param highest the newest block that any had told of by then: whoever has not answered yet when
   *     another tells of newer ones does not lie behind for that
   */
  record Told(OptionalLong head, String trouble, long highest) {
    static final Told NOTHING = new Told(OptionalLong.empty(), "", 0);

    private static Told of(long height) {
      return new Told(OptionalLong.of(height), "", height);
    }

    private static Told silent(String trouble) {
      return new Told(OptionalLong.empty(), trouble, 0);
    }

    private Told among(long others) {
      return new Told(head, trouble, Math.max(highest, others));
    }
  }

  /**
   * What is known of one node.
   *
   * @param joined the newest block that it has told of, if that is of this chain and joins what was
   *     read
   * @param apart why what it tells does not join; empty if it does
   * @param apartAt the newest block that it has told of since it was found apart
   * @param goneOn how often it has told of a newer one since one that joins last went on
   * @param instead the block that it has in the place of what was read, if it is apart
   */
  record Known(
      Told last,
      Optional<Place> joined,
      String apart,
      long apartAt,
      long goneOn,
      long baseFee,
      Optional<Place> instead) {
    static final Known NOTHING =
        new Known(Told.NOTHING, Optional.empty(), "", 0, 0, 0, Optional.empty());

    private boolean isApart() {
      return !apart.isEmpty();
    }

    private Known joins(Place place) {
      return new Known(
          Told.of(place.height()), Optional.of(place), "", apartAt, 0, baseFee, Optional.empty());
    }

    private Known parts(Place place, String why, Place has) {
      boolean isNewer = isApart() && place.height() > apartAt;
      return new Known(
          Told.of(place.height()),
          Optional.empty(),
          why,
          isApart() && !isNewer ? apartAt : place.height(),
          isApart() ? goneOn + (isNewer ? 1 : 0) : 0,
          baseFee,
          Optional.of(has));
    }

    private Known tells(Told told) {
      return new Known(told, joined, apart, apartAt, goneOn, baseFee, instead);
    }

    private Known charges(long fee) {
      return new Known(last, joined, apart, apartAt, goneOn, fee, instead);
    }

    private Known doubted() {
      return new Known(last, Optional.empty(), apart, apartAt, goneOn, baseFee, instead);
    }

    private Known stood() {
      return new Known(last, joined, apart, apartAt, 0, baseFee, instead);
    }
  }

  /**
   * What is known of all of them.
   *
   * @param nodes by their places
   * @param read the newest block that was read: what was only told of may never have been
   * @param wentOn when one that joins has last told of a block that is newer than what was read
   */
  record View(List<Known> nodes, Optional<Place> read, Duration wentOn) {
    View {
      nodes = List.copyOf(nodes);
    }

    /** The node at this place has told something. */
    private View told(int place, UnaryOperator<Known> change) {
      long highest =
          nodes.stream().flatMapToLong(node -> node.last().head().stream()).max().orElse(0);
      return with(place, change.andThen(node -> node.tells(node.last().among(highest)))::apply);
    }

    private View with(int place, UnaryOperator<Known> change) {
      var changed = new ArrayList<>(nodes);
      changed.set(place, change.apply(nodes.get(place)));
      return new View(changed, read, wentOn);
    }

    /**
     * One that joins tells of this. If it goes on behind what was read, none of those that are
     * apart has gone on alone yet; one that is still on its way there says nothing about them.
     */
    private View joinedAt(Place head, Duration now) {
      return head.height() > seen()
          ? new View(nodes.stream().map(Known::stood).toList(), read, now)
          : this;
    }

    /** The height of what was read. */
    long seen() {
      return read.map(Place::height).orElse(0L);
    }

    /** The newest block that the node at this place has told of, if it joins. */
    Optional<Place> joined(int place) {
      return nodes.get(place).joined();
    }

    /** The block at this height as that node tells of it; without a hash if it is not known. */
    Place at(int place, long height) {
      return joined(place)
          .filter(head -> head.height() == height)
          .orElseGet(() -> new Place(height, ""));
    }

    boolean isAnswered(int place) {
      return nodes.get(place).last().head().isPresent();
    }

    /**
     * What the newest block that was told of has charged for a unit of gas; 0 if nobody said
     * anything. Of an endpoint that is asked since another failed, and has told nothing yet, the
     * others' word counts: an offer of next to nothing would wait for long.
     */
    long baseFee(int preferred) {
      long told = nodes.get(preferred).baseFee();
      return told > 0 ? told : nodes.stream().mapToLong(Known::baseFee).max().orElse(0);
    }
  }

  /**
   * What must be asked of a node before its head counts: its chain, whether it has what was read,
   * and whether it has blocks behind its head.
   *
   * @param before what was read; empty if it cannot have that
   * @param behind heights of blocks of which it has one at least if it is where it says; empty if
   *     it tells of little more than was read
   */
  record Doubt(Head head, Optional<Place> before, List<Long> behind) {}

  /**
   * What a node has answered to a doubt.
   *
   * @param chain that it is of
   * @param has the hash of the block that it has in the place of what was read
   * @param hasBehind whether it has one of the blocks behind its head, if it was asked for them
   */
  record Settled(long chain, String has, boolean hasBehind) {}

  /** A head has been told. */
  record Heard(View view, Optional<Doubt> doubt) {}

  /** What follows. */
  sealed interface Choice {}

  /**
   * @param place of the node that is asked
   * @param height of the newest block that counts
   * @param remarks sentences about the others, for the operator
   */
  record Follow(int place, long height, List<String> remarks) implements Choice {}

  /**
   * Nothing counts.
   *
   * @param sentence says why, and what to do
   */
  record Refuse(String sentence) implements Choice {}

  /**
   * Nobody has told anything.
   *
   * @param now by a clock that never goes back, as each time here
   */
  View begin(Duration now) {
    return new View(nodes.stream().map(node -> Known.NOTHING).toList(), Optional.empty(), now);
  }

  /** The node at this place does not answer, or answers with nothing that counts. */
  View silent(View view, int place, String trouble) {
    return view.with(place, node -> node.tells(Told.silent(trouble)));
  }

  /** The node at this place has not answered for so long, and others have. */
  View late(View view, int place, Duration waited) {
    return silent(
        view,
        place,
        "The chain's node at %s has not told its head for %s, and others have: they are asked until it does."
            .formatted(nodes.get(place), ChainRpc.words(waited)));
  }

  /** The node at this place has no block. */
  View empty(View view, int place) {
    return view.told(place, node -> node.tells(Told.of(0)));
  }

  /**
   * A block that is, or follows, the one that a node told of last is of the same chain. Of any
   * other it is asked, since what answers at an address may be another node each time, and whether
   * it has what was read.
   */
  Heard heard(View view, int place, Head head, Duration now) {
    return heard(view, place, List.of(), head, now);
  }

  /**
   * As before.
   *
   * @param between other blocks that the node has told of with its head, in their order: the first
   *     may follow what it told of last, and each the one before it
   */
  Heard heard(View view, int place, List<Head> between, Head head, Duration now) {
    var before = view;
    for (var next : between) {
      if (follows(before, place, next)) {
        before = heardOne(before, place, next, now).view();
      }
    }
    return heardOne(before, place, head, now);
  }

  private static boolean follows(View view, int place, Head head) {
    var joined = view.nodes().get(place).joined();
    var before = new Place(head.place().height() - 1, head.parent());
    return joined.filter(before::equals).isPresent();
  }

  private Heard heardOne(View view, int place, Head head, Duration now) {
    var charged = view.with(place, node -> node.charges(head.baseFee()));
    var joined = charged.nodes().get(place).joined();
    if (joined.filter(head.place()::equals).isPresent()) {
      return new Heard(charged.told(place, node -> node.joins(head.place())), Optional.empty());
    }
    if (follows(view, place, head)) {
      return new Heard(
          charged.told(place, node -> node.joins(head.place())).joinedAt(head.place(), now),
          Optional.empty());
    }
    var before = view.read().filter(it -> it.height() <= head.place().height());
    return new Heard(
        charged.with(place, Known::doubted),
        Optional.of(new Doubt(head, before, behind(view, head.place()))));
  }

  /**
   * What answers at an address may be several nodes, of which one lies a little behind another; and
   * a single block may be lost.
   */
  private List<Long> behind(View view, Place head) {
    long height = head.height() - maxLag;
    return height > view.seen() ? List.of(head.height() - 1, height) : List.of();
  }

  /** What was asked for is answered. */
  View settled(View view, int place, Doubt doubt, Settled answer, Duration now) {
    var head = doubt.head().place();
    if (answer.chain() != chainId) {
      return silent(view, place, ofAnotherChain(place, answer.chain()));
    }
    if (!doubt.behind().isEmpty() && !answer.hasBehind()) {
      return silent(view, place, withNothingBehind(place, head));
    }
    if (doubt.before().filter(read -> !read.hash().equals(answer.has())).isEmpty()) {
      return view.told(place, node -> node.joins(head)).joinedAt(head, now);
    }
    var before = doubt.before().get();
    var sentence = apart(place, head, before);
    return view.told(
        place, node -> node.parts(head, sentence, new Place(before.height(), answer.has())));
  }

  private String withNothingBehind(int place, Place head) {
    return "The chain's node at %s says that its newest block is %d, and has neither the one before it nor block %d: that does not count, and it is not asked until it tells of blocks that it has."
        .formatted(nodes.get(place), head.height(), head.height() - maxLag);
  }

  private String ofAnotherChain(int place, long chain) {
    return "The node at %s is of chain %d and not %d: correct %s or ledger.chain-id."
        .formatted(nodes.get(place), chain, chainId, named);
  }

  private String apart(int place, Place now, Place before) {
    return "The chain's node at %s tells of block %d, and does not have block %d as it was read: it is not asked."
        .formatted(nodes.get(place), now.height(), before.height());
  }

  /** Something was read. */
  View read(View view, Place block) {
    boolean isReplaced =
        view.read()
            .filter(it -> it.height() == block.height() && !it.hash().equals(block.hash()))
            .isPresent();
    return isReplaced || block.height() > view.seen()
        ? new View(view.nodes(), Optional.of(block), view.wentOn())
        : view;
  }

  /**
   * One whose blocks are not those that were read does not count, unless that goes for all, or for
   * all that go on, or for a quorum that has the same instead: what was read is then what the chain
   * has left behind.
   */
  private List<Told> told(View view, Duration now) {
    var believed = outvoting(view);
    if (believed.isPresent()) {
      return IntStream.range(0, nodes.size())
          .mapToObj(place -> outvoted(view, place, believed.get()))
          .toList();
    }
    boolean anyJoins =
        view.nodes().stream().anyMatch(node -> keepsTo(view, node, now))
            && view.nodes().stream().noneMatch(node -> hasGoneOnAlone(view, node, now));
    return IntStream.range(0, nodes.size())
        .mapToObj(place -> anyJoins ? ifJoining(view, place) : ifApart(view, place))
        .toList();
  }

  private static Told ifJoining(View view, int place) {
    var node = view.nodes().get(place);
    return node.isApart() ? Told.silent(node.apart()) : node.last();
  }

  /** Whoever stands still below what was read leads nobody who goes on. */
  private Told ifApart(View view, int place) {
    var node = view.nodes().get(place);
    boolean isBehind =
        !node.isApart()
            && node.last().head().stream().anyMatch(head -> head < view.seen())
            && view.nodes().stream().anyMatch(Known::isApart);
    return isBehind
        ? Told.silent(
            "The chain's node at %s tells of no block after %d, and block %d was read: it is not asked."
                .formatted(nodes.get(place), node.last().head().getAsLong(), view.seen()))
        : node.last();
  }

  /**
   * Whether it has what was read, or will soon. One that lies behind for long says nothing of it.
   */
  private boolean keepsTo(View view, Known node, Duration now) {
    if (node.isApart() || node.last().head().isEmpty()) {
      return false;
    }
    long head = node.last().head().getAsLong();
    boolean isSoonThere =
        head >= view.seen() - maxLag && now.minus(view.wentOn()).compareTo(LONGEST_BEHIND) < 0;
    return head >= view.seen() || isSoonThere;
  }

  /** What as many as must have a block have in the place of what was read, all the same. */
  private Optional<Place> outvoting(View view) {
    if (quorum == 1) {
      return Optional.empty();
    }
    var believed =
        view.nodes().stream()
            .filter(node -> node.isApart() && node.last().head().isPresent())
            .flatMap(node -> node.instead().stream())
            .collect(Collectors.groupingBy(place -> place, Collectors.counting()))
            .entrySet()
            .stream()
            .filter(entry -> entry.getValue() >= quorum)
            .map(Map.Entry::getKey)
            .toList();
    // Where a quorum is less than half of them, two may have different ones.
    return believed.size() == 1 ? Optional.of(believed.getFirst()) : Optional.empty();
  }

  /** Who has that block, or cannot have it yet, counts. */
  private Told outvoted(View view, int place, Place believed) {
    var node = view.nodes().get(place);
    boolean hasAnother =
        !node.instead().equals(Optional.of(believed))
            && node.last().head().stream().anyMatch(head -> head >= view.seen());
    return hasAnother
        ? Told.silent(
            "The chain's node at %s has another block %d than ledger.ethereum.quorum = %d others: it is not asked."
                .formatted(nodes.get(place), believed.height(), quorum))
        : node.last();
  }

  /** How many blocks it tells of says nothing: one wrong answer would be enough. */
  private boolean hasGoneOnAlone(View view, Known node, Duration now) {
    return node.isApart()
        && node.goneOn() > maxLag
        && now.minus(view.wentOn()).compareTo(LEAST_ALONE) >= 0;
  }

  /**
   * Who is asked now.
   *
   * @param preferred the place of the node that was asked last
   */
  Choice choose(View view, int preferred, Duration now) {
    return choose(told(view, now), preferred, view.seen());
  }

  /**
   * @param told by the place of the node
   * @param preferred the place of the node that was asked last
   * @param seen the newest block that has counted
   */
  Choice choose(List<Told> told, int preferred, long seen) {
    var heads = told.stream().map(Told::head).toList();
    var answering = answering(heads);
    if (answering.isEmpty() || answering.size() < quorum) {
      return new Refuse(
          "%d of the chain's %d nodes answer, and ledger.ethereum.quorum is %d. %s"
              .formatted(
                  answering.size(),
                  nodes.size(),
                  quorum,
                  told.stream()
                      .map(Told::trouble)
                      .filter(trouble -> !trouble.isEmpty())
                      .collect(Collectors.joining(" "))));
    }
    long highest = head(heads, answering.getFirst());
    if (highest < seen - maxLag) {
      return new Refuse(
          "The chain's nodes tell of no block after %d, and block %d was seen: they were restored from a backup, or are cut off from the others. Nothing is read of them until they have caught up."
              .formatted(highest, seen));
    }
    int place =
        answering.contains(preferred) && head(heads, preferred) >= highest - maxLag
            ? preferred
            : answering.getFirst();
    long agreed = head(heads, answering.get(quorum - 1));
    return new Follow(
        place, Math.min(head(heads, place), quorum == 1 ? highest : agreed), remarks(told));
  }

  /**
   * Whether a node answers, and does not lie too far behind what others have told last, nor behind
   * what was seen.
   */
  boolean isFarEnough(View view, int place, Duration now) {
    var told = told(view, now);
    var own = told.get(place).head();
    return own.isPresent()
        && LongStream.concat(
                told.stream().flatMapToLong(one -> one.head().stream()), LongStream.of(view.seen()))
            .allMatch(head -> head - maxLag <= own.getAsLong());
  }

  /**
   * Whether nobody else has to be waited for: the node that is asked has answered and does not lie
   * behind, and so have as many as must agree; or all have.
   *
   * @param done the places of those that have answered, or have failed to
   */
  boolean isEnough(View view, Set<Integer> done, int preferred, Duration now) {
    return done.size() == nodes.size()
        || (done.contains(preferred)
            && isFarEnough(view, preferred, now)
            && done.stream().filter(view::isAnswered).count() >= quorum);
  }

  /**
   * Whether those who have answered are enough once it has taken long: nobody hangs so long that
   * the others' word does not count.
   */
  boolean isEnoughLate(View view, Set<Integer> done, Duration now) {
    var answered = done.stream().filter(view::isAnswered).toList();
    return answered.size() >= quorum
        && answered.stream().anyMatch(place -> isFarEnough(view, place, now));
  }

  /**
   * Whether as many as must have the same block.
   *
   * @param own its hash
   * @param hashes of the block that each node has at its height
   */
  boolean agree(String own, List<String> hashes) {
    return hashes.stream().filter(own::equals).count() >= quorum;
  }

  /** Places, the highest block first. */
  private static List<Integer> answering(List<OptionalLong> heads) {
    return IntStream.range(0, heads.size())
        .boxed()
        .filter(place -> heads.get(place).isPresent())
        .sorted(Comparator.comparing((Integer place) -> -head(heads, place)))
        .toList();
  }

  private static long head(List<OptionalLong> heads, int place) {
    return heads.get(place).getAsLong();
  }

  private List<String> remarks(List<Told> told) {
    var remarks = new ArrayList<String>();
    for (int place = 0; place < nodes.size(); place++) {
      var head = told.get(place).head();
      long highest = told.get(place).highest();
      if (head.isEmpty()) {
        remarks.add(told.get(place).trouble());
      } else if (head.getAsLong() < highest - maxLag) {
        remarks.add(
            "The chain's node at %s tells of no block after %d, another one of block %d: it lies behind, or was restored from a backup. It is not asked."
                .formatted(nodes.get(place), head.getAsLong(), highest));
      }
    }
    remarks.removeIf(String::isEmpty);
    return remarks;
  }

  /**
   * What is told where the nodes have different blocks at one height.
   *
   * @param hashes by the place of the node
   */
  String disagreement(long height, List<String> hashes) {
    return "The chain's nodes tell different blocks at height %d, and fewer than ledger.ethereum.quorum = %d the same: %s. Nothing after it is read until they agree."
        .formatted(
            height,
            quorum,
            IntStream.range(0, nodes.size())
                .mapToObj(place -> nodes.get(place) + " " + hashes.get(place))
                .collect(Collectors.joining(", ")));
  }
}
