package dev.sequitur.protocol.trie;

import java.util.AbstractCollection;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import org.pcollections.MapPSet;
import org.pcollections.PMap;
import org.pcollections.PSet;

/**
 * An immutable map that shares with its successors all that they have in common. Each level of the
 * trie takes five bits of a key's hash: of a thousand entries most lie two levels deep, where the
 * binary tree of {@link org.pcollections.HashPMap} is ten deep and has two more objects for each
 * entry. The order of iteration follows from the keys' hashes; only where these are equal, it tells
 * which came first. Holds no null.
 */
public final class HashTrie<K, V> extends AbstractMap<K, V> implements PMap<K, V> {
  private static final HashTrie<?, ?> EMPTY = new HashTrie<>(TrieNode.EMPTY, 0);

  private final TrieNode root;
  private final int size;

  private HashTrie(TrieNode root, int size) {
    this.root = root;
    this.size = size;
  }

  @SuppressWarnings("unchecked") // it holds nothing
  public static <K, V> HashTrie<K, V> empty() {
    return (HashTrie<K, V>) EMPTY;
  }

  public static <K, V> HashTrie<K, V> from(Map<? extends K, ? extends V> others) {
    return HashTrie.<K, V>empty().plusAll(others);
  }

  /** A set that is such a map of its elements. */
  public static <E> PSet<E> emptySet() {
    return MapPSet.from(HashTrie.<E, Object>empty());
  }

  public static <E> PSet<E> setOf(Collection<? extends E> elements) {
    return HashTrie.<E>emptySet().plusAll(elements);
  }

  @Override
  public HashTrie<K, V> plus(K key, V value) {
    Objects.requireNonNull(value);
    int hash = spread(key);
    var before = root.get(key, hash, 0);
    if (before == value) {
      return this;
    }
    return new HashTrie<>(root.plus(key, value, hash, 0), before == null ? size + 1 : size);
  }

  @Override
  public HashTrie<K, V> plusAll(Map<? extends K, ? extends V> others) {
    var all = this;
    for (var other : others.entrySet()) {
      all = all.plus(other.getKey(), other.getValue());
    }
    return all;
  }

  @Override
  public HashTrie<K, V> minus(Object key) {
    int hash = spread(key);
    if (root.get(key, hash, 0) == null) {
      return this;
    }
    return size == 1 ? empty() : new HashTrie<>(root.minus(key, hash, 0), size - 1);
  }

  @Override
  public HashTrie<K, V> minusAll(Collection<?> keys) {
    var rest = this;
    for (var key : keys) {
      rest = rest.minus(key);
    }
    return rest;
  }

  @Override
  @SuppressWarnings("unchecked") // only values were put in
  public V get(Object key) {
    return (V) root.get(key, spread(key), 0);
  }

  @Override
  public boolean containsKey(Object key) {
    return get(key) != null;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  @SuppressWarnings("unchecked") // only keys were put in
  public Set<K> keySet() {
    return new AbstractSet<>() {
      @Override
      public Iterator<K> iterator() {
        return new Walk<>(root, (key, value) -> (K) key);
      }

      @Override
      public int size() {
        return size;
      }

      @Override
      public boolean contains(Object key) {
        return containsKey(key);
      }
    };
  }

  @Override
  @SuppressWarnings("unchecked") // only values were put in
  public Collection<V> values() {
    return new AbstractCollection<>() {
      @Override
      public Iterator<V> iterator() {
        return new Walk<>(root, (key, value) -> (V) value);
      }

      @Override
      public int size() {
        return size;
      }
    };
  }

  @Override
  @SuppressWarnings("unchecked") // only these were put in
  public Set<Entry<K, V>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public Iterator<Entry<K, V>> iterator() {
        return new Walk<>(root, (key, value) -> Map.entry((K) key, (V) value));
      }

      @Override
      public int size() {
        return size;
      }
    };
  }

  /** The ids of things are good hashes, enums and short texts less so. */
  static int spread(Object key) {
    int hash = key.hashCode() * 0x9E3779B9;
    return hash ^ hash >>> 16;
  }

  /** Goes through a trie, and gives of each entry what is asked for. */
  private static final class Walk<T> implements Iterator<T> {
    private final BiFunction<Object, Object, T> give;
    private final TrieNode[] nodes = new TrieNode[TrieNode.MOST_LEVELS];
    private final int[] places = new int[TrieNode.MOST_LEVELS];
    private int level;

    Walk(TrieNode root, BiFunction<Object, Object, T> give) {
      this.give = give;
      this.nodes[0] = root;
      findNext();
    }

    /** Stops at the next entry, or above the root. */
    private void findNext() {
      while (level >= 0) {
        var node = nodes[level];
        int place = places[level];
        if (place < node.entries()) {
          return;
        } else if (place < node.entries() + node.children()) {
          places[level]++;
          level++;
          nodes[level] = node.child(place - node.entries());
          places[level] = 0;
        } else {
          level--;
        }
      }
    }

    @Override
    public boolean hasNext() {
      return level >= 0;
    }

    @Override
    public T next() {
      if (level < 0) {
        throw new NoSuchElementException();
      }
      var node = nodes[level];
      int place = places[level]++;
      var given = give.apply(node.key(place), node.value(place));
      findNext();
      return given;
    }
  }
}
