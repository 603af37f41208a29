package dev.sequitur.protocol.trie;

import java.util.Arrays;

/**
 * One node of a {@link HashTrie}: up to 32 places, each with an entry, a node below, or nothing. A
 * node below has at least two entries in all, so that the same entries always make the same nodes.
 * Below the last bits of the hash, a node just lists entries.
 */
final class TrieNode {
  private static final int BITS = 5;
  private static final int HASH_BITS = 32;

  /** Seven for the bits of a hash, and one for hashes that are equal. */
  static final int MOST_LEVELS = 8;

  static final TrieNode EMPTY = new TrieNode(0, 0, new Object[0]);

  private final int entryMap; // which places have an entry; none in a list
  private final int nodeMap; // which places have a node
  private final Object[] content; // key, value, key, value, ... node, node, ...

  private TrieNode(int entryMap, int nodeMap, Object[] content) {
    this.entryMap = entryMap;
    this.nodeMap = nodeMap;
    this.content = content;
  }

  int entries() {
    return (content.length - children()) / 2;
  }

  int children() {
    return Integer.bitCount(nodeMap);
  }

  Object key(int entry) {
    return content[2 * entry];
  }

  Object value(int entry) {
    return content[2 * entry + 1];
  }

  TrieNode child(int number) {
    return (TrieNode) content[2 * entries() + number];
  }

  /** Null if there is none. */
  Object get(Object key, int hash, int shift) {
    var node = this;
    for (int down = shift; down < HASH_BITS; down += BITS) {
      int place = place(hash, down);
      if ((node.entryMap & place) != 0) {
        int entry = before(node.entryMap, place);
        return node.key(entry).equals(key) ? node.value(entry) : null;
      } else if ((node.nodeMap & place) == 0) {
        return null;
      }
      node = node.child(before(node.nodeMap, place));
    }
    int listed = node.listed(key);
    return listed < 0 ? null : node.value(listed);
  }

  TrieNode plus(Object key, Object value, int hash, int shift) {
    if (shift >= HASH_BITS) {
      int listed = listed(key);
      return listed < 0 ? withEntry(entries(), 0, key, value) : replacing(2 * listed + 1, value);
    }
    int place = place(hash, shift);
    if ((entryMap & place) != 0) {
      int entry = before(entryMap, place);
      if (key(entry).equals(key)) {
        return replacing(2 * entry + 1, value);
      }
      var below =
          EMPTY
              .plus(key(entry), value(entry), HashTrie.spread(key(entry)), shift + BITS)
              .plus(key, value, hash, shift + BITS);
      return withoutEntry(entry, place).withChild(place, below);
    } else if ((nodeMap & place) != 0) {
      int number = before(nodeMap, place);
      return replacing(2 * entries() + number, child(number).plus(key, value, hash, shift + BITS));
    }
    return withEntry(before(entryMap, place), place, key, value);
  }

  /** It holds the key. */
  TrieNode minus(Object key, int hash, int shift) {
    if (shift >= HASH_BITS) {
      return withoutEntry(listed(key), 0);
    }
    int place = place(hash, shift);
    if ((entryMap & place) != 0) {
      return withoutEntry(before(entryMap, place), place);
    }
    int number = before(nodeMap, place);
    var below = child(number).minus(key, hash, shift + BITS);
    if (below.nodeMap == 0 && below.entries() == 1) {
      return withoutChild(number, place)
          .withEntry(before(entryMap, place), place, below.key(0), below.value(0));
    }
    return replacing(2 * entries() + number, below);
  }

  private int listed(Object key) {
    for (int entry = 0; entry < entries(); entry++) {
      if (key(entry).equals(key)) {
        return entry;
      }
    }
    return -1;
  }

  private static int place(int hash, int shift) {
    return 1 << (hash >>> shift & (1 << BITS) - 1);
  }

  /** How many of a map lie before a place. */
  private static int before(int map, int place) {
    return Integer.bitCount(map & place - 1);
  }

  private TrieNode replacing(int at, Object with) {
    var changed = content.clone();
    changed[at] = with;
    return new TrieNode(entryMap, nodeMap, changed);
  }

  private TrieNode withEntry(int entry, int place, Object key, Object value) {
    var more = new Object[content.length + 2];
    System.arraycopy(content, 0, more, 0, 2 * entry);
    more[2 * entry] = key;
    more[2 * entry + 1] = value;
    System.arraycopy(content, 2 * entry, more, 2 * entry + 2, content.length - 2 * entry);
    return new TrieNode(entryMap | place, nodeMap, more);
  }

  private TrieNode withoutEntry(int entry, int place) {
    var rest = Arrays.copyOf(content, content.length - 2);
    System.arraycopy(content, 2 * entry + 2, rest, 2 * entry, rest.length - 2 * entry);
    return new TrieNode(entryMap & ~place, nodeMap, rest);
  }

  private TrieNode withChild(int place, TrieNode child) {
    int at = 2 * entries() + before(nodeMap, place);
    var more = Arrays.copyOf(content, content.length + 1);
    System.arraycopy(content, at, more, at + 1, content.length - at);
    more[at] = child;
    return new TrieNode(entryMap, nodeMap | place, more);
  }

  private TrieNode withoutChild(int number, int place) {
    int at = 2 * entries() + number;
    var rest = Arrays.copyOf(content, content.length - 1);
    System.arraycopy(content, at + 1, rest, at, rest.length - at);
    return new TrieNode(entryMap, nodeMap & ~place, rest);
  }
}
