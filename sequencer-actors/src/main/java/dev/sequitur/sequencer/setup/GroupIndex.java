package dev.sequitur.sequencer.setup;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.GroupStore.KnownGroup;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * What a JVM keeps of each group of its node that has concerned it: rows of bytes and tables of
 * their places, less than 100 bytes for each, and no object. Nodes and local members that many
 * groups have alike are kept once; names that one group alone has take as many bytes more as they
 * are long. Thread-safe; groups are added, and their members may change.
 */
final class GroupIndex {
  private static final int ADDRESS = 20;

  // Where each is in a row; the contract is the first.
  private static final int SUBMITTER = ADDRESS;
  private static final int NODES = 2 * ADDRESS;
  private static final int LOCAL = NODES + Integer.BYTES;
  private static final int ROW = LOCAL + Integer.BYTES;

  private static final int BLOCK_BITS = 6;
  private static final int BLOCK = 1 << BLOCK_BITS;

  /** Before the number of a node that does not fit into one byte. */
  private static final int LONG = 0xFF;

  /** Between names, which have letters, digits and few signs. */
  private static final String NEXT = ",";

  // All by this.
  private final List<ByteBuffer> blocks = new ArrayList<>();
  private final PlaceTable byContract = new PlaceTable(row -> hash(row, 0));
  private final PlaceTable bySubmitter = new PlaceTable(row -> hash(row, SUBMITTER));
  private final ByteValues manyNodes = new ByteValues();
  private final ByteValues manyLocal = new ByteValues();
  private final Map<NodeName, Integer> nodeNumbers = new HashMap<>();
  private final List<NodeName> nodes = new ArrayList<>();
  private int size;

  /** Whether it was new. */
  synchronized boolean add(KnownGroup group) {
    var contract = bytes(group.contract().value());
    if (row(byContract, 0, contract) >= 0) {
      return false;
    }
    if (size >>> BLOCK_BITS == blocks.size()) {
      blocks.add(ByteBuffer.allocate(BLOCK * ROW));
    }
    int row = size;
    int from = from(row);
    block(row)
        .put(from, contract)
        .put(from + SUBMITTER, bytes(group.submitter().value()))
        .putInt(from + NODES, manyNodes.placeOf(written(group.nodes())))
        .putInt(from + LOCAL, manyLocal.placeOf(written(group)));
    byContract.add(row);
    bySubmitter.add(row);
    size++;
    return true;
  }

  /** Whose members have changed; one that is not there is added. */
  synchronized void put(KnownGroup group) {
    if (!add(group)) {
      int row = row(byContract, 0, bytes(group.contract().value()));
      block(row)
          .putInt(from(row) + NODES, manyNodes.placeOf(written(group.nodes())))
          .putInt(from(row) + LOCAL, manyLocal.placeOf(written(group)));
    }
  }

  private static byte[] written(KnownGroup group) {
    return String.join(NEXT, group.local()).getBytes(StandardCharsets.US_ASCII);
  }

  /** By their numbers: a node has few others, and its groups many. */
  private byte[] written(List<NodeName> names) {
    var numbers = ByteBuffer.allocate(names.size() * (1 + Integer.BYTES));
    for (var name : names) {
      int number =
          nodeNumbers.computeIfAbsent(
              name,
              fresh -> {
                nodes.add(fresh);
                return nodes.size() - 1;
              });
      if (number < LONG) {
        numbers.put((byte) number);
      } else {
        numbers.put((byte) LONG).putInt(number);
      }
    }
    return Arrays.copyOf(numbers.array(), numbers.position());
  }

  private Set<NodeName> nodes(byte[] written) {
    var numbers = ByteBuffer.wrap(written);
    var names = new ArrayList<NodeName>();
    while (numbers.hasRemaining()) {
      int number = numbers.get() & 0xFF;
      names.add(nodes.get(number < LONG ? number : numbers.getInt()));
    }
    return Set.copyOf(names);
  }

  private static List<String> names(byte[] written) {
    return written.length == 0
        ? List.of()
        : List.of(new String(written, StandardCharsets.US_ASCII).split(NEXT));
  }

  private ByteBuffer block(int row) {
    return blocks.get(row >>> BLOCK_BITS);
  }

  private static int from(int row) {
    return (row & (BLOCK - 1)) * ROW;
  }

  private byte[] address(int row, int column) {
    var address = new byte[ADDRESS];
    block(row).get(from(row) + column, address);
    return address;
  }

  private int hash(int row, int column) {
    return Arrays.hashCode(address(row, column));
  }

  /** Below 0 if there is none. */
  private int row(PlaceTable table, int column, byte[] wanted) {
    return table.find(Arrays.hashCode(wanted), row -> Arrays.equals(address(row, column), wanted));
  }

  private static byte[] bytes(String address) {
    return Bytes.hex(address).toByteArray();
  }

  /** What it takes of memory, but for the names of the nodes that there are. */
  synchronized long bytes() {
    return (long) BLOCK * ROW * blocks.size()
        + byContract.bytes()
        + bySubmitter.bytes()
        + manyNodes.bytes()
        + manyLocal.bytes();
  }

  synchronized int size() {
    return size;
  }

  boolean isKnown(ContractAddress contract) {
    return at(contract, row -> row).isPresent();
  }

  /** Of its members. */
  Optional<Set<NodeName>> nodes(ContractAddress contract) {
    return at(contract, row -> nodes(manyNodes.at(block(row).getInt(from(row) + NODES))));
  }

  /** Its members of this node. */
  Optional<List<String>> local(ContractAddress contract) {
    return at(contract, row -> names(manyLocal.at(block(row).getInt(from(row) + LOCAL))));
  }

  private synchronized <T> Optional<T> at(ContractAddress contract, IntFunction<T> read) {
    int row = row(byContract, 0, bytes(contract.value()));
    return row < 0 ? Optional.empty() : Optional.of(read.apply(row));
  }

  /** Whose transactions the key submits. */
  synchronized Optional<ContractAddress> contractOf(LedgerAddress submitter) {
    int row = row(bySubmitter, SUBMITTER, bytes(submitter.value()));
    return row < 0 ? Optional.empty() : Optional.of(contract(row));
  }

  private ContractAddress contract(int row) {
    return new ContractAddress(Bytes.of(address(row, 0)).toHex());
  }
}
