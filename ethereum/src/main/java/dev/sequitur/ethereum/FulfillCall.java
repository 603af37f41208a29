package dev.sequitur.ethereum;

import dev.sequitur.protocol.attestation.MerklePath;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.Signature;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * Writes what the contract's call {@code fulfill} takes, whose layout PrivacyGroup.sol tells.
 * Transitions that stand beside each other and were signed together share their signatures; a whole
 * tree in its order needs no paths. {@link FulfilledGroups} reads it. Pure.
 */
public final class FulfillCall {
  /** Of signatures in a group, and of siblings in a path. */
  private static final int MOST_SMALL = 255;

  /** Of transitions in a group, and of states in a list. */
  private static final int MOST = 65_535;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final Function<PreparedTransaction, ToIntFunction<Signature>> places;

  private FulfillCall(Function<PreparedTransaction, ToIntFunction<Signature>> places) {
    this.places = places;
  }

  /**
   * The groups of a call.
   *
   * @param transitions in the order in which they are to be fulfilled
   * @param place of a signature's member in the contract's committee; negative if it is no
   *     member's, which leaves it out
   * @throws IllegalArgumentException if the layout has no room for a list so long
   */
  public static byte[] groups(
      List<PreparedTransaction> transitions, ToIntFunction<Signature> place) {
    return of(transitions, transition -> place);
  }

  /**
   * As before, where the committee has changed: what is on its way may be endorsed by another one.
   *
   * @param places for the signatures of each transition
   */
  static byte[] of(
      List<PreparedTransaction> transitions,
      Function<PreparedTransaction, ToIntFunction<Signature>> places) {
    var call = new FulfillCall(places);
    int from = 0;
    while (from < transitions.size()) {
      int to = from + 1;
      while (to < transitions.size() && to - from < MOST && together(transitions, from, to)) {
        to++;
      }
      call.run(transitions.subList(from, to));
      from = to;
    }
    return call.out.toByteArray();
  }

  private static boolean together(List<PreparedTransaction> transitions, int from, int to) {
    var first = transitions.get(from).proof();
    var next = transitions.get(to).proof();
    return next.signatures().equals(first.signatures())
        && next.path().size() == first.path().size();
  }

  /** Transitions that are signed by the same signatures, of one tree. */
  private void run(List<PreparedTransaction> run) {
    int size = run.get(0).proof().path().size();
    if (isWhole(run, size)) {
      group(run, size, true);
      return;
    }
    // As many as the tree has leaves would be taken for the whole tree.
    int most = Math.max(1, size - 1);
    for (int from = 0; from < run.size(); from += most) {
      group(run.subList(from, Math.min(run.size(), from + most)), size, false);
    }
  }

  private static boolean isWhole(List<PreparedTransaction> run, int size) {
    if (run.size() != size) {
      return false;
    }
    for (int index = 0; index < size; index++) {
      if (run.get(index).proof().path().index() != index) {
        return false;
      }
    }
    return true;
  }

  private void group(List<PreparedTransaction> group, int size, boolean whole) {
    var place = places.apply(group.get(0));
    var signatures = new ArrayList<Signature>();
    for (var endorsement : group.get(0).proof().signatures()) {
      if (place.applyAsInt(endorsement) >= 0) {
        signatures.add(endorsement);
      }
    }
    signatures.sort(Comparator.comparingInt(place));
    number(1, signatures.size(), MOST_SMALL);
    for (var signature : signatures) {
      number(1, place.applyAsInt(signature), MOST_SMALL);
      out.writeBytes(signature.value().toByteArray());
    }
    number(4, size, Integer.MAX_VALUE);
    number(2, group.size(), MOST);
    for (var transition : group) {
      transition(transition);
      if (!whole) {
        path(transition.proof().path());
      }
    }
  }

  private void transition(PreparedTransaction transition) {
    var id = transition.transaction().value();
    out.writeBytes(
        ByteBuffer.allocate(2 * Long.BYTES)
            .putLong(id.getMostSignificantBits())
            .putLong(id.getLeastSignificantBits())
            .array());
    hash(transition.intent().commitment().value());
    states(transition.inputs());
    states(transition.reads());
    states(transition.outputs());
  }

  private void states(List<StateId> states) {
    number(2, states.size(), MOST);
    states.forEach(state -> hash(state.value()));
  }

  private void path(MerklePath path) {
    number(4, path.index(), Integer.MAX_VALUE);
    number(1, path.siblings().size(), MOST_SMALL);
    path.siblings().forEach(this::hash);
  }

  private void hash(Hash hash) {
    out.writeBytes(hash.toByteArray());
  }

  private void number(int bytes, int value, int most) {
    if (value > most) {
      throw new IllegalArgumentException(
          "The contract takes at most " + most + " there, not " + value + ".");
    }
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
      out.write(value >>> shift);
    }
  }
}
