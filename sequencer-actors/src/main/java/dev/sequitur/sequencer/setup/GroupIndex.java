package dev.sequitur.sequencer.setup;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.GroupStore.KnownGroup;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * What a JVM keeps of each group that its node is in: rows of bytes and two tables of their places,
 * less than 100 bytes for each. Nodes and local members that many groups have alike are kept once.
 * Thread-safe; groups are added only.
 */
final class GroupIndex {
  private static final int ADDRESS = 20;
  private static final int FIRST_ROWS = 64;

  /** A byte of a table's place that is free. */
  private static final int FREE = 0;

  // All by this.
  private int rows;
  private byte[] contracts = new byte[FIRST_ROWS * ADDRESS];
  private byte[] submitters = new byte[FIRST_ROWS * ADDRESS];
  private int[] nodes = new int[FIRST_ROWS];
  private int[] local = new int[FIRST_ROWS];
  private int[] byContract = new int[2 * FIRST_ROWS];
  private int[] bySubmitter = new int[2 * FIRST_ROWS];
  private final Alike<Set<NodeName>> manyNodes = new Alike<>();
  private final Alike<List<String>> manyLocal = new Alike<>();

  /** Values that are kept once, by numbers. */
  private static final class Alike<T> {
    private final Map<T, Integer> numbers = new HashMap<>();
    private final List<T> values = new ArrayList<>();

    private int number(T value) {
      return numbers.computeIfAbsent(
          value,
          fresh -> {
            values.add(fresh);
            return values.size() - 1;
          });
    }
  }

  /** Whether it was new. */
  synchronized boolean add(KnownGroup group) {
    var contract = bytes(group.contract().value());
    if (row(byContract, contracts, contract) >= 0) {
      return false;
    }
    if (rows == nodes.length) {
      grow();
    }
    var submitter = bytes(group.submitter().value());
    System.arraycopy(contract, 0, contracts, rows * ADDRESS, ADDRESS);
    System.arraycopy(submitter, 0, submitters, rows * ADDRESS, ADDRESS);
    nodes[rows] = manyNodes.number(Set.copyOf(group.nodes()));
    local[rows] = manyLocal.number(List.copyOf(group.local()));
    place(byContract, contracts, rows);
    place(bySubmitter, submitters, rows);
    rows++;
    return true;
  }

  /** By a quarter: what is moved is paid for by what comes, and little room is empty. */
  private void grow() {
    int more = nodes.length + nodes.length / 4;
    contracts = Arrays.copyOf(contracts, more * ADDRESS);
    submitters = Arrays.copyOf(submitters, more * ADDRESS);
    nodes = Arrays.copyOf(nodes, more);
    local = Arrays.copyOf(local, more);
    byContract = new int[2 * more];
    bySubmitter = new int[2 * more];
    for (int row = 0; row < rows; row++) {
      place(byContract, contracts, row);
      place(bySubmitter, submitters, row);
    }
  }

  private static void place(int[] table, byte[] addresses, int row) {
    int place = first(table, addresses, row * ADDRESS);
    while (table[place] != FREE) {
      place = (place + 1) % table.length;
    }
    table[place] = row + 1;
  }

  /** Addresses are hashes, or could be chosen only by whoever makes a contract of this node. */
  private static int first(int[] table, byte[] addresses, int from) {
    int hash = 1;
    for (int at = from; at < from + ADDRESS; at++) {
      hash = 31 * hash + addresses[at];
    }
    return Math.floorMod(hash ^ hash >>> 16, table.length);
  }

  /** Below 0 if there is none. */
  private static int row(int[] table, byte[] addresses, byte[] wanted) {
    int place = first(table, wanted, 0);
    while (table[place] != FREE) {
      int from = (table[place] - 1) * ADDRESS;
      if (Arrays.equals(addresses, from, from + ADDRESS, wanted, 0, ADDRESS)) {
        return table[place] - 1;
      }
      place = (place + 1) % table.length;
    }
    return -1;
  }

  private static byte[] bytes(String address) {
    return Bytes.hex(address).toByteArray();
  }

  /** What its rows and tables take. */
  synchronized long bytes() {
    return contracts.length
        + submitters.length
        + (long) Integer.BYTES
            * (nodes.length + local.length + byContract.length + bySubmitter.length);
  }

  synchronized int size() {
    return rows;
  }

  boolean isKnown(ContractAddress contract) {
    return at(contract, row -> row).isPresent();
  }

  /** Of its members. */
  Optional<Set<NodeName>> nodes(ContractAddress contract) {
    return at(contract, row -> manyNodes.values.get(nodes[row]));
  }

  /** Its members of this node. */
  Optional<List<String>> local(ContractAddress contract) {
    return at(contract, row -> manyLocal.values.get(local[row]));
  }

  private synchronized <T> Optional<T> at(ContractAddress contract, Function<Integer, T> read) {
    int row = row(byContract, contracts, bytes(contract.value()));
    return row < 0 ? Optional.empty() : Optional.of(read.apply(row));
  }

  /** Whose transactions the key submits. */
  synchronized Optional<ContractAddress> contractOf(LedgerAddress submitter) {
    int row = row(bySubmitter, submitters, bytes(submitter.value()));
    return row < 0 ? Optional.empty() : Optional.of(contract(row));
  }

  private ContractAddress contract(int row) {
    var address = Arrays.copyOfRange(contracts, row * ADDRESS, (row + 1) * ADDRESS);
    return new ContractAddress(Bytes.of(address).toHex());
  }

  /** All members of this node, of whatever group. */
  synchronized Set<String> local() {
    var all = new HashSet<String>();
    manyLocal.values.forEach(all::addAll);
    return new TreeSet<>(all);
  }

  /** All of them at this moment, for what has to go through all: 100 bytes for each. */
  synchronized List<ContractAddress> contracts() {
    var all = new ArrayList<ContractAddress>(rows);
    for (int row = 0; row < rows; row++) {
      all.add(contract(row));
    }
    all.sort(null);
    return all;
  }
}
