package dev.sequitur.protocol.paged;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Consumer;

/**
 * An immutable map in the order of its keys, kept in pages of up to 32 entries: each change copies
 * the few pages on the way to it and shares the rest, so every earlier map stays as it was. A
 * million entries cost about ten bytes each beside their keys and values, and a change touches four
 * or five pages, where a balanced binary tree would take forty bytes each and twenty nodes. Changes
 * through {@link java.util.Map}'s own methods are refused.
 */
public final class PagedMap<K extends Comparable<? super K>, V> extends AbstractMap<K, V> {
  private static final PagedMap<?, ?> EMPTY = new PagedMap<>(Page.EMPTY);

  private final Page root;

  private PagedMap(Page root) {
    this.root = root;
  }

  // An empty map holds nothing of the wrong type.
  @SuppressWarnings("unchecked")
  public static <K extends Comparable<? super K>, V> PagedMap<K, V> empty() {
    return (PagedMap<K, V>) EMPTY;
  }

  /** Of pages that keep the rules of {@link Page}. */
  static <K extends Comparable<? super K>, V> PagedMap<K, V> of(Page root) {
    return new PagedMap<>(root);
  }

  /** What one key has in two maps. */
  @FunctionalInterface
  public interface Difference<K, V> {
    /**
     * @param before null if there was none
     * @param after null if there is none any more
     */
    void differs(K key, V before, V after);
  }

  /**
   * Tells in the order of keys where two maps have not the same object. Takes as long as there are
   * differences, if one map was made from the other.
   */
  public static <K extends Comparable<? super K>, V> void differences(
      PagedMap<K, V> before, PagedMap<K, V> after, Difference<K, V> to) {
    new PageDifferences<>(before.root, after.root, to).tell();
  }

  /** With {@code value} under {@code key}, in the place of what was there. */
  public PagedMap<K, V> plus(K key, V value) {
    var next = root.plus(key, value);
    return next == root ? this : new PagedMap<>(next.isTooLong() ? next.split(key) : next);
  }

  /** Without {@code key}; the same map if it has none. */
  public PagedMap<K, V> minus(Object key) {
    var next = root.minus(key);
    return next == root ? this : new PagedMap<>(next.withoutNeedlessRoot());
  }

  /** Without all of {@code sorted}, which is in the order of keys: each page is copied once. */
  public PagedMap<K, V> minusAll(SortedSet<? extends K> sorted) {
    return minusAll(sorted, gone -> {});
  }

  /**
   * The same.
   *
   * @param gone is told what each had, in the order of keys; nothing of those that are not here
   */
  // What is under a key was put there as a V.
  @SuppressWarnings("unchecked")
  public PagedMap<K, V> minusAll(SortedSet<? extends K> sorted, Consumer<? super V> gone) {
    var next = root.minusAll(sorted.toArray(), 0, sorted.size(), value -> gone.accept((V) value));
    return next == root ? this : new PagedMap<>(next.withoutNeedlessRoot());
  }

  // What is under a key was put there as a V.
  @Override
  @SuppressWarnings("unchecked")
  public V get(Object key) {
    return (V) root.get(key);
  }

  @Override
  public boolean containsKey(Object key) {
    return root.get(key) != null;
  }

  @Override
  public int size() {
    return root.size();
  }

  /** The very object that is the key here, if there is one that equals {@code key}. */
  // As in get.
  @SuppressWarnings("unchecked")
  public Optional<K> sharedKey(K key) {
    return Optional.ofNullable((K) root.keyOf(key));
  }

  public Optional<Entry<K, V>> first() {
    var entries = entrySet().iterator();
    return entries.hasNext() ? Optional.of(entries.next()) : Optional.empty();
  }

  /** The last entry whose key is {@code key} or comes before it. */
  // As in get.
  @SuppressWarnings("unchecked")
  public Optional<Entry<K, V>> upTo(K key) {
    return Optional.ofNullable((Entry<K, V>) root.lastUpTo(key));
  }

  /** The entries whose keys are {@code key} or come after it, in order. */
  public Iterable<Entry<K, V>> from(K key) {
    return () -> new PageIterator<>(root, key);
  }

  @Override
  public Set<Entry<K, V>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public Iterator<Entry<K, V>> iterator() {
        return new PageIterator<>(root, null);
      }

      @Override
      public int size() {
        return root.size();
      }
    };
  }
}
