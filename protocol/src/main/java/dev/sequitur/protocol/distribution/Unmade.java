package dev.sequitur.protocol.distribution;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.distribution.MissingContents.Missing;
import dev.sequitur.protocol.distribution.StateStoreState.Unconfirmed;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.trie.HashTrie;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.pcollections.PMap;
import org.pcollections.TreePSet;

/**
 * Contents that came, and that no block has made a state of in so many blocks that nobody holds
 * them in memory any more. They are kept where spent states are, until they are old enough to be
 * deleted (ROM-8).
 *
 * @param states as they were held
 * @param byAge the same, by the block after which they came
 * @param looking whether it is being looked which of them go; a life begins without
 * @param after up to which it was looked
 */
@Copyable
public record Unmade(
    PMap<StateId, Unconfirmed> states,
    TreePSet<Missing> byAge,
    boolean looking,
    Optional<Missing> after)
    implements UnmadeBuilder.With {
  /** Of one contract; what is more stays where it is kept, the oldest first. */
  static final int MOST = 100_000;

  /** That are looked at together. */
  static final int AT_ONCE = 1_000;

  static final Unmade NONE =
      new Unmade(HashTrie.empty(), TreePSet.empty(), false, Optional.empty());

  boolean contains(StateId state) {
    return states.containsKey(state);
  }

  /** Of these those that are among them. */
  List<StateId> among(Collection<StateId> asked) {
    return states.isEmpty() ? List.of() : asked.stream().filter(this::contains).toList();
  }

  Unmade plus(StateId state, Unconfirmed held) {
    var others = minus(state);
    var next =
        others
            .with()
            .states(others.states.plus(state, held))
            .byAge(others.byAge.plus(new Missing(held.since(), state)))
            .build();
    return next.states.size() > MOST ? next.minus(next.byAge.first().state()) : next;
  }

  Unmade minus(StateId state) {
    var held = states.get(state);
    return held == null
        ? this
        : with()
            .states(states.minus(state))
            .byAge(byAge.minus(new Missing(held.since(), state)))
            .build();
  }

  /** The next that came before this block. */
  List<StateId> next(BlockHeight before) {
    var rest = after.map(last -> byAge.tailSet(last, false)).orElse(byAge);
    return rest.stream()
        .takeWhile(each -> each.since().compareTo(before) < 0)
        .limit(AT_ONCE)
        .map(Missing::state)
        .toList();
  }

  /** It is looked at them from the oldest on, or from where it was looked up to. */
  Unmade looking(Optional<StateId> upTo) {
    var place = upTo.map(state -> new Missing(states.get(state).since(), state));
    return with().looking(true).after(place).build();
  }

  /** Nothing is under way. */
  Unmade atRest() {
    return with().looking(false).after(Optional.empty()).build();
  }
}
