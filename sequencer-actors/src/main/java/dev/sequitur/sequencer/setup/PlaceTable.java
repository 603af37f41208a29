package dev.sequitur.sequencer.setup;

import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/**
 * Finds numbers by what they stand for, and has no object for any of them: a table of which between
 * a quarter and two fifths are free. Numbers are added only. Not thread-safe.
 */
final class PlaceTable {
  private static final int FIRST = 64;

  /** In a place that has no number, since numbers stand there plus one. */
  private static final int FREE = 0;

  private final IntUnaryOperator hash;
  private int[] places = new int[FIRST];
  private int used;

  /**
   * @param hash of what a number stands for, as {@link #find} is given it
   */
  PlaceTable(IntUnaryOperator hash) {
    this.hash = hash;
  }

  /**
   * Below 0 if there is none.
   *
   * @param is whether a number stands for what is sought
   */
  int find(int hashOfSought, IntPredicate is) {
    int place = first(hashOfSought);
    while (places[place] != FREE) {
      int number = places[place] - 1;
      if (is.test(number)) {
        return number;
      }
      place = next(place);
    }
    return -1;
  }

  /** One that {@link #find} does not find. */
  void add(int number) {
    if (4L * (used + 1) > 3L * places.length) {
      grow();
    }
    put(number);
    used++;
  }

  /** By a quarter: what is moved is paid for by what comes, and little room is empty. */
  private void grow() {
    var before = places;
    places = new int[before.length + before.length / 4];
    for (int number : before) {
      if (number != FREE) {
        put(number - 1);
      }
    }
  }

  private void put(int number) {
    int place = first(hash.applyAsInt(number));
    while (places[place] != FREE) {
      place = next(place);
    }
    places[place] = number + 1;
  }

  private int first(int hashOfSought) {
    // Every bit counts for the place, whatever the length of the table is.
    return Math.floorMod((hashOfSought ^ (hashOfSought >>> 16)) * 0x9E3779B1, places.length);
  }

  private int next(int place) {
    return place + 1 == places.length ? 0 : place + 1;
  }

  long bytes() {
    return (long) Integer.BYTES * places.length;
  }
}
