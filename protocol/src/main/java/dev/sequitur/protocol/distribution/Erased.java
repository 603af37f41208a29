package dev.sequitur.protocol.distribution;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.trie.HashTrie;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.pcollections.PMap;
import org.pcollections.TreePSet;

/**
 * What was erased of a contract on one node (ROM-7). A tick looks at what is left to be done alone,
 * however much was erased.
 *
 * @param gone states whose contents were erased, and are gone from where they were kept
 * @param toWipe those whose contents are still to be deleted there
 * @param wiping whether some are being deleted; a life begins with none
 * @param demands of callers of this node
 * @param order of all demands, the oldest first
 * @param open of these those that wait for members
 * @param asked up to which of the open ones the members have been asked in this life; those that
 *     were demanded in it are asked at once
 */
@Copyable
public record Erased(
    TreePSet<StateId> gone,
    TreePSet<StateId> toWipe,
    boolean wiping,
    PMap<RequestId, Demand> demands,
    TreePSet<Place> order,
    TreePSet<Place> open,
    Optional<Place> asked)
    implements ErasedBuilder.With {
  /** States of one contract whose contents are erased, at most: each is remembered for good. */
  public static final int MOST = 100_000;

  /** Demands that are remembered; of more the oldest that wait for nobody are forgotten. */
  static final int MOST_DEMANDS = 1_000;

  /** Demands that a life takes up from the one before on a tick. */
  static final int TAKEN_UP = 10;

  /** States that are deleted together where they are kept. */
  static final int WIPED_AT_ONCE = 1_000;

  /** States that the demands of a page name; one demand stands on it however many it names. */
  static final int STATES_OF_PAGE = 10_000;

  static final Erased NOTHING =
      new Erased(
          TreePSet.empty(),
          TreePSet.empty(),
          false,
          HashTrie.empty(),
          TreePSet.empty(),
          TreePSet.empty(),
          Optional.empty());

  /**
   * What a caller has had erased, and what has come of it at the other members.
   *
   * @param at when it was demanded first
   * @param open who has not answered
   * @param erased who has erased it
   * @param refused who does not do so at this node's request
   */
  public record Demand(
      RequestId id,
      Instant at,
      List<StateId> states,
      List<NodeName> open,
      List<NodeName> erased,
      List<NodeName> refused) {
    public Demand {
      states = List.copyOf(states);
      open = List.copyOf(open);
      erased = List.copyOf(erased);
      refused = List.copyOf(refused);
    }

    private Place place() {
      return new Place(at, id);
    }

    private Demand answered(NodeName by, boolean has) {
      return new Demand(
          id,
          at,
          states,
          without(open, by),
          has ? with(erased, by) : erased,
          has ? refused : with(refused, by));
    }

    private static List<NodeName> without(List<NodeName> nodes, NodeName one) {
      return nodes.stream().filter(node -> !node.equals(one)).toList();
    }

    private static List<NodeName> with(List<NodeName> nodes, NodeName one) {
      var more = new ArrayList<>(nodes);
      more.add(one);
      return more;
    }
  }

  /**
   * What a caller is told who demands it.
   *
   * @param refusal a sentence, if nothing is erased
   * @param demand else what has come of it
   */
  public record Answer(Optional<String> refusal, Optional<Demand> demand) {}

  /** Where a demand stands among all; it stays a place when its demand is forgotten. */
  public record Place(Instant at, RequestId id) implements Comparable<Place> {
    private static final Comparator<Place> ORDER =
        Comparator.comparing(Place::at).thenComparing(place -> place.id().value());

    /**
     * As {@link #toString} writes it.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static Place parse(String text) {
      int end = text.indexOf('/');
      if (end < 0) {
        throw new IllegalArgumentException("It is no place among erasures.");
      }
      try {
        return new Place(
            Instant.parse(text.substring(0, end)), new RequestId(text.substring(end + 1)));
      } catch (DateTimeException e) {
        throw new IllegalArgumentException("It is no place among erasures.", e);
      }
    }

    @Override
    public int compareTo(Place other) {
      return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
      return at + "/" + id;
    }
  }

  /**
   * Some of what callers have demanded.
   *
   * @param demands the oldest first
   * @param next after which place there is more; empty on the last page
   */
  public record Page(List<Demand> demands, Optional<Place> next) {
    public Page {
      demands = List.copyOf(demands);
    }
  }

  /** Whether the contents of this state are not to be had or taken here any more. */
  public boolean has(StateId state) {
    return gone.contains(state) || toWipe.contains(state);
  }

  int size() {
    return gone.size() + toWipe.size();
  }

  /** Of a member that asks: whether all are gone from where they were kept. */
  boolean areGone(Collection<StateId> asked) {
    return gone.containsAll(asked);
  }

  /** Those that are deleted next. */
  List<StateId> nextToWipe() {
    return toWipe.stream().limit(WIPED_AT_ONCE).toList();
  }

  /** All that callers have demanded, the oldest first. */
  public List<Demand> list() {
    return order.stream().map(place -> demands.get(place.id())).toList();
  }

  /**
   * Some of it. A page may be short and not be the last.
   *
   * @param after the last place of the page before; empty to begin
   */
  public Page page(Optional<Place> after, int limit) {
    var rest = after.map(last -> order.tailSet(last, false)).orElse(order);
    var page = new ArrayList<Demand>();
    int states = 0;
    for (var place : rest) {
      var demand = demands.get(place.id());
      states += demand.states().size();
      if (page.size() == limit || (states > STATES_OF_PAGE && !page.isEmpty())) {
        return new Page(page, Optional.of(page.getLast().place()));
      }
      page.add(demand);
    }
    return new Page(page, Optional.empty());
  }

  /** The open demands that this life has not taken up, a few of them. */
  List<Demand> toAsk() {
    var rest = asked.map(last -> open.tailSet(last, false)).orElse(open);
    return rest.stream().limit(TAKEN_UP).map(place -> demands.get(place.id())).toList();
  }

  /** With these taken up. */
  Erased asking(List<Demand> taken) {
    return taken.isEmpty() ? this : withAsked(Optional.of(taken.getLast().place()));
  }

  /** Whether nothing is left to be done, and nobody to be asked. */
  boolean isIdle() {
    return toWipe.isEmpty() && open.isEmpty();
  }

  boolean hasRoomFor(Collection<StateId> more) {
    return size() + more.stream().filter(id -> !has(id)).count() <= MOST;
  }

  Erased with(Collection<StateId> more) {
    return withToWipe(toWipe.plusAll(more.stream().filter(id -> !has(id)).toList()));
  }

  Erased gone(Collection<StateId> wiped) {
    var done = wiped.stream().filter(toWipe::contains).toList();
    return with().gone(gone.plusAll(done)).toWipe(toWipe.minusAll(done)).build();
  }

  /** One that is demanded again is asked for of all that have not erased it. */
  Erased demanded(Demand demand) {
    var next = put(demand);
    if (next.demands.size() > MOST_DEMANDS) {
      return next.order.stream()
          .filter(each -> !next.open.contains(each) && !each.equals(demand.place()))
          .findFirst()
          .map(next::without)
          .orElse(next);
    }
    return next;
  }

  private Erased put(Demand demand) {
    var place = demand.place();
    return with()
        .demands(demands.plus(demand.id(), demand))
        .order(order.plus(place))
        .open(demand.open().isEmpty() ? open.minus(place) : open.plus(place))
        .build();
  }

  private Erased without(Place place) {
    return with().demands(demands.minus(place.id())).order(order.minus(place)).build();
  }

  Erased answered(RequestId id, NodeName by, boolean has) {
    var demand = demands.get(id);
    return demand == null || !demand.open().contains(by) ? this : put(demand.answered(by, has));
  }

  /** Whether one more can be demanded: as many wait for members as are remembered. */
  boolean takesDemands() {
    return open.size() < MOST_DEMANDS;
  }

  /** As a life begins: nothing is under way. */
  Erased atRest() {
    return with().wiping(false).asked(Optional.empty()).build();
  }

  /** As recovered. */
  public static Erased of(
      Collection<StateId> gone, Collection<StateId> toWipe, Collection<Demand> demands) {
    var next = NOTHING.with().gone(TreePSet.from(gone)).toWipe(TreePSet.from(toWipe)).build();
    for (var demand : demands) {
      next = next.demanded(demand);
    }
    return next;
  }
}
