package dev.sequitur.schedule.queue;

import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Several sorted parts as one in the same order, of which no more is read than is taken. What is
 * equal comes in the order of the parts. Confined to who reads it.
 */
public final class SortedParts<T> implements Iterator<T> {
  private final PriorityQueue<Part<T>> parts;

  /** A part that has one more. */
  private static final class Part<T> {
    private final int number;
    private final Iterator<T> rest;
    private T next;

    Part(int number, Iterator<T> rest) {
      this.number = number;
      this.rest = rest;
      this.next = rest.next();
    }
  }

  public SortedParts(List<Iterator<T>> sorted, Comparator<? super T> order) {
    parts =
        new PriorityQueue<>(
            Comparator.<Part<T>, T>comparing(part -> part.next, order)
                .thenComparing(part -> part.number));
    for (int number = 0; number < sorted.size(); number++) {
      if (sorted.get(number).hasNext()) {
        parts.add(new Part<>(number, sorted.get(number)));
      }
    }
  }

  @Override
  public boolean hasNext() {
    return !parts.isEmpty();
  }

  @Override
  public T next() {
    var first = parts.remove();
    var taken = first.next;
    if (first.rest.hasNext()) {
      first.next = first.rest.next();
      parts.add(first);
    }
    return taken;
  }
}
